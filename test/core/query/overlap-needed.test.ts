import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hypergeometricLowerTail } from '../../../src/core/compare/hypergeometric.ts';
import { containmentOf, resemblanceOf } from '../../../src/core/compare/shares.ts';
import type { LookUpPlan, LookUpThresholds } from '../../../src/core/query/look-up.ts';
import { type OverlapConditions, overlapNeeded } from '../../../src/core/query/overlap-needed.ts';
import { indexModulusFor, modulusFor, RECORD_SHINGLES_LEAST } from '../../../src/core/sketch/modulus.ts';
import { meets, pairOf, reaches } from '../../../src/service/document/pair.ts';
import { planLookUp } from '../../support/core/plan-look-up.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

const INDEX_CAP = 8;
const RECORD_CAP = 4;
const CHANCE = 1e-6;
const OFF: LookUpThresholds = { resemblance: null, queryInMatch: null, matchInQuery: null };

function planFor(query: Float64Array, thresholds: LookUpThresholds): LookUpPlan {
  const sample = { modulus: 1, fingerprints: query.toSorted() };
  return planLookUp({ shingleCount: query.length, sample }, thresholds, { indexModulusMax: INDEX_CAP });
}

function neededOf(plan: LookUpPlan, thresholds: LookUpThresholds, more: Partial<OverlapConditions> = {}) {
  return overlapNeeded(plan, thresholds, {
    indexModulusMax: INDEX_CAP,
    recordModulusMax: RECORD_CAP,
    shares: new Float64Array(plan.keys.length).fill(1),
    undecidedAt: null,
    ...more,
  });
}

/** The least I at which a content of this size meets any threshold, by trying all; null where none does. */
function leastShared(shingleCount: number, size: number, thresholds: LookUpThresholds): number | null {
  for (let shared = 0; shared <= Math.min(shingleCount, size); shared++) {
    const meetsOne =
      resemblanceOf(shared, shingleCount, size) >= (thresholds.resemblance ?? 2) ||
      containmentOf(shared, shingleCount) >= (thresholds.queryInMatch ?? 2) ||
      containmentOf(shared, size) >= (thresholds.matchInQuery ?? 2);
    if (meetsOne) return shared;
  }
  return null;
}

const threshold = fc.option(fc.oneof(fc.constantFrom(0, 0.5, 0.8, 1), fc.double({ min: 0.01, max: 1, noNaN: true })));
const asked = fc
  .record({ resemblance: threshold, queryInMatch: threshold, matchInQuery: threshold })
  .filter((thresholds) => Object.values(thresholds).some((asks) => asks !== null));
const queryOf = (shingleCount: number) => distinctFingerprints(createPrng(shingleCount), shingleCount);

describe('the overlap that a content needs', () => {
  it('is missed by a content at a threshold with a chance of 10^-6 at most, and hardly less than it could be', () => {
    const size = fc.integer({ min: 1, max: 900 });
    fc.assert(
      fc.property(size, size, asked, (shingleCount, matchSize, thresholds) => {
        const plan = planFor(queryOf(shingleCount), thresholds);
        const shared = leastShared(shingleCount, matchSize, thresholds);
        const needed = neededOf(plan, thresholds).of(matchSize);
        if (shared === null) {
          expect(needed).toBe(Number.POSITIVE_INFINITY);
          return;
        }
        const modulus = Math.max(plan.modulus, indexModulusFor(matchSize, INDEX_CAP));
        const keys = plan.keys.filter((key) => key % modulus === 0).length;
        const below = (hits: number, of: number) => hypergeometricLowerTail(hits - 1, shingleCount, of, keys);
        expect(below(needed, shared)).toBeLessThanOrEqual(CHANCE * 1.001);
        // a class of sizes reaches an eighth of a doubling down, and shared ones grow no faster than sizes
        expect(below(needed + 1, Math.floor(shared / 1.125) - 2)).toBeGreaterThan(shared < 10 ? -1 : CHANCE * 0.999);
      }),
      draws(750, 1997),
    );
  });

  it('is never less than the least, which some size needs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), asked, fc.boolean(), (shingleCount, thresholds, undecided) => {
        const plan = planFor(queryOf(shingleCount), thresholds);
        const needed = neededOf(plan, thresholds, { undecidedAt: undecided ? 1 : null });
        let least = Number.POSITIVE_INFINITY;
        for (let size = 0; size < 3000; size++) least = Math.min(least, needed.of(size));
        // sizes beyond are like 3,000, or need more, but where only those of more than 3,000 may match
        expect(needed.least).toBe(Math.min(least, needed.of(100_000), needed.of(2 ** 31)));
      }),
      { seed: 1998, numRuns: 60 },
    );
  });

  it('is all that is shared where everything was looked up and posted', () => {
    const thresholds = { ...OFF, resemblance: 0.5 };
    const plan = planFor(queryOf(30), thresholds);
    const needed = neededOf(plan, thresholds);
    expect([14, 15, 28, 30, 61].map(needed.of)).toEqual([
      Number.POSITIVE_INFINITY,
      15,
      20,
      20,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('is what a match of one direction has but for a chance of 10^-3, with its keys, where that is asked', () => {
    const size = fc.integer({ min: 1, max: 900 });
    fc.assert(
      fc.property(size, size, asked, fc.nat({ max: 9 }), (shingleCount, matchSize, thresholds, cut) => {
        const plan = planFor(queryOf(shingleCount), thresholds);
        const shares = Float64Array.from(plan.keys, (_, i) => (i < cut ? 0.5 : 1));
        const likely = neededOf(plan, thresholds, { shares, undecidedAt: 4 }).likely();
        const directions = (['resemblance', 'queryInMatch', 'matchInQuery'] as const).filter(
          (direction) => thresholds[direction] !== null,
        );
        expect(likely.length).toBe(directions.length);
        for (const [i, direction] of directions.entries()) {
          const one = { ...OFF, [direction]: thresholds[direction] };
          const shared = leastShared(shingleCount, matchSize, one);
          const keys = likely[i]!.keys(matchSize);
          if (shared === null) {
            expect([keys, likely[i]!.of(matchSize)]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
            continue;
          }
          const modulus = Math.max(plan.modulus, indexModulusFor(matchSize, INDEX_CAP));
          const posted = plan.keys.filter((key) => key % modulus === 0);
          expect(hypergeometricLowerTail(keys - 1, shingleCount, shared, posted.length)).toBeLessThan(1.001e-3);
          const cutKeys = plan.keys.filter((key, at) => at < cut && key % modulus === 0).length;
          expect(likely[i]!.of(matchSize)).toBe(Math.max(0, keys - cutKeys));
        }
      }),
      draws(125, 1997),
    );
  });

  it('is less by every list that may hold the content beyond its cut', () => {
    const thresholds = { ...OFF, resemblance: 0.5 };
    const plan = planFor(queryOf(30), thresholds);
    const whole = neededOf(plan, thresholds).of(25);
    const shares = new Float64Array(plan.keys.length).fill(1);
    shares.fill(0.3, 0, 10);
    shares[10] = 0;
    expect(neededOf(plan, thresholds, { shares }).of(25)).toBe(whole - 11);
    shares.fill(0.01);
    const nothing = neededOf(plan, thresholds, { shares });
    expect([nothing.least, nothing.of(25), nothing.of(10)]).toEqual([0, 0, Number.POSITIVE_INFINITY]);
    // only the lists of keys that a content of this size posts
    const longer = planFor(queryOf(60), thresholds);
    const others = Float64Array.from(longer.keys, (key) => (key % 2 === 0 ? 1 : 0.5));
    expect(neededOf(longer, thresholds, { shares: others }).of(100)).toBe(neededOf(longer, thresholds).of(100));
  });

  it('asks nothing of a threshold of 0, which everything meets', () => {
    for (const direction of ['resemblance', 'queryInMatch', 'matchInQuery'] as const) {
      const thresholds = { resemblance: 0.9, queryInMatch: 0.9, matchInQuery: 0.9, [direction]: 0 };
      const needed = neededOf(planFor(queryOf(200), thresholds), thresholds);
      expect([needed.least, needed.of(0), needed.of(10), needed.of(1e9)]).toEqual([0, 0, 0, 0]);
    }
  });
});

describe('an undecided match', () => {
  /** The least k, of values sampled in both, at which a pair meets the threshold or may: what is reported is from there on. */
  function leastReported(pairAt: (shared: number) => ReturnType<typeof pairOf>, thresholds: LookUpThresholds): number {
    for (let shared = 0; ; shared++) {
      const pair = pairAt(shared);
      if (meets(pair, thresholds) || reaches(pair, thresholds)) return shared;
    }
  }

  // The values that the query sampled at modulus m are known, and k of them are shared: which ones is all the same, so the
  // hits among the keys, a part of them, follow one hypergeometric law.
  it.each([
    { shingleCount: 1300, size: 1200, thresholds: { ...OFF, resemblance: 0.7 }, queryModulus: 1 },
    { shingleCount: 1200, size: 1500, thresholds: { ...OFF, queryInMatch: 0.9 }, queryModulus: 4 },
    { shingleCount: 3000, size: 1100, thresholds: { ...OFF, matchInQuery: 0.3 }, queryModulus: 1 },
    { shingleCount: 5000, size: 6000, thresholds: { ...OFF, resemblance: 0.3 }, queryModulus: 1 },
    { shingleCount: 300, size: 3000, thresholds: { ...OFF, queryInMatch: 0.5 }, queryModulus: 1 },
  ])('is read though it shares less than a match: $thresholds, $shingleCount and $size shingles', (pair) => {
    const { shingleCount, size, thresholds, queryModulus } = pair;
    const prng = createPrng(size);
    const modulus = Math.max(queryModulus, modulusFor(size, RECORD_CAP, RECORD_SHINGLES_LEAST));
    let wouldBeMissed = 0;
    for (let trial = 0; trial < 60; trial++) {
      const query = distinctFingerprints(prng, shingleCount);
      const plan = planFor(query, thresholds);
      const multiples = (of: Float64Array, by: number) => of.filter((value) => value % by === 0).length;
      const sampledA = multiples(query, modulus);
      const shared = leastShared(shingleCount, size, thresholds)!;
      const deviations = 4 * prng.next() - 2;
      const others = Math.round((size - shared) / modulus + deviations * Math.sqrt((size - shared) / modulus / 2));
      const k = leastReported(
        (both) =>
          pairOf({
            ...{ modulus, shared: both, sampledA, sampledB: both + others },
            ...{ shinglesA: shingleCount, shinglesB: size, falseDensity: 0, equalSets: false },
          }),
        thresholds,
      );
      const keys = multiples(plan.keys, Math.max(plan.modulus, indexModulusFor(size, INDEX_CAP)));
      const missed = (needed: number) => hypergeometricLowerTail(needed - 1, sampledA, k, keys);
      expect(missed(neededOf(plan, thresholds, { undecidedAt: queryModulus }).of(size))).toBeLessThan(CHANCE);
      wouldBeMissed = Math.max(wouldBeMissed, missed(neededOf(plan, thresholds).of(size)));
    }
    expect(wouldBeMissed).toBeGreaterThan(CHANCE);
  });

  it('of which nothing is sampled away may share less too, since some may agree by chance', () => {
    const thresholds = { ...OFF, resemblance: 0.5 };
    const plan = planFor(queryOf(300), thresholds);
    const including = neededOf(plan, thresholds, { undecidedAt: 1 });
    expect(including.of(400)).toBeLessThan(neededOf(plan, thresholds).of(400));
  });
});
