import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LookUpPlan, type LookUpThresholds, lookUpModulusFor } from '../../../src/core/query/look-up.ts';
import { printRecall, type Recall, statedRecall } from '../../../src/core/query/recall.ts';
import { indexModulusFor } from '../../../src/core/sketch/modulus.ts';
import { planLookUp } from '../../support/core/plan-look-up.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, distinctFingerprints, type Prng } from '../../support/prng.ts';

const OFF: LookUpThresholds = { resemblance: null, queryInMatch: null, matchInQuery: null };
const CAP = 8;

type Direction = keyof LookUpThresholds;

/** What is stated where nothing was cut, or where some lists were. */
function recall(plan: LookUpPlan, thresholds: LookUpThresholds, cutShares: readonly number[] = []): Recall {
  const shares = Float64Array.from(plan.keys, (_, i) => cutShares[i] ?? 1);
  return statedRecall(plan, thresholds, { indexModulusMax: CAP, shares, passedOver: false, cut: null }).recall;
}

function planFor(fingerprints: Float64Array, thresholds: LookUpThresholds): LookUpPlan {
  const sample = { modulus: 1, fingerprints: fingerprints.toSorted() };
  return planLookUp({ shingleCount: fingerprints.length, sample }, thresholds, { indexModulusMax: CAP });
}

/** Shingles that a document of `size` shares with a query of `shingleCount` at exactly the threshold, rounded up. */
function sharedAt(direction: Direction, threshold: number, shingleCount: number, size: number): number {
  if (direction === 'queryInMatch') return Math.ceil(threshold * shingleCount - 1e-9);
  if (direction === 'matchInQuery') return Math.ceil(threshold * size - 1e-9);
  return Math.ceil((threshold * (shingleCount + size)) / (1 + threshold) - 1e-9);
}

/** The share of documents of `size`, exactly at the threshold, of which the plan meets a posting. */
function observedRecall(
  prng: Prng,
  { direction, threshold, shingleCount, size }: Case,
  trials: number,
): { stated: number; observed: number } {
  const matchModulus = indexModulusFor(size, CAP);
  const shared = sharedAt(direction, threshold, shingleCount, size);
  const thresholds = { ...OFF, [direction]: threshold };
  let met = 0;
  let stated = 0;
  for (let trial = 0; trial < trials; trial++) {
    // none is the same as another, but for a chance of 10^-6, and no plan needs them in order
    const query = new Float64Array(shingleCount).map(() => prng.fingerprint());
    const sample = { modulus: 1, fingerprints: query };
    const plan = planLookUp({ shingleCount, sample }, thresholds, { indexModulusMax: CAP });
    if (trial === 0) stated = statedFor(recall(plan, thresholds), direction, size);
    const keys = new Set(plan.keys);
    // The query's order is random, so its first shingles are a random part of it.
    const posted = query.subarray(0, shared).filter((fingerprint) => fingerprint % matchModulus === 0);
    met += Number(posted.some((fingerprint) => keys.has(fingerprint)));
  }
  return { stated, observed: met / trials };
}

/** What is stated of a match of some size: of matchInQuery by the entry that begins with it. */
function statedFor(stated: Recall, direction: Direction, size: number): number {
  const bySize = direction === 'matchInQuery' ? stated.matchInQueryBySize : undefined;
  return bySize?.find(({ shinglesLeast }) => shinglesLeast === size)?.recall ?? stated[direction]!;
}

interface Case {
  readonly direction: Direction;
  readonly threshold: number;
  readonly shingleCount: number;
  readonly size: number;
}

describe('the stated recall', () => {
  // At the size that the statement is about, the least favourable one. Low thresholds, so that something is missed.
  it.each<Case>([
    { direction: 'resemblance', threshold: 0.1, shingleCount: 100, size: 256 },
    { direction: 'resemblance', threshold: 0.05, shingleCount: 800, size: 40 },
    { direction: 'resemblance', threshold: 0.03, shingleCount: 60, size: 256 },
    { direction: 'resemblance', threshold: 0.02, shingleCount: 1600, size: 32 },
    { direction: 'queryInMatch', threshold: 0.3, shingleCount: 40, size: 5000 },
    { direction: 'queryInMatch', threshold: 0.8, shingleCount: 20, size: 400 },
    { direction: 'queryInMatch', threshold: 0.04, shingleCount: 900, size: 90_000 },
    { direction: 'matchInQuery', threshold: 0.5, shingleCount: 600, size: 44 },
    { direction: 'matchInQuery', threshold: 0.2, shingleCount: 200, size: 44 },
    { direction: 'matchInQuery', threshold: 0.5, shingleCount: 600, size: 20 },
    { direction: 'matchInQuery', threshold: 0.8, shingleCount: 600, size: 8 },
    { direction: 'matchInQuery', threshold: 0.5, shingleCount: 600, size: 1 },
  ])('is what is observed for $direction at $threshold, $shingleCount shingles, a match of $size', (planted) => {
    const trials = 1500;
    const { stated, observed } = observedRecall(createPrng(planted.shingleCount), planted, trials);
    // Four standard errors of the share observed: .05 at the most.
    const error = Math.sqrt((stated * (1 - stated)) / trials) + 1 / trials;
    expect(Math.abs(observed - stated)).toBeLessThan(4 * error);
  });

  it('is not above what is observed for a match of any other size', () => {
    const prng = createPrng(500);
    for (const shingleCount of [50, 150, 700]) {
      for (const threshold of [0.04, 0.1]) {
        for (const factor of [threshold, 0.3, 1, 3, 1 / threshold]) {
          const size = Math.max(Math.ceil(threshold * shingleCount), Math.floor(shingleCount * factor));
          const trials = 400;
          const planted: Case = { direction: 'resemblance', threshold, shingleCount, size };
          const { stated, observed } = observedRecall(prng, planted, trials);
          const error = Math.sqrt((stated * (1 - stated)) / trials) + 1 / trials;
          expect(observed).toBeGreaterThan(stated - 4 * error);
        }
      }
    }
  });

  it('is the least over every size that a match may have', () => {
    for (const shingleCount of [1, 30, 63, 64, 100, 300, 2500, 40_000]) {
      for (const threshold of [0.01, 0.2, 0.5, 0.9, 1]) {
        const fingerprints = distinctFingerprints(createPrng(1), shingleCount);
        const thresholds = { ...OFF, resemblance: threshold };
        const plan = planFor(fingerprints, thresholds);
        let least = 1;
        const greatest = Math.floor(shingleCount / threshold + 1e-9);
        for (let size = Math.ceil(threshold * shingleCount - 1e-9); size <= Math.min(greatest, 600); size++) {
          const shared = sharedAt('resemblance', threshold, shingleCount, size);
          const modulus = Math.max(plan.modulus, indexModulusFor(size, CAP));
          least = Math.min(least, 1 - (1 - 1 / modulus) ** shared);
        }
        // Sizes over 600 have the modulus of 600 and share more, so only these count where there are any.
        if (threshold * shingleCount <= 600) {
          expect(recall(plan, thresholds).resemblance).toBeCloseTo(least, 12);
        }
      }
    }
  });

  it('misses what the design says: 2e-4 at r = .5, 4e-3 at .3, 3e-2 at .2, at the worst of all sizes', () => {
    const worst = (threshold: number): number => {
      let most = 0;
      for (let shingleCount = 10; shingleCount < 200_000; shingleCount = Math.ceil(shingleCount * 1.15)) {
        const modulus = lookUpModulusFor(shingleCount);
        const plan = { shingleCount, modulus, keys: new Float64Array(50), keysWanted: 50 };
        most = Math.max(most, 1 - recall(plan, { ...OFF, resemblance: threshold }).resemblance!);
      }
      return most;
    };
    expect(worst(0.5)).toBeLessThan(2e-4);
    expect(worst(0.3)).toBeLessThan(1e-2);
    expect(worst(0.2)).toBeLessThan(5e-2);
  });

  it('is 0 at a threshold of 0, which a document that shares nothing meets, and grows from there', () => {
    const plan = planFor(distinctFingerprints(createPrng(2), 300), {
      resemblance: 0,
      queryInMatch: 0,
      matchInQuery: 0,
    });
    const at = (share: number): Recall =>
      recall(plan, { resemblance: share, queryInMatch: share, matchInQuery: share });
    expect(at(0)).toMatchObject({ resemblance: 0, queryInMatch: 0, matchInQuery: 0 });
    expect(at(0).matchInQueryBySize!.every((size) => size.recall === 0)).toBe(true);
    for (const direction of ['resemblance', 'queryInMatch', 'matchInQuery'] as const) {
      expect(at(Number.MIN_VALUE)[direction]).toBeCloseTo(1 / CAP, 12);
      let before = 0;
      for (let share = 0; share <= 1; share += 1 / 64) {
        expect(at(share)[direction]).toBeGreaterThanOrEqual(before);
        before = at(share)[direction]!;
      }
    }
    expect(recall(plan, OFF)).toEqual(OFF);
  });

  it('is a chance for every threshold, size and list, and falls where lists were cut', () => {
    const share = fc.oneof(fc.constantFrom(0, 1e-300, 1e-9, 1), fc.double({ min: 0, max: 1, noNaN: true }));
    const cutShares = fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(share, fc.nat({ max: 3000 }), cutShares, fc.nat({ max: 6 }), (t, shingleCount, cut, exponent) => {
        const thresholds = { resemblance: t, queryInMatch: t, matchInQuery: t };
        const keys = new Float64Array(Math.max(cut.length, Math.floor(shingleCount / 2 ** exponent)));
        const plan = { shingleCount, modulus: 2 ** exponent, keys, keysWanted: keys.length };
        const whole = recall(plan, thresholds);
        const capped = recall(plan, thresholds, cut);
        for (const direction of ['resemblance', 'queryInMatch', 'matchInQuery'] as const) {
          expect(capped[direction]! >= 0 && capped[direction]! <= whole[direction]! && whole[direction]! <= 1).toBe(
            true,
          );
        }
      }),
      draws(250, 1997),
    );
  });
});

describe('the recall of a short match', () => {
  const plan: LookUpPlan = { shingleCount: 2000, modulus: 8, keys: new Float64Array(250), keysWanted: 250 };

  it('is stated for one shingle, and by size for longer ones', () => {
    const { matchInQuery, matchInQueryBySize } = recall(plan, { ...OFF, matchInQuery: 0.8 });
    expect(matchInQuery).toBeCloseTo(1 / 8, 12);
    // of 100 shingles 80 are shared; every second of them was posted, which the look-ups meet all the same
    for (const [at, [shinglesLeast, shared]] of [
      [1, 1],
      [8, 7],
      [20, 16],
      [44, 36],
      [100, 80],
    ].entries()) {
      expect(matchInQueryBySize![at]).toEqual({ shinglesLeast, recall: expect.closeTo(1 - (7 / 8) ** shared!, 12) });
    }
  });

  it.each([0.5, 0.8])('is never above what is observed of short matches at %f', (threshold) => {
    const prng = createPrng(8);
    const trials = 1500;
    for (const size of [8, 14, 24, 34]) {
      const planted: Case = { direction: 'matchInQuery', threshold, shingleCount: 1200, size };
      const { observed } = observedRecall(prng, planted, trials);
      const { matchInQueryBySize } = recall(plan, { ...OFF, matchInQuery: threshold });
      const { recall: stated } = matchInQueryBySize!.findLast(({ shinglesLeast }) => shinglesLeast <= size)!;
      const error = Math.sqrt((stated * (1 - stated)) / trials) + 1 / trials;
      expect(observed - stated).toBeGreaterThan(-4 * error);
    }
  });

  it('has no sizes that no match has, and counts no more shared shingles than the query has', () => {
    const short = { ...plan, shingleCount: 10, keys: new Float64Array(1) };
    const { matchInQueryBySize } = recall(short, { ...OFF, matchInQuery: 0.4 });
    expect(matchInQueryBySize).toEqual([
      { shinglesLeast: 1, recall: expect.closeTo(1 / 8, 12) },
      { shinglesLeast: 8, recall: expect.closeTo(1 - (7 / 8) ** 4, 12) },
      { shinglesLeast: 20, recall: expect.closeTo(1 - (7 / 8) ** 8, 12) },
    ]);
    const one = { ...plan, shingleCount: 0, keys: new Float64Array(0) };
    expect(recall(one, { ...OFF, matchInQuery: 0.4 }).matchInQueryBySize).toHaveLength(1);
  });
});

describe('a recall in print', () => {
  it('is rounded down to six decimals, by size too', () => {
    const matchInQueryBySize = [{ shinglesLeast: 8, recall: 0.607_306_38 }];
    expect(printRecall({ ...OFF, matchInQuery: 0.125, matchInQueryBySize })).toEqual({
      ...{ ...OFF, matchInQuery: 0.125 },
      matchInQueryBySize: [{ shinglesLeast: 8, recall: 0.607_306 }],
    });
    expect(printRecall({ resemblance: 0.999_999_999, queryInMatch: 1, matchInQuery: null })).toEqual({
      resemblance: 0.999_999,
      queryInMatch: 1,
      matchInQuery: null,
    });
    expect(printRecall({ resemblance: 0, queryInMatch: 0.000_000_9, matchInQuery: 0.25 })).toEqual({
      resemblance: 0,
      queryInMatch: 0,
      matchInQuery: 0.25,
    });
  });
});
