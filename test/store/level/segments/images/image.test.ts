import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentTable } from '../../../../../src/store/level/segments/content-table.ts';
import { NO_IMAGE, SegmentImage } from '../../../../../src/store/level/segments/images/image.ts';
import { ImageBuilder } from '../../../../../src/store/level/segments/images/image-builder.ts';
import {
  BucketPacker,
  contentBytes,
  FINGERPRINT_BITS,
  type LongList,
} from '../../../../../src/store/level/segments/rows/bucket.ts';
import { newColumns } from '../../../../../src/store/level/segments/rows/sort.ts';
import { createPrng } from '../../../../support/prng.ts';

interface Posting {
  readonly fingerprint: number;
  readonly content: number;
}

interface Given {
  readonly postings: readonly Posting[];
  readonly long: ReadonlyMap<number, { beyond: number; cut: number }>;
  readonly bits: number;
  readonly sliceBits: number;
  readonly imaged: (slice: number) => boolean;
}

/** The image of a segment, from buckets as a segment writer packs them. */
function imageOf({ postings, long, bits, sliceBits, imaged }: Given): SegmentImage {
  const sorted = postings.toSorted((a, b) => a.fingerprint - b.fingerprint);
  const columns = newColumns(sorted.length);
  for (const [i, { fingerprint, content }] of sorted.entries()) {
    columns.low[i] = fingerprint;
    columns.high[i] = fingerprint / 2 ** 32;
    columns.contents[i] = content;
  }
  const numbers = postings.map(({ content }) => content);
  const firstContent = numbers.reduce((least, each) => Math.min(least, each), 2 ** 32);
  const last = numbers.reduce((most, each) => Math.max(most, each), firstContent);
  const geometry = { segment: 7, bits, firstContent, contentBytes: contentBytes(firstContent, last) };
  const packer = new BucketPacker(geometry);
  const restOf = 2 ** (FINGERPRINT_BITS - bits);
  const parts = Array.from({ length: 2 ** sliceBits }, (_, index) => {
    if (!imaged(index)) return undefined;
    const builder = new ImageBuilder(geometry, { bits: sliceBits, index }, sorted.length / 2 ** sliceBits);
    const width = 2 ** (bits - sliceBits);
    for (let bucket = index * width; bucket < (index + 1) * width; bucket++) {
      const places = [...sorted.keys()].filter((i) => Math.floor(sorted[i]!.fingerprint / restOf) === bucket);
      const outside: LongList[] = [...long]
        .filter(([fingerprint]) => Math.floor(fingerprint / restOf) === bucket)
        .map(([fingerprint, facts]) => ({ remainder: fingerprint % restOf, ...facts }));
      builder.add(bucket, packer.pack(bucket, columns, Uint32Array.from(places), places.length, outside));
    }
    return builder.part();
  });
  return new SegmentImage(geometry, parts);
}

function listsOf(image: SegmentImage, keys: readonly number[], table: ContentTable): (number[] | null)[] {
  const starts = new Uint32Array(keys.length);
  const counts = new Uint32Array(keys.length);
  image.find(Float64Array.from(keys), starts, counts);
  return keys.map((key, i) => {
    if (counts[i] === NO_IMAGE) return null;
    const into = new Uint32Array(3 + counts[i]!);
    const size = image.take(key, starts[i]!, counts[i]!, table, into, 3);
    return [...into.subarray(3, size)];
  });
}

const FINGERPRINTS = 2 ** FINGERPRINT_BITS;

describe('the image of a segment', () => {
  it('has the lists of its buckets, in the slices that it has', () => {
    // fingerprints that have high, middle or low bits in common, and some that come again
    const base = fc.constantFrom(0, 2 ** 39, 0xff_ffff_0000, 0x12_3456_0000, FINGERPRINTS - 70_000);
    const fingerprint = fc.oneof(
      fc.nat({ max: FINGERPRINTS - 1 }),
      fc.tuple(base, fc.nat({ max: 65_535 })).map(([from, more]) => from + more),
      fc.tuple(base, fc.nat({ max: 3 })).map(([from, more]) => from + 256 * more),
    );
    const content = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 24 }), fc.nat({ max: 2 ** 32 - 1 }));
    const given = fc.record({
      postings: fc.array(fc.record({ fingerprint, content }), { minLength: 1, maxLength: 60 }),
      asked: fc.array(fingerprint, { maxLength: 20 }),
      long: fc.array(fc.record({ fingerprint, beyond: fc.nat(), cut: fc.nat({ max: 2 ** 47 }) }), { maxLength: 4 }),
      bits: fc.constantFrom(9, 10),
      sliceBits: fc.constantFrom(0, 1, 4, 9),
      dead: fc.integer({ min: 2, max: 5 }),
      without: fc.nat({ max: 16 }),
    });
    fc.assert(
      fc.property(given, ({ postings, asked, long, bits, sliceBits, dead, without }) => {
        const table = new ContentTable();
        for (const { content: number } of postings) if (number % dead > 0 && number < 2 ** 25) table.set(number, 9);
        const outside = new Map(long.map(({ fingerprint: key, beyond, cut }) => [key, { beyond, cut }]));
        const imaged = (slice: number) => slice % 17 !== without;
        const image = imageOf({ postings, long: outside, bits, sliceBits, imaged });
        const keys = [...asked, ...postings.map((each) => each.fingerprint), ...outside.keys()];
        const isImaged = (key: number) => imaged(Math.floor(key / (FINGERPRINTS / 2 ** sliceBits)));
        const expected = keys.map((key) =>
          isImaged(key)
            ? postings
                .filter((each) => each.fingerprint === key && table.isLive(each.content))
                .map((each) => each.content)
            : null,
        );
        expect(listsOf(image, keys, table)).toEqual(expected);
        expect(keys.map((key) => image.longListOf(key))).toEqual(
          keys.map((key) => (isImaged(key) ? outside.get(key) : undefined)),
        );
      }),
      { seed: 11, numRuns: 400 },
    );
  });

  it('takes some six bytes a posting, whatever the size of its slices', () => {
    const prng = createPrng(4);
    const draw = () => Math.floor(prng.next() * 2 ** 20) * 2 ** 20 + Math.floor(prng.next() * 2 ** 20);
    for (const size of [2 ** 19, 400_000, 300_000]) {
      const geometry = { segment: 1, bits: 14, firstContent: 0, contentBytes: 3 };
      const columns = newColumns(size);
      const fingerprints = Float64Array.from({ length: size }, draw).sort();
      for (let i = 0; i < size; i++) {
        columns.low[i] = fingerprints[i]!;
        columns.high[i] = fingerprints[i]! / 2 ** 32;
        columns.contents[i] = i;
      }
      const builder = new ImageBuilder(geometry, { bits: 0, index: 0 }, size);
      const packer = new BucketPacker(geometry);
      const places = new Uint32Array(size);
      let at = 0;
      for (let bucket = 0; bucket < 2 ** 14; bucket++) {
        let count = 0;
        while (at < size && fingerprints[at]! < (bucket + 1) * 2 ** 26) places[count++] = at++;
        builder.add(bucket, packer.pack(bucket, columns, places, count, []));
      }
      const { bytes } = new SegmentImage(geometry, [builder.part()]);
      expect(bytes / size).toBeGreaterThan(5);
      expect(bytes / size).toBeLessThan(7);
    }
  });
});
