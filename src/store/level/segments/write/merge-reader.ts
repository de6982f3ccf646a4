import { type LevelDatabase, pagesOf } from '../../database/level-handle.ts';
import { bucketKey, bucketOfKey, bucketsPrefix, overflowsPrefix } from '../../format/keys.ts';
import { unreadable } from '../../format/value-bytes.ts';
import type { ContentTable } from '../content-table.ts';
import { FINGERPRINT_BITS, type Geometry, openPart, overflowKeys, type Slice } from '../rows/bucket.ts';
import { BucketReader } from '../rows/bucket-reader.ts';
import type { Postings } from '../rows/sort.ts';

export type LiveContents = Pick<ContentTable, 'isLive'>;

/**
 * Opens all buckets of one slice of a segment, in their order.
 *
 * @param each is given the bucket that the reader has open, and the value of its row
 * @throws ShingledError `index-unreadable` where a row is damaged or missing
 */
export async function readBuckets(
  level: LevelDatabase,
  geometry: Geometry,
  { bits, index }: Slice,
  each: (reader: BucketReader, bucket: number, value: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const prefix = bucketsPrefix(geometry.segment);
  const width = 2 ** (geometry.bits - bits);
  let bucket = index * width;
  const end = bucket + width;
  const range = { gte: bucketKey(prefix, bucket), lte: bucketKey(prefix, end - 1) };
  const reader = new BucketReader(geometry);
  for await (const rows of pagesOf(level, range)) {
    for (const [key, value] of rows) {
      if (bucketOfKey(key) !== bucket || !reader.open(bucket, value)) throw unreadable(key);
      await each(reader, bucket++, value);
    }
  }
  if (bucket !== end) throw unreadable(prefix);
}

/**
 * Reads one slice of a segment: the postings of contents that are not forgotten, and where its lists were cut.
 *
 * @param into takes the postings
 * @param cuts takes, by fingerprint, the least position at which the list was cut
 * @throws ShingledError `index-unreadable` where a row is damaged or missing: a merge must not lose what a repair could mend
 */
export function readSlice(
  level: LevelDatabase,
  geometry: Geometry,
  slice: Slice,
  table: LiveContents,
  into: Postings,
  cuts: Map<number, number>,
): Promise<void> {
  return readBuckets(level, geometry, slice, (reader, bucket) => {
    takeBucket(reader, bucket, table, into);
    return reader.longLists > 0 ? takeLongLists(level, reader, bucket, table, into, cuts) : undefined;
  });
}

function takeBucket(reader: BucketReader, bucket: number, table: LiveContents, into: Postings): void {
  const { bits } = reader.geometry;
  const { postings } = reader;
  into.reserve(postings);
  const { low, high, contents } = into.columns;
  const lowBits = bucket << (FINGERPRINT_BITS - bits);
  const top = bucket >>> (bits - 8);
  let at = into.count;
  for (let i = 0; i < postings; i++) {
    const content = reader.contentAt(i);
    if (!table.isLive(content)) continue;
    low[at] = lowBits | reader.remainderAt(i);
    high[at] = top;
    contents[at++] = content;
  }
  into.count = at;
}

async function takeLongLists(
  level: LevelDatabase,
  reader: BucketReader,
  bucket: number,
  table: LiveContents,
  into: Postings,
  cuts: Map<number, number>,
): Promise<void> {
  const { segment, bits } = reader.geometry;
  for (let i = 0; i < reader.longLists; i++) {
    const { remainder, beyond, cut } = reader.longList(i);
    const fingerprint = bucket * 2 ** (FINGERPRINT_BITS - bits) + remainder;
    if (cut > 0) cuts.set(fingerprint, Math.min(cut, cuts.get(fingerprint) ?? cut));
    const keys = overflowKeys(overflowsPrefix(segment), fingerprint, beyond);
    const values = await level.getMany(keys, { fillCache: false });
    let found = 0;
    for (const [part, key] of keys.entries()) {
      const numbers = openPart(key, values[part]);
      if (numbers === undefined) throw unreadable(key);
      found += numbers.length;
      takeContents(fingerprint, numbers, table, into);
    }
    if (found !== beyond) throw unreadable(keys[0] ?? 'q');
  }
}

function takeContents(fingerprint: number, numbers: Uint32Array, table: LiveContents, into: Postings): void {
  into.reserve(numbers.length);
  const { low, high, contents } = into.columns;
  for (const content of numbers) {
    if (!table.isLive(content)) continue;
    low[into.count] = fingerprint;
    high[into.count] = fingerprint / 0x1_0000_0000;
    contents[into.count++] = content;
  }
}
