import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postedKey } from '../../../../../src/core/query/posted-key.ts';
import {
  BucketPacker,
  bucketBits,
  bucketOf,
  bucketSeed,
  type Geometry,
  type LongList,
  packRemainder,
  unpackRemainder,
} from '../../../../../src/store/level/segments/rows/bucket.ts';
import { BucketReader } from '../../../../../src/store/level/segments/rows/bucket-reader.ts';
import { newColumns } from '../../../../../src/store/level/segments/rows/sort.ts';

const SEED = 1;

const geometry = fc.record({
  segment: fc.nat(2 ** 28 - 1),
  bits: fc.integer({ min: 9, max: 28 }),
  firstContent: fc.nat(0xffff_ffff),
  contentBytes: fc.integer({ min: 2, max: 4 }),
});

/** A bucket's number, its postings in order, and what some of its lists have outside. */
const filled = geometry.chain((made) =>
  fc.record({
    made: fc.constant(made),
    bucket: fc.nat(2 ** made.bits - 1),
    postings: fc
      .array(
        fc.tuple(
          fc.oneof(fc.nat(2 ** (32 - made.bits) - 1), fc.nat(3)).map(unpackRemainder),
          fc.nat(Math.min(2 ** (8 * made.contentBytes) - 1, 0xffff_ffff - made.firstContent)),
        ),
        { maxLength: 60 },
      )
      .map((pairs) => pairs.sort(([a], [b]) => a - b)),
    beyond: fc.array(fc.tuple(fc.nat(40), fc.nat(), fc.nat(2 ** 48 - 1)), { maxLength: 3 }),
  }),
);

type Filled = typeof filled extends fc.Arbitrary<infer T> ? T : never;

function pack({ made, bucket, postings, beyond }: Filled): { bytes: Buffer; long: LongList[] } {
  const columns = newColumns(postings.length);
  const top = bucket * 2 ** (40 - made.bits);
  for (const [i, [remainder, content]] of postings.entries()) {
    columns.low[i] = top + remainder;
    columns.high[i] = (top + remainder) / 2 ** 32;
    columns.contents[i] = made.firstContent + content;
  }
  const long = beyond.map(([remainder, more, cut]) => ({ remainder, beyond: more, cut }));
  const places = Uint32Array.from(postings.keys());
  const bytes = new BucketPacker(made).pack(bucket, columns, places, postings.length, long);
  return { bytes: Buffer.from(bytes), long };
}

const check = (property: (input: Filled) => void, numRuns: number) => {
  fc.assert(fc.property(filled, property), { seed: SEED, numRuns });
};

describe('a bucket', () => {
  it('follows the worked example of its grammar', () => {
    const made: Geometry = { segment: 1, bits: 16, firstContent: 0, contentBytes: 2 };
    const postings: [number, number][] = [
      [5, 300],
      [5, 7],
      [9, 8],
    ];
    const { bytes } = pack({ made, bucket: 0, postings, beyond: [] });
    expect(bytes.subarray(0, -4).toString('hex')).toBe('0000' + '050005000900' + '2c0107000800');
  });

  it('has remainders without the bits that are 0 in every key, in the same order', () => {
    const key = fc.nat(0xffff_ffff).map((value) => postedKey(value) % 2 ** 31);
    fc.assert(
      fc.property(key, key, (one, other) => {
        expect(packRemainder(one)).toBeLessThan(2 ** 23);
        expect(unpackRemainder(packRemainder(one))).toBe(one);
        expect(packRemainder(one) < packRemainder(other)).toBe(one < other);
      }),
    );
  });

  it('of a segment from before format 9 is read with all bits of its remainders', () => {
    const made: Geometry = { segment: 1, bits: 16, firstContent: 0, contentBytes: 2 };
    const body = Buffer.from('0000' + '050000' + '50ff12' + '2c01' + '0700', 'hex');
    const bytes = Buffer.alloc(body.length + 4);
    body.copy(bytes);
    bytes.writeUInt32LE(crc32(body, bucketSeed(1, 0)), body.length);
    const reader = new BucketReader(made, false);
    expect(reader.open(0, bytes)).toBe(true);
    expect([0, 1].map((i) => [reader.remainderAt(i), reader.contentAt(i)])).toEqual([
      [5, 300],
      [0x12ff50, 7],
    ]);
    reader.find(0x12ff50);
    expect([reader.start, reader.count]).toEqual([1, 1]);
  });

  it('gives back what was packed, in place', () => {
    check((input) => {
      const { bytes, long } = pack(input);
      const reader = new BucketReader(input.made);
      expect(reader.open(input.bucket, bytes)).toBe(true);
      expect(reader.postings).toBe(input.postings.length);
      for (const [i, [remainder, content]] of input.postings.entries()) {
        expect([reader.remainderAt(i), reader.contentAt(i)]).toEqual([remainder, input.made.firstContent + content]);
      }
      expect(Array.from({ length: reader.longLists }, (_, i) => reader.longList(i))).toEqual(long);
    }, 300);
  });

  it('finds each list and none that is not there', () => {
    check((input) => {
      const reader = new BucketReader(input.made);
      const { bytes, long } = pack(input);
      expect(reader.open(input.bucket, bytes)).toBe(true);
      const top = input.bucket * 2 ** (40 - input.made.bits);
      const asked = [...input.postings.map(([remainder]) => remainder), ...input.postings.map(([r]) => r + 1), 0, 1, 2];
      for (const remainder of asked.filter((value) => value < 2 ** (40 - input.made.bits) && (value & 0xff0) === 0)) {
        expect(bucketOf(top + remainder, input.made.bits)).toBe(input.bucket);
        reader.find(top + remainder);
        expect(reader.count).toBe(input.postings.filter(([other]) => other === remainder).length);
        if (reader.count > 0) expect(reader.start).toBe(input.postings.findIndex(([other]) => other === remainder));
        expect(reader.longListOf(top + remainder)).toEqual(long.find((list) => list.remainder === remainder));
      }
    }, 200);
  });

  it('is not believed with any one bit flipped, a byte more or less, or under another key', () => {
    check((input) => {
      const { bytes } = pack(input);
      const reader = new BucketReader(input.made);
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped[bit >>> 3]! ^= 1 << (bit & 7);
        expect(reader.open(input.bucket, flipped)).toBe(false);
      }
      expect(reader.open(input.bucket, bytes.subarray(0, -1))).toBe(false);
      expect(reader.open(input.bucket, Buffer.concat([bytes, Buffer.of(0)]))).toBe(false);
      expect(reader.open(input.bucket, Buffer.alloc(0))).toBe(false);
      expect(reader.open(input.bucket ^ 1, bytes)).toBe(false);
      const elsewhere = new BucketReader({ ...input.made, segment: input.made.segment ^ 1 });
      expect(elsewhere.open(input.bucket, bytes)).toBe(false);
    }, 20);
  });

  it('holds 32 to 128 postings in the mean, whatever their number, once there are enough', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2 ** 16, max: 2 ** 34 }), (postings) => {
        const mean = postings / 2 ** bucketBits(postings);
        expect(mean).toBeGreaterThanOrEqual(32);
        expect(mean).toBeLessThanOrEqual(128);
      }),
      { seed: SEED },
    );
    expect([bucketBits(0), bucketBits(1), bucketBits(2 ** 40)]).toEqual([9, 9, 28]);
  });
});
