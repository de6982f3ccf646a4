import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSampleComparer } from '../../../src/core/compare/sample-comparer.ts';
import { runToEnd } from '../../../src/core/memory/steps.ts';
import type { Sample } from '../../../src/core/sketch/modulus.ts';
import { coarsen } from '../../../src/core/sketch/modulus.ts';
import {
  exactBitsOf,
  exactSample,
  NARROW_BITS_MIN,
  narrow,
  narrowBits,
  narrowSteps,
  wholeSample,
} from '../../../src/core/sketch/narrow.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

/** Fingerprints of which many agree in their low 28 bits and some more. */
const sample: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 2 ** 12 - 1 })), {
      selector: ([low, high]) => `${low} ${high}`,
      maxLength: 150,
    }),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([parts, exponent]) => {
    const fingerprints = Float64Array.from(parts, ([low, high]) => high * 2 ** 28 + ((low * 0x9e37_79b1) % 2 ** 28));
    return coarsen({ modulus: 1, fingerprints: fingerprints.sort() }, 2 ** exponent);
  });
const bits = fc.integer({ min: NARROW_BITS_MIN, max: 40 });
const exponent = fc.integer({ min: 0, max: 6 });

const byNumber = (a: number, b: number) => a - b;

describe('a narrow sample', () => {
  it('holds the low bits of every fingerprint in their order, and all bits of those it is told to', () => {
    fc.assert(
      fc.property(sample, bits, exponent, (whole, width, exactExponent) => {
        const exactModulus = 2 ** exactExponent;
        const kept = narrow(whole, width, exactModulus);
        const all = [...whole.fingerprints];
        const isWhole = exactModulus <= whole.modulus;
        expect(kept.modulus).toBe(whole.modulus);
        expect(kept.bits).toBe(isWhole ? 40 : width);
        expect([...kept.values]).toEqual(all.map((value) => value % 2 ** kept.bits).sort(byNumber));
        const known = 2 ** (isWhole ? 40 : exactBitsOf(width));
        const exact = all
          .filter((value) => value % exactModulus === 0)
          .map((value) => value % known)
          .sort(byNumber);
        expect([...kept.exact].sort(byNumber)).toEqual(exact);
        expect([...kept.exact].map((value) => value % 2 ** kept.bits)).toEqual(
          [...kept.values].filter((value) => value % exactModulus === 0),
        );
        expect(exactSample(kept)).toEqual({
          modulus: Math.max(exactModulus, whole.modulus),
          fingerprints: Float64Array.from(exact),
        });
      }),
      draws(125, 1997),
    );
  });

  it('is the same whether it is coarsened before or after', () => {
    fc.assert(
      fc.property(sample, bits, exponent, (whole, width, coarser) => {
        const modulus = 2 ** coarser;
        const before = narrow(coarsen(whole, modulus), width, 128);
        const after = narrow(whole, width, 128);
        expect([...before.values]).toEqual([...after.values].filter((value) => value % before.modulus === 0));
        expect(before.exact).toEqual(after.exact);
      }),
      draws(125, 1997),
    );
  });

  it.each([1, 63, 1024, 1025, 4096, 4097])(
    'of %i values is the same in steps and at once, and stays as it is',
    (count) => {
      const prng = createPrng(count);
      const some = () => ({ modulus: 1, fingerprints: distinctFingerprints(prng, count).sort() });
      const [one, other] = [some(), some()];
      const kept = narrow(one, 30, 8);
      narrow(other, 30, 8);
      expect(kept).toEqual(runToEnd(narrowSteps(one, 30, 8)));
    },
  );

  it('of which nothing is dropped is the sample itself', () => {
    const fingerprints = distinctFingerprints(createPrng(1), 50).sort();
    expect(narrow({ modulus: 1, fingerprints }, 28, 1)).toEqual(wholeSample({ modulus: 1, fingerprints }));
    expect(narrow({ modulus: 1, fingerprints }, 40, 2).values).toEqual(fingerprints);
  });
});

describe('the bits of a narrow sample', () => {
  it('are nine more than number the shingles, rounded, from 16 to 40', () => {
    for (const shingleCount of [48, 90, 91, 163, 511, 655, 10_486, 600_000, 2 ** 31]) {
      const bits = narrowBits(shingleCount);
      const density = shingleCount / 2 ** bits;
      if (bits < 40) expect(density).toBeLessThanOrEqual(2 ** -8.5);
      if (bits > 16) expect(density).toBeGreaterThan(2 ** -9.5);
    }
    expect([0, 1, 64, 181, 182, 362, 363, 1000, 3000, 2 ** 31].map(narrowBits)).toEqual([
      16, 16, 16, 16, 17, 17, 18, 19, 21, 40,
    ]);
  });

  const cases = [
    [100, 1, 16_384, 1, 'a short page, a query in hand'],
    [310, 1, 16_384, 1, 'a page, a query in hand'],
    [500, 1, 65_536, 4, 'a page, a long document of the index'],
    [1000, 2, 32_768, 2, 'a longer page, a query in hand'],
    [5000, 4, 65_536, 4, 'a long page, a query in hand'],
  ] as const;
  for (const [shingles, modulus, partnerShingles, partnerModulus, name] of cases) {
    it(`let a pair share as many values by chance as are expected: ${name}`, () => {
      const prng = createPrng(shingles);
      const drawn = (count: number, m: number): Sample => {
        const fingerprints = new Float64Array(count);
        for (let i = 0; i < count; i++) fingerprints[i] = Math.floor(prng.fingerprint() / m) * m;
        return { modulus: m, fingerprints: fingerprints.sort() };
      };
      const partner = drawn(partnerShingles / partnerModulus, partnerModulus);
      const inHand = createSampleComparer(wholeSample(partner));
      const inIndex = createSampleComparer(narrow(partner, narrowBits(partnerShingles), 8));
      const pairs = Math.ceil(100_000 / (shingles / modulus));
      let [falseInHand, falseInIndex, expected] = [0, 0, 0];
      for (let pair = 0; pair < pairs; pair++) {
        const record = narrow(drawn(shingles / modulus, modulus), narrowBits(shingles), 8);
        const { shared, sampledB, sampledA, falseDensity } = inHand(record);
        falseInHand += shared;
        falseInIndex += inIndex(record).shared;
        const values = Math.min(sampledA, sampledB);
        expected -= values * Math.expm1((-falseDensity * sampledB) / values);
      }
      for (const sum of [falseInHand, falseInIndex]) {
        expect(Math.abs(sum - expected)).toBeLessThan(4 * Math.sqrt(expected));
      }
    });
  }
});
