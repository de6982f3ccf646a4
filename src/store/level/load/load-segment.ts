import { TOP_BITS, TOPS } from '../../../spill/posting-spill.ts';
import type { SpillLayout } from '../../../spill/spilled-chunks.ts';
import { bucketKey, bucketsPrefix } from '../format/keys.ts';
import type { ContentTable } from '../segments/content-table.ts';
import { bucketBits, contentBytes, type Geometry } from '../segments/rows/bucket.ts';
import { mergedLevel, type Segment } from '../segments/rows/segment-list.ts';
import { addUp, type ListLimits, type Written } from '../segments/write/segment-writer.ts';
import type { LoadRows } from './load-rows.ts';
import { type SegmentPart, SORT_BYTES } from './posting-rows.ts';
import { PostingThreads } from './posting-threads.ts';

/*
 * One segment of all that was loaded, as merges would have come to in the end:
 *
 *   spill ─ a part of the postings at a time, sorted by threads ─ buckets (p), in order
 *                                                                 long lists (q), aside
 */

const FIRST_SEGMENT = 1;

export interface SegmentParts {
  readonly rows: LoadRows;
  readonly layout: SpillLayout;
  readonly table: ContentTable;
  readonly limits: ListLimits;
  /** Numbers from..to-1 were given out. */
  readonly from: number;
  readonly to: number;
  /** For the sorting of all threads together. */
  readonly memoryBytes: number;
  readonly threads: number;
}

export class LoadSegment {
  /** That are to be sorted, those of forgotten contents too. */
  readonly postings: number;
  private readonly parts: SegmentParts;
  private readonly geometry: Geometry;
  private readonly threads: PostingThreads;

  /** Begins to make its rows. */
  constructor(parts: SegmentParts) {
    const { layout, table, limits, from, to, memoryBytes, threads } = parts;
    this.postings = layout.counts.reduce((sum, count) => sum + count, 0);
    const bits = bucketBits(this.postings);
    this.parts = parts;
    this.geometry = {
      ...{ segment: FIRST_SEGMENT, bits, firstContent: from },
      contentBytes: contentBytes(from, to - 1),
    };
    const source = { layout, contents: table.shared, geometry: this.geometry, limits };
    this.threads = new PostingThreads(source, partsOf(layout, bits, memoryBytes / threads), threads);
  }

  /** Writes all its rows. @param step told of postings more, between steps; may throw @throws ShingledError `storage-full` */
  async write(step: (postings: number) => void): Promise<Segment> {
    const { rows, table, from, to } = this.parts;
    const prefix = bucketsPrefix(FIRST_SEGMENT);
    const written: Written[] = [];
    let bucket = 0;
    for await (const part of this.threads.rows()) {
      const bytes = bufferOf(part.buckets);
      let at = 0;
      for (const end of part.ends) {
        rows.tables.add(bucketKey(prefix, bucket++), bytes.subarray(at, end));
        at = end;
      }
      await rows.write(part.overflows.map(([key, value]) => [key, bufferOf(value)]));
      written.push(part.written);
      step(part.read);
    }
    const deadBefore = deadIn(table, from, to);
    return { ...this.geometry, level: mergedLevel(to - from), lastContent: to - 1, deadBefore, ...addUp(written) };
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}

/** All parts in their order, none of which takes more to be sorted, as far as buckets can be told apart. */
function* partsOf({ counts }: SpillLayout, bits: number, memoryBytes: number): Generator<SegmentPart, void, undefined> {
  for (let top = 0; top < TOPS; top++) {
    const more = moreBits((counts[top]! * SORT_BYTES) / memoryBytes, bits - TOP_BITS);
    const width = 2 ** (bits - TOP_BITS - more);
    for (let index = 0; index < 2 ** more; index++) {
      const from = (top * 2 ** more + index) * width;
      yield { top, bits: more, index, from, to: from + width };
    }
  }
}

/** By how many bits more a part is told apart, so that it is no larger than the memory for it. */
function moreBits(times: number, most: number): number {
  return Math.min(most, Math.max(0, Math.ceil(Math.log2(times))));
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) => Buffer.from(buffer, byteOffset, length);

function deadIn(table: ContentTable, from: number, to: number): number {
  let dead = 0;
  for (let content = from; content < to; content++) dead += Number(!table.isLive(content));
  return dead;
}
