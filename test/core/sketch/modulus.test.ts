import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd, STEP_VALUES } from '../../../src/core/memory/steps.ts';
import {
  coarsen,
  coarsenSteps,
  INDEX_SHINGLES_LEAST,
  indexModulusFor,
  modulusFor,
  RECORD_SHINGLES_LEAST,
} from '../../../src/core/sketch/modulus.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

describe('the modulus of a sample', () => {
  it('is 2^clamp(floor(log2(n / least)), 0, log2 cap) for every n', () => {
    for (const [cap, least] of [
      [8, INDEX_SHINGLES_LEAST],
      [4, RECORD_SHINGLES_LEAST],
      [Number.POSITIVE_INFINITY, 48],
    ] as const) {
      for (let n = 0; n <= 10_000; n++) {
        const exponent = Math.floor(Math.log2(n / least) + 1e-12);
        const expected = 2 ** Math.max(0, Math.min(exponent, Math.log2(cap)));
        expect(modulusFor(n, cap, least)).toBe(expected);
      }
    }
  });

  it('changes where the table of the file says', () => {
    const at = (n: number): [number, number] => [indexModulusFor(n, 8), modulusFor(n, 4, RECORD_SHINGLES_LEAST)];
    expect([0, 1, 63].map(at)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect([64, 127, 128, 255].map(at)).toEqual([
      [2, 1],
      [2, 1],
      [4, 1],
      [4, 1],
    ]);
    expect([256, 1023, 1024, 2047].map(at)).toEqual([
      [8, 1],
      [8, 1],
      [8, 2],
      [8, 2],
    ]);
    expect([2048, 3_000_000].map(at)).toEqual([
      [8, 4],
      [8, 4],
    ]);
  });

  it('leaves a document the least number of values in the mean, at any size the cap allows', () => {
    for (let n = 48; n < 100_000; n = Math.ceil(n * 1.01)) {
      const values = n / modulusFor(n, Number.POSITIVE_INFINITY, 48);
      expect(values >= 48 && values < 96).toBe(true);
    }
  });
});

describe('a coarser sample', () => {
  const fingerprints = distinctFingerprints(createPrng(40), 5000).sort();

  it('holds the values that the modulus divides, low bits of all 40 counted, in order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31 }), fc.integer({ min: 0, max: 31 }), (from, to) => {
        const fine = coarsen({ modulus: 1, fingerprints }, 2 ** from);
        const coarse = coarsen(fine, 2 ** to);
        expect(coarse.modulus).toBe(2 ** Math.max(from, to));
        const expected = fingerprints.filter((value) => BigInt(value) % BigInt(coarse.modulus) === 0n);
        expect(coarse.fingerprints).toEqual(expected);
      }),
      { seed: 1997, numRuns: 100 },
    );
  });

  it('is the same in steps, of more values than one takes', () => {
    const values = Float64Array.from({ length: 2 * STEP_VALUES + 5 }, (_, i) => 3 * i);
    const steps = coarsenSteps({ modulus: 1, fingerprints: values }, 16);
    expect([steps.next().done, steps.next().done]).toEqual([false, false]);
    const expected = coarsen({ modulus: 1, fingerprints: values }, 16);
    expect(isDeepStrictEqual(runToEnd(steps), expected)).toBe(true);
  });

  it('reads divisibility off all of the low 31 bits', () => {
    const powers = Float64Array.from({ length: 40 }, (_, exponent) => 2 ** exponent);
    for (let exponent = 0; exponent <= 31; exponent++) {
      const kept = coarsen({ modulus: 1, fingerprints: powers }, 2 ** exponent).fingerprints;
      expect(kept).toEqual(powers.subarray(exponent));
    }
  });

  it('is the sample itself where it is no coarser', () => {
    const sample = coarsen({ modulus: 1, fingerprints }, 8);
    expect(coarsen(sample, 4)).toBe(sample);
    expect(runToEnd(coarsenSteps(sample, 4))).toBe(sample);
    expect(coarsen(sample, 8)).toBe(sample);
  });
});
