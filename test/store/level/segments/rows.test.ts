import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketKey,
  bucketOfKey,
  bucketsPrefix,
  contentOfDeathKey,
  deathKey,
  overflowKey,
  overflowsPrefix,
  pageKey,
  pageOfKey,
  segmentOfKey,
} from '../../../../src/store/level/format/keys.ts';
import { ContentTable, openPage, PAGE_CONTENTS, sealPage } from '../../../../src/store/level/segments/content-table.ts';
import { openPart, overflowKeys, packOverflow } from '../../../../src/store/level/segments/rows/bucket.ts';
import { openSegmentList, sealSegmentList } from '../../../../src/store/level/segments/rows/segment-list.ts';

const SEED = 1;
const ascending = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const segment = fc.oneof(fc.nat(2 ** 28 - 2), fc.nat(300));
const fingerprint = fc.maxSafeNat().map((value) => value % 2 ** 40);
const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void, numRuns = 300) => {
  fc.assert(fc.property(arbitrary, property), { seed: SEED, numRuns });
};

describe('the keys of segments', () => {
  it('sort by segment, then bucket, and are read back', () => {
    const place = fc.tuple(segment, fc.nat(2 ** 28 - 1));
    const keyOf = ([s, bucket]: [number, number]) => bucketKey(bucketsPrefix(s), bucket);
    check(fc.tuple(place, place), ([a, b]) => {
      expect([segmentOfKey(keyOf(a)), bucketOfKey(keyOf(a))]).toEqual(a);
      expect(Math.sign(ascending(keyOf(a), keyOf(b)))).toBe(Math.sign(a[0] - b[0] || a[1] - b[1]));
    });
  });

  it('sort by segment, fingerprint and part where they are of table q', () => {
    const place = fc.tuple(segment, fingerprint, fc.nat(127));
    const keyOf = ([s, f, part]: [number, number, number]) => overflowKey(overflowsPrefix(s), f, part);
    check(fc.tuple(place, place), ([a, b]) => {
      expect([segmentOfKey(keyOf(a)), keyOf(a).length]).toEqual([a[0], 12]);
      expect(Math.sign(ascending(keyOf(a), keyOf(b)))).toBe(Math.sign(a[0] - b[0] || a[1] - b[1] || a[2] - b[2]));
    });
  });

  it('sort pages and deaths by their numbers, up to the last content', () => {
    const number = fc.nat(0xffff_ffff);
    check(fc.tuple(number, number), ([a, b]) => {
      expect([pageOfKey(pageKey(a)), contentOfDeathKey(deathKey(a))]).toEqual([a, a]);
      expect(Math.sign(ascending(pageKey(a), pageKey(b)))).toBe(Math.sign(a - b));
      expect(Math.sign(ascending(deathKey(a), deathKey(b)))).toBe(Math.sign(a - b));
    });
  });
});

describe('what a list has beyond its first K', () => {
  it('comes back in its order, part by part, from the keys that its number tells', () => {
    check(
      fc.tuple(segment, fingerprint, fc.integer({ min: 1, max: 9000 }), fc.nat(0xffff_0000)),
      ([s, f, count, first]) => {
        const contents = Uint32Array.from({ length: count }, (_, i) => first + ((i * 7) % 65_536));
        const prefix = overflowsPrefix(s);
        const rows = new Map(packOverflow(prefix, f, contents));
        const keys = overflowKeys(prefix, f, count);
        expect([...rows.keys()]).toEqual(keys);
        expect(keys.flatMap((key) => [...openPart(key, rows.get(key))!])).toEqual([...contents]);
      },
      30,
    );
  });

  it('is not believed with a bit flipped, cut short, under another key, or missing', () => {
    const [[key, bytes]] = [...packOverflow(overflowsPrefix(3), 5, Uint32Array.of(9, 4, 70_000))] as [[string, Buffer]];
    expect(openPart(key, bytes)).toEqual(Uint32Array.of(9, 4, 70_000));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >>> 3]! ^= 1 << (bit & 7);
      expect(openPart(key, flipped)).toBeUndefined();
    }
    for (const broken of [bytes.subarray(4), bytes.subarray(1), Buffer.alloc(0), undefined]) {
      expect(openPart(key, broken)).toBeUndefined();
    }
    expect(openPart(overflowKey(overflowsPrefix(4), 5, 0), bytes)).toBeUndefined();
  });
});

describe('the list of segments', () => {
  const nat = fc.nat(0xffff_ffff);
  const one = fc.record({
    segment: nat,
    level: fc.nat(9),
    bits: fc.integer({ min: 9, max: 28 }),
    contentBytes: fc.integer({ min: 2, max: 4 }),
    firstContent: nat,
    lastContent: nat,
    postings: fc.maxSafeNat(),
    bytes: fc.maxSafeNat(),
    deadBefore: nat,
    longest: fc.array(fc.record({ fingerprint, contents: nat }), { maxLength: 3 }),
  });
  const list = fc.record({
    nextSegment: nat,
    flushedUpTo: nat,
    gone: fc.array(nat, { maxLength: 3 }),
    segments: fc.array(one, { maxLength: 4 }),
  });

  it('is read back as it was sealed, and refused with a bit flipped', () => {
    check(fc.tuple(list, fc.nat()), ([made, at]) => {
      const bytes = sealSegmentList(made);
      expect(openSegmentList(bytes)).toEqual(made);
      const bit = at % (bytes.length * 8);
      bytes[bit >>> 3]! ^= 1 << (bit & 7);
      expect(() => openSegmentList(bytes)).toThrow(expect.objectContaining({ code: 'index-unreadable' }));
    });
  });
});

describe('a page of shingle counts', () => {
  it('is read back up to where contents are not flushed yet, and refused with a bit flipped or under another key', () => {
    check(
      fc.tuple(fc.nat(30), fc.nat(PAGE_CONTENTS), fc.nat(), fc.nat(0xffff_ffff)),
      ([page, flushed, at, count]) => {
        const table = new ContentTable();
        const first = page * PAGE_CONTENTS;
        for (let i = 0; i < PAGE_CONTENTS; i += 3) table.set(first + i, (count + i) >>> 0);
        const bytes = sealPage(table, page);
        const read = new ContentTable();
        expect(openPage(read, page, bytes, first + flushed)).toBe(true);
        for (let i = 0; i < PAGE_CONTENTS; i++) {
          const expected = i < flushed ? table.shingleCount(first + i) : 0;
          if (read.shingleCount(first + i) !== expected)
            expect([i, read.shingleCount(first + i)]).toEqual([i, expected]);
        }
        expect(openPage(read, page + 1, bytes, Number.POSITIVE_INFINITY)).toBe(false);
        const bit = at % (bytes.length * 8);
        bytes[bit >>> 3]! ^= 1 << (bit & 7);
        expect(openPage(read, page, bytes, Number.POSITIVE_INFINITY)).toBe(false);
      },
      20,
    );
  });
});
