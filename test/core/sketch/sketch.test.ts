import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coarsen } from '../../../src/core/sketch/modulus.ts';
import { createSketcher, type Sketch } from '../../../src/core/sketch/sketch.ts';
import { BLOCK_BYTES } from '../../../src/core/text/tokens.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { canonicalTextBy, canonicalTokens } from '../../support/core/canonical-text.ts';
import {
  intersectionSize,
  referenceSequence,
  referenceShingles,
  referenceTokens,
} from '../../support/core/reference.ts';
import { draws } from '../../support/draws.ts';
import { createPrng } from '../../support/prng.ts';

const parametersOf = (shingleSize: number) => deriveIdentity(new Uint8Array(32).fill(3), shingleSize).fingerprint;
const sketchers = Array.from({ length: 33 }, (_, size) => (size === 0 ? null : createSketcher(parametersOf(size))));
const sketch = (text: string, shingleSize = 7, modulusMax = 1): Sketch =>
  sketchers[shingleSize]!.sketch(Buffer.from(text.toWellFormed()), modulusMax);
const canonicalTextIn = (text: string, shingleSize = 7) =>
  canonicalTextBy(sketchers[shingleSize]!, Buffer.from(text.toWellFormed()));
const valuesOf = (one: Sketch) => new Set(one.sample.fingerprints);

describe('the rose example', () => {
  const A = 'a rose is a rose is a rose';
  const B = 'a rose is a flower which is a rose';

  it.each([
    { w: 1, a: 3, b: 5, shared: 3, union: 5, r: 0.6 },
    { w: 2, a: 3, b: 6, shared: 3, union: 6, r: 0.5 },
    { w: 3, a: 3, b: 7, shared: 3, union: 7, r: 0.42857142857142855 },
  ])('holds for w = $w: r = $shared/$union', ({ w, a, b, shared, union, r }) => {
    const [ofA, ofB] = [sketch(A, w), sketch(B, w)];
    expect([ofA.tokenCount, ofB.tokenCount]).toEqual([8, 9]);
    expect([ofA.shingleCount, ofB.shingleCount]).toEqual([a, b]);
    const found = intersectionSize(valuesOf(ofA), valuesOf(ofB));
    expect(found).toBe(shared);
    expect(new Set([...valuesOf(ofA), ...valuesOf(ofB)]).size).toBe(union);
    expect(found / union).toBe(r);
  });

  it('has the three 4-shingles of the paper', () => {
    expect(sketch(A, 4).shingleCount).toBe(3);
    expect(valuesOf(sketch(A, 4))).toEqual(
      new Set(
        ['a rose is a', 'rose is a rose', 'is a rose is'].flatMap((shingle) => [...valuesOf(sketch(shingle, 4))]),
      ),
    );
  });
});

describe('the sketch of a text', () => {
  it('tells apart exactly the shingles that strings tell apart: all texts over {a, b} of up to 8 tokens', () => {
    const texts = Array.from({ length: 9 }, (_, length) =>
      Array.from({ length: 2 ** length }, (__, bits) =>
        Array.from({ length }, (___, i) => ((bits >> i) & 1 ? 'b' : 'a')),
      ),
    ).flat();
    for (const shingleSize of [1, 2, 3, 5, 7, 9]) {
      const fingerprintOf = new Map<string, number>();
      const shingleOf = new Map<number, string>();
      for (const tokens of texts) {
        const shingles = referenceSequence(tokens, shingleSize);
        const { fingerprints } = sketchers[shingleSize]!.sequence(Buffer.from(tokens.join(' ')));
        expect(fingerprints.length).toBe(shingles.length);
        expect(sketch(tokens.join(' '), shingleSize).shingleCount).toBe(new Set(shingles).size);
        for (const [i, shingle] of shingles.entries()) {
          expect(fingerprintOf.get(shingle) ?? fingerprints[i]).toBe(fingerprints[i]);
          expect(shingleOf.get(fingerprints[i]!) ?? shingle).toBe(shingle);
          fingerprintOf.set(shingle, fingerprints[i]!);
          shingleOf.set(fingerprints[i]!, shingle);
        }
      }
    }
  });

  it('counts and shares what Sets of strings count and share', () => {
    const words = [
      'a',
      'b',
      'rose',
      'is',
      'naïve',
      'fingerprinting',
      '東京都',
      'การ',
      'ÉTÉ',
      'e\u0301te\u0301',
      'x'.repeat(17),
    ];
    const texts = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((chosen) => chosen.join(', '));
    fc.assert(
      fc.property(texts, texts, fc.integer({ min: 1, max: 12 }), (a, b, w) => {
        const [setA, setB] = [a, b].map((text) => referenceShingles(referenceTokens(text), w));
        const [ofA, ofB] = [sketch(a, w), sketch(b, w)];
        expect([ofA.shingleCount, ofB.shingleCount]).toEqual([setA!.size, setB!.size]);
        expect(intersectionSize(valuesOf(ofA), valuesOf(ofB))).toBe(intersectionSize(setA!, setB!));
        const equal = setA!.size === setB!.size && intersectionSize(setA!, setB!) === setA!.size;
        expect(ofA.shingleSum.join() === ofB.shingleSum.join()).toBe(equal);
        expect(canonicalTextIn(a, w).equals(canonicalTextIn(b, w))).toBe(
          referenceTokens(a).join(' ') === referenceTokens(b).join(' '),
        );
      }),
      draws(375, 1997),
    );
  });

  it('is empty where there are no tokens', () => {
    for (const text of ['', ' \n', '…', '\0'.repeat(9000)]) {
      const { tokenCount, shingleCount, sample, shingleSum } = sketch(text);
      expect([tokenCount, shingleCount, sample.modulus, sample.fingerprints.length]).toEqual([0, 0, 1, 0]);
      expect(canonicalTextIn(text).length).toBe(0);
      expect([...shingleSum]).toEqual([0, 0, 0, 0]);
    }
  });

  it('has one shingle for 1 to w tokens, and it is another for each number of them', () => {
    for (const w of [2, 7, 32]) {
      const seen = new Set<number>();
      for (let count = 1; count <= w + 1; count++) {
        const one = sketch(`${'a '.repeat(count)}${' '.repeat(2 * BLOCK_BYTES)}`, w);
        expect([one.tokenCount, one.shingleCount]).toEqual([count, 1]);
        seen.add(one.sample.fingerprints[0]!);
      }
      // w and w + 1 times the same token are one and the same set
      expect(seen.size).toBe(w);
    }
  });

  it('holds nested samples: V_2m is the part of V_m that 2m divides', () => {
    const prng = createPrng(64);
    for (const tokens of [40, 300, 700, 3000, 90_000]) {
      const text = Array.from({ length: tokens }, () => prng.below(5000)).join(' ');
      const whole = sketch(text, 7, 1);
      expect(whole.sample).toMatchObject({ modulus: 1 });
      expect(whole.sample.fingerprints.length).toBeGreaterThan(whole.shingleCount - 3);
      for (const modulusMax of [2, 4, 256]) {
        const part = sketch(text, 7, modulusMax);
        expect(part.sample).toEqual(coarsen(whole.sample, part.sample.modulus));
        expect({ ...part, sample: null }).toEqual({ ...whole, sample: null });
      }
    }
  });

  it('gives its tokens as canonical text, each followed by a space', () => {
    const text = ' A rose, is. Fingerprinting-characteristically 東京都 ';
    expect(canonicalTextIn(text).toString()).toBe(
      canonicalTokens(Buffer.from(text))
        .map((token) => `${token} `)
        .join(''),
    );
  });

  it('finds tokens alike wherever a block ends', () => {
    const words = ['a', 'bb', 'fingerprint', 'x'.repeat(70), 'y'.repeat(9000), 'ж'.repeat(2048)];
    for (let offset = BLOCK_BYTES - 100; offset < BLOCK_BYTES + 10; offset++) {
      const text = `${' '.repeat(offset)}${words.join(' ')} ${words.join('.')}`;
      const one = sketch(text, 3);
      expect(canonicalTextIn(text, 3).toString()).toBe(`${words.join(' ')} ${words.join(' ')} `);
      expect([one.tokenCount, one.shingleCount]).toEqual([12, 6]);
    }
  });

  it('does not depend on what was sketched before, and leaves its input alone', () => {
    const fresh = () => createSketcher(parametersOf(7));
    const small = Buffer.from('the quick brown fox jumps over the lazy dog again and again');
    const copy = Buffer.from(small);
    const huge = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i).join(' '));
    const used = fresh();
    const before = used.sketch(small, 4);
    used.sequence(huge);
    expect(used.sketch(huge, 4)).toEqual(fresh().sketch(huge, 4));
    expect(used.sketch(small, 4)).toEqual(before);
    expect(small).toEqual(copy);
  });

  it('has no two of a million distinct shingles with one fingerprint', () => {
    const count = 1_000_006;
    const one = sketch(Array.from({ length: count }, (_, i) => i.toString(36)).join(' '));
    expect([one.tokenCount, one.shingleCount]).toEqual([count, count - 6]);
    // of 10^12 / 2 pairs, one in 2^40 agrees in the 40 bits that are stored: .45 expected
    expect(one.sample.fingerprints.length).toBeGreaterThan(count - 6 - 6);
  });

  it('takes hostile texts of megabytes, and their n is exact', () => {
    expect(sketch('a'.repeat(5_000_000)).tokenCount).toBe(1);
    expect(sketch('a '.repeat(2_000_000)).shingleCount).toBe(1);
    expect(sketch('東'.repeat(1_000_000)).tokenCount).toBe(999_999);
    expect(canonicalTextIn(`a${'\u0301'.repeat(1_000_000)}`).length).toBe(2 + 29 * 2 + 1);
    const invalid = sketchers[7]!.sketch(new Uint8Array(3_000_000).fill(0xff), 1);
    expect(invalid.tokenCount).toBe(0);
  });

  it('is another under another key', () => {
    const other = createSketcher(deriveIdentity(new Uint8Array(32).fill(4), 1).fingerprint);
    const text = Buffer.from(Array.from({ length: 1000 }, (_, i) => i).join(' '));
    const values = new Set(sketchers[1]!.sketch(text, 1).sample.fingerprints);
    expect(intersectionSize(values, new Set(other.sketch(text, 1).sample.fingerprints))).toBe(0);
  });
});

describe('parameters', () => {
  it('are refused where they are not what they must be', () => {
    const good = parametersOf(7);
    for (const bad of [
      { shingleSize: 0 },
      { shingleSize: 33 },
      { shingleSize: 2.5 },
      { mixing: [1, 2] },
      { polynomial: [1, 2] as const },
    ])
      expect(() => createSketcher({ ...good, ...bad })).toThrow(RangeError);
  });
});
