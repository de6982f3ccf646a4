import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hypergeometricLowerQuantile,
  hypergeometricLowerTail,
  hypergeometricUpperTail,
} from '../../../src/core/compare/hypergeometric.ts';
import { exactUpperTail, upperTailByLogarithms } from '../../support/core/estimate-oracles.ts';
import { draws } from '../../support/draws.ts';

describe('the hypergeometric tail', () => {
  it('equals the direct sum over whole numbers for every law of up to 12 items', () => {
    for (let population = 0; population <= 12; population++) {
      for (let marked = 0; marked <= population; marked++) {
        for (let draws = 0; draws <= population; draws++) {
          for (let k = -1; k <= draws + 1; k++) {
            const exact = exactUpperTail(k, population, marked, draws);
            expect(hypergeometricUpperTail(k, population, marked, draws)).toBeCloseTo(exact, 12);
            const below = exactUpperTail(k + 1, population, marked, draws);
            expect(hypergeometricLowerTail(k, population, marked, draws)).toBeCloseTo(1 - below, 12);
          }
        }
      }
    }
  });

  it('equals the direct sum to ten digits for laws of hundreds of items, far tails included', () => {
    const law = fc
      .integer({ min: 1, max: 400 })
      .chain((population) =>
        fc.tuple(
          fc.constant(population),
          fc.integer({ min: 0, max: population }),
          fc.integer({ min: 0, max: population }),
          fc.integer({ min: -1, max: population }),
        ),
      );
    fc.assert(
      fc.property(law, ([population, marked, draws, k]) => {
        const exact = exactUpperTail(k, population, marked, draws);
        const tail = hypergeometricUpperTail(k, population, marked, draws);
        expect(Math.abs(tail - exact)).toBeLessThan(1e-11);
      }),
      draws(125, 1997),
    );
  });

  it.each([
    [250_500, 1_000_000, 500_000, 500_000],
    [125_300, 1_000_000, 500_000, 250_000],
    [400_400, 3_000_000, 1_600_000, 750_000],
    [1_000_900, 6_000_000, 2_000_000, 3_000_000],
    [40, 3_000_000, 100, 750_000],
  ])('holds for P(K >= %i) of millions of items', (k, population, marked, draws) => {
    const expected = upperTailByLogarithms(k, population, marked, draws);
    const tail = hypergeometricUpperTail(k, population, marked, draws);
    expect(tail).toBeGreaterThan(0);
    expect(tail / expected).toBeCloseTo(1, 6);
    const both = tail + hypergeometricLowerTail(k - 1, population, marked, draws);
    expect(both).toBeCloseTo(1, 11);
  });
});

describe('the lower quantile', () => {
  it('is the greatest k that a draw is below with at most the chance', () => {
    const law = fc
      .nat({ max: 3000 })
      .chain((items) => fc.tuple(fc.constant(items), fc.nat({ max: items }), fc.nat({ max: Math.min(items, 400) })));
    fc.assert(
      fc.property(law, fc.constantFrom(1e-9, 1e-6, 1e-4), ([population, marked, draws], chance) => {
        const k = hypergeometricLowerQuantile(chance, population, marked, draws);
        const below = (limit: number) => hypergeometricLowerTail(limit - 1, population, marked, draws);
        expect(k).toBeGreaterThanOrEqual(Math.max(0, draws - (population - marked)));
        expect(below(k)).toBeLessThanOrEqual(chance * (1 + 1e-5));
        expect(below(k + 1)).toBeGreaterThan(chance * (1 - 1e-5));
      }),
      draws(500, 1934),
    );
  });
});
