import { describe, expect, it } from 'vitest';
import { partShare, restShare } from '../../../src/core/composition/part-share.ts';
import { createPrng } from '../../support/prng.ts';

describe('the share of a part', () => {
  it('is the share itself where all shingles were sampled', () => {
    for (const [seen, all] of [
      [0, 1],
      [1, 1],
      [7, 90],
    ] as const) {
      const share = seen / all;
      expect(partShare(seen, all, all, 0)).toEqual({ estimate: share, low: share, high: share });
    }
  });

  it('has an interval that covers the truth in 95 % of samples, and no bias', () => {
    const prng = createPrng(12);
    for (const [shingles, part, modulus] of [
      [1000, 50, 4],
      [1000, 400, 4],
      [3000, 3, 8],
      [90, 60, 2],
    ] as const) {
      let covers = 0;
      let sum = 0;
      const runs = 4000;
      for (let run = 0; run < runs; run++) {
        let sampled = 0;
        let seen = 0;
        for (let shingle = 0; shingle < shingles; shingle++) {
          if (prng.below(modulus) !== 0) continue;
          sampled++;
          seen += Number(shingle < part);
        }
        const { estimate, low, high } = partShare(seen, sampled, shingles, 0);
        expect(low).toBeLessThanOrEqual(estimate);
        expect(high).toBeGreaterThanOrEqual(estimate);
        covers += Number(low <= part / shingles && part / shingles <= high);
        sum += estimate;
      }
      expect(covers / runs).toBeGreaterThanOrEqual(0.945);
      expect(sum / runs).toBeCloseTo(part / shingles, 2);
    }
  });

  it('sums to one with what is left, by its ends too', () => {
    const part = partShare(30, 100, 420, 0);
    const rest = restShare(30, 100, 420, 0);
    expect(part.estimate + rest.estimate).toBe(1);
    expect(part.low + rest.high).toBeCloseTo(1, 12);
    expect(part.high + rest.low).toBeCloseTo(1, 12);
  });

  it('knows nothing where nothing was sampled', () => {
    expect(partShare(0, 0, 3, 0)).toEqual({ estimate: 0, low: 0, high: 1 });
    expect(restShare(0, 0, 3, 0)).toEqual({ estimate: 1, low: 0, high: 1 });
  });
});
