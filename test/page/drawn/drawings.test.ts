import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beside, rising, turned } from '../../../src/page/drawn/scroll-pairs.ts';
import { bandsOf, changesIn } from '../../../src/page/drawn/span-bands.ts';
import { placeOn, stretchOf, ticksOf } from '../../../src/page/drawn/timeline.ts';

const pairs = fc.array(fc.record({ left: fc.nat(500), right: fc.nat(500) }));

describe('two panes that are scrolled together', () => {
  it('stand at each pair beside each other, and never run backwards', () => {
    fc.assert(
      fc.property(pairs, fc.nat(500), fc.nat(500), (some, x, y) => {
        const kept = rising(some);
        for (const { left, right } of kept) expect(beside(kept, left)).toBeCloseTo(right);
        for (const { left, right } of kept) expect(beside(turned(kept), right)).toBeCloseTo(left);
        expect(beside(kept, Math.min(x, y))).toBeLessThanOrEqual(beside(kept, Math.max(x, y)) + 1e-6);
      }),
    );
  });

  it('are as they are where nothing is common', () => {
    expect([beside([], 7), beside([{ left: 10, right: 20 }], 5), beside([{ left: 10, right: 20 }], 15)]).toEqual([
      7, 10, 25,
    ]);
  });
});

describe('the map of two texts', () => {
  const a = {
    characters: 100,
    spans: [
      { kind: 'only', from: 0, to: 20, partner: null },
      { kind: 'moved', from: 20, to: 50, partner: 1 },
      { kind: 'repeated', from: 50, to: 60, partner: 0 },
      { kind: 'common', from: 60, to: 100, partner: 0 },
    ],
  } as const;
  const b = {
    characters: 80,
    spans: [
      { kind: 'common', from: 0, to: 40, partner: 3 },
      { kind: 'moved', from: 40, to: 80, partner: 1 },
    ],
  } as const;
  const [left, right] = [a, b].map((text) => ({ ...text, spans: [...text.spans] })) as [never, never];

  it('has a band for what both have', () => {
    expect(bandsOf(left, right, 9)).toEqual([
      { kind: 'moved', left: [0.2, 0.5], right: [0.5, 1] },
      { kind: 'common', left: [0.6, 1], right: [0, 0.5] },
    ]);
    expect(bandsOf(left, right, 1).map(({ kind }) => kind)).toEqual(['common']);
  });

  it('has a change wherever the order of both breaks', () => {
    expect(changesIn(left)).toEqual([0]);
    expect(changesIn(right)).toEqual([1]);
  });
});

describe('a line of time', () => {
  const times = fc.array(fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 }), { maxLength: 8 });

  it('has a place for each time, in order', () => {
    fc.assert(
      fc.property(times, (some) => {
        const stretch = stretchOf(some);
        expect(stretch.lastMs).toBeGreaterThan(stretch.firstMs);
        for (const time of some) {
          expect(placeOn(stretch, time)).toBeGreaterThan(0);
          expect(placeOn(stretch, time)).toBeLessThan(1);
        }
      }),
    );
  });

  it('has few dates below it, all of them on it, each a beginning', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 8 }), (some, most) => {
        const stretch = stretchOf(some);
        const ticks = ticksOf(stretch, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        for (const { atMs, words } of ticks) {
          expect(placeOn(stretch, atMs)).toBeGreaterThanOrEqual(0);
          expect(placeOn(stretch, atMs)).toBeLessThanOrEqual(1);
          expect(new Date(atMs).toISOString()).toContain('T00:00:00.000Z');
          expect(new Date(atMs).toISOString().startsWith(words)).toBe(true);
        }
      }),
    );
  });

  it('says days of a week, months of a year, and years', () => {
    const wordsOf = (first: string, last: string) =>
      ticksOf({ firstMs: Date.parse(first), lastMs: Date.parse(last) }, 4).map(({ words }) => words);
    expect(wordsOf('2026-01-01T12:00:00Z', '2026-01-05T12:00:00Z')).toEqual([
      ...['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'],
    ]);
    expect(wordsOf('2025-02-10', '2026-01-20')).toEqual(['2025-04', '2025-07', '2025-10', '2026-01']);
    expect(wordsOf('1999-05-10', '2026-01-20')).toEqual(['2000', '2010', '2020']);
  });
});
