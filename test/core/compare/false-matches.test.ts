import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateOverlap } from '../../../src/core/compare/estimate.ts';
import { meanOverFalse, mostFalse, type OverlapEvidence, tally } from '../../../src/core/compare/evidence.ts';
import { choose, exactUpperTail } from '../../support/core/estimate-oracles.ts';

/** P(F = f) of a binomial law by its definition. */
const chanceOf = (f: number, trials: number, chance: number) =>
  Number(choose(trials, f)) * chance ** f * (1 - chance) ** (trials - f);

describe('the mean over false matches', () => {
  it('is that of the binomial law, and adds up to 1', () => {
    for (const [trials, chance] of [
      [0, 0.3],
      [1, 0.3],
      [40, 1e-9],
      [40, 1e-3],
      [150, 0.0155],
      [60, 0.4],
    ] as const) {
      expect(meanOverFalse(trials, chance, () => 1)).toBeCloseTo(1, 12);
      expect(meanOverFalse(trials, chance, (f) => f)).toBeCloseTo(trials * chance, 3);
      for (const f of [0, 1, 3]) {
        if (f >= mostFalse(trials, chance)) continue;
        const found = meanOverFalse(trials, chance, (other) => Number(other === f));
        expect(found).toBeCloseTo(chanceOf(f, trials, chance), 4);
      }
    }
    expect(mostFalse(40, 1e-9)).toBe(0);
    expect(mostFalse(150, 0.0155)).toBeGreaterThan(5);
  });
});

/** 157 shingles, by 28 bits, beside 4 million: 2.4 of those that are not shared agree by chance. */
const SHORT_BESIDE_HUGE: OverlapEvidence = {
  shinglesA: 4_100_000,
  shinglesB: 157,
  sampledA: 4_100_000,
  sampledB: 157,
  shared: 6,
  modulus: 1,
  falseDensity: 4_100_000 / 2 ** 28,
  equalSets: false,
};

describe('an overlap of which some may be chance', () => {
  it('is what was counted less what chance is expected to make', () => {
    expect(tally(SHORT_BESIDE_HUGE)).toMatchObject({ k: 4, y: 153, low: 4, high: 4 });
    expect(tally({ ...SHORT_BESIDE_HUGE, shared: 1 })).toMatchObject({ k: 0, y: 157 });
    expect(tally({ ...SHORT_BESIDE_HUGE, falseDensity: 1e-9 })).toMatchObject({ k: 6, falseMatches: null });
    expect(estimateOverlap(SHORT_BESIDE_HUGE)).toEqual({ estimate: 4, low: 0, high: 6 });
    expect(estimateOverlap({ ...SHORT_BESIDE_HUGE, shared: 0 })).toEqual({ estimate: 0, low: 0, high: 0 });
    // all agree: that just one of them did by chance is likely enough
    expect(estimateOverlap({ ...SHORT_BESIDE_HUGE, shared: 157, falseDensity: 0.03 })).toMatchObject({ low: 156 });
  });

  it('has an interval that is one number, where all is known, only if none agrees by chance in 39 of 40 such pairs', () => {
    const sizes = fc.integer({ min: 1, max: 3000 });
    fc.assert(
      fc.property(
        sizes,
        sizes,
        fc.nat(3000),
        fc.double({ min: 1e-7, max: 1e-4, noNaN: true }),
        (a, b, i, falseDensity) => {
          const shared = Math.min(i, a, b);
          const evidence = { shinglesA: a, shinglesB: b, sampledA: a, sampledB: b, shared, modulus: 1, falseDensity };
          const { low, high } = estimateOverlap({ ...evidence, equalSets: false });
          // of the document with fewer values
          const chance = -Math.expm1(-falseDensity * Math.max(1, b / a));
          const chanceOfAny = 1 - (1 - chance) ** (Math.min(a, b) - shared + 1);
          expect(high).toBe(shared);
          if (shared > 0 && Math.abs(chanceOfAny - 0.025) > 1e-4) expect(low < high).toBe(chanceOfAny >= 0.025);
        },
      ),
    );
  });

  it('has an interval that is found by trying every overlap against both tails of the sum', () => {
    for (const modulus of [1, 4]) {
      for (const falseDensity of [0.004, 0.015]) {
        for (const counted of [0, 1, 2, 5, 11, 30]) {
          const [shinglesB, sampledB] = [120, 120 / modulus];
          const evidence = { shinglesA: 3000, sampledA: 3000 / modulus, shinglesB, sampledB, modulus, falseDensity };
          if (counted > sampledB) continue;
          const tails = (overlap: number) => {
            const trials = Math.round(sampledB * (1 - overlap / shinglesB));
            let [upper, lower] = [0, 0];
            for (let f = 0; f <= trials; f++) {
              const p = chanceOf(f, trials, falseDensity);
              upper += p * exactUpperTail(counted - f, shinglesB, overlap, sampledB);
              lower += p * (1 - exactUpperTail(counted - f + 1, shinglesB, overlap, sampledB));
            }
            return { upper, lower };
          };
          const highest = shinglesB - (sampledB - counted);
          const possible = Array.from({ length: highest + 1 }, (_, overlap) => overlap);
          const { low, high, estimate } = estimateOverlap({ ...evidence, shared: counted, equalSets: false });
          const lowByTrying = possible.find((overlap) => tails(overlap).upper >= 0.025)!;
          const highByTrying = possible.findLast((overlap) => tails(overlap).lower >= 0.025)!;
          expect([low, high]).toEqual([Math.min(lowByTrying, estimate), Math.max(highByTrying, estimate)]);
        }
      }
    }
  });
});
