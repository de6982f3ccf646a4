import { ContentTable } from './content-table.ts';
import { type FilterPart, SegmentFilter } from './filter.ts';
import { SegmentImage } from './images/image.ts';
import type { ImagePart } from './images/image-layout.ts';
import type { Moment } from './read/list-reader.ts';
import type { Segment } from './rows/segment-list.ts';
import { editionOf, Tail, type TailMemory, tailBytes } from './tail.ts';

/*
 * The posting index as other threads see it: the same memory, and which of it counts.
 *
 *   main thread     writes, flushes, merges ── published ──► message      whenever segments, tails or pages are others
 *   query thread    message ── PostingView ── moments
 *
 * Contents that come and go meanwhile a thread sees in the memory itself.
 * Images never change. Tails and pages change so that each step is right by itself (tail.ts, content-table.ts). So an old
 * message stays true of what was acknowledged before it. Only rows may have been cleared since, and whoever reads one
 * meets that.
 */

/** Plain data, of shared memory. */
export interface PublishedSegment {
  readonly segment: Segment;
  readonly dead: Int32Array<SharedArrayBuffer>;
  /** As SegmentImage takes them; none where it has no image. */
  readonly image: readonly (ImagePart | undefined)[];
  readonly filter: readonly FilterPart[];
}

export interface PublishedIndex {
  readonly segments: readonly PublishedSegment[];
  /** The oldest first. */
  readonly tails: readonly TailMemory[];
  /** Of the table of contents. */
  readonly pages: readonly SharedArrayBuffer[];
}

/** What was published, in the thread that was told. */
export class PostingView {
  private readonly contents: ContentTable;
  private readonly segments: readonly (Omit<Moment['segments'][number], 'dead'> & Pick<PublishedSegment, 'dead'>)[];
  private readonly tails: readonly Tail[];

  constructor({ segments, tails, pages }: PublishedIndex) {
    this.contents = new ContentTable(pages);
    this.tails = tails.map((memory) => new Tail(memory));
    this.segments = segments.map(({ segment, dead, image, filter }) => ({
      ...{ segment, dead },
      image: image.length === 0 ? undefined : new SegmentImage(segment, image),
      filter: filter.length === 0 ? undefined : new SegmentFilter(filter),
    }));
  }

  /** Bytes that a later one does not have: of tails that were flushed, and of images of segments that were merged. */
  bytesBeside(later: PostingView): number {
    const tails = new Set(later.tails.map(({ firstContent }) => firstContent));
    const segments = new Set(later.segments.map(({ segment }) => segment.segment));
    let bytes = 0;
    for (const { firstContent, memory } of this.tails) if (!tails.has(firstContent)) bytes += tailBytes(memory);
    for (const { segment, image } of this.segments) if (!segments.has(segment.segment)) bytes += image?.bytes ?? 0;
    return bytes;
  }

  /** @param views how many there were before this one */
  edition(views: number): string {
    return editionOf(views, this.tails);
  }

  /** What there is now. A snapshot that is taken afterwards has the records of all of it, but for what was forgotten. */
  get moment(): Moment {
    return {
      segments: this.segments.map((present) => ({ ...present, dead: Atomics.load(present.dead, 0) })),
      tails: this.tails.map((tail) => ({ tail, count: tail.count })),
      contents: this.contents,
    };
  }
}
