/*
 * Irreducible polynomials of degree 64 over GF(2), the moduli of Rabin fingerprints.
 *
 * A polynomial is a BigInt, bit i the coefficient of x^i; where a "low part" is meant, x^64 is left out.
 * Rabin's test for degree 64 = 2^6:  P is irreducible  <=>  x^(2^64) = x (mod P)  and  gcd(x^(2^32) - x, P) = 1.
 * Source: Rabin 1981, "Fingerprinting by random polynomials"; Broder 1997, §3.
 *
 * A square is linear over GF(2): the sum of the squares x^(2i) of its terms, so 64 squarings are 64 times 64 XORs of halves.
 * Of polynomials with a constant term and an odd number of terms (others are divisible by x or x + 1) one in 16 passes.
 * Cost: about 0.05 ms a candidate.
 */

const DEGREE = 64;
const LEADING = 1n << BigInt(DEGREE);
const LOW_HALF = 0xffff_ffffn;
const X = 2n;

/**
 * The first irreducible polynomial of a stream of candidates.
 *
 * @param draw candidate low parts (64 bits) by attempt number from 0; the two lowest bits are set as they must be
 * @returns its low 64 coefficients
 */
export function irreduciblePolynomial(draw: (attempt: number) => bigint): bigint {
  for (let attempt = 0; ; attempt++) {
    const odd = draw(attempt) | 1n;
    // with x^64, an even number of the lower terms makes an odd number of terms
    const low = termCount(odd) % 2 === 0 ? odd : odd ^ X;
    if (isIrreducible(low)) return low;
  }
}

/** Whether x^64 + low is irreducible over GF(2). */
export function isIrreducible(low: bigint): boolean {
  const square = squaringModulo(LEADING | low);
  let power = X;
  let halfWay = X;
  for (let squaring = 1; squaring <= DEGREE; squaring++) {
    power = square(power);
    if (squaring === DEGREE / 2) halfWay = power;
  }
  return power === X && greatestCommonDivisor(LEADING | low, halfWay ^ X) === 1n;
}

/** a -> a² modulo a polynomial of degree 64. */
function squaringModulo(modulus: bigint): (a: bigint) => bigint {
  const lows = new Int32Array(DEGREE);
  const highs = new Int32Array(DEGREE);
  let power = 1n;
  for (let i = 0; i < DEGREE; i++) {
    lows[i] = Number(power & LOW_HALF);
    highs[i] = Number(power >> 32n);
    power = timesX(timesX(power, modulus), modulus);
  }
  return (a) => {
    const terms = [Number(a & LOW_HALF), Number(a >> 32n)];
    let low = 0;
    let high = 0;
    for (let i = 0; i < DEGREE; i++) {
      const chosen = -((terms[i >> 5]! >>> (i & 31)) & 1);
      low ^= lows[i]! & chosen;
      high ^= highs[i]! & chosen;
    }
    return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  };
}

function timesX(a: bigint, modulus: bigint): bigint {
  const shifted = a << 1n;
  return shifted >= LEADING ? shifted ^ modulus : shifted;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [dividend, divisor] = [a, b];
  while (divisor !== 0n) {
    const length = bitLength(divisor);
    for (let excess = bitLength(dividend) - length; excess >= 0; excess = bitLength(dividend) - length)
      dividend ^= divisor << BigInt(excess);
    [dividend, divisor] = [divisor, dividend];
  }
  return dividend;
}

function bitLength(a: bigint): number {
  return a === 0n ? 0 : a.toString(2).length;
}

function termCount(a: bigint): number {
  return a.toString(2).replaceAll('0', '').length;
}
