import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeValues, encodeValues } from '../../../src/core/coding/values-codec.ts';
import { compareSamples } from '../../../src/core/compare/sample-comparer.ts';
import { keptSample } from '../../../src/core/query/record-sample.ts';
import { bitsOf, isMarked } from '../../../src/core/sketch/main-marks.ts';
import { modulusFor, RECORD_SHINGLES_LEAST } from '../../../src/core/sketch/modulus.ts';
import { versionSketch } from '../../../src/core/sketch/version-sketch.ts';
import { draws } from '../../support/draws.ts';
import { createPrng } from '../../support/prng.ts';

const prng = createPrng(8);
const fingerprints = (count: number) =>
  Float64Array.from(new Set(Array.from({ length: count }, () => prng.fingerprint()))).sort();

/** As a record keeps it: at m(n; 4, 512), a part of it by fewer bits. */
function recordOf(all: Float64Array) {
  const modulus = modulusFor(all.length, 4, RECORD_SHINGLES_LEAST);
  const sample = { modulus, fingerprints: all.filter((value) => value % modulus === 0) };
  return keptSample(sample, all.length, 8);
}

const keysOf = (shingleCount: number, setKey: number) => ({ shingleCount, setKey, wordsKey: 0 });

describe('a version sketch', () => {
  it.each([
    [0, 1, 26],
    [63, 1, 26],
    [64, 1, 16],
    [255, 1, 17],
    [256, 2, 17],
    [1000, 4, 18],
    [5000, 32, 21],
    [100_000, 512, 25],
  ])('of %i shingles is at modulus %i, by %i bits', (count, modulus, bits) => {
    const all = fingerprints(count);
    const sketch = versionSketch(recordOf(all), null, keysOf(all.length, 1));
    expect(sketch).toMatchObject({ shingleCount: all.length, setKey: 1, modulus, bits });
    const expected = [...all].filter((value) => value % modulus === 0).map((value) => value % 2 ** bits);
    expect([...sketch.values]).toEqual(expected.sort((a, b) => a - b));
    if (count > 255) expect(Math.abs(sketch.values.length - all.length / modulus)).toBeLessThan(60);
    // it follows from the content, however coarse its record is
    const finest = keptSample({ modulus: 1, fingerprints: all }, all.length, 8);
    expect(versionSketch(finest, null, keysOf(all.length, 1))).toEqual(sketch);
  });

  it('keeps which of its values are main', () => {
    const all = fingerprints(900);
    const isMain = (value: number) => value % 3 === 0;
    const record = recordOf(all);
    // all of them are known to 40 bits here: e is 4
    const bits = bitsOf(record.values, record.values.filter(isMain));
    const sketch = versionSketch(record, { shingleCount: 300, bits }, keysOf(all.length, 1));
    expect(sketch).toMatchObject({
      ...versionSketch(record, null, keysOf(all.length, 1)),
      main: { shingleCount: 300 },
    });
    const kept = [...record.values].filter((value) => value % sketch.modulus === 0);
    const expected = kept.map((value) => [value % 2 ** sketch.bits, isMain(value)] as const);
    const { main } = sketch;
    if (main === null || main === 'not-read') throw new Error('nothing is told of its main text');
    const told = Array.from(sketch.values, (value, i) => [value, isMarked(main, i)] as const);
    expect(told).toEqual(expected.sort(([a, isA], [b, isB]) => a - b || Number(isA) - Number(isB)));
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
      const counts = compareSamples(
        versionSketch(recordOf(a), null, keysOf(a.length, 1)),
        versionSketch(recordOf(b), null, keysOf(b.length, 2)),
      );
      const inBoth = counts.shared * counts.modulus;
      const exact = all.filter((_, i) => i % 3 === 2).length;
      expect(Math.abs(inBoth - exact) / exact).toBeLessThan(0.35);
      if (counts.modulus === 1) expect(inBoth).toBe(exact);
    }
  });

  it('is read back as it was written, and nothing else is read', () => {
    fc.assert(
      fc.property(fc.nat({ max: 3000 }), (count) => {
        const { modulus, bits, values } = versionSketch(recordOf(fingerprints(count)), null, keysOf(count, 1));
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
