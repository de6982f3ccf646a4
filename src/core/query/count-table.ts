/*
 * Counts by content number: open addressing, at most half full. So the table fits what was found and not what was read.
 * A family of 5,000 behind 65 lists of 1,000 takes 128 KB, which stay near the processor, instead of 1 MB.
 * The memory serves one query after another: 150 KB of new memory for each had V8 mark all that lives ten times a second.
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

/** Beyond these slots (3 MB with positions), the memory is let go after its query. */
const SLOTS_KEPT_MAX = 2 ** 17;

export class CountTable {
  /** Two Uint32 a slot. */
  pairs = new Uint32Array(0);
  found = 0;
  private positions = new Uint32Array(0);
  private bits = BITS_LEAST;
  /** Memory for pairs: a table that grows moves from the first to the second, which are exchanged then. */
  private memory = new Uint32Array(0);
  private otherMemory = new Uint32Array(0);

  /** Where the pairs in use are; good until {@link CountTable.clear}. */
  get used(): Uint32Array {
    return this.positions.subarray(0, this.found);
  }

  /** Forgets all counts. */
  clear(): void {
    this.found = 0;
    this.bits = BITS_LEAST;
    if (this.memory.length > 2 * SLOTS_KEPT_MAX) this.memory = new Uint32Array(0);
    if (this.otherMemory.length > 2 * SLOTS_KEPT_MAX) this.otherMemory = new Uint32Array(0);
    if (this.positions.length > SLOTS_KEPT_MAX / 2) this.positions = new Uint32Array(0);
    this.reserveSlots();
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
    if (contents <= 2 ** (this.bits - 1)) return;
    const before = this.pairs;
    while (2 ** (this.bits - 1) < contents) this.bits++;
    [this.memory, this.otherMemory] = [this.otherMemory, this.memory];
    this.reserveSlots();
    const { pairs, positions } = this;
    for (let i = 0; i < this.found; i++) {
      const content = before[positions[i]!]!;
      let at = (Math.imul(content, SPREAD) >>> (32 - this.bits)) << 1;
      while (pairs[at + 1] !== 0) at = (at + 2) & (pairs.length - 2);
      pairs[at] = content;
      pairs[at + 1] = before[positions[i]! + 1]!;
      positions[i] = at;
    }
  }

  /** Empty pairs of 2^bits slots, and room for the positions of half of them. */
  private reserveSlots(): void {
    const size = 2 ** this.bits;
    if (this.memory.length < 2 * size) this.memory = new Uint32Array(2 * size);
    this.pairs = this.memory.subarray(0, 2 * size).fill(0);
    if (this.positions.length >= size / 2) return;
    const positions = new Uint32Array(size / 2);
    positions.set(this.used);
    this.positions = positions;
  }
}
