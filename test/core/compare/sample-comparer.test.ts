import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STEP_VALUES } from '../../../src/core/compare/fingerprint-index.ts';
import {
  compareSamples,
  createSampleComparer,
  overlapSteps,
  type SampleOverlap,
} from '../../../src/core/compare/sample-comparer.ts';
import type { Sample } from '../../../src/core/sketch/modulus.ts';
import { coarsen } from '../../../src/core/sketch/modulus.ts';
import { type KeptSample, NARROW_BITS_MIN, narrow, narrowBits, wholeSample } from '../../../src/core/sketch/narrow.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

/** Values that are close together, so that chance makes many equal, with high and low bits of all 40; narrow or not. */
const sample: fc.Arbitrary<KeptSample> = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }),
    fc.integer({ min: 0, max: 4 }),
    fc.integer({ min: NARROW_BITS_MIN, max: 40 }),
    fc.constantFrom(1, 16),
  )
  .map(([values, exponent, bits, exactModulus]) => {
    const low = (value: number) => ((value % 150) * 0x9e37_79b1) % 2 ** NARROW_BITS_MIN;
    const fingerprints = Float64Array.from(values, (value) => low(value) + (value % 4096) * 2 ** 28).sort();
    return narrow(coarsen({ modulus: 1, fingerprints }, 2 ** exponent), bits, exactModulus);
  });

/** The same by its definition. */
function compareOneByOne(a: KeptSample, b: KeptSample): SampleOverlap {
  const modulus = Math.max(a.modulus, b.modulus);
  const common = 2 ** Math.min(a.bits, b.bits);
  const [valuesA, valuesB] = [a, b].map(({ values }) => [...values].filter((value) => value % modulus === 0)) as [
    number[],
    number[],
  ];
  const shared = valuesB.filter((value) => valuesA.some((other) => other % common === value % common));
  const falseDensity = (valuesA.length * modulus) / common;
  return { modulus, sampledA: valuesA.length, sampledB: valuesB.length, shared: shared.length, falseDensity };
}

describe('two samples', () => {
  it('are compared at the coarser modulus by the bits that both have, one by one or one against many', () => {
    fc.assert(
      fc.property(sample, fc.array(sample, { minLength: 1, maxLength: 4 }), (query, records) => {
        const compare = createSampleComparer(query);
        for (const record of records) {
          const expected = compareOneByOne(query, record);
          expect(compareSamples(query, record)).toEqual(expected);
          expect(compare(record)).toEqual(expected);
        }
      }),
      draws(125, 1997),
    );
  });

  it('are compared step by step where one has more values than are looked at in one', () => {
    const prng = createPrng(5);
    const all = distinctFingerprints(prng, 4 * STEP_VALUES);
    const query = wholeSample({ modulus: 1, fingerprints: all.filter((_, i) => i % 3 > 0) });
    const record = wholeSample(coarsen({ modulus: 1, fingerprints: all }, 2));
    const steps = overlapSteps(createSampleComparer(query), record);
    let turns = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        expect(step.value).toEqual(compareSamples(query, record));
        break;
      }
      turns++;
    }
    expect(turns).toBe(Math.ceil(record.values.length / STEP_VALUES) - 1);
  });

  it('say when they are narrow what they say when they are whole, but for what agrees by chance', () => {
    const prng = createPrng(1997);
    const exact = (a: Sample, b: Sample) => {
      const inA = new Set(a.fingerprints);
      return b.fingerprints.filter((value) => inA.has(value)).length;
    };
    let [off, chance] = [0, 0];
    for (const size of [100, 250, 500, 600, 1000, 2000, 3000, 10_000, 40_000]) {
      for (const other of [size, 2 * size, 7 * size]) {
        const all = distinctFingerprints(prng, size + other);
        const shared = prng.below(size);
        const [a, b] = [all.subarray(0, size), all.subarray(size - shared, size - shared + other)].map((values) => {
          const modulus = values.length < 512 ? 1 : values.length < 2048 ? 2 : 4;
          return coarsen({ modulus: 1, fingerprints: values.toSorted() }, modulus);
        }) as [Sample, Sample];
        const [narrowA, narrowB] = [narrow(a, narrowBits(size), 8), narrow(b, narrowBits(other), 8)];
        const expected = exact(a, b);
        const counts = compareSamples(wholeSample(a), narrowB);
        expect(compareSamples(narrowB, wholeSample(a)).shared).toBe(counts.shared);
        expect(compareSamples(narrowB, narrowA).shared).toBe(compareSamples(narrowA, narrowB).shared);
        for (const { shared: found, falseDensity, sampledA, sampledB } of [
          counts,
          compareSamples(narrowA, narrowB),
          compareSamples(narrowB, narrowA),
          compareSamples(wholeSample(b), narrowA),
        ]) {
          // of the document with fewer values
          const values = Math.min(sampledA, sampledB);
          const most = (values - expected) * -Math.expm1((-falseDensity * sampledB) / values);
          expect(found - expected).toBeGreaterThanOrEqual(0);
          expect(found - expected).toBeLessThanOrEqual(most + 5 * Math.sqrt(most) + 2);
          expect(Math.min(sampledA, sampledB)).toBeGreaterThanOrEqual(found);
          off += found - expected;
          chance += most;
        }
      }
    }
    // the four comparisons of a pair have most of it in common
    expect(Math.abs(off - chance)).toBeLessThan(2 * 5 * Math.sqrt(chance));
  });

  it('share what they share where the moduli leave few bits to tell values apart', () => {
    const prng = createPrng(3);
    const fingerprints = new Float64Array(new Set(Array.from({ length: 300 }, () => prng.below(2 ** 16) * 2 ** 24)));
    const query = wholeSample({ modulus: 2 ** 24, fingerprints: fingerprints.sort() });
    const record = narrow({ modulus: 2 ** 24, fingerprints }, NARROW_BITS_MIN, 2 ** 25);
    expect(createSampleComparer(query)(record).shared).toBe(fingerprints.length);
  });

  it('that are the same share all they hold, fingerprints that agree in their low bits too', () => {
    const fingerprints = Float64Array.of(4, 2 ** 28 + 5, 2 ** 30 + 5, 2 ** 33 + 5);
    const kept = narrow({ modulus: 1, fingerprints }, 28, 4);
    expect([...kept.values]).toEqual([4, 5, 5, 5]);
    expect(compareSamples(kept, kept)).toEqual({
      modulus: 1,
      sampledA: 4,
      sampledB: 4,
      shared: 4,
      falseDensity: 2 ** -26,
    });
    expect(compareSamples(wholeSample({ modulus: 1, fingerprints }), kept).shared).toBe(4);
  });
});
