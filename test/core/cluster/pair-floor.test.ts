import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONTAINED_SHINGLES_LEAST,
  isCandidate,
  type Likeness,
  postedModulus,
  recallAt,
  sharedLeast,
} from '../../../src/core/cluster/pair-floor.ts';
import { draws } from '../../support/draws.ts';
import { createPrng } from '../../support/prng.ts';

const likeness = fc.constantFrom<Likeness>('resemblance', 'containment');
const sizes = fc.integer({ min: 1, max: 100_000 });
const floors = fc.constantFrom(0.1, 0.25, 0.5, 0.9);

describe('pairs that are compared', () => {
  it('share at least so many postings, whatever the other document is', () => {
    fc.assert(
      fc.property(sizes, sizes, fc.integer({ min: 1, max: 64 }), likeness, floors, (n, other, k, by, floor) => {
        const [own, its] = [postedModulus(n, by), postedModulus(other, by)];
        if (!isCandidate(k, Math.max(own, its), n, other, { by, floor, isThin: false })) return;
        expect(k).toBeGreaterThanOrEqual(sharedLeast(n, own, by, floor));
        expect(k).toBeGreaterThanOrEqual(sharedLeast(other, its, by, floor));
      }),
      draws(500),
    );
  });

  it('are all of those at the floor where everything is posted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 63 }),
        fc.integer({ min: 1, max: 63 }),
        likeness,
        floors,
        (a, b, by, floor) => {
          for (let shared = 1; shared <= Math.min(a, b); shared++) {
            const share = by === 'resemblance' ? shared / (a + b - shared) : shared / Math.min(a, b);
            if (share >= floor) expect(isCandidate(shared, 1, a, b, { by, floor, isThin: false })).toBe(true);
          }
        },
      ),
    );
  });

  it('are found at least as often as is stated, whatever the sizes of the two are', () => {
    const longer = fc.integer({ min: 64, max: 50_000 });
    const thresholds = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        longer,
        fc.double({ min: 0, max: 1, noNaN: true }),
        thresholds,
        likeness,
        floors,
        (nB, u, v, by, floor) => {
          const threshold = floor + v * (1 - floor);
          // all sizes that allow it, those at the edges more often than others
          const least = by === 'resemblance' ? Math.ceil(threshold * nB) : CONTAINED_SHINGLES_LEAST;
          const nA = Math.min(nB, least + Math.floor(u * u * (nB - least + 1)));
          const overlap = by === 'resemblance' ? (threshold * (nA + nB)) / (1 + threshold) : threshold * nA;
          const modulus = Math.max(postedModulus(nA, by), postedModulus(nB, by));
          const found = chanceOf(Math.min(nA, Math.ceil(overlap - 1e-9)), 1 / modulus, (k) =>
            isCandidate(k, modulus, nA, nB, { by, floor, isThin: false }),
          );
          expect(found).toBeGreaterThanOrEqual(recallAt(threshold, by, floor) - 1e-9);
        },
      ),
      draws(750),
    );
  });

  it('are found at least as often as is stated where fewer shingles are posted than sizes ask for', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const coarser = fc.constantFrom(1, 2, 4, 8);
    const size = fc.integer({ min: 20, max: 5000 });
    fc.assert(
      fc.property(size, share, share, coarser, coarser, likeness, floors, (nB, u, v, timesA, timesB, by, floor) => {
        const threshold = floor + v * (1 - floor);
        const least = by === 'resemblance' ? Math.ceil(threshold * nB) : CONTAINED_SHINGLES_LEAST;
        const nA = Math.min(nB, least + Math.floor(u * u * Math.max(0, nB - least + 1)));
        if (by === 'containment' && nA < CONTAINED_SHINGLES_LEAST) return;
        const moduli = [timesA * postedModulus(nA, by), timesB * postedModulus(nB, by)] as const;
        const units = [nA / moduli[0], nB / moduli[1]].filter((_, i) => [timesA, timesB][i]! > 1);
        const thin = units.length === 0 ? null : { unitsLeast: Math.min(...units), modulusMost: Math.max(...moduli) };
        const overlap = by === 'resemblance' ? (threshold * (nA + nB)) / (1 + threshold) : threshold * nA;
        const modulus = Math.max(...moduli);
        const found = chanceOf(Math.min(nA, Math.ceil(overlap - 1e-9)), 1 / modulus, (k) =>
          isCandidate(k, modulus, nA, nB, { by, floor, isThin: thin !== null }),
        );
        expect(found).toBeGreaterThanOrEqual(recallAt(threshold, by, floor, thin) - 1e-9);
      }),
      draws(750),
    );
  });

  it.each<[number, number, number, Likeness]>([
    [0.25, 129, 512, 'resemblance'],
    [0.5, 1025, 2048, 'resemblance'],
    [0.25, 65, 100_000, 'containment'],
  ])('of %f, %i shingles beside %i, are found hardly more often than is stated', (threshold, nA, nB, by) => {
    const overlap = by === 'resemblance' ? (threshold * (nA + nB)) / (1 + threshold) : threshold * nA;
    const modulus = Math.max(postedModulus(nA, by), postedModulus(nB, by));
    const found = chanceOf(Math.ceil(overlap), 1 / modulus, (k) =>
      isCandidate(k, modulus, nA, nB, { by, floor: 0.25, isThin: false }),
    );
    expect(found - recallAt(threshold, by, 0.25)).toBeLessThan(0.06);
  });

  it('are found as often as trials say', () => {
    const [nA, nB, threshold] = [129, 512, 0.25];
    const prng = createPrng(nA);
    const modulus = postedModulus(nB, 'resemblance');
    const overlap = Math.round((threshold * (nA + nB)) / (1 + threshold));
    let found = 0;
    const trials = 20_000;
    for (let trial = 0; trial < trials; trial++) {
      let posted = 0;
      for (let i = 0; i < overlap; i++) posted += Number(prng.next() < 1 / modulus);
      found += Number(isCandidate(posted, modulus, nA, nB, { by: 'resemblance', floor: 0.25, isThin: false }));
    }
    const stated = recallAt(threshold, 'resemblance', 0.25);
    // three standard errors, and what the distance of the two formulas is at this size
    expect(Math.abs(found / trials - stated)).toBeLessThan(3 * Math.sqrt((stated * (1 - stated)) / trials) + 0.02);
  });
});

/** P(taken(X)), X ~ binomial(trials, p), by its terms. */
function chanceOf(trials: number, p: number, taken: (k: number) => boolean): number {
  if (p === 1) return Number(taken(trials));
  let sum = 0;
  let log = trials * Math.log1p(-p);
  for (let k = 0; k <= trials; k++) {
    if (taken(k)) sum += Math.exp(log);
    log += Math.log(((trials - k) / (k + 1)) * (p / (1 - p)));
  }
  return Math.min(1, sum);
}
