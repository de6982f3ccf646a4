import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createField, fingerprintTokens, multiplesOf } from '../../../src/core/sketch/rabin.ts';
import { multiplyModulo, powerOfX, rabinBitByBit } from '../../support/core/reference.ts';
import { draws } from '../../support/draws.ts';

interface Vectors {
  readonly polynomials: readonly {
    readonly polynomial: string;
    readonly vectors: readonly [string, string, string][];
  }[];
}
const { polynomials }: Vectors = JSON.parse(
  readFileSync(new URL('fixtures/rabin-vectors.json', import.meta.url), 'utf8'),
);
const IRREDUCIBLE = 0x1_0000_0000_0000_001bn;
const OTHER = 0x1_ec7a_b1f8_c647_b861n;

const bigint = (low: number, high: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
const halves = (polynomial: bigint): [number, number] => [
  Number((polynomial >> 32n) & 0xffff_ffffn),
  Number(polynomial & 0xffff_ffffn),
];

/** The fingerprints of tokens by the code under test. */
function fingerprints(polynomial: bigint, tokens: readonly Uint8Array[]): bigint[] {
  const bytes = new Uint8Array(tokens.reduce((sum, { length }) => sum + length + 1, 64)).fill(0x20);
  const edges = new Int32Array(2 * tokens.length);
  let at = 0;
  for (const [i, token] of tokens.entries()) {
    bytes.set(token, at);
    edges.set([at, at + token.length], 2 * i);
    at += token.length + 1;
  }
  const low = new Int32Array(tokens.length + 3);
  const high = new Int32Array(tokens.length + 3);
  const canonical = { bytes, view: new DataView(bytes.buffer), length: at };
  fingerprintTokens(
    createField(halves(polynomial)),
    canonical,
    { count: tokens.length, edges, open: false },
    low,
    high,
    3,
  );
  return tokens.map((_, i) => bigint(low[3 + i]!, high[3 + i]!));
}

/** The same polynomial as little-endian words: filled up in front with zeros, bytes of each word turned round. */
function asWords(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(message.length / 8) * 8);
  padded.set(message, padded.length - message.length);
  for (let word = 0; word < padded.length; word += 8) padded.subarray(word, word + 8).reverse();
  return padded;
}

/** W0 x^(64(k-1)) + … + W(k-1) mod P of a token's little-endian words, the last one filled up with zeros. */
function byDefinition(token: Uint8Array, polynomial: bigint): bigint {
  const padded = new Uint8Array(Math.ceil(token.length / 8) * 8);
  padded.set(token);
  for (let word = 0; word < padded.length; word += 8) padded.subarray(word, word + 8).reverse();
  return rabinBitByBit(padded, polynomial);
}

describe('the bit-by-bit oracle', () => {
  it('agrees with fingerprints computed elsewhere, for five polynomials of degree 40 to 64', () => {
    expect(polynomials.map(({ polynomial }) => BigInt(polynomial).toString(2).length - 1).sort()).toEqual([
      40, 40, 53, 61, 64,
    ]);
    for (const { polynomial, vectors } of polynomials) {
      expect(vectors.length).toBeGreaterThan(5);
      for (const [message, plain, withOne] of vectors) {
        const bytes = Buffer.from(message, 'hex');
        expect(rabinBitByBit(bytes, BigInt(polynomial))).toBe(BigInt(`0x${plain}`));
        expect(rabinBitByBit(Uint8Array.of(1, ...bytes), BigInt(polynomial))).toBe(BigInt(`0x${withOne}`));
      }
    }
  });
});

describe('the Rabin fingerprint of a token', () => {
  it('is that of the published vectors of degree 64, read as words', () => {
    const { vectors } = polynomials.find(({ polynomial }) => BigInt(polynomial) === IRREDUCIBLE)!;
    const tokens = vectors.map(([message]) => asWords(Buffer.from(message, 'hex')));
    expect(fingerprints(IRREDUCIBLE, tokens)).toEqual(vectors.map(([, plain]) => BigInt(`0x${plain}`)));
  });

  it('is the remainder of its words for tokens of every length, in whatever company', () => {
    const token = fc.uint8Array({ min: 1, minLength: 1, maxLength: 70 });
    fc.assert(
      fc.property(
        fc.array(token, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(IRREDUCIBLE, OTHER),
        (tokens, polynomial) => {
          expect(fingerprints(polynomial, tokens)).toEqual(tokens.map((one) => byDefinition(one, polynomial)));
        },
      ),
      draws(100, 1981),
    );
  });

  it('is the token itself up to 8 bytes, so that no two of them meet', () => {
    const tokens = ['a', 'ab', 'b', 'ba', 'abcdefgh', 'été', '東京'].map((text) => Buffer.from(text));
    expect(fingerprints(OTHER, tokens)).toEqual(
      tokens.map((token) => BigInt(`0x${Buffer.from(token).reverse().toString('hex')}`)),
    );
  });

  it('is linear: that of a XOR b is that of a XOR that of b', () => {
    const pair = fc.integer({ min: 1, max: 40 }).chain((length) => {
      const bytes = fc.uint8Array({ minLength: length, maxLength: length });
      return fc.tuple(bytes, bytes);
    });
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const both = a.map((byte, i) => byte ^ b[i]!);
        const [ofA, ofB, ofBoth] = fingerprints(OTHER, [a, b, both]);
        expect(ofBoth).toBe(ofA! ^ ofB!);
      }),
      draws(50, 1981),
    );
  });
});

describe('multiples of a power of x', () => {
  it('are the products modulo P, for every value of so many bits', () => {
    for (const [degree, bits] of [
      [64, 0],
      [64, 1],
      [64, 8],
      [70, 5],
      [120, 8],
      [80, 16],
    ] as const) {
      const multiples = multiplesOf(createField(halves(OTHER)), degree, bits);
      expect(multiples.length).toBe(2 ** (bits + 1));
      const power = powerOfX(degree, OTHER);
      for (let v = 0; v < 2 ** bits; v += bits > 10 ? 997 : 1)
        expect(bigint(multiples[2 * v]!, multiples[2 * v + 1]!)).toBe(multiplyModulo(power, BigInt(v), OTHER));
    }
  });
});
