import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { irreduciblePolynomial, isIrreducible } from '../../src/identity/polynomial.ts';
import { multiplyModulo } from '../support/core/reference.ts';
import { createPrng } from '../support/prng.ts';

const X_64 = 1n << 64n;
const prng = createPrng(64);
const random = (bits: number) => ((BigInt(prng.uint32()) << 32n) | BigInt(prng.uint32())) >> BigInt(64 - bits);

/** a · b over GF(2), nothing taken modulo. */
const multiply = (a: bigint, b: bigint) => multiplyModulo(a, b, 1n << 200n);

describe('the test of irreducibility', () => {
  it('passes polynomials of degree 64 that are known to be irreducible', () => {
    const { polynomials } = JSON.parse(
      readFileSync(new URL('../core/sketch/fixtures/rabin-vectors.json', import.meta.url), 'utf8'),
    ) as { polynomials: { polynomial: string }[] };
    const known = polynomials.map(({ polynomial }) => BigInt(polynomial)).filter((one) => one >= X_64);
    expect(known).toEqual([X_64 | 0x1bn]);
    for (const polynomial of [...known, X_64 | 0xad93_d235_94c9_35a9n])
      expect(isIrreducible(polynomial ^ X_64)).toBe(true);
  });

  it('fails every product, also of factors of one degree, of 32 and 32, and squares', () => {
    for (let i = 0; i < 300; i++) {
      const degree = i < 100 ? 32 : 1 + prng.below(32);
      const [a, b] = [(1n << BigInt(degree)) | random(degree), (1n << BigInt(64 - degree)) | random(64 - degree)];
      expect(isIrreducible(multiply(a, b) ^ X_64)).toBe(false);
      const half = (1n << 32n) | random(32);
      expect(isIrreducible(multiply(half, half) ^ X_64)).toBe(false);
    }
  });

  it('fails products of different irreducible factors of degree 32 and 16, which only the greatest common divisor shows', () => {
    const [a, b] = [0x1_04c1_1db7n, 0x1_0040_0007n];
    const [c, d] = [0x1_002dn, 0x1_100bn];
    expect(isIrreducible(multiply(a, b) ^ X_64)).toBe(false);
    expect(isIrreducible(multiply(a, multiply(c, d)) ^ X_64)).toBe(false);
  });

  it('passes one in 64 of all: the share that the necklace formula gives', () => {
    let passed = 0;
    for (let i = 0; i < 8000; i++) if (isIrreducible(random(64))) passed++;
    // mean 125, standard deviation 11.1
    expect(Math.abs(passed - 125)).toBeLessThan(45);
  });
});

describe('the choice of a polynomial', () => {
  it('is the first of the stream that is irreducible, with odd constant term and number of terms', () => {
    const asked: number[] = [];
    const low = irreduciblePolynomial((attempt) => {
      asked.push(attempt);
      return random(64);
    });
    expect(isIrreducible(low)).toBe(true);
    expect(asked).toEqual(asked.map((_, i) => i));
    expect(low & 1n).toBe(1n);
    expect(low.toString(2).replaceAll('0', '').length % 2).toBe(0);
    expect(irreduciblePolynomial(() => 0x1bn)).toBe(0x1bn);
    expect(irreduciblePolynomial(() => 0x19n)).toBe(0x1bn);
  });
});
