/*
 * Counts by content number: open addressing, at most half full. So the table fits what was found and not what was read.
 * A family of 5,000 behind 65 lists of 1,000 takes 128 KB, which stay near the processor, instead of 1 MB.
 *
 *   pairs     | content, count | 0, 0 | content, count | …        count 0 = empty
 *   used      | 0, 4, …                                           positions in use, in the order of their first hit
 *
 * A count says what a content shares with a query, in one Uint32 that is larger the more it is:
 *
 *   twin 1 bit | hits in lists read to their end 15 bits | hits in lists that were cut 16 bits
 *              `------------------- level -------------´   (with the twin bit)
 */

/** Most lists that can be counted. */
export const LISTS_MAX = 0x7fff;
export const WHOLE_HIT = 0x1_0000;
export const CUT_HIT = 1;
export const TWIN = 0x8000_0000;

export const wholeHits = (hits: number) => (hits >>> 16) & LISTS_MAX;
export const cappedHits = (hits: number) => hits & 0xffff;
/** What comes before hits in lists that were cut. */
export const levelOf = (hits: number) => hits >>> 16;

/** Fibonacci hashing: 2^32 / golden ratio. */
const SPREAD = 0x9e37_79b1;
const BITS_LEAST = 5;

export class CountTable {
  /** Two Uint32 a slot. */
  pairs = new Uint32Array(0);
  found = 0;
  private positions = new Uint32Array(0);
  private bits = BITS_LEAST;

  /** Where the pairs in use are. */
  get used(): Uint32Array {
    return this.positions.subarray(0, this.found);
  }

  /** Adds a hit to the count of each content. @param hit not 0 */
  add(contents: Uint32Array, hit: number): void {
    this.reserve(this.found + contents.length);
    const { pairs, positions } = this;
    const shift = 32 - this.bits;
    const mask = pairs.length - 2;
    let { found } = this;
    for (let i = 0; i < contents.length; i++) {
      const content = contents[i]!;
      let at = (Math.imul(content, SPREAD) >>> shift) << 1;
      let count = pairs[at + 1]!;
      while (count !== 0 && pairs[at] !== content) {
        at = (at + 2) & mask;
        count = pairs[at + 1]!;
      }
      if (count === 0) {
        pairs[at] = content;
        positions[found++] = at;
      }
      pairs[at + 1] = count + hit;
    }
    this.found = found;
  }

  private reserve(contents: number): void {
    if (contents <= this.positions.length) return;
    const before = this.pairs;
    const { used } = this;
    while (2 ** (this.bits - 1) < contents) this.bits++;
    const size = 2 ** this.bits;
    const pairs = new Uint32Array(2 * size);
    const positions = new Uint32Array(size / 2);
    for (let i = 0; i < used.length; i++) {
      const content = before[used[i]!]!;
      let at = (Math.imul(content, SPREAD) >>> (32 - this.bits)) << 1;
      while (pairs[at + 1] !== 0) at = (at + 2) & (pairs.length - 2);
      pairs[at] = content;
      pairs[at + 1] = before[used[i]! + 1]!;
      positions[i] = at;
    }
    this.pairs = pairs;
    this.positions = positions;
  }
}
