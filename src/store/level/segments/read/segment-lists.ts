import { resumed } from '../../../../sharing/served.ts';
import { atOnce, type LevelDatabase } from '../../database/level-handle.ts';
import type { Snapshot } from '../../database/near-rows.ts';
import { overflowsPrefix } from '../../format/keys.ts';
import { leftOut } from '../../outage/failures.ts';
import type { ContentTable } from '../content-table.ts';
import { bucketsToRead, type PresentSegment } from '../filter.ts';
import { NO_IMAGE } from '../images/image.ts';
import { bucketOf, type LongList, openPart, overflowKeys, PART_CONTENTS } from '../rows/bucket.ts';
import { BucketReader } from '../rows/bucket-reader.ts';

/*
 * Where the lists of some fingerprints lie in the segments of one moment.
 *
 *   keys      f1  f2  f3 …
 *   segment 1  #   #   #     an image of it in memory             rows q too where contents of the segment were forgotten
 *   segment 2 [b]  –  [b]    what has none: getMany of buckets    and a list goes on outside of its bucket
 *                            –: its filter says no
 *
 * Cost: for each key and segment .11 to .18 microseconds, where a bucket is read 4 to 5, of two threads together.
 */

const ROWS_AT_ONCE = 1024;

/** What a list has outside of its bucket. */
export interface Outside {
  readonly cut: number;
  /** Postings in rows q that were not read. */
  readonly unread: number;
  /** Those that were. */
  readonly read: readonly Uint32Array[];
}

export interface SegmentListParts {
  readonly level: LevelDatabase;
  readonly segments: readonly PresentSegment[];
  readonly contents: ContentTable;
  /** So many postings are wanted that a list has outside of its bucket; 0: those in it will do. */
  readonly beyondMax: number;
}

/** The lists of one query: segment by segment, and key by key. */
export class SegmentLists {
  /** Values that could not be trusted. */
  unreadable = 0;
  private readonly parts: SegmentListParts;
  private readonly keys: Float64Array;
  private readonly readers: readonly BucketReader[];
  /** Of each list its first posting and how many there are: in its bucket, where that was read, else in its image. */
  private readonly starts: Uint32Array;
  private readonly counts: Uint32Array;
  private readonly buckets: (Buffer | undefined)[] = [];
  private readonly long = new Map<number, Pick<LongList, 'beyond' | 'cut'>>();
  private readonly outside = new Map<number, Outside>();

  private constructor(parts: SegmentListParts, keys: Float64Array) {
    this.parts = parts;
    this.keys = keys;
    this.readers = parts.segments.map(({ segment }) => new BucketReader(segment));
    this.starts = new Uint32Array(keys.length * parts.segments.length);
    this.counts = new Uint32Array(keys.length * parts.segments.length).fill(NO_IMAGE);
  }

  /** At once where images have all of it; else of one snapshot, which is taken before anything is waited for. */
  static find(parts: SegmentListParts, keys: Float64Array): SegmentLists | Promise<SegmentLists> {
    const lists = new SegmentLists(parts, keys);
    lists.findInImages();
    const buckets = bucketsToRead(parts.segments, keys, lists.counts);
    if (buckets.rows.length === 0 && lists.long.size === 0) return lists;
    return atOnce(parts.level, async (snapshot) => {
      if (buckets.rows.length > 0) await lists.findInBuckets(buckets, snapshot);
      if (lists.long.size > 0) await lists.readOutside(snapshot);
      return lists;
    });
  }

  /** Postings of key i in segment s, at the most. */
  countOf(s: number, i: number): number {
    const count = this.counts[s * this.keys.length + i]!;
    // a filter said no, or the bucket cannot be read
    return count === NO_IMAGE ? 0 : count;
  }

  outsideOf(s: number, i: number): Outside | undefined {
    return this.outside.size === 0 ? undefined : this.outside.get(s * this.keys.length + i);
  }

  /** Adds the live contents of key i in segment s. @param into has room for {@link countOf} @returns the size after that */
  take(s: number, i: number, into: Uint32Array, size: number): number {
    const { contents, segments } = this.parts;
    const at = s * this.keys.length + i;
    const start = this.starts[at]!;
    const count = this.countOf(s, i);
    const bucket = this.buckets[at];
    if (bucket === undefined) {
      return count === 0 ? size : segments[s]!.image!.take(this.keys[i]!, start, count, contents, into, size);
    }
    const reader = this.readers[s]!;
    reader.goTo(bucket);
    let end = size;
    for (let position = start; position < start + count; position++) {
      const content = reader.contentAt(position);
      if (contents.isLive(content)) into[end++] = content;
    }
    return end;
  }

  private findInImages(): void {
    const { keys, starts, counts } = this;
    const size = keys.length;
    for (const [s, { image }] of this.parts.segments.entries()) {
      if (image === undefined) continue;
      const from = s * size;
      image.find(keys, starts.subarray(from, from + size), counts.subarray(from, from + size));
      if (!image.hasLongLists) continue;
      for (let i = 0; i < size; i++) this.noteLong(from + i, image.longListOf(keys[i]!));
    }
  }

  private async findInBuckets({ rows, positions }: ReturnType<typeof bucketsToRead>, snapshot: Snapshot) {
    const { keys } = this;
    const read = await this.getMany(rows, snapshot);
    for (let row = 0; row < rows.length; row++) {
      const value = read[row];
      const at = positions[row]!;
      const key = keys[at % keys.length]!;
      const reader = this.readers[Math.floor(at / keys.length)]!;
      if (value === undefined || !reader.open(bucketOf(key, reader.geometry.bits), value)) {
        this.unreadable++;
        continue;
      }
      reader.find(key);
      this.buckets[at] = value;
      this.starts[at] = reader.start;
      this.counts[at] = reader.count;
      if (reader.longLists > 0) this.noteLong(at, reader.longListOf(key));
    }
  }

  private noteLong(at: number, long: Pick<LongList, 'beyond' | 'cut'> | undefined): void {
    if (long !== undefined) this.long.set(at, long);
  }

  /** Rows q: all of the lists whose first K may not all be live, else as far as postings are wanted. */
  private async readOutside(snapshot: Snapshot): Promise<void> {
    const { keys } = this;
    const { beyondMax } = this.parts;
    const wanted: { at: number; cut: number; beyond: number; rows: string[] }[] = [];
    for (const [at, { beyond, cut }] of this.long) {
      const { segment, dead } = this.parts.segments[Math.floor(at / keys.length)]!;
      const some = dead === 0 ? Math.min(beyond, beyondMax) : beyond;
      if (some === 0) this.outside.set(at, { cut, unread: beyond, read: [] });
      else {
        const rows = overflowKeys(overflowsPrefix(segment.segment), keys[at % keys.length]!, some);
        wanted.push({ at, cut, beyond, rows });
      }
    }
    const values = await this.getMany(
      wanted.flatMap(({ rows }) => rows),
      snapshot,
    );
    let next = 0;
    for (const { at, cut, beyond, rows } of wanted) {
      const read: Uint32Array[] = [];
      for (const row of rows) {
        const part = openPart(row, values[next++]);
        if (part === undefined) this.unreadable++;
        else read.push(part);
      }
      const unread = Math.max(0, beyond - rows.length * PART_CONTENTS);
      this.outside.set(at, { cut, unread, read });
    }
  }

  /** Values in the order of their keys; undefined where LevelDB has none, or cannot read it. */
  private async getMany(keys: string[], snapshot: Snapshot): Promise<(Buffer | undefined)[]> {
    const { level } = this.parts;
    const values: (Buffer | undefined)[] = [];
    for (let from = 0; from < keys.length; from += ROWS_AT_ONCE) {
      const slice = keys.length <= ROWS_AT_ONCE ? keys : keys.slice(from, from + ROWS_AT_ONCE);
      const some = await level
        .getMany(slice, { snapshot })
        .catch(() => Promise.all(slice.map((key) => level.get(key, { snapshot }).catch(leftOut(undefined)))));
      resumed();
      if (some.length === keys.length) return some;
      values.push(...some);
    }
    return values;
  }
}
