import { segmentsKey } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { ContentTable, Deaths } from './content-table.ts';
import { Filters } from './filters.ts';
import { Images } from './images.ts';
import type { PublishedIndex } from './published.ts';
import type { Moment } from './read/list-reader.ts';
import { contentBytes } from './rows/bucket.ts';
import { NO_SEGMENTS, type Segment, type SegmentList, sealSegmentList } from './rows/segment-list.ts';
import { Tail } from './tail.ts';

/** The least that a tail can hold. */
const NO_POSTINGS = 2;

type Commit = (rows: () => readonly RowChange[]) => Promise<void>;

export interface StateLimits {
  readonly flushContents: number;
  readonly flushPostings: number;
  readonly imageBytesMax: number;
  readonly filterBytesMax: number;
}

export interface ListChange {
  readonly segments: readonly Segment[];
  /** The oldest tail, where one of the segments holds its postings now. */
  readonly flushed?: Tail;
  /** Pages to be written anew; called when the batch's turn has come. */
  pages?(): readonly number[];
}

/** A range of contents of which some have died since: so many, in memory that threads share. */
interface DeadCount {
  readonly firstContent: number;
  readonly lastContent: number;
  readonly dead: Int32Array<SharedArrayBuffer>;
}

/** What the posting index consists of at any moment: the list of segments, the tails, and the table of contents. */
export class IndexState {
  contents = new ContentTable();
  deaths = new Deaths();
  readonly images: Images;
  readonly filters: Filters;
  list: SegmentList = NO_SEGMENTS;
  /** How often there were other segments, tails or pages: whoever knows of them by another thread is to be told. */
  changes = 0;
  /** The oldest first; contents are added to the last one. All but that are to be flushed. */
  tails: Tail[];
  /** Segments that are listed no more, or never were, and may have rows: to be cleared. */
  readonly gone = new Set<number>();
  /** Segments that are being written. */
  private readonly begun = new Set<number>();
  private nextSegment = 1;
  private readonly limits: StateLimits;
  private readonly commit: Commit;
  /** By segment, of those that are listed or being written. */
  private readonly dead = new Map<number, DeadCount>();

  constructor(limits: StateLimits, commit: Commit) {
    this.limits = limits;
    this.images = new Images(limits.imageBytesMax);
    this.filters = new Filters(limits.filterBytesMax);
    this.commit = commit;
    this.tails = [Tail.create(0, limits.flushPostings)];
  }

  /** Before it is read again: nothing is there, and the memory of what was is given back. Images and filters stay true. */
  empty(): void {
    this.contents = new ContentTable();
    this.deaths = new Deaths();
    this.list = NO_SEGMENTS;
    this.tails = [Tail.create(0, NO_POSTINGS)];
    for (const known of [this.gone, this.begun, this.dead]) known.clear();
  }

  /** After reading the table of contents: takes what the last run left, or this one before the disk refused. */
  restore(list: SegmentList, nextSegment: number, gone: Iterable<number>): void {
    this.list = list;
    // a number is never given twice
    this.nextSegment = Math.max(nextSegment, this.nextSegment);
    this.keepInMemory();
    for (const segment of gone) this.gone.add(segment);
    for (const segment of list.segments) {
      const forgotten = this.forgottenIn(segment.firstContent, segment.lastContent);
      this.countDead(segment).dead[0] = forgotten - segment.deadBefore;
    }
    this.changes++;
    this.tails = [Tail.create(list.flushedUpTo, this.limits.flushPostings)];
  }

  /** Segments of which not all is in memory. */
  get unimaged(): readonly Segment[] {
    return this.list.segments.filter(({ segment }) => !this.images.isWhole(segment));
  }

  get tail(): Tail {
    return this.tails[this.tails.length - 1]!;
  }

  get moment(): Moment {
    const segments = this.list.segments.map((segment) => {
      const number = segment.segment;
      return { segment, dead: this.deadIn(number), image: this.images.of(number), filter: this.filters.of(number) };
    });
    return { segments, tails: this.tails.map((tail) => ({ tail, count: tail.count })), contents: this.contents };
  }

  /** For other threads: all that a moment is made of. */
  get published(): PublishedIndex {
    const segments = this.list.segments.map((segment) => {
      const number = segment.segment;
      const dead = (this.dead.get(number) ?? this.countDead(segment)).dead;
      const image = this.images.of(number)?.slices ?? [];
      return { segment, dead, image, filter: this.filters.of(number)?.parts ?? [] };
    });
    return { segments, tails: this.tails.map(({ memory }) => memory), pages: this.contents.shared };
  }

  /**
   * @param ready the postings, where they are a tail already: it is flushed as it is
   * @returns whether a tail became full
   */
  add(content: number, shingleCount: number, fingerprints: Float64Array, digest: number, ready?: Tail): boolean {
    if (ready !== undefined) {
      if (this.tail.contentCount === 0) this.tails.pop();
      this.tails.push(ready);
      this.setCount(content, shingleCount);
      this.rotate();
      return true;
    }
    const { flushContents, flushPostings } = this.limits;
    const { tail } = this;
    const size = fingerprints.length + 1;
    const isFull = content - tail.firstContent >= flushContents || tail.count + size > tail.capacity;
    if (isFull) this.rotate(content, Math.max(size, flushPostings));
    this.setCount(content, shingleCount);
    this.tail.add(content, fingerprints, digest);
    return isFull;
  }

  remove(content: number): void {
    if (!this.contents.isLive(content)) return;
    this.forget(content);
    for (const range of this.dead.values()) {
      if (content >= range.firstContent && content <= range.lastContent) Atomics.add(range.dead, 0, 1);
    }
  }

  /** A row d: also of a content whose page says the same. */
  forget(content: number): void {
    this.contents.set(content, 0);
    this.deaths.add(content);
  }

  /** At most so many pages of shingle counts that are to be written anew. */
  pagesDue(most: number, which: 'heavy' | 'any'): number[] {
    return this.deaths.pages(most, which, this.list.flushedUpTo);
  }

  /** Begins a new tail, so that the present one is flushed. */
  rotate(firstContent = this.tail.lastContent + 1, capacity = this.limits.flushPostings): void {
    if (this.tail.contentCount === 0) this.tails.pop();
    this.tails.push(Tail.create(firstContent, capacity));
    this.changes++;
  }

  deadIn(segment: number): number {
    return this.dead.get(segment)?.dead[0] ?? 0;
  }

  /** Numbers firstContent..lastContent that are of no content, or of a forgotten one. */
  forgottenIn(firstContent: number, lastContent: number): number {
    let count = 0;
    for (let content = firstContent; content <= lastContent; content++) {
      if (!this.contents.isLive(content)) count++;
    }
    return count;
  }

  /** The number of a new segment with these contents, to be listed or given up. Its dead are counted from now on. */
  begin(firstContent: number, lastContent: number): { segment: number; firstContent: number; contentBytes: number } {
    const segment = this.nextSegment++;
    this.begun.add(segment);
    this.countDead({ segment, firstContent, lastContent });
    return { segment, firstContent, contentBytes: contentBytes(firstContent, lastContent) };
  }

  giveUp(segment: number): void {
    this.begun.delete(segment);
    this.dead.delete(segment);
    this.gone.add(segment);
  }

  /** Writes a new list in one synced batch, with pages of shingle counts, and only then goes by it. */
  async commitList({ segments, flushed, pages }: ListChange): Promise<void> {
    const flushedUpTo = flushed === undefined ? this.list.flushedUpTo : flushed.lastContent + 1;
    const listed = new Set(segments.map(({ segment }) => segment));
    const left = this.list.segments.map(({ segment }) => segment).filter((segment) => !listed.has(segment));
    const begun = [...this.begun].filter((segment) => !listed.has(segment));
    const gone = [...this.gone, ...begun, ...left];
    const list = { nextSegment: this.nextSegment, flushedUpTo, gone, segments };
    let taken: readonly number[] = [];
    try {
      await this.commit(() => {
        const { rows, contents } = this.deaths.take(pages?.() ?? [], this.contents);
        taken = contents;
        return [[segmentsKey, sealSegmentList(list)], ...rows];
      });
    } catch (error) {
      for (const content of taken) this.deaths.add(content);
      throw error;
    }
    // at once: no query may find a posting in its tail and in its segment
    this.list = list;
    this.keepInMemory();
    this.tails = this.tails.filter((tail) => tail !== flushed);
    this.changes++;
    for (const segment of listed) this.begun.delete(segment);
    for (const segment of left) {
      this.gone.add(segment);
      this.dead.delete(segment);
    }
  }

  /** Somebody asks: from now on what is kept of segments is made. @returns whether nobody did before */
  want(): boolean {
    const isFirst = !this.images.wanted;
    this.images.wanted = true;
    this.filters.wanted = true;
    return isFirst;
  }

  private setCount(content: number, shingleCount: number): void {
    const { pages } = this.contents;
    this.contents.set(content, shingleCount);
    if (this.contents.pages > pages) this.changes++;
  }

  private keepInMemory(): void {
    this.images.keep(this.list.segments);
    this.filters.keep(this.unimaged);
  }

  private countDead({ segment, firstContent, lastContent }: Omit<DeadCount, 'dead'> & { segment: number }): DeadCount {
    const counted = { firstContent, lastContent, dead: new Int32Array(new SharedArrayBuffer(4)) };
    this.dead.set(segment, counted);
    return counted;
  }
}
