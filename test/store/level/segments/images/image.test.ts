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
  /** Of a slice, as the writer of the segment expects; else as many as there are. */
  readonly expected?: number;
}

/** The image of a segment, from buckets as a segment writer packs them. */
function imageOf({ postings, long, bits, sliceBits, imaged, expected }: Given): SegmentImage {
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
    const size = expected ?? sorted.length / 2 ** sliceBits;
    const builder = new ImageBuilder(geometry, { bits: sliceBits, index }, size);
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
/** A number with the bits that are 0 in every key (core/query/posted-key.ts). */
const keyLike = (number: number) => Math.floor(number / 4096) * 4096 + (number % 16);

describe('the image of a segment', () => {
  it('has the lists of its buckets, in the slices that it has', () => {
    // fingerprints that have high, middle or low bits in common, and some that come again
    const base = fc.constantFrom(0, 2 ** 39, 0xff_ffff_0000, 0x12_3456_0000, FINGERPRINTS - 70_000);
    const fingerprint = fc
      .oneof(
        fc.nat({ max: FINGERPRINTS - 1 }),
        fc.tuple(base, fc.nat({ max: 65_535 })).map(([from, more]) => from + more),
        fc.tuple(base, fc.nat({ max: 3 })).map(([from, more]) => from + 4096 * more),
      )
      .map(keyLike);
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
      { seed: 11, numRuns: 100 },
    );
  });

  it('has each list at its start where slice and start together have more bits than a signed integer', () => {
    // 14 bits of the slice and 16 to 19 of the start: up to 33 of the 40
    const sliceBits = 14;
    const given = fc.record({
      postings: fc.array(fc.nat({ max: 2 ** (FINGERPRINT_BITS - sliceBits) - 1 }), { minLength: 1, maxLength: 30 }),
      slice: fc.constantFrom(0, 1, 2 ** 13 - 1, 2 ** 13, 2 ** 14 - 1),
      expected: fc.constantFrom(8 * 2 ** 16, 8 * 2 ** 18, 8 * 2 ** 19),
    });
    fc.assert(
      fc.property(given, ({ postings: rests, slice, expected }) => {
        const first = slice * 2 ** (FINGERPRINT_BITS - sliceBits);
        const postings = rests.map((rest, content) => ({ fingerprint: keyLike(first + rest), content }));
        const table = new ContentTable();
        for (const { content } of postings) table.set(content, 9);
        const imaged = (index: number) => index === slice;
        const image = imageOf({ postings, long: new Map(), bits: sliceBits, sliceBits, imaged, expected });
        const keys = postings.map(({ fingerprint }) => fingerprint);
        const lists = keys.map((key) =>
          postings.filter((each) => each.fingerprint === key).map((each) => each.content),
        );
        expect(listsOf(image, keys, table)).toEqual(lists);
      }),
      { seed: 12, numRuns: 40 },
    );
  });

  it('takes less than seven bytes a posting, and eight in small slices of large parts of all keys', () => {
    expect(bytesOf(2 ** 19, 5)).toBeCloseTo(6.7, 1);
    expect(bytesOf(300_000, 5)).toBeCloseTo(6.7, 1);
    expect(bytesOf(300_000, 0)).toBeCloseTo(8, 1);
  });

  it('has lists that are longer than many lines, and those of the next lines, which lie behind them', () => {
    const table = new ContentTable();
    const postings: Posting[] = [];
    for (let content = 0; content < 3000; content++) {
      table.set(content, 9);
      const fingerprint = content < 2900 ? 2 ** 39 + (content % 3) : 2 ** 39 + 3 + (content - 2900) * 2 ** 30;
      postings.push({ fingerprint, content });
    }
    const image = imageOf({ postings, long: new Map(), bits: 10, sliceBits: 0, imaged: () => true });
    const keys = [...new Set(postings.map(({ fingerprint }) => fingerprint)), 2 ** 39 - 1, 2 ** 39 + 4];
    expect(listsOf(image, keys, table)).toEqual(
      keys.map((key) => postings.filter(({ fingerprint }) => fingerprint === key).map(({ content }) => content)),
    );
  });

  it('is not made where more postings are of one line than it can say', () => {
    const geometry = { segment: 1, bits: 9, firstContent: 0, contentBytes: 3 };
    const columns = newColumns(2 ** 16);
    const places = Uint32Array.from(columns.contents.keys());
    for (const [count, isMade] of [
      [2 ** 16 - 1, true],
      [2 ** 16, false],
    ] as const) {
      const builder = new ImageBuilder(geometry, { bits: 0, index: 0 }, count);
      builder.add(0, new BucketPacker(geometry).pack(0, columns, places, count, []));
      expect(builder.part() !== undefined).toBe(isMade);
    }
  });
});

/** Of a posting in the image of a slice that has so many, at random. */
function bytesOf(size: number, sliceBits: number): number {
  const prng = createPrng(4);
  const draw = () => Math.floor(prng.next() * 2 ** (20 - sliceBits)) * 2 ** 20 + Math.floor(prng.next() * 2 ** 20);
  const geometry = { segment: 1, bits: 14, firstContent: 0, contentBytes: 3 };
  const columns = newColumns(size);
  const fingerprints = Float64Array.from({ length: size }, () => keyLike(draw())).sort();
  for (let i = 0; i < size; i++) {
    columns.low[i] = fingerprints[i]!;
    columns.high[i] = fingerprints[i]! / 2 ** 32;
    columns.contents[i] = i;
  }
  const builder = new ImageBuilder(geometry, { bits: sliceBits, index: 0 }, size);
  const packer = new BucketPacker(geometry);
  const places = new Uint32Array(size);
  let at = 0;
  for (let bucket = 0; bucket < 2 ** (14 - sliceBits); bucket++) {
    let count = 0;
    while (at < size && fingerprints[at]! < (bucket + 1) * 2 ** 26) places[count++] = at++;
    builder.add(bucket, packer.pack(bucket, columns, places, count, []));
  }
  return builder.part()!.memory.byteLength / size;
}
