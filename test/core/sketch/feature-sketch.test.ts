import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFeatureSet, type FeatureSet } from '../../../src/core/sketch/feature-set.ts';
import { createFeatureSketcher } from '../../../src/core/sketch/feature-sketch.ts';
import { createPermutationKey, permute } from '../../../src/core/sketch/permutation.ts';
import { createSketcher, type Sketch } from '../../../src/core/sketch/sketch.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { intersectionSize, rabinBitByBit } from '../../support/core/reference.ts';

const IDENTITY = deriveIdentity(new Uint8Array(32).fill(3), 1);
const { polynomial } = IDENTITY.fingerprint;
const sketch = createFeatureSketcher(polynomial, IDENTITY.featureMixing);
const sketchOf = (features: readonly string[], modulusMax = 1) => sketch(createFeatureSet(features), modulusMax, 1e6);

/** Few strings, so that they repeat; with what is hard: none at all, NULs at the end, more than a word, more than one byte. */
const feature = fc.oneof(
  fc.constantFrom('', '\0', '\0\0', 'a', 'a\0', 'b', ' ', 'a b', 'éa', 'e\u0301a', 'A', '12345678', '123456789'),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const features = fc.array(feature, { maxLength: 40 });

/** The strings in canonical bytes, read back the slow way. */
function stringsIn({ bytes }: FeatureSet): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Number(Buffer.from(bytes.subarray(at, at + 8)).readBigUInt64LE());
    found.push(Buffer.from(bytes.subarray(at + 8, at + 8 + length)).toString());
    at += 8 + length;
  }
  return found;
}

const valuesOf = ({ whole }: Sketch) =>
  new Set(
    Array.from({ length: whole!.length / 2 }, (_, i) => (BigInt(whole![2 * i + 1]!) << 32n) | BigInt(whole![2 * i]!)),
  );

describe('the canonical bytes of a set of features', () => {
  it('are its strings, each once, in one order', () => {
    fc.assert(
      fc.property(features, (list) => {
        const set = createFeatureSet(list);
        expect(stringsIn(set)).toEqual([...new Set(list)].sort());
        expect(set.count).toBe(new Set(list).size);
      }),
    );
  });

  it('are equal where the sets are, and nowhere else', () => {
    fc.assert(
      fc.property(features, features, fc.boolean(), (one, other, isSame) => {
        const second = isSame ? [...one, ...one].reverse() : other;
        const isEqual = Buffer.compare(createFeatureSet(one).bytes, createFeatureSet(second).bytes) === 0;
        expect(isEqual).toBe(new Set(one).symmetricDifference(new Set(second)).size === 0);
      }),
    );
  });
});

describe('the sketch of a set of features', () => {
  it('has a value for each string: what two sets share is what their values share', () => {
    fc.assert(
      fc.property(features, features, (one, other) => {
        const [a, b] = [sketchOf(one), sketchOf(other)];
        expect(a.shingleCount).toBe(new Set(one).size);
        expect(intersectionSize(valuesOf(a), valuesOf(b))).toBe(intersectionSize(new Set(one), new Set(other)));
        expect(a.sample.fingerprints.length).toBe(a.shingleCount);
      }),
    );
  });

  it('is the same for the same set, in whatever order and however often', () => {
    fc.assert(
      fc.property(features, (list) => {
        const { whole: _, ...same } = sketchOf(list);
        expect(sketchOf([...list, ...list].reverse())).toMatchObject(same);
      }),
    );
  });

  it('keeps of large sets the sample that a text of so many shingles keeps', () => {
    const list = Array.from({ length: 5000 }, (_, i) => String(i));
    const [whole, kept] = [sketchOf(list), sketchOf(list, 4)];
    expect(whole.shingleCount).toBe(5000);
    expect(kept.sample.modulus).toBe(4);
    expect([...kept.sample.fingerprints]).toEqual([...whole.sample.fingerprints].filter((one) => one % 4 === 0));
    // consecutive numbers, the worst that a linear fingerprint can be given: six standard errors of a fair sample
    expect(Math.abs(kept.sample.fingerprints.length - 1250)).toBeLessThan(6 * Math.sqrt(5000 * 0.25 * 0.75));
  });

  it('has the Rabin fingerprint of length and bytes, permuted twice', () => {
    const modulus = (1n << 64n) | (BigInt(polynomial[0]) << 32n) | BigInt(polynomial[1]);
    const keys = [0, 8].map((from) => createPermutationKey(IDENTITY.featureMixing.slice(from, from + 8)));
    fc.assert(
      fc.property(features, (list) => {
        const expected = [...new Set(list)].map((one) => {
          const { bytes } = createFeatureSet([one]);
          // words of eight bytes, little-endian, the last one filled up with zeros
          const words = Buffer.alloc(8 * Math.ceil(bytes.length / 8));
          words.set(bytes);
          for (let at = 0; at < words.length; at += 8) words.subarray(at, at + 8).reverse();
          const value = rabinBitByBit(words, modulus);
          const [low, high] = [Int32Array.of(Number(value & 0xffff_ffffn)), Int32Array.of(Number(value >> 32n))];
          for (const key of keys) permute(key, low, high, 0, 1);
          return (BigInt(high[0]! >>> 0) << 32n) | BigInt(low[0]! >>> 0);
        });
        expect(valuesOf(sketchOf(list))).toEqual(new Set(expected));
      }),
    );
  });

  it('shares nothing with texts of the same words or shingles', () => {
    const words = Array.from({ length: 2000 }, (_, i) => `w${i}`);
    const text = createSketcher(IDENTITY.fingerprint).sketch(Buffer.from(words.join(' ')), 1, undefined, 1e6);
    expect(text.shingleCount).toBe(2000);
    expect(intersectionSize(valuesOf(text), valuesOf(sketchOf(words)))).toBe(0);
    expect(sketchOf(words).tokenCount).toBe(0);
    expect(sketchOf([]).shingleCount).toBe(0);
  });

  it('forgets what it was given before, also where that failed', () => {
    const before = sketchOf(['a', 'b']);
    expect(() => sketch({ count: 1, bytes: Uint8Array.of(255, 255, 255, 0, 0, 0, 0, 0) }, 1)).toThrow();
    expect(sketchOf(['b', 'a'])).toMatchObject({ shingleCount: 2, shingleSum: before.shingleSum });
  });

  it('refuses other constants than 16', () => {
    expect(() => createFeatureSketcher(polynomial, [1, 2])).toThrow(RangeError);
  });
});
