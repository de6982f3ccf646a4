/*
 * What an image of a segment costs: bytes a posting, the time to make it from buckets, and the time to find a query's lists in
 * it, all fingerprints at once and one after the other. One process, seeded inputs.
 *
 *     npm run bench:images [-- --json]
 *
 * The segment is larger than the caches. Half of the fingerprints that are asked for are in it.
 */
import { SegmentImage } from '../src/store/level/segments/images/image.ts';
import { ImageBuilder } from '../src/store/level/segments/images/image-builder.ts';
import { BucketPacker, bucketBits, FINGERPRINT_BITS } from '../src/store/level/segments/rows/bucket.ts';
import { newColumns } from '../src/store/level/segments/rows/sort.ts';
import { createPrng } from '../test/support/prng.ts';
import { printRows, quantile, type Row, spreadOf } from './support/table.ts';

const SLICE_BITS = 5;
/** Those of a text of 0.8 KB, its digest with them. */
const KEYS = 58;
const QUERIES = 4000;
const ROUNDS = 9;

const prng = createPrng(40);
const rows: Row[] = [];
for (const postings of [2 ** 19, 400_000, 270_000]) rows.push(...measure(postings));
printRows('Images of segments', rows);

/** @param postings of a slice */
function measure(postings: number): Row[] {
  const slices = 2 ** SLICE_BITS;
  const all = slices * postings;
  const geometry = { segment: 1, bits: bucketBits(all), firstContent: 0, contentBytes: 3 };
  const known: number[] = [];
  const times: number[] = [];
  const parts = Array.from({ length: slices }, (_, index) => {
    const fingerprints = drawSlice(index, postings);
    for (let i = 0; i < QUERIES; i++) known.push(fingerprints[prng.below(postings)]!);
    const buckets = pack(geometry, fingerprints, index);
    const startedAt = performance.now();
    const builder = new ImageBuilder(geometry, { bits: SLICE_BITS, index }, postings);
    for (const { bucket, value } of buckets) builder.add(bucket, value);
    const part = builder.part();
    times.push(performance.now() - startedAt);
    return part;
  });
  const image = new SegmentImage(geometry, parts);
  const queries = Array.from({ length: QUERIES }, () =>
    Float64Array.from({ length: KEYS }, (_, i) => (i % 2 === 0 ? known[prng.below(known.length)]! : draw(0, 0))),
  );
  const where = `${(all / 1e6).toFixed(1)} million postings, ${postings.toLocaleString('en-US')} a slice`;
  const millions = times.map((ms) => postings / ms / 1000);
  return [
    { row: `bytes of ${where}`, value: image.bytes / all, unit: 'bytes/posting' },
    { row: '… made from buckets', ...spreadOf(millions), unit: 'million postings/s' },
    { row: `… ${KEYS} lists found at once`, ...nanoseconds(image, queries, KEYS), unit: 'ns/key' },
    { row: '… one after the other', ...nanoseconds(image, queries, 1), unit: 'ns/key' },
  ];
}

function nanoseconds(image: SegmentImage, queries: readonly Float64Array[], atOnce: number) {
  const starts = new Uint32Array(atOnce);
  const counts = new Uint32Array(atOnce);
  let found = 0;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    for (const keys of queries) {
      for (let from = 0; from < KEYS; from += atOnce) {
        image.find(keys.subarray(from, from + atOnce), starts, counts);
        for (let i = 0; i < atOnce; i++) found += counts[i]!;
      }
    }
    return ((performance.now() - startedAt) * 1e6) / (QUERIES * KEYS);
  });
  if (found < (ROUNDS * QUERIES * KEYS) / 2) throw new Error('lists were not found');
  return { ...spreadOf(rounds), value: quantile(rounds, 0.5) };
}

/** A fingerprint whose top bits are `index`. */
function draw(index: number, sliceBits: number): number {
  const rest = 2 ** (FINGERPRINT_BITS - sliceBits);
  return index * rest + Math.floor(((Math.floor(prng.next() * 2 ** 20) + prng.next()) / 2 ** 20) * rest);
}

function drawSlice(index: number, postings: number): Float64Array {
  return Float64Array.from({ length: postings }, () => draw(index, SLICE_BITS)).sort();
}

function pack(
  geometry: ConstructorParameters<typeof BucketPacker>[0],
  fingerprints: Float64Array,
  index: number,
): { bucket: number; value: Buffer }[] {
  const columns = newColumns(fingerprints.length);
  for (let i = 0; i < fingerprints.length; i++) {
    columns.low[i] = fingerprints[i]!;
    columns.high[i] = fingerprints[i]! / 2 ** 32;
    columns.contents[i] = prng.below(2 ** 20);
  }
  const packer = new BucketPacker(geometry);
  const positions = new Uint32Array(fingerprints.length);
  const width = 2 ** (geometry.bits - SLICE_BITS);
  let at = 0;
  return Array.from({ length: width }, (_, i) => {
    const bucket = index * width + i;
    const end = (bucket + 1) * 2 ** (FINGERPRINT_BITS - geometry.bits);
    let count = 0;
    while (at < fingerprints.length && fingerprints[at]! < end) positions[count++] = at++;
    return { bucket, value: Buffer.from(packer.pack(bucket, columns, positions, count, [])) };
  });
}
