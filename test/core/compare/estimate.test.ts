import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateOverlap, likeliestOverlap } from '../../../src/core/compare/estimate.ts';
import type { OverlapEvidence } from '../../../src/core/compare/evidence.ts';
import { containmentOf, resemblanceOf } from '../../../src/core/compare/shares.ts';
import {
  intervalByTrying,
  likelihood,
  possibleOverlaps,
  upperTailByLogarithms,
} from '../../support/core/estimate-oracles.ts';
import { draws } from '../../support/draws.ts';
import { binomialSampler, createPrng, type Prng } from '../../support/prng.ts';

/** Evidence that two documents could give: sizes, an overlap and samples of all three parts. */
function possibleEvidence(shinglesMax: number): fc.Arbitrary<OverlapEvidence> {
  const size = fc.integer({ min: 1, max: shinglesMax });
  return fc
    .tuple(size, size, fc.nat(), fc.nat(), fc.nat(), fc.nat(), fc.constantFrom(2, 4, 8, 32))
    .map(([shinglesA, shinglesB, i, s, t, u, modulus]) => {
      const same = shinglesA === shinglesB ? 1 : 0;
      const overlap = i % (Math.min(shinglesA, shinglesB) + 1 - same);
      const shared = s % (overlap + 1);
      const sampledA = shared + (t % (shinglesA - overlap + 1));
      const sampledB = shared + (u % (shinglesB - overlap + 1));
      return { shinglesA, shinglesB, sampledA, sampledB, shared, modulus, falseDensity: 0, equalSets: false };
    });
}

function evidenceOf(sizes: [number, number], overlap: number, modulus: number, prng: Prng): () => OverlapEvidence {
  const both = binomialSampler(prng, overlap, 1 / modulus);
  const onlyA = binomialSampler(prng, sizes[0] - overlap, 1 / modulus);
  const onlyB = binomialSampler(prng, sizes[1] - overlap, 1 / modulus);
  return () => {
    const shared = both();
    const [sampledA, sampledB] = [shared + onlyA(), shared + onlyB()];
    return {
      shinglesA: sizes[0],
      shinglesB: sizes[1],
      sampledA,
      sampledB,
      shared,
      modulus,
      falseDensity: 0,
      equalSets: false,
    };
  };
}

describe('the most likely overlap', () => {
  it('is the exhaustive maximum of the likelihood over all whole numbers that are possible', () => {
    fc.assert(
      fc.property(possibleEvidence(90), (evidence) => {
        const overlap = likeliestOverlap(evidence);
        expect(possibleOverlaps(evidence)).toContain(overlap);
        if (evidence.shared === 0) {
          expect(overlap).toBe(0);
          return;
        }
        const reached = likelihood(overlap, evidence);
        for (const other of possibleOverlaps(evidence)) expect(likelihood(other, evidence) <= reached).toBe(true);
      }),
      draws(375, 1997),
    );
  });

  it('is exact where the sets are known whole or equal, and below equality where sets of one size differ', () => {
    const evidence = {
      shinglesA: 500,
      shinglesB: 500,
      sampledA: 500,
      sampledB: 500,
      shared: 400,
      modulus: 1,
      falseDensity: 0,
    };
    expect(estimateOverlap({ ...evidence, equalSets: false })).toEqual({ estimate: 400, low: 400, high: 400 });
    const sampled = { ...evidence, sampledA: 125, sampledB: 125, shared: 125, modulus: 4 };
    expect(estimateOverlap({ ...sampled, equalSets: true })).toEqual({ estimate: 500, low: 500, high: 500 });
    expect(estimateOverlap({ ...sampled, equalSets: false })).toMatchObject({ estimate: 499, high: 499 });
  });

  it('is nearer to the truth than either conditional estimate, over pairs of every resemblance', () => {
    const prng = createPrng(7);
    const squares = { likeliest: 0, union: 0, smaller: 0 };
    const pairs = 20_000;
    for (let pair = 0; pair < pairs; pair++) {
      const sizes: [number, number] = [1024 + prng.below(2000), 1024 + prng.below(2000)];
      const total = sizes[0] + sizes[1];
      const overlap = Math.round(Math.min(...sizes) * (0.2 + 0.8 * prng.next()));
      const evidence = evidenceOf(sizes, overlap, 4, prng)();
      const { sampledA, sampledB, shared } = evidence;
      const truth = resemblanceOf(overlap, ...sizes);
      const ofSmaller = sizes[0] < sizes[1] ? (shared / sampledA) * sizes[0] : (shared / sampledB) * sizes[1];
      squares.likeliest += (resemblanceOf(likeliestOverlap(evidence), ...sizes) - truth) ** 2;
      squares.union += (shared / (sampledA + sampledB - shared) - truth) ** 2;
      squares.smaller += (ofSmaller / (total - ofSmaller) - truth) ** 2;
    }
    // The standard error of a root mean square over 20,000 pairs is .5 % of it: the gap is many times that.
    const [likeliest, union, smaller] = [squares.likeliest, squares.union, squares.smaller].map((sum) =>
      Math.sqrt(sum / pairs),
    ) as [number, number, number];
    expect(likeliest).toBeLessThan(0.97 * union);
    expect(likeliest).toBeLessThan(0.97 * smaller);
  });
});

describe('the interval of an overlap', () => {
  it('equals the one found by trying every possible overlap with exact whole-number sums', () => {
    fc.assert(
      fc.property(possibleEvidence(70), (evidence) => {
        const { low, high } = intervalByTrying(evidence);
        const estimate = likeliestOverlap(evidence);
        expect(estimateOverlap(evidence)).toEqual({
          estimate,
          low: Math.min(low, estimate),
          high: Math.max(high, estimate),
        });
      }),
      draws(375, 1997),
    );
  });

  it('is everything that is possible where nothing was sampled, and never 0/0', () => {
    const nothing = { sampledA: 0, sampledB: 0, shared: 0, modulus: 4, falseDensity: 0, equalSets: false };
    expect(estimateOverlap({ ...nothing, shinglesA: 9, shinglesB: 30 })).toEqual({ estimate: 0, low: 0, high: 9 });
    expect(estimateOverlap({ ...nothing, shinglesA: 0, shinglesB: 0 })).toEqual({ estimate: 0, low: 0, high: 0 });
  });

  it('begins at 0 where nothing shared was sampled, and ends where that would be a surprise', () => {
    const evidence = {
      shinglesA: 1000,
      shinglesB: 9000,
      sampledA: 250,
      sampledB: 2250,
      shared: 0,
      modulus: 4,
      falseDensity: 0,
    };
    // Of 1,000 with T shared, 250 draws miss all: P ≈ (3/4)^T >= .025 up to T = 12.
    expect(estimateOverlap({ ...evidence, equalSets: false })).toEqual({ estimate: 0, low: 0, high: 12 });
  });

  it.each([
    [3_000_000, 3_000_000, 2_000_000, 4],
    [3_000_000, 2_900_000, 20_000, 2],
    [3_000_000, 1_000_000, 999_000, 4],
    [1_000_000, 2_999_999, 40, 8],
  ])('ends where the tail crosses .025, for %i and %i shingles', (shinglesA, shinglesB, overlap, modulus) => {
    const evidence = evidenceOf([shinglesA, shinglesB], overlap, modulus, createPrng(3))();
    const { sampledA, sampledB, shared } = evidence;
    const { low, high, estimate } = estimateOverlap(evidence);
    expect(low <= estimate && estimate <= high).toBe(true);
    const union = Math.max(shinglesA, shinglesB) < 1.5 * Math.min(shinglesA, shinglesB);
    const draws = union ? sampledA + sampledB - shared : shinglesA < shinglesB ? sampledA : sampledB;
    const upper = (marked: number, k: number): number =>
      upperTailByLogarithms(k, union ? shinglesA + shinglesB - marked : Math.min(shinglesA, shinglesB), marked, draws);
    const slack = 1 + 1e-6;
    expect(upper(low, shared) * slack).toBeGreaterThanOrEqual(0.025);
    expect(upper(low - 1, shared)).toBeLessThan(0.025 * slack);
    expect((1 - upper(high, shared + 1)) * slack).toBeGreaterThanOrEqual(0.025);
    expect(1 - upper(high + 1, shared + 1)).toBeLessThan(0.025 * slack);
  });

  it('holds the estimate and stays whole and possible for counts that no honest pair would give', () => {
    const count = fc.oneof(fc.integer({ min: -2, max: 40 }), fc.nat({ max: 5000 }), fc.double());
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        count,
        count,
        fc.oneof(fc.constant(0), fc.double()),
        (shinglesA, shinglesB, sampledA, sampledB, shared, modulus, falseDensity) => {
          const counts = { shinglesA, shinglesB, sampledA, sampledB, shared, modulus, falseDensity };
          const { low, estimate, high } = estimateOverlap({ ...counts, equalSets: false });
          for (const value of [low, estimate, high]) expect(Number.isSafeInteger(value)).toBe(true);
          expect(0 <= low && low <= estimate && estimate <= high).toBe(true);
          const share = resemblanceOf(estimate, Math.max(0, shinglesA), Math.max(0, shinglesB));
          expect(Number.isNaN(shinglesA + shinglesB) || (share >= 0 && share <= 1)).toBe(true);
        },
      ),
      draws(750, 1997),
    );
  });

  it('keeps its promise for one sampled value more than there are shingles, as a collision of 40 bits may give', () => {
    const evidence = {
      shinglesA: 20,
      shinglesB: 20,
      sampledA: 21,
      sampledB: 20,
      shared: 20,
      modulus: 2,
      falseDensity: 0,
    };
    const { low, estimate, high } = estimateOverlap({ ...evidence, equalSets: false });
    expect([low, estimate, high]).toEqual([19, 19, 19]);
    expect(containmentOf(estimate, 20)).toBe(0.95);
  });
});
