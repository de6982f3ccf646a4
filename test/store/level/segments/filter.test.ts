import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { filterPart, SegmentFilter } from '../../../../src/store/level/segments/filter.ts';
import { type Columns, newColumns } from '../../../../src/store/level/segments/postings.ts';
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

function filterOf(fingerprints: readonly number[], parts: number): SegmentFilter {
  const inPart = (i: number) => fingerprints.filter((f) => Math.floor(f / (TOP / parts)) === i);
  return new SegmentFilter(
    Array.from({ length: parts }, (_, i) => filterPart(columnsOf(inPart(i)), inPart(i).length, Math.log2(parts))),
  );
}

describe('the filter of a segment', () => {
  it('says yes of every fingerprint that was put in, whatever parts it has', () => {
    const fingerprints = fc.array(fc.nat({ max: TOP - 1 }), { maxLength: 300 });
    fc.assert(
      fc.property(fingerprints, fc.constantFrom(1, 2, 16), (some, parts) => {
        const filter = filterOf(
          some.toSorted((a, b) => a - b),
          parts,
        );
        expect(some.filter((fingerprint) => !filter.mayHave(fingerprint))).toEqual([]);
      }),
      { seed: 3, numRuns: 300 },
    );
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
  const digestOf = (content: number) => ((content * 0x9e37_79b9_7f) % 2 ** 37) * 8;
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
      await vi.waitFor(() => expect(index.stats().memory.filterBytes).toBeGreaterThanOrEqual(3 * 128), 20_000);
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
    await index.settled();
    expect(index.stats().memory.filterBytes).toBeLessThanOrEqual(200);
    const { lists } = await index.lists(Float64Array.from({ length: 192 }, (_, content) => own(content)));
    expect(lists.map(({ contents }) => [...contents])).toEqual(Array.from({ length: 192 }, (_, content) => [content]));
    await index.close();
  });
});
