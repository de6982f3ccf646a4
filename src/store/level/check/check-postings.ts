import { postedBefore9 } from '../../../core/query/record-sample.ts';
import type { KeptSample } from '../../../core/sketch/narrow.ts';
import { digestKey, postedFingerprints, shingleDigestKey } from '../../contents.ts';
import type { Content, IndexDescription } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import {
  bucketKey,
  bucketOfKey,
  bucketsPrefix,
  overflowsPrefix,
  pageKey,
  segmentOfKey,
  segmentsKey,
  Table,
  under,
} from '../format/keys.ts';
import { type ContentTable, openPage, pagesBefore } from '../segments/content-table.ts';
import { FINGERPRINT_BITS, openPart, overflowKeys, PACKED_SINCE_FORMAT } from '../segments/rows/bucket.ts';
import { BucketReader } from '../segments/rows/bucket-reader.ts';
import { NO_SEGMENTS, openSegmentList, type Segment, type SegmentList } from '../segments/rows/segment-list.ts';
import { positionOf } from '../segments/rows/sort.ts';
import { fingerprintStatement, type Problems, type Sums } from './findings.ts';
import { rowsUnder } from './row-walks.ts';

/*
 * The posting index, from its side: every row of every segment is there and whole, and no other. What it says is taken
 * off the sums of the contents. Lists from which merges have dropped what ranks last are known only when all segments
 * were read. Then what other segments have of them beyond that is put back, and the records' side leaves it out as
 * well.
 */

/** By fingerprint, the position (segments/rows/sort.ts) from which on postings may be missing. */
export type Cuts = ReadonlyMap<number, number>;

export interface PostingParts {
  readonly level: LevelDatabase;
  readonly rankKey: readonly [number, number];
  readonly problems: Problems;
  readonly list: SegmentList;
  readonly sums: Sums;
  /** Shingle counts as rows z and d say. */
  readonly table: ContentTable;
  /** Whether the index is of format 9 or later (rows/bucket.ts). */
  readonly isPacked: boolean;
}

/** What is posted of a content, and under which key its set of shingles: by the format of the index. */
export function postingLaw({ formatVersion, indexModulusMax }: IndexDescription) {
  const isPacked = formatVersion >= PACKED_SINCE_FORMAT;
  const postedOf = (content: Content<KeptSample>) =>
    isPacked
      ? postedFingerprints(content, indexModulusMax)
      : postedBefore9(content.sample, content.shingleCount, indexModulusMax);
  return { isPacked, postedOf, digestKeyOf: isPacked ? shingleDigestKey : digestKey };
}

export async function readSegmentList(level: LevelDatabase, problems: Problems): Promise<SegmentList> {
  const value = await level.get(segmentsKey);
  if (value !== undefined) return problems.try('The list of segments', () => openSegmentList(value)) ?? NO_SEGMENTS;
  problems.add('The index has lost the list of its segments.');
  return NO_SEGMENTS;
}

export class PostingCheck {
  private readonly parts: PostingParts;

  constructor(parts: PostingParts) {
    this.parts = parts;
  }

  /** Rows z of all contents that segments hold; those of later ones count for nothing. */
  async shingleCounts(nextContent: number): Promise<void> {
    const { level, problems, table } = this.parts;
    const { flushedUpTo } = this.parts.list;
    const pages = pagesBefore(flushedUpTo);
    for (let page = 0; page < pages; page++) {
      const value = await level.get(pageKey(page));
      const isWhole = value !== undefined && openPage(table, page, value, flushedUpTo);
      problems.expect(isWhole, `The shingle counts of page ${page} are missing or damaged.`);
    }
    const beyond = await level
      .keys({ ...under(Table.shingleCounts, -1), gte: pageKey(pagesBefore(nextContent)) })
      .all();
    problems.expect(beyond.length === 0, `There are ${beyond.length} pages of shingle counts of no content.`);
  }

  /** Takes all postings of segments off the sums. @returns where lists were cut */
  async segments(): Promise<Cuts> {
    const { segments } = this.parts.list;
    const cuts = new Map<number, number>();
    let rows = 0;
    for (const segment of segments) rows += await this.segment(segment, cuts);
    for (const [fingerprint, cut] of cuts) {
      for (const segment of segments) await this.putBackBeyond(segment, fingerprint, cut);
    }
    const others = await this.countRows();
    this.parts.problems.expect(others === rows, `Segments have ${others} rows; their lists promise ${rows}.`);
    return cuts;
  }

  /** @returns how many rows it must have */
  private async segment(segment: Segment, cuts: Map<number, number>): Promise<number> {
    const { level, problems, isPacked } = this.parts;
    const reader = new BucketReader(segment, isPacked);
    const buckets = 2 ** segment.bits;
    let rows = buckets;
    let bucket = 0;
    let postings = 0;
    for await (const [key, value] of rowsUnder(level, bucketsPrefix(segment.segment))) {
      if (bucketOfKey(key) !== bucket || !reader.open(bucket, value)) {
        problems.add(`Bucket ${bucket} of segment ${segment.segment} is missing or damaged.`);
        bucket = bucketOfKey(key) + 1;
        continue;
      }
      postings += this.takeBucket(reader, bucket, segment);
      for (let i = 0; i < reader.longLists; i++) {
        const { remainder, beyond, cut } = reader.longList(i);
        const fingerprint = bucket * 2 ** (FINGERPRINT_BITS - segment.bits) + remainder;
        if (cut > 0) cuts.set(fingerprint, Math.min(cut, cuts.get(fingerprint) ?? cut));
        const rest = await this.overflow(segment, fingerprint, beyond);
        for (const content of rest) this.take(content, fingerprint, segment);
        postings += rest.length;
        rows += overflowKeys('', fingerprint, beyond).length;
      }
      bucket++;
    }
    problems.expect(bucket === buckets, `Segment ${segment.segment} ends at bucket ${bucket} of ${buckets}.`);
    const said = `Segment ${segment.segment} has ${postings} postings; the list of segments says ${segment.postings}.`;
    problems.expect(postings === segment.postings, said);
    return rows;
  }

  private takeBucket(reader: BucketReader, bucket: number, segment: Segment): number {
    const first = bucket * 2 ** (FINGERPRINT_BITS - segment.bits);
    for (let i = 0; i < reader.postings; i++) {
      this.take(reader.contentAt(i), first + (reader.remainderAt(i) >>> 0), segment);
    }
    return reader.postings;
  }

  private take(content: number, fingerprint: number, segment: Segment): void {
    const { problems, list, sums, table } = this.parts;
    if (content > segment.lastContent || content >= list.flushedUpTo) {
      problems.add(`Segment ${segment.segment} has a posting of content ${content}, which is not in its range.`);
    } else if (table.shingleCount(content) !== 0) sums.subtract(content, fingerprintStatement(fingerprint));
  }

  private async overflow({ segment }: Segment, fingerprint: number, beyond: number): Promise<number[]> {
    const keys = overflowKeys(overflowsPrefix(segment), fingerprint, beyond);
    const values = await this.parts.level.getMany(keys);
    const contents = keys.flatMap((key, i) => [...(openPart(key, values[i]) ?? [])]);
    const isWhole = contents.length === beyond;
    this.parts.problems.expect(isWhole, `A long list of segment ${segment} is missing or damaged in a part.`);
    return contents;
  }

  /** What is left of a list from its cut on counts for neither side. */
  private async putBackBeyond(segment: Segment, fingerprint: number, cut: number): Promise<void> {
    const { level, rankKey, sums, table, isPacked } = this.parts;
    const reader = new BucketReader(segment, isPacked);
    const bucket = Math.floor(fingerprint / 2 ** (FINGERPRINT_BITS - segment.bits));
    const value = await level.get(bucketKey(bucketsPrefix(segment.segment), bucket));
    if (value === undefined || !reader.open(bucket, value)) return;
    reader.find(fingerprint);
    const contents = Array.from({ length: reader.count }, (_, i) => reader.contentAt(reader.start + i));
    const beyond = reader.longListOf(fingerprint)?.beyond ?? 0;
    contents.push(...(await this.overflow(segment, fingerprint, beyond)));
    for (const content of contents) {
      if (table.shingleCount(content) === 0 || positionOf(rankKey, fingerprint, content) < cut) continue;
      sums.add(content, fingerprintStatement(fingerprint));
    }
  }

  /** Counts rows p and q, but for those of segments that are passing away or were never finished. */
  private async countRows(): Promise<number> {
    const { segments, gone, nextSegment } = this.parts.list;
    const listed = new Set(segments.map(({ segment }) => segment));
    const passing = new Set(gone);
    let count = 0;
    for (const table of [Table.bucket, Table.overflow]) {
      for await (const key of this.parts.level.keys(under(table, -1))) {
        const segment = segmentOfKey(key);
        if (listed.has(segment) || !(passing.has(segment) || segment >= nextSegment)) count++;
      }
    }
    return count;
  }
}
