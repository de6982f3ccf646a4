/*
 * A set of whole numbers that is gone through in their order:
 *
 *   up to FEW_MAX   a Set, sorted at the end       a small cluster of a large corpus costs its own size
 *   more            one bit for each number        a large one costs no sorting, and an eighth of a byte for each number
 */

const FEW_MAX = 4096;
/** Words of 32 bits that are looked at in one step: some 3 ms where all bits are set. */
const STEP_WORDS = 2 ** 10;

export class NumberSet {
  readonly #below: number;
  readonly #few = new Set<number>();
  #bits: Uint32Array | null = null;
  #size = 0;

  /** @param below all numbers are less than this */
  constructor(below: number) {
    this.#below = below;
  }

  get size(): number {
    return this.#bits === null ? this.#few.size : this.#size;
  }

  add(number: number): void {
    if (this.#bits !== null) this.#addBit(this.#bits, number);
    else if (this.#few.add(number).size > FEW_MAX) this.#spread();
  }

  /** Visits all numbers, the least first, in steps of a few ms. */
  *visitSteps(visit: (number: number) => void): Generator<undefined, void> {
    const bits = this.#bits;
    if (bits === null) {
      for (const number of [...this.#few].sort((a, b) => a - b)) visit(number);
      return;
    }
    for (let word = 0; word < bits.length; word++) {
      if (word % STEP_WORDS === STEP_WORDS - 1) yield;
      for (let left = bits[word]!; left !== 0; left &= left - 1) visit(32 * word + 31 - Math.clz32(left & -left));
    }
  }

  #spread(): void {
    const bits = new Uint32Array(Math.ceil(this.#below / 32));
    for (const number of this.#few) this.#addBit(bits, number);
    this.#few.clear();
    this.#bits = bits;
  }

  #addBit(bits: Uint32Array, number: number): void {
    const [word, bit] = [number >>> 5, 1 << (number & 31)];
    if ((bits[word]! & bit) === 0) this.#size++;
    bits[word]! |= bit;
  }
}
