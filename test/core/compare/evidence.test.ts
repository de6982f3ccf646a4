import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OverlapEvidence, tally } from '../../../src/core/compare/evidence.ts';
import { draws } from '../../support/draws.ts';

const evidence: OverlapEvidence = {
  shinglesA: 100,
  shinglesB: 80,
  sampledA: 50,
  sampledB: 40,
  shared: 30,
  modulus: 2,
  falseDensity: 0,
  equalSets: false,
};

describe('the bounds of an overlap', () => {
  it('leave room for every value that was sampled on one side only', () => {
    expect(tally(evidence)).toEqual({ nA: 100, nB: 80, x: 20, y: 10, k: 30, low: 30, high: 70, falseMatches: null });
  });

  it('meet where the sets are known whole, or known to be equal', () => {
    expect(tally({ ...evidence, modulus: 1 })).toMatchObject({ low: 30, high: 30 });
    expect(tally({ ...evidence, shinglesB: 100, equalSets: true })).toMatchObject({ low: 100, high: 100 });
  });

  it('stay below equality where sets of one size are known to differ', () => {
    const alike = { ...evidence, shinglesB: 100, sampledA: 50, sampledB: 50, shared: 50 };
    expect(tally(alike)).toMatchObject({ low: 50, high: 99 });
    expect(tally({ ...alike, sampledA: 100, sampledB: 100, shared: 100 })).toMatchObject({ low: 99, high: 99 });
  });

  it('take counts beyond any document for damage', () => {
    const endless = { ...evidence, shinglesA: Number.POSITIVE_INFINITY, shinglesB: 1e300, modulus: 4 };
    expect(tally(endless)).toMatchObject({ nA: 2 ** 32, nB: 2 ** 32, high: 2 ** 32 - 20 });
    expect(tally({ ...evidence, shinglesA: Number.NaN, sampledB: -1 })).toMatchObject({ nA: 0, y: 0, high: 0 });
  });

  it('are whole, in range and never empty, whatever the counts say', () => {
    const count = fc.oneof(fc.integer({ min: -3, max: 50 }), fc.double(), fc.constant(3_000_001));
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        count,
        fc.boolean(),
        count,
        (shinglesA, shinglesB, a, b, shared, equalSets, falseDensity) => {
          for (const modulus of [1, 2, 4]) {
            const { nA, nB, x, y, k, low, high } = tally({
              shinglesA,
              shinglesB,
              sampledA: a,
              sampledB: b,
              shared,
              modulus,
              falseDensity,
              equalSets,
            });
            for (const value of [nA, nB, x, y, k, low, high])
              expect(value === Math.floor(value) && value >= 0).toBe(true);
            expect(low).toBeLessThanOrEqual(high);
            expect(high).toBeLessThanOrEqual(Math.min(nA, nB));
          }
        },
      ),
      draws(500, 1997),
    );
  });
});
