/*
 * Irreducible polynomials of degree 64 over GF(2), the moduli of Rabin fingerprints.
 *
 * A polynomial is a BigInt of 65 bits, bit i the coefficient of x^i; its top bit is left out where a "low part" is meant.
 * Rabin's test for degree 64 = 2^6:  P is irreducible  <=>  x^(2^64) = x (mod P)  and  gcd(x^(2^32) - x, P) = 1.
 * One odd polynomial in about 32 passes; a test costs 64 squarings, about 1 ms. Source: Rabin 1981, "Fingerprinting by
 * random polynomials"; Broder 1997, §3.
 */

const DEGREE = 64n;
const LEADING = 1n << DEGREE;
const X = 2n;

/**
 * The first irreducible polynomial of a stream of candidates.
 *
 * @param draw candidate low parts (64 bits) by attempt number; the constant term is set
 * @returns its low 64 coefficients
 */
export function irreduciblePolynomial(draw: (attempt: number) => bigint): bigint {
  for (let attempt = 0; ; attempt++) {
    const low = draw(attempt) | 1n;
    if (isIrreducible(low)) return low;
  }
}

/** Whether x^64 + low is irreducible over GF(2). */
export function isIrreducible(low: bigint): boolean {
  const modulus = LEADING | low;
  let power = X;
  for (let squaring = 1; squaring <= 64; squaring++) {
    power = remainder(square(power), modulus);
    if (squaring === 32 && greatestCommonDivisor(power ^ X, modulus) !== 1n) return false;
  }
  return power === X;
}

/** a² over GF(2): a zero bit between every two bits. */
function square(a: bigint): bigint {
  return BigInt(`0b${a.toString(2).split('').join('0')}`);
}

function remainder(a: bigint, modulus: bigint): bigint {
  const degree = bitLength(modulus);
  let rest = a;
  for (let length = bitLength(rest); length >= degree; length = bitLength(rest))
    rest ^= modulus << BigInt(length - degree);
  return rest;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [dividend, divisor] = [a, b];
  while (divisor !== 0n) [dividend, divisor] = [divisor, remainder(dividend, divisor)];
  return dividend;
}

function bitLength(a: bigint): number {
  return a === 0n ? 0 : a.toString(2).length;
}
