import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeCompared,
  decodeComparedSteps,
  decodeSample,
  decodeSampleSteps,
  encodeSample,
  encodeSampleSteps,
} from '../../../src/core/coding/sample-codec.ts';
import { runToEnd, STEP_VALUES } from '../../../src/core/memory/steps.ts';
import { type KeptSample, narrow, narrowBits, wholeSample } from '../../../src/core/sketch/narrow.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, type Prng } from '../../support/prng.ts';

const MODULI = Array.from({ length: 11 }, (_, exponent) => 2 ** exponent);

/** A sample as a record keeps it: whole where `exactModulus` is its modulus. */
function sampleOf(prng: Prng, count: number, modulus: number, bits: number, exactModulus: number): KeptSample {
  const fingerprints = new Float64Array(count);
  for (let i = 0; i < count; i++) fingerprints[i] = Math.floor(prng.fingerprint() / modulus) * modulus;
  if (exactModulus <= modulus) return wholeSample({ modulus, fingerprints: fingerprints.sort() });
  return narrow({ modulus, fingerprints }, bits, exactModulus);
}

/** What works in several steps come to, a step of each in turn. */
function sideBySide<T>(works: readonly Generator<undefined, T>[]): T[] {
  const results = works.map((steps) => steps.next());
  expect(results.map(({ done }) => done)).toEqual(works.map(() => false));
  while (results.some(({ done }) => done !== true)) {
    for (const [i, { done }] of results.entries()) if (done !== true) results[i] = works[i]!.next();
  }
  return results.map(({ value }) => value as T);
}

/** Equality of long arrays without a report of where they differ. */
function isSame(a: KeptSample | undefined, b: KeptSample): boolean {
  if (a === undefined) return false;
  const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array) => Buffer.from(buffer, byteOffset, byteLength);
  return (
    a.modulus === b.modulus &&
    a.bits === b.bits &&
    a.exactModulus === b.exactModulus &&
    bytesOf(a.values).equals(bytesOf(b.values)) &&
    bytesOf(a.exact).equals(bytesOf(b.exact))
  );
}

describe('the sample of a record', () => {
  it('is read back as it was written, at every size up to 600, many up to 5,000, and every modulus', () => {
    const prng = createPrng(1);
    for (let count = 0; count <= 5000; count += count < 600 ? 1 : 7) {
      const modulus = MODULI[count % 11]!;
      const exactModulus = Math.max(modulus, MODULI[Math.floor(count / 11) % 11]!);
      const sample = sampleOf(prng, count, modulus, 28 + (count % 13), exactModulus);
      if (!isSame(decodeSample(encodeSample(sample)), sample)) expect.fail(`${count} values: not what was written`);
    }
    for (const modulus of MODULI) {
      for (const exactModulus of MODULI) {
        for (const bits of [28, 33, 40]) {
          const sample = sampleOf(prng, 40, modulus, bits, exactModulus);
          expect(decodeSample(encodeSample(sample))).toEqual(sample);
        }
      }
    }
  });

  it('is read back where its values crowd or lie at the ends, as they do not in documents', () => {
    const value = fc.oneof(fc.nat({ max: 5 }), fc.maxSafeNat(), fc.constantFrom(2 ** 40 - 1, 2 ** 30, 2 ** 28 - 1));
    fc.assert(
      fc.property(
        fc.uniqueArray(
          value.map((number) => number % 2 ** 40),
          { maxLength: 60 },
        ),
        fc.integer({ min: 28, max: 40 }),
        fc.constantFrom(1, 2, 4, 1024),
        (numbers, bits, exactModulus) => {
          const sample = narrow({ modulus: 1, fingerprints: Float64Array.from(numbers).sort() }, bits, exactModulus);
          expect(decodeSample(encodeSample(sample))).toEqual(sample);
          const { modulus, bits: kept, values } = sample;
          for (const isKept of [true, false]) {
            expect(decodeCompared(encodeSample(sample), isKept)).toEqual({ modulus, bits: kept, values });
          }
        },
      ),
      draws(250, 1997),
    );
  });

  it('of megabytes is written and read in steps, beside others, and comes to the same', () => {
    const prng = createPrng(6);
    const samples = [0, 1].map((more) => sampleOf(prng, 3 * STEP_VALUES + more, 1, 36, 4));
    const encoded = samples.map((sample) => Buffer.from(encodeSample({ ...sample })));
    sideBySide(samples.map(encodeSampleSteps));
    expect(samples.map((sample, i) => encoded[i]!.equals(encodeSample(sample)))).toEqual([true, true]);
    const whole = sideBySide(encoded.map((bytes) => decodeSampleSteps(bytes)));
    expect(samples.map((sample, i) => isSame(whole[i], sample))).toEqual([true, true]);
    const compared = sideBySide(encoded.map((bytes) => decodeComparedSteps(bytes)));
    expect(samples.map((sample, i) => isSame({ ...sample, ...compared[i] }, sample))).toEqual([true, true]);
    for (const end of [7, 100_000, encoded[0]!.length - 1]) {
      expect(runToEnd(decodeSampleSteps(encoded[0]!.subarray(0, end)))).toBeUndefined();
    }
    expect(runToEnd(decodeComparedSteps(encoded[0]!.subarray(0, 100_000)))).toBeUndefined();
  });

  it('is read from the middle of other bytes, and keeps nothing of them', () => {
    const sample = sampleOf(createPrng(2), 300, 1, 30, 4);
    const encoded = encodeSample(sample);
    const around = new Uint8Array(encoded.length + 7).fill(255);
    around.set(encoded, 3);
    const decoded = decodeSample(around.subarray(3, 3 + encoded.length));
    around.fill(0);
    expect(decodeSample(encodeSample(sampleOf(createPrng(3), 300, 1, 30, 4)))).not.toEqual(sample);
    expect(decoded).toEqual(sample);
  });

  it('takes about three bytes a value, and what its entropy makes necessary where all are known to 40 bits', () => {
    const prng = createPrng(4);
    for (const [shingles, modulus, exactModulus, most] of [
      [60, 1, 1, 4.72],
      [140, 1, 2, 3.64],
      [336, 1, 4, 3.25],
      [500, 1, 8, 3.02],
      [1000, 2, 8, 3.15],
      [40_000, 4, 8, 3.3],
    ] as const) {
      const count = shingles / modulus;
      const samples = Array.from({ length: 40 }, () =>
        sampleOf(prng, count, modulus, narrowBits(shingles), exactModulus),
      );
      const bytes = samples.reduce((sum, sample) => sum + encodeSample(sample).length, 0);
      expect(bytes / (count * samples.length)).toBeLessThan(most);
    }
  });
});

/** Bytes that are no sample's, or a sample that holds what any does. */
function isSound(sample: KeptSample | undefined): boolean {
  if (sample === undefined) return true;
  const { modulus, bits, values, exactModulus, exact } = sample;
  const low = values.filter((value) => value % exactModulus === 0);
  return (
    modulus <= exactModulus &&
    values.every((value, i) => value % modulus === 0 && value < 2 ** bits && value >= (values[i - 1] ?? 0)) &&
    exact.length === low.length &&
    exact.every((fingerprint, i) => fingerprint % 2 ** bits === low[i] && fingerprint < 2 ** 40)
  );
}

describe('bytes of another form', () => {
  const sample = sampleOf(createPrng(5), 200, 2, 29, 8);
  const encoded = encodeSample(sample);

  it('are refused where any were cut off or added', () => {
    for (const [count, modulus, exactModulus] of [
      [0, 1, 1],
      [1, 1, 1],
      [30, 1, 1],
      [30, 1, 4],
      [100, 4, 4],
      [200, 2, 8],
    ] as const) {
      const bytes = encodeSample(sampleOf(createPrng(count), count, modulus, 29, exactModulus));
      for (let end = 0; end < bytes.length; end++) expect(decodeSample(bytes.subarray(0, end))).toBeUndefined();
      for (const byte of [0, 1, 255]) expect(decodeSample(Uint8Array.of(...bytes, byte))).toBeUndefined();
    }
  });

  it('are refused where the head says what cannot be', () => {
    for (const [at, byte] of [
      [0, 4],
      [0, 31],
      [1, 31],
      [1, 0],
      [2, 27],
      [2, 41],
      [3, 41],
      [3, 255],
      [7, 255],
    ] as const) {
      const bytes = encoded.slice();
      bytes[at] = byte;
      expect(decodeSample(bytes)).toBeUndefined();
    }
  });

  it('are refused where values lie beyond their bits, moduli do not fit, or steps do not end', () => {
    const crowded = narrow({ modulus: 1, fingerprints: Float64Array.of(3, 2 ** 39 + 1) }, 40, 1024);
    const beyond = encodeSample(crowded);
    expect(decodeSample(beyond)).toEqual(crowded);
    beyond[2] = 28;
    expect(decodeSample(beyond)).toBeUndefined();
    const coarse = encodeSample(wholeSample({ modulus: 4, fingerprints: Float64Array.of(4, 8) }));
    coarse[1] = 1;
    expect(decodeSample(coarse)).toBeUndefined();
    // memory that was used before is all zeros then
    expect(decodeSample(new Uint8Array(32_000))).toBeUndefined();
    const endless = Uint8Array.of(0, 0, 40, 0, 8, 0, 0, 0, 0);
    expect(decodeSample(endless)).toBeUndefined();
  });

  it('are refused or make a sample like any other, whatever they are', () => {
    fc.assert(
      fc.property(fc.nat({ max: 8 * encoded.length - 1 }), fc.uint8Array({ maxLength: 60 }), (bit, noise) => {
        const flipped = encoded.slice();
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        expect(isSound(decodeSample(flipped))).toBe(true);
        expect(isSound(decodeSample(noise))).toBe(true);
        const head = Uint8Array.of(
          noise[0]! % 3,
          2,
          28 + ((noise[1] ?? 0) % 13),
          (noise[2] ?? 0) % 30,
          noise.length,
          0,
          0,
          0,
        );
        expect(isSound(decodeSample(Uint8Array.of(...head, ...noise)))).toBe(true);
        noise.fill(0);
        expect(isSound(decodeSample(Uint8Array.of(...head, ...noise)))).toBe(true);
      }),
      draws(500, 1997),
    );
  });
});
