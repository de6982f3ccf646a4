import { type ComparedSample, NARROW_BITS_MIN } from '../sketch/narrow.ts';

/*
 * Which documents hold a value, by the low 28 bits that all samples have (core/sketch/narrow.ts), while documents are added:
 *
 *   entries   key | owner | the next entry of the same key, in a ring       each document's entries one behind the other
 *   buckets   of a key -> the last entry whose key fell into it, a chain of one entry a key
 *
 * By so few bits a count can be too high, never too low. A value that two samples hold is 0 mod the coarser of their
 * moduli, so counts are those at the common modulus. Cost: 16 bytes a value, and 4 to 8 a bucket; some 20 ns a value once.
 */

const KEY_MASK = 2 ** NARROW_BITS_MIN - 1;
/** Multiplies keys apart, whose low bits are 0 where they were sampled: 2^32 / golden ratio, odd. */
const SPREAD = 0x9e37_79b1;
const NONE = -1;
const BITS_FIRST = 12;

export class ValueHolders {
  #keys = new Int32Array(2 ** BITS_FIRST);
  #owners = new Uint32Array(2 ** BITS_FIRST);
  #rings = new Uint32Array(2 ** BITS_FIRST);
  #before = new Int32Array(2 ** BITS_FIRST);
  #bits = BITS_FIRST;
  #buckets = new Int32Array(2 ** BITS_FIRST).fill(NONE);
  #size = 0;
  /** Where the entries of each document begin; one more. */
  readonly #starts: number[] = [0];

  /** Adds the next document. */
  add({ values }: ComparedSample): void {
    this.#reserve(this.#size + values.length);
    const owner = this.#starts.length - 1;
    for (let i = 0; i < values.length; i++) {
      const at = this.#size++;
      this.#keys[at] = (values[i]! | 0) & KEY_MASK;
      this.#owners[at] = owner;
      this.#link(at);
    }
    this.#starts.push(this.#size);
  }

  /** Adds to the count of each document the values that it holds of document `number`, or a few more. */
  count(number: number, counts: Uint32Array): void {
    const owners = this.#owners;
    const rings = this.#rings;
    const end = this.#starts[number + 1]!;
    for (let at = this.#starts[number]!; at < end; at++) {
      counts[number]!++;
      for (let entry = rings[at]!; entry !== at; entry = rings[entry]!) counts[owners[entry]!]!++;
    }
  }

  #link(at: number): void {
    const key = this.#keys[at]!;
    const bucket = Math.imul(key, SPREAD) >>> (32 - this.#bits);
    let entry = this.#buckets[bucket]!;
    while (entry !== NONE && this.#keys[entry] !== key) entry = this.#before[entry]!;
    if (entry === NONE) {
      this.#rings[at] = at;
      this.#before[at] = this.#buckets[bucket]!;
      this.#buckets[bucket] = at;
    } else {
      this.#rings[at] = this.#rings[entry]!;
      this.#rings[entry] = at;
    }
  }

  #reserve(size: number): void {
    if (size <= this.#keys.length) return;
    this.#bits = 32 - Math.clz32(size);
    const room = 2 ** this.#bits;
    this.#keys = grown(this.#keys, new Int32Array(room));
    this.#owners = grown(this.#owners, new Uint32Array(room));
    this.#rings = new Uint32Array(room);
    this.#before = new Int32Array(room);
    this.#buckets = new Int32Array(room).fill(NONE);
    for (let at = 0; at < this.#size; at++) this.#link(at);
  }
}

function grown<A extends Int32Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
