/*
 * The set of all fingerprints of a document, for its exact size: open addressing over a list in the order of arrival.
 * Their sums (sample.ts) are added up as they arrive.
 *
 *   slots   | 0 | 3 | 0 | 1 | 2 | 0 | …      1 + index into the list; 0 = free; at most half of them taken
 *   low     | … | … | … |                    the list: the halves of the distinct fingerprints
 *   high    | … | … | … |
 *
 * A fingerprint has been permuted under a secret key: its own high half is its hash, and no author can make it collide.
 * Memory: 16 bytes a fingerprint, in powers of two; what a huge document took is let go. Cost: 6 ns a fingerprint, sums
 * included.
 */

/** All distinct fingerprints of a document, 64 bits each: low and high half after one another, in the order of arrival. */
export type WholeSet = Uint32Array;

/** Slots at the least, and how many are kept from one document to the next. */
const SLOTS_LEAST = 0x100;
const SLOTS_KEPT = 0x2_0000;
/** Documents from this size on get no more slots at the beginning than most of them need. */
const LARGE_BYTES = 0x1_0000;

export class DistinctFingerprints {
  /** How many there are. */
  count = 0;
  /** Their halves, in the order of arrival. */
  low: Int32Array = new Int32Array(SLOTS_LEAST / 2 + 1);
  high: Int32Array = new Int32Array(SLOTS_LEAST / 2 + 1);
  /** Four sums over them, each modulo 2^32: see sumOf. */
  readonly sums: Int32Array = new Int32Array(4);
  /** How many of them are marked. */
  markedCount = 0;
  /** 1 for each that is marked, in the order of arrival; shorter than the list while the others are not. */
  #marks = new Uint8Array(0);
  #slots: Int32Array = new Int32Array(SLOTS_LEAST);
  /** Slots in use, a power of two; those after them are free. */
  #slotCount = SLOTS_LEAST;

  /** Forgets all. */
  clear(): void {
    this.count = 0;
    this.markedCount = 0;
    this.#marks = new Uint8Array(0);
    this.sums.fill(0);
    if (this.#slots.length <= SLOTS_KEPT) this.#slots.fill(0, 0, this.#slotCount);
    else this.#resize(SLOTS_LEAST);
  }

  /** Makes room, while there is nothing in it, for the fingerprints of a text of so many bytes: one in six, most often. */
  expect(bytes: number): void {
    const least = bytes >> (bytes < LARGE_BYTES ? 1 : 2);
    const slotCount = Math.max(SLOTS_LEAST, 2 ** (32 - Math.clz32(least)));
    if (slotCount > this.#slots.length) this.#resize(slotCount);
    else this.#slotCount = slotCount;
  }

  /** Adds the fingerprints low[i], high[i] for from <= i < to. */
  add(low: Int32Array, high: Int32Array, from: number, to: number): void {
    while (2 * (this.count + to - from) > this.#slotCount) this.#resize(2 * this.#slotCount);
    const slots = this.#slots;
    const mask = this.#slotCount - 1;
    const listLow = this.low;
    const listHigh = this.high;
    const sums = this.sums;
    let a = sums[0]!;
    let b = sums[1]!;
    let c = sums[2]!;
    let d = sums[3]!;
    let count = this.count;
    // one loop, not one within another: of an outer loop the engine looks up where every array lies at every access
    for (let i = from | 0, step = 0; i < to; ) {
      const l = low[i]!;
      const h = high[i]!;
      // to the end of the list, wherever it belongs: what was there already is written over
      listLow[count] = l;
      listHigh[count] = h;
      const slot = (h + step) & mask;
      const held = slots[slot]!;
      if (held === 0) {
        count++;
        slots[slot] = count;
        a = (a + l) | 0;
        b = (b + h) | 0;
        c = (c + Math.imul(l ^ (h >>> 16), h | 1)) | 0;
        d = (d + Math.imul(h ^ (l >>> 16), l | 1)) | 0;
      } else if (listLow[held - 1] !== l || listHigh[held - 1] !== h) {
        step++;
        continue;
      }
      step = 0;
      i++;
    }
    this.count = count;
    sums[0] = a;
    sums[1] = b;
    sums[2] = c;
    sums[3] = d;
  }

  /** Marks those of the fingerprints low[i], high[i] for from <= i < to whose marks[i] is 1; they have been added. */
  mark(low: Int32Array, high: Int32Array, from: number, to: number, marks: Uint8Array): void {
    if (this.#marks.length < this.count) {
      const grown = new Uint8Array(this.low.length);
      grown.set(this.#marks);
      this.#marks = grown;
    }
    for (let i = from; i < to; i++) {
      if (marks[i] === 0) continue;
      const at = this.#placeOf(low[i]!, high[i]!);
      this.markedCount += 1 - this.#marks[at]!;
      this.#marks[at] = 1;
    }
  }

  /** Whether the fingerprint at a place of the list is marked. */
  isMarked(at: number): boolean {
    return this.#marks[at] === 1;
  }

  /** Where in the list a fingerprint stands that is in it. */
  #placeOf(low: number, high: number): number {
    const mask = this.#slotCount - 1;
    for (let slot = high & mask; ; slot = (slot + 1) & mask) {
      const at = this.#slots[slot]! - 1;
      if (this.low[at] === low && this.high[at] === high) return at;
    }
  }

  #resize(slotCount: number): void {
    const { count } = this;
    const slots = new Int32Array(slotCount);
    const low = new Int32Array(slotCount / 2 + 1);
    const high = new Int32Array(slotCount / 2 + 1);
    low.set(this.low.subarray(0, count));
    high.set(this.high.subarray(0, count));
    for (let i = 0; i < count; i++) {
      let slot = high[i]! & (slotCount - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
      slots[slot] = i + 1;
    }
    this.#slots = slots;
    this.#slotCount = slotCount;
    this.low = low;
    this.high = high;
  }
}
