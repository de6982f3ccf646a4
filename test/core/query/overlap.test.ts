import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOverlaps, listShare, type PostingList } from '../../../src/core/query/overlap.ts';
import { TIE_COUNT } from '../../../src/core/query/rank.ts';
import { ALL_WORTH } from '../../support/core/families.ts';
import { draws } from '../../support/draws.ts';
import { createPrng } from '../../support/prng.ts';

/** The same counts with a Map and a full sort. */
function countWithMap(lists: readonly PostingList[]): Counted[] {
  const counts = new Map<number, [number, number]>();
  for (const { contents, cut } of lists) {
    for (const content of contents) {
      const [overlap, capped] = counts.get(content) ?? [0, 0];
      counts.set(content, cut ? [overlap, capped + 1] : [overlap + 1, capped]);
    }
  }
  return [...counts].map(([content, [overlap, capped]]): Counted => [content, overlap, capped]).sort(inOrder(() => 0));
}

type Counted = [content: number, overlap: number, capped: number];

/** Most hits first, then by an order of contents, then by number. */
const inOrder = (orderOf: (content: number) => number) => (a: Counted, b: Counted) =>
  b[1] - a[1] || b[2] - a[2] || orderOf(a[0]) - orderOf(b[0]) || a[0] - b[0];

/** An order in which many come together, from the least to the greatest. */
const scattered = (content: number) => [0, 3, 7, TIE_COUNT / 2, TIE_COUNT - 1][content % 5]!;

function rows({ contents, overlaps, cappedOverlaps }: ReturnType<typeof countOverlaps>): [number, number, number][] {
  return [...contents].map((content, i) => [content, overlaps[i]!, cappedOverlaps[i]!]);
}

describe('the overlaps of posting lists', () => {
  const content = fc.oneof(fc.nat({ max: 30 }), fc.constantFrom(0, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff));
  const list = fc
    .tuple(fc.uniqueArray(content, { maxLength: 25 }), fc.boolean())
    .map(([contents, cut]) => ({ contents: Uint32Array.from(contents), cut }));

  it('are those of a Map and a full sort, whatever the limit', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 30 }), fc.nat({ max: 40 }), (lists, candidatesMax) => {
        const counted = countOverlaps(lists, candidatesMax, ALL_WORTH);
        const expected = countWithMap(lists);
        expect(counted.found).toBe(expected.length);
        expect(rows(counted)).toEqual(expected.slice(0, candidatesMax));
      }),
      draws(250, 1997),
    );
  });

  it('begin with the twins, and leave out what has less than it needs', () => {
    const twinsOf = fc.uniqueArray(content, { maxLength: 10 });
    const lists = fc.array(list, { maxLength: 30 });
    fc.assert(
      fc.property(lists, twinsOf, fc.nat({ max: 40 }), fc.nat({ max: 3 }), (read, twins, candidatesMax, least) => {
        const needs = (number: number) => (number % 7 === 0 ? Number.POSITIVE_INFINITY : least + (number % 3));
        const counted = countOverlaps(read, candidatesMax, {
          twins: Uint32Array.from(twins),
          needed: { least, of: (size) => needs(size - 1), likely: () => [] },
          shingleCountOf: (number) => number + 1,
          orderOf: scattered,
        });
        const all = countWithMap(read);
        const isTwin = (number: number) => twins.includes(number);
        for (const twin of twins) if (!all.some(([number]) => number === twin)) all.push([twin, 0, 0]);
        const others = all.filter(([number]) => !isTwin(number));
        const worth = others.filter(([number, overlap]) => overlap >= needs(number));
        const first = all.filter(([number]) => isTwin(number)).sort(inOrder(scattered));
        expect(rows(counted)).toEqual([...first, ...worth.sort(inOrder(scattered))].slice(0, candidatesMax));
        expect([counted.found, counted.passedOver]).toEqual([all.length, others.length - worth.length]);
      }),
      draws(250, 1998),
    );
  });

  it('are drawn from what the cut leaves out, each as often as any other', () => {
    const lists = fc.array(list, { maxLength: 12 });
    fc.assert(
      fc.property(lists, fc.nat({ max: 30 }), fc.nat({ max: 60 }), (read, candidatesMax, drawnMax) => {
        const { drawn } = countOverlaps(read, candidatesMax, { ...ALL_WORTH, orderOf: scattered }, drawnMax);
        const left = countWithMap(read)
          .sort(inOrder(scattered))
          .slice(candidatesMax)
          .map(([number]) => number);
        expect(drawn).toHaveLength(Math.min(drawnMax, left.length));
        expect(new Set(drawn).size).toBe(drawn.length);
        expect([...drawn].filter((number) => !left.includes(number))).toEqual([]);
        expect(countOverlaps(read, candidatesMax, ALL_WORTH).drawn).toHaveLength(0);
      }),
      draws(125, 2001),
    );
    // 1,200 with three hits, then 2,400 with one: of those that are left out one third has three
    const numbers = (from: number, count: number) => Uint32Array.from({ length: count }, (_, i) => from + i);
    const many = [numbers(0, 1200), numbers(0, 1200), numbers(0, 3600)].map((contents) => ({ contents, cut: true }));
    const { drawn } = countOverlaps(many, 150, { ...ALL_WORTH, orderOf: (number) => (number * 7919) % TIE_COUNT }, 345);
    expect(drawn.filter((number) => number < 1200).length / drawn.length).toBeCloseTo(1050 / 3450, 2);
  });

  it('tell where they were cut, and what a match may have of what lies below', () => {
    const lists = fc.array(list, { maxLength: 12 });
    fc.assert(
      fc.property(lists, fc.nat({ max: 30 }), fc.nat({ max: 6 }), (read, candidatesMax, keysLeast) => {
        const likely = {
          least: Math.max(0, keysLeast - 3),
          of: (size: number) => Math.max(0, keysLeast - (size % 4)),
          keys: (size: number) => size % 9,
        };
        const counted = countOverlaps(read, candidatesMax, {
          ...ALL_WORTH,
          needed: { ...ALL_WORTH.needed, likely: () => [likely] },
          shingleCountOf: (number) => number,
        });
        const all = countWithMap(read);
        const [returned, left] = [all.slice(0, candidatesMax), all.slice(candidatesMax)];
        if (left.length === 0) {
          expect(counted.cut).toBeNull();
          return;
        }
        const [, overlap, cappedOverlap] = returned.at(-1) ?? [0, 0x7fff, 0xffff];
        const isTie = (row: Counted) => row[1] === overlap && row[2] === cappedOverlap;
        const plausible = all.filter(([number, hits]) => hits >= likely.of(number));
        const beside = plausible.filter(([, hits]) => hits === overlap).map(([number]) => likely.keys(number));
        expect(counted.cut).toEqual({
          leftOut: left.length,
          overlap,
          cappedOverlap,
          ties: all.filter(isTie).length,
          tiesReturned: returned.filter(isTie).length,
          likely: [
            {
              isBelow: plausible.some(([, hits]) => hits < overlap),
              keysLeast: Math.min(Number.POSITIVE_INFINITY, ...beside),
            },
          ],
        });
      }),
      draws(250, 1999),
    );
  });

  it('keep the best of a family of 40,000 in order', () => {
    const prng = createPrng(5);
    const lists = Array.from({ length: 96 }, (_, i) => ({
      contents: Uint32Array.from(new Set(Array.from({ length: 1000 }, () => prng.below(40_000)))),
      cut: i % 3 === 0,
    }));
    const counted = countOverlaps(lists, 256, ALL_WORTH);
    const expected = countWithMap(lists);
    expect(counted.found).toBe(expected.length);
    expect(rows(counted)).toEqual(expected.slice(0, 256));
  });

  it('refuse more lists than a count can hold', () => {
    const list = { contents: new Uint32Array(0), cut: false };
    expect(countOverlaps(new Array(0x7fff).fill(list), 5, ALL_WORTH).found).toBe(0);
    expect(() => countOverlaps(new Array(0x8000).fill(list), 5, ALL_WORTH)).toThrow(RangeError);
  });
});

describe('the share of a cut list that was read', () => {
  it.each([
    [128, 130],
    [128, 1000],
    [128, 5000],
    [1000, 5000],
    [16, 200],
  ])('is unbiased: the first %i of %i', (kept, contents) => {
    const prng = createPrng(kept + contents);
    const trials = 1000;
    let sum = 0;
    for (let trial = 0; trial < trials; trial++) {
      const ranks = Uint16Array.from({ length: contents }, () => prng.uint32() >>> 16).sort();
      sum += listShare(kept, ranks[kept - 1]!);
    }
    // One estimate has a relative error of sqrt((1 - K/df) / K), their mean one of 1/sqrt(1,000) of that.
    const error = Math.sqrt((1 - kept / contents) / kept / trials);
    expect(Math.abs(sum / trials / (kept / (contents + 1)) - 1)).toBeLessThan(4 * error + 0.001);
  });

  it('is more than nothing and less than everything', () => {
    expect(listShare(128, 0)).toBeGreaterThan(0);
    expect(listShare(128, 0xffff)).toBe(128 / 129);
  });
});
