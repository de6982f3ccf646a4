import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeValues, encodeValues } from '../../../src/core/coding/values-codec.ts';
import { compareSamples } from '../../../src/core/compare/sample-comparer.ts';
import { modulusFor } from '../../../src/core/sketch/modulus.ts';
import { narrow, narrowBits, wholeSample } from '../../../src/core/sketch/narrow.ts';
import { versionSketch } from '../../../src/core/sketch/version-sketch.ts';
import { draws } from '../../support/draws.ts';
import { createPrng } from '../../support/prng.ts';

const prng = createPrng(8);
const fingerprints = (count: number) =>
  Float64Array.from(new Set(Array.from({ length: count }, () => prng.fingerprint()))).sort();

/** As a record keeps it: at m(n; 4, 256), a part of it by fewer bits. */
function recordOf(all: Float64Array) {
  const modulus = modulusFor(all.length, 4, 256);
  const sample = { modulus, fingerprints: all.filter((value) => value % modulus === 0) };
  return narrow(sample, narrowBits(all.length), 8);
}

describe('a version sketch', () => {
  it.each([
    [0, 1, 26],
    [7, 1, 26],
    [255, 1, 26],
    [256, 2, 18],
    [1000, 4, 18],
    [5000, 32, 21],
    [100_000, 512, 25],
  ])('of %i shingles is at modulus %i, by %i bits', (count, modulus, bits) => {
    const all = fingerprints(count);
    const sketch = versionSketch(recordOf(all), all.length, 1);
    expect(sketch).toMatchObject({ shingleCount: all.length, setKey: 1, modulus, bits });
    const expected = [...all].filter((value) => value % modulus === 0).map((value) => value % 2 ** bits);
    expect([...sketch.values]).toEqual(expected.sort((a, b) => a - b));
    if (count > 255) expect(Math.abs(sketch.values.length - all.length / modulus)).toBeLessThan(60);
    // it follows from the content, however much of it is known
    expect(versionSketch(wholeSample({ modulus: 1, fingerprints: all }), all.length, 1)).toEqual(sketch);
  });

  it('tells what two of any sizes share', () => {
    for (const [sizeA, sizeB] of [
      [200, 200],
      [200, 3000],
      [900, 1000],
      [6000, 700],
    ] as const) {
      const all = fingerprints(sizeA + sizeB);
      const [a, b] = [all.filter((_, i) => i % 3 !== 0), all.filter((_, i) => i % 3 !== 1)];
      const counts = compareSamples(versionSketch(recordOf(a), a.length, 1), versionSketch(recordOf(b), b.length, 2));
      const inBoth = counts.shared * counts.modulus;
      const exact = all.filter((_, i) => i % 3 === 2).length;
      expect(Math.abs(inBoth - exact) / exact).toBeLessThan(0.35);
      if (counts.modulus === 1) expect(inBoth).toBe(exact);
    }
  });

  it('is read back as it was written, and nothing else is read', () => {
    fc.assert(
      fc.property(fc.nat({ max: 3000 }), (count) => {
        const { modulus, bits, values } = versionSketch(recordOf(fingerprints(count)), count, 1);
        const bytes = Uint8Array.from(encodeValues({ modulus, bits, values }));
        expect(decodeValues(bytes)).toEqual({ modulus, bits, values });
        if (count > 100) expect(bytes.length).toBeLessThan(4 * values.length);
        expect(decodeValues(bytes.subarray(0, -1))).toBeUndefined();
        expect(decodeValues(Uint8Array.from([...bytes, 0]))).toBeUndefined();
      }),
      { seed: 4, numRuns: 50 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const read = decodeValues(bytes);
        if (read !== undefined) expect([...encodeValues(read)]).toHaveLength(bytes.length);
      }),
      draws(500, 4),
    );
  });
});
