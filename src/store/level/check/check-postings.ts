import type { LevelDatabase } from '../database/level-handle.ts';
import {
  bucketKey,
  bucketOfKey,
  bucketsPrefix,
  overflowsPrefix,
  pageKey,
  segmentOfKey,
  segmentsKey,
  under,
} from '../format/keys.ts';
import { type ContentTable, openPage, pagesBefore } from '../segments/content-table.ts';
import { FINGERPRINT_BITS, openPart, overflowKeys } from '../segments/rows/bucket.ts';
import { BucketReader } from '../segments/rows/bucket-reader.ts';
import { NO_SEGMENTS, openSegmentList, type Segment, type SegmentList } from '../segments/rows/segment-list.ts';
import { positionOf } from '../segments/rows/sort.ts';
import { fingerprintStatement, type Sums } from './check-sums.ts';
import type { Problems } from './found-problems.ts';

/*
 * The posting index, from its side: every row of every segment is there and whole, and no other. What it says is taken
 * off the sums of the contents. Lists from which merges have dropped what ranks last are known only when all segments
 * were read. Then what other segments have of them beyond that is put back, and the records' side leaves it out as
 * well.
 */

const ROWS_A_STEP = 512;

/** By fingerprint, the position (segments/rows/sort.ts) from which on postings may be missing. */
export type Cuts = ReadonlyMap<number, number>;

export class PostingCheck {
  private readonly level: LevelDatabase;
  private readonly rankKey: readonly [number, number];
  private readonly problems: Problems;
  private readonly sums: Sums;
  /** Shingle counts as rows z and d say. */
  private readonly table: ContentTable;

  constructor(
    level: LevelDatabase,
    rankKey: readonly [number, number],
    problems: Problems,
    sums: Sums,
    table: ContentTable,
  ) {
    this.level = level;
    this.rankKey = rankKey;
    this.problems = problems;
    this.sums = sums;
    this.table = table;
  }

  async segmentList(): Promise<SegmentList> {
    const value = await this.level.get(segmentsKey);
    if (value === undefined) {
      this.problems.add('The index has lost the list of its segments.');
      return NO_SEGMENTS;
    }
    return this.problems.try('The list of segments', () => openSegmentList(value)) ?? NO_SEGMENTS;
  }

  /** Rows z of all contents that segments hold; those of later ones count for nothing. */
  async shingleCounts({ flushedUpTo }: SegmentList, nextContent: number): Promise<void> {
    const pages = pagesBefore(flushedUpTo);
    for (let page = 0; page < pages; page++) {
      const value = await this.level.get(pageKey(page));
      const isWhole = value !== undefined && openPage(this.table, page, value, flushedUpTo);
      this.problems.expect(isWhole, `The shingle counts of page ${page} are missing or damaged.`);
    }
    const beyond = await this.level.keys({ ...rangeOf('z'), gte: pageKey(pagesBefore(nextContent)) }).all();
    this.problems.expect(beyond.length === 0, `There are ${beyond.length} pages of shingle counts of no content.`);
  }

  /** Takes all postings of segments off the sums. @returns where lists were cut */
  async segments({ segments, gone, nextSegment, flushedUpTo }: SegmentList): Promise<Cuts> {
    const cuts = new Map<number, number>();
    let rows = 0;
    for (const segment of segments) rows += await this.segment(segment, flushedUpTo, cuts);
    for (const [fingerprint, cut] of cuts) {
      for (const segment of segments) await this.putBackBeyond(segment, fingerprint, cut);
    }
    const passing = new Set(gone);
    const listed = new Set(segments.map(({ segment }) => segment));
    const others = await this.rowsOfOthers(listed, (number) => passing.has(number) || number >= nextSegment);
    this.problems.expect(others === rows, `Segments have ${others} rows; their lists promise ${rows}.`);
    return cuts;
  }

  /** @returns how many rows it must have */
  private async segment(segment: Segment, flushedUpTo: number, cuts: Map<number, number>): Promise<number> {
    const reader = new BucketReader(segment);
    const buckets = 2 ** segment.bits;
    const prefix = bucketsPrefix(segment.segment);
    const iterator = this.level.iterator({ ...rangeOf(prefix), fillCache: false, highWaterMarkBytes: 1 << 20 });
    let rows = buckets;
    let bucket = 0;
    let postings = 0;
    try {
      for (;;) {
        const entries = await iterator.nextv(ROWS_A_STEP);
        if (entries.length === 0) break;
        for (const [key, value] of entries) {
          if (bucketOfKey(key) !== bucket || !reader.open(bucket, value)) {
            this.problems.add(`Bucket ${bucket} of segment ${segment.segment} is missing or damaged.`);
            bucket = bucketOfKey(key) + 1;
            continue;
          }
          postings += this.takeBucket(reader, bucket, segment, flushedUpTo);
          for (let i = 0; i < reader.longLists; i++) {
            const { remainder, beyond, cut } = reader.longList(i);
            const fingerprint = bucket * 2 ** (FINGERPRINT_BITS - segment.bits) + remainder;
            if (cut > 0) cuts.set(fingerprint, Math.min(cut, cuts.get(fingerprint) ?? cut));
            const rest = await this.overflow(segment, fingerprint, beyond);
            for (const content of rest) this.take(content, fingerprint, segment, flushedUpTo);
            postings += rest.length;
            rows += overflowKeys('', fingerprint, beyond).length;
          }
          bucket++;
        }
      }
    } finally {
      await iterator.close();
    }
    this.problems.expect(bucket === buckets, `Segment ${segment.segment} ends at bucket ${bucket} of ${buckets}.`);
    const said = `Segment ${segment.segment} has ${postings} postings; the list of segments says ${segment.postings}.`;
    this.problems.expect(postings === segment.postings, said);
    return rows;
  }

  private takeBucket(reader: BucketReader, bucket: number, segment: Segment, flushedUpTo: number): number {
    const first = bucket * 2 ** (FINGERPRINT_BITS - segment.bits);
    for (let i = 0; i < reader.postings; i++) {
      this.take(reader.contentAt(i), first + (reader.remainderAt(i) >>> 0), segment, flushedUpTo);
    }
    return reader.postings;
  }

  private take(content: number, fingerprint: number, segment: Segment, flushedUpTo: number): void {
    if (content > segment.lastContent || content >= flushedUpTo) {
      this.problems.add(`Segment ${segment.segment} has a posting of content ${content}, which is not in its range.`);
    } else if (this.table.shingleCount(content) !== 0) this.sums.subtract(content, fingerprintStatement(fingerprint));
  }

  private async overflow({ segment }: Segment, fingerprint: number, beyond: number): Promise<number[]> {
    const keys = overflowKeys(overflowsPrefix(segment), fingerprint, beyond);
    const values = await this.level.getMany(keys);
    const contents = keys.flatMap((key, i) => [...(openPart(key, values[i]) ?? [])]);
    const isWhole = contents.length === beyond;
    this.problems.expect(isWhole, `A long list of segment ${segment} is missing or damaged in a part.`);
    return contents;
  }

  /** What is left of a list from its cut on counts for neither side. */
  private async putBackBeyond(segment: Segment, fingerprint: number, cut: number): Promise<void> {
    const reader = new BucketReader(segment);
    const bucket = Math.floor(fingerprint / 2 ** (FINGERPRINT_BITS - segment.bits));
    const value = await this.level.get(bucketKey(bucketsPrefix(segment.segment), bucket));
    if (value === undefined || !reader.open(bucket, value)) return;
    reader.find(fingerprint);
    const contents = Array.from({ length: reader.count }, (_, i) => reader.contentAt(reader.start + i));
    const beyond = reader.longListOf(fingerprint)?.beyond ?? 0;
    contents.push(...(await this.overflow(segment, fingerprint, beyond)));
    for (const content of contents) {
      if (this.table.shingleCount(content) === 0 || positionOf(this.rankKey, fingerprint, content) < cut) continue;
      this.sums.add(content, fingerprintStatement(fingerprint));
    }
  }

  /** Counts rows p and q, but for those of segments that are passing away or were never finished. */
  private async rowsOfOthers(listed: ReadonlySet<number>, isPassing: (segment: number) => boolean): Promise<number> {
    let count = 0;
    for (const table of ['p', 'q']) {
      const iterator = this.level.keys(rangeOf(table));
      try {
        for (;;) {
          const keys = await iterator.nextv(ROWS_A_STEP);
          if (keys.length === 0) break;
          for (const key of keys) {
            const segment = segmentOfKey(key);
            if (listed.has(segment) || !isPassing(segment)) count++;
          }
        }
      } finally {
        await iterator.close();
      }
    }
    return count;
  }
}

function rangeOf(prefix: string): { gte: string; lt: string } {
  const { gte, lt } = under(prefix, 0);
  return { gte, lt };
}
