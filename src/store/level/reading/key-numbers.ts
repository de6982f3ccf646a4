/*
 * Numbers of keys, each from the first time it came: open addressing, at most half full. Keys are whole numbers from 0 to
 * 2^53 that fit no small integer, so a Map would hash an object for each. Cost: some 10 ns a key.
 */

/** Multiplies low bits apart: 2^32 / golden ratio, odd. */
const SPREAD = 0x9e37_79b1 | 0;

export class KeyNumbers {
  readonly #keys: Float64Array;
  /** 0 where there is none, else one more than its number. */
  readonly #slots: Int32Array;
  readonly #shift: number;
  #count = 0;

  /** @param most keys that will be added, at the most */
  constructor(most: number) {
    const bits = Math.max(2, Math.ceil(Math.log2(2 * Math.max(1, most))));
    this.#keys = new Float64Array(most);
    this.#slots = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  /** In the order of their numbers. */
  get keys(): Float64Array {
    return this.#keys.subarray(0, this.#count);
  }

  /** The number of a key, which is added where it is new. */
  numberOf(key: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = Math.imul(key | 0, SPREAD) >>> this.#shift;
    for (let found = slots[slot]!; found !== 0; found = slots[slot]!) {
      if (this.#keys[found - 1] === key) return found - 1;
      slot = (slot + 1) & mask;
    }
    this.#keys[this.#count++] = key;
    slots[slot] = this.#count;
    return this.#count - 1;
  }
}
