/*
 * How many distinct shingles every content has, by its number: what a query needs of each of thousands of contents without
 * reading their records. 0 = forgotten, or never there: such a content's postings count for nothing, wherever they lie.
 *
 *   page = 65,536 x [ count:4 ]   65,536 x [ live:1 bit ]       shared memory: the worker that merges reads it too
 *
 * Whether a content is live is asked for every posting that is read, in no order. Its bits stay in a processor's cache,
 * where the counts of millions of contents do not.
 *
 * Cost: 33 bits a content; O(1).
 */

const PAGE_BITS = 16;
const PAGE_CONTENTS = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_CONTENTS - 1;
const COUNT_BYTES = PAGE_CONTENTS * 4;
const PAGE_BYTES = COUNT_BYTES + PAGE_CONTENTS / 8;

/** What the table says of a content with so many shingles: one more, since 0 stands for a forgotten content. */
export const presenceOfCount = (shingleCount: number) => shingleCount + 1;
export const countOfPresence = (presence: number) => presence - 1;

export class ContentTable {
  private readonly buffers: SharedArrayBuffer[] = [];
  private readonly counts: Uint32Array[] = [];
  private readonly live: Int32Array[] = [];

  /** @param shared what {@link shared} of another thread's table gave */
  constructor(shared: readonly SharedArrayBuffer[] = []) {
    for (const buffer of shared) this.addPage(buffer);
  }

  /** Distinct shingles of a content; 0 where it is forgotten or unknown. */
  shingleCount(content: number): number {
    const page = this.counts[content >>> PAGE_BITS];
    return page === undefined ? 0 : page[content & PAGE_MASK]!;
  }

  /** Whether it has any. */
  isLive(content: number): boolean {
    const page = this.live[content >>> PAGE_BITS];
    return page !== undefined && ((page[(content & PAGE_MASK) >>> 5]! >>> (content & 31)) & 1) !== 0;
  }

  set(content: number, shingleCount: number): void {
    const page = content >>> PAGE_BITS;
    while (this.buffers.length <= page) this.addPage(new SharedArrayBuffer(PAGE_BYTES));
    this.counts[page]![content & PAGE_MASK] = shingleCount;
    const bit = 1 << (content & 31);
    if (shingleCount > 0) this.live[page]![(content & PAGE_MASK) >>> 5]! |= bit;
    else this.live[page]![(content & PAGE_MASK) >>> 5]! &= ~bit;
  }

  /** The memory itself, to be looked at from another thread: it sees what changes in these pages, not pages added later. */
  get shared(): readonly SharedArrayBuffer[] {
    return [...this.buffers];
  }

  get bytes(): number {
    return this.buffers.length * PAGE_BYTES;
  }

  private addPage(buffer: SharedArrayBuffer): void {
    this.buffers.push(buffer);
    this.counts.push(new Uint32Array(buffer, 0, PAGE_CONTENTS));
    this.live.push(new Int32Array(buffer, COUNT_BYTES));
  }
}
