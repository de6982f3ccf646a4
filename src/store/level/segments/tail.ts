import type { Columns } from './postings.ts';

/*
 * The postings that no segment has yet, in memory, found by hashing.
 *
 *   heads     hash of a fingerprint -> its newest posting + 1, 0 = none
 *   next      posting -> the posting before it with the same hash + 1, 0 = none
 *   low, high, contents                 the postings in order of arrival (postings.ts), in memory that the worker shares
 *
 *   fingerprint ── heads[hash] ── posting 9 ── posting 4 ── posting 1        newest first: a query steps over those that
 *                                                                            came after it began, and stops at none
 *
 * Cost: 17 bytes a posting and 4 to 8 a slot; adding one, two writes to places that are not in a cache.
 */

/** Fibonacci hashing: 2^32 / golden ratio. */
const SPREAD = 0x9e37_79b1;

export class Tail {
  readonly firstContent: number;
  /** The last content added; firstContent - 1 while there is none. */
  lastContent: number;
  contentCount = 0;
  count = 0;
  readonly shared: {
    readonly low: SharedArrayBuffer;
    readonly high: SharedArrayBuffer;
    readonly contents: SharedArrayBuffer;
  };
  private readonly columns: Columns;
  private readonly heads: Uint32Array;
  private readonly next: Uint32Array;
  private readonly shift: number;

  /** @param capacity postings, 2 or more */
  constructor(firstContent: number, capacity: number) {
    this.firstContent = firstContent;
    this.lastContent = firstContent - 1;
    const { low, high, contents } = {
      low: new Uint32Array(new SharedArrayBuffer(4 * capacity)),
      high: new Uint8Array(new SharedArrayBuffer(capacity)),
      contents: new Uint32Array(new SharedArrayBuffer(4 * capacity)),
    };
    this.columns = { low, high, contents };
    this.shared = { low: low.buffer, high: high.buffer, contents: contents.buffer };
    this.next = new Uint32Array(capacity);
    const bits = Math.max(1, Math.floor(Math.log2(capacity)));
    this.heads = new Uint32Array(2 ** bits);
    this.shift = 32 - bits;
  }

  get capacity(): number {
    return this.next.length;
  }

  get bytes(): number {
    return this.capacity * 13 + this.heads.byteLength;
  }

  /** @param fingerprints as many as there is room for at most */
  add(content: number, fingerprints: Float64Array, digest: number): void {
    for (let i = 0; i < fingerprints.length; i++) this.addPosting(fingerprints[i]!, content);
    this.addPosting(digest, content);
    this.lastContent = content;
    this.contentCount++;
  }

  /**
   * Contents that hold a fingerprint.
   *
   * @param before only the first so many postings count: `count` at an earlier moment
   * @param visit called with each, the newest first
   */
  each(fingerprint: number, before: number, visit: (content: number) => void): void {
    const { low, high, contents } = this.columns;
    const { next } = this;
    const wantedLow = fingerprint >>> 0;
    const wantedHigh = Math.floor(fingerprint / 0x1_0000_0000);
    for (let at = this.heads[this.slot(wantedLow, wantedHigh)]!; at !== 0; at = next[at - 1]!) {
      if (low[at - 1] !== wantedLow || high[at - 1] !== wantedHigh || at > before) continue;
      visit(contents[at - 1]!);
    }
  }

  private addPosting(fingerprint: number, content: number): void {
    const { low, high, contents } = this.columns;
    const at = this.count++;
    const wantedLow = fingerprint >>> 0;
    const wantedHigh = Math.floor(fingerprint / 0x1_0000_0000);
    low[at] = wantedLow;
    high[at] = wantedHigh;
    contents[at] = content;
    const slot = this.slot(wantedLow, wantedHigh);
    this.next[at] = this.heads[slot]!;
    this.heads[slot] = at + 1;
  }

  private slot(low: number, high: number): number {
    return Math.imul(low ^ (high << 24), SPREAD) >>> this.shift;
  }
}
