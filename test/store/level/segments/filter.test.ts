import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { postedKey } from '../../../../src/core/query/posted-key.ts';
import { filterPart, SegmentFilter } from '../../../../src/store/level/segments/filter.ts';
import { Filters } from '../../../../src/store/level/segments/filters.ts';
import { type Columns, newColumns } from '../../../../src/store/level/segments/rows/sort.ts';
import { createPrng } from '../../../support/prng.ts';
import { openPostings, type Postings } from './posting-fixture.ts';

const TOP = 2 ** 40;

function columnsOf(fingerprints: readonly number[]): Columns {
  const columns = newColumns(fingerprints.length);
  for (const [i, fingerprint] of fingerprints.entries()) {
    columns.low[i] = fingerprint;
    columns.high[i] = fingerprint / 2 ** 32;
  }
  return columns;
}

/** @param fingerprints ascending */
function filterOf(fingerprints: readonly number[], parts: number, bytesMax = Number.POSITIVE_INFINITY): SegmentFilter {
  const inPart = (i: number) => fingerprints.filter((f) => Math.floor(f / (TOP / parts)) === i);
  const partOf = (some: readonly number[]) =>
    filterPart(columnsOf(some), some.length, Math.log2(parts), bytesMax / parts);
  return new SegmentFilter(Array.from({ length: parts }, (_, i) => partOf(inPart(i))));
}

describe('the filter of a segment', () => {
  it('says yes of every fingerprint that was put in, whatever parts it has', () => {
    const fingerprint = fc.oneof(
      fc.nat({ max: TOP - 1 }),
      fc.nat({ max: 255 }).map((high) => high * 2 ** 32),
    );
    const fingerprints = fc.array(fingerprint, { maxLength: 300 });
    const room = fc.oneof(fc.nat({ max: 300 }), fc.constant(Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(fingerprints, fc.constantFrom(1, 2, 16), room, (some, parts, bytesMax) => {
        const ascending = some.toSorted((a, b) => a - b);
        const filter = filterOf(ascending, parts, bytesMax);
        expect(some.filter((each) => !filter.mayHave(each))).toEqual([]);
        expect(filter.bytes).toBeLessThanOrEqual(bytesMax + 32 * parts);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('tells of what is not 0 mod 8, or 4, or 2, where there is room for no more', () => {
    const prng = createPrng(9);
    const half = () => Math.floor(prng.next() * 2 ** 20);
    const draw = () => half() * 2 ** 20 + half();
    const classOf = (i: number) => [1, 2, 4, 8].findLast((divisor) => i % divisor === 0)!;
    const chosen = Array.from({ length: 8000 }, draw).sort((a, b) => a - b);
    const others = Array.from({ length: 8000 }, draw);
    // half of them are odd, a quarter 2 mod 4, an eighth 4 mod 8
    for (const [bytesMax, told] of [
      [8000, [1, 2, 4, 8]],
      [7500, [1, 2, 4]],
      [6500, [1, 2]],
      [4500, [1]],
      [3000, []],
    ] as const) {
      const filter = filterOf(chosen, 1, bytesMax);
      const denied = others.filter((each) => !filter.mayHave(each));
      expect([...new Set(denied.map(classOf))].sort((a, b) => a - b)).toEqual(told);
      const askedOfThese = others.filter((each) => (told as readonly number[]).includes(classOf(each)));
      expect(denied.length).toBeGreaterThanOrEqual(0.95 * askedOfThese.length);
    }
  });

  for (const modulus of [1, 8, 1024]) {
    it(`says no of 96 in 100 others, also where all are 0 mod ${modulus}, in a byte a fingerprint`, () => {
      const prng = createPrng(modulus);
      const draw = () => Math.floor(prng.next() * (TOP / modulus)) * modulus;
      const chosen = new Set(Array.from({ length: 20_000 }, draw));
      const filter = filterOf(
        [...chosen].sort((a, b) => a - b),
        4,
      );
      const others = Array.from({ length: 50_000 }, draw).filter((fingerprint) => !chosen.has(fingerprint));
      const yes = others.filter((fingerprint) => filter.mayHave(fingerprint)).length;
      expect(yes / others.length).toBeGreaterThan(0.02);
      expect(yes / others.length).toBeLessThan(0.04);
      expect(filter.bytes / chosen.size).toBeLessThan(1.01);
    });
  }
});

describe('a look-up among many segments', () => {
  const SETTINGS = { rankKey: [3, 5], listPostingsMax: 4, flushContents: 64, idleMs: 1_000_000 } as const;
  const digestOf = (content: number) => postedKey(((content * 0x9e37_79b9) % 2 ** 29) * 8);
  const own = (content: number) => digestOf(content + 1000);

  async function fill(index: Postings, contents: number): Promise<Map<number, Float64Array>> {
    const added = new Map<number, Float64Array>();
    for (let content = 0; content < contents; content++) {
      added.set(content, Float64Array.of(own(content)));
      await index.add(content, added.get(content)!, digestOf(content));
    }
    return added;
  }

  it('reads hardly more rows than there are keys that are found, soon after opening too', async () => {
    const index = await openPostings(SETTINGS);
    const added = await fill(index, 3 * 64 + 1);
    const keys = Float64Array.from({ length: 64 }, (_, content) => own(content));
    for (const reopened of [false, true]) {
      if (reopened) await index.reopen(false, added, digestOf);
      await index.lists(keys);
      await vi.waitFor(() => expect(index.stats().memoryBytes.filters).toBeGreaterThanOrEqual(3 * 128), 60_000);
      const rows = index.rowsRead();
      const { lists } = await index.lists(keys);
      expect(lists.map(({ contents }) => [...contents])).toEqual([...keys].map((_, content) => [content]));
      expect(index.stats().segments).toBeGreaterThan(1);
      expect(index.rowsRead() - rows).toBeGreaterThanOrEqual(keys.length);
      expect(index.rowsRead() - rows).toBeLessThan(1.3 * keys.length);
    }
    await index.close();
  });

  it('asks the segments that had no room for a filter, and finds as much', async () => {
    const index = await openPostings({ ...SETTINGS, filterBytesMax: 200 });
    await fill(index, 3 * 64);
    await index.lists(Float64Array.of(own(1)));
    await index.until(({ memoryBytes }) => memoryBytes.filters > 0);
    expect(index.stats().memoryBytes.filters).toBeLessThanOrEqual(200);
    const { lists } = await index.lists(Float64Array.from({ length: 192 }, (_, content) => own(content)));
    expect(lists.map(({ contents }) => [...contents])).toEqual(Array.from({ length: 192 }, (_, content) => [content]));
    await index.close();
  });

  it('reads no rows for what a short document alone could have, of segments that hold long ones', async () => {
    // three segments of 128 postings: half are digests, and odd, and half are 0 mod 8. One filter may be whole
    const index = await openPostings({ ...SETTINGS, filterBytesMax: 300 });
    const odd = (content: number) => digestOf(content) + 1;
    for (let content = 0; content <= 3 * 64; content++) {
      await index.add(content, Float64Array.of(own(content)), odd(content));
    }
    await index.lists(Float64Array.of(own(1)));
    await index.until(({ segments }) => segments === 3);
    expect(index.stats().segmentPostings).toBe(3 * 128);
    await vi.waitFor(async () => {
      const rows = index.rowsRead();
      const { lists } = await index.lists(Float64Array.from({ length: 100 }, (_, content) => own(content) + 2));
      expect(lists.every(({ contents }) => contents.length === 0)).toBe(true);
      expect(index.rowsRead() - rows).toBeLessThan(20);
    });
    expect(index.stats().memoryBytes.filters).toBeLessThanOrEqual(300);
    const found = await index.lists(Float64Array.from({ length: 192 }, (_, content) => own(content)));
    expect(found.lists.map(({ contents }) => [...contents])).toEqual(Array.from({ length: 192 }, (_, i) => [i]));
    await index.close();
  });
});

describe('the room of filters', () => {
  const among = [1000, 10, 100, 3000].map((postings) => ({ postings }));
  const rooms = (bytesMax: number) => among.map((each) => new Filters(bytesMax).roomFor(each, among));

  it('is all where it suffices, else half goes to the smallest and half to the others by size', () => {
    expect(rooms(4110)).toEqual([1000, 10, 100, 3000]);
    expect(rooms(3000)).toEqual([1000, 10, 100, 1500]);
    expect(rooms(400)).toEqual([50, 10, 100, 150]);
    for (const bytesMax of [0, 1, 50, 399, 2200, 4109]) {
      expect(rooms(bytesMax).reduce((total, room) => total + room, 0)).toBeLessThanOrEqual(bytesMax);
    }
  });
});
