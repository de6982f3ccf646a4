import { describe, expect, it } from 'vitest';
import { estimatedMatches } from '../../../src/core/query/estimated-matches.ts';
import { createPrng } from '../../support/prng.ts';

const KEYS = Float64Array.from({ length: 12 }, (_, i) => 8 * (i + 1) * 1_000_003);
const LOOK_UPS = { shingleCount: 12, modulus: 1, keys: KEYS };

describe('the estimate of matches that were not found', () => {
  it('is what was found where every list was read, and the candidates too', () => {
    const found = Array.from({ length: 7 }, () => ({ shingleCount: 12, queryInMatch: 1 }));
    const whole = new Float64Array(12).fill(1);
    expect(estimatedMatches(found, LOOK_UPS, whole, 8, [])).toBe(7);
    const drawn = { matches: found.slice(0, 5), standFor: 2.5 };
    expect(estimatedMatches(found, LOOK_UPS, whole, 8, [drawn])).toBe(7 + 13);
    expect(estimatedMatches([], LOOK_UPS, whole, 8, [drawn, { matches: [], standFor: 100 }])).toBe(13);
    expect(estimatedMatches([], LOOK_UPS, whole, 8, [])).toBe(0);
  });

  it('is as many as there are in the mean, whatever part of the lists was read and of the keys a match has', () => {
    const prng = createPrng(12);
    const size = 400;
    const shares = Float64Array.from(KEYS, (_, i) => 0.02 + 0.01 * (i % 4));
    for (const queryInMatch of [1, 0.5]) {
      let sum = 0;
      const rounds = 60;
      for (let round = 0; round < rounds; round++) {
        const isMet = () => shares.some((share) => prng.next() < queryInMatch && prng.next() < share);
        const met = Array.from({ length: size }, isMet).filter(Boolean).length;
        const found = Array.from({ length: met }, () => ({ shingleCount: 12, queryInMatch }));
        sum += estimatedMatches(found, LOOK_UPS, shares, 8, []);
      }
      // of 24,000 some 35 % or 19 % are found: a deviation of 1.4 % of their number at the most
      expect(Math.abs(sum / rounds / size - 1)).toBeLessThan(0.06);
    }
  });
});
