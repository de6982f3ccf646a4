import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LookUpThresholds } from '../../../src/core/query/look-up.ts';
import { coarsen } from '../../../src/core/sketch/modulus.ts';
import { planLookUp } from '../../support/core/plan-look-up.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

const OFF: LookUpThresholds = { resemblance: null, queryInMatch: null, matchInQuery: null };
const INDEX = { indexModulusMax: 8 };
const prng = createPrng(48);

function queryOf(shingleCount: number): {
  shingleCount: number;
  sample: { modulus: number; fingerprints: Float64Array };
} {
  const fingerprints = distinctFingerprints(prng, shingleCount).sort();
  return { shingleCount, sample: { modulus: 1, fingerprints } };
}

describe('a look-up plan', () => {
  it('takes about 24 to 48 fingerprints for resemblance and for queryInMatch at any size, all of a short document', () => {
    for (const size of [1, 20, 63, 64, 1000, 20_000, 200_000]) {
      const query = queryOf(size);
      for (const direction of ['resemblance', 'queryInMatch'] as const) {
        const plan = planLookUp(query, { ...OFF, [direction]: 0.5 }, INDEX);
        if (size < 64) expect(plan.keys).toEqual(query.sample.fingerprints);
        // The mean is 24 to 48, the standard deviation at most 7.
        else expect(plan.keys.length > 2 && plan.keys.length < 84).toBe(true);
        expect(plan.keys).toEqual(coarsen(query.sample, plan.modulus).fingerprints);
        expect(plan.keysWanted).toBe(plan.keys.length);
      }
    }
  });

  it('doubles its modulus where 24 look-ups are left in the mean', () => {
    const modulusAt = (size: number): number =>
      planLookUp(
        { shingleCount: size, sample: { modulus: 1, fingerprints: new Float64Array(0) } },
        { ...OFF, resemblance: 0.5 },
        INDEX,
      ).modulus;
    expect([63, 64, 95, 96, 24 * 1024 - 1, 24 * 1024].map(modulusAt)).toEqual([1, 2, 2, 4, 512, 1024]);
  });

  it('takes what a short document may have posted for matchInQuery, and the finest of what is asked', () => {
    const query = queryOf(4000);
    const contained = planLookUp(query, { ...OFF, matchInQuery: 0.8 }, INDEX);
    expect(contained.modulus).toBe(8);
    const both = planLookUp(query, { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: 0.8 }, INDEX);
    expect(both).toEqual(contained);
    expect(planLookUp(query, { ...OFF, resemblance: 0.5 }, INDEX).modulus).toBe(128);
  });

  it('looks up at most 4,096, by doubling the modulus, and says how many it wanted', () => {
    const query = queryOf(60_000);
    const plan = planLookUp(query, { ...OFF, matchInQuery: 0.8 }, INDEX);
    expect(plan.modulus).toBe(16);
    expect(plan.keys.length).toBeLessThanOrEqual(4096);
    expect(plan.keysWanted).toBe(coarsen(query.sample, 8).fingerprints.length);
    expect(plan.keysWanted).toBeGreaterThan(plan.keys.length);
    const few = planLookUp(query, { ...OFF, matchInQuery: 0.8 }, { ...INDEX, lookUpsMax: 10 });
    expect(few.keys.length).toBeLessThanOrEqual(10);
    expect(few.keysWanted).toBe(plan.keysWanted);
  });

  it('is the same for a query from the index, whose sample is as coarse as its record', () => {
    const thresholds = { resemblance: 0.5, queryInMatch: null, matchInQuery: 0.8 };
    for (const size of [300, 600, 5000]) {
      const query = queryOf(size);
      const stored = { ...query, sample: coarsen(query.sample, 4) };
      expect(planLookUp(stored, thresholds, INDEX)).toEqual(planLookUp(query, thresholds, INDEX));
    }
    // A sample that is coarser than what is asked for is used as it is.
    const query = queryOf(300);
    const coarse = { ...query, sample: coarsen(query.sample, 32) };
    expect(planLookUp(coarse, thresholds, INDEX)).toMatchObject({ modulus: 32, keys: coarse.sample.fingerprints });
  });

  it('looks nothing up where nothing is asked or there is nothing', () => {
    expect(planLookUp(queryOf(500), OFF, INDEX).keys.length).toBe(0);
    expect(planLookUp(queryOf(0), { ...OFF, resemblance: 0.5 }, INDEX).keys.length).toBe(0);
  });

  it('never looks up more for being asked less: thresholds choose directions, not sizes', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const query = queryOf(1000);
    fc.assert(
      fc.property(share, share, (one, other) => {
        const plan = planLookUp(query, { ...OFF, resemblance: one }, INDEX);
        expect(plan).toEqual(planLookUp(query, { ...OFF, queryInMatch: other }, INDEX));
      }),
      { seed: 1997, numRuns: 50 },
    );
  });
});
