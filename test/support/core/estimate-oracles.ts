import type { OverlapEvidence } from '../../../src/core/compare/evidence.ts';

/*
 * Slow, exact answers to hold the estimators against: whole numbers without rounding (BigInt), every I tried in turn, no
 * use of monotonicity, of log-concavity or of any code of src/core.
 */

const factorials: bigint[] = [1n];

function factorial(n: number): bigint {
  while (factorials.length <= n) factorials.push(factorials.at(-1)! * BigInt(factorials.length));
  return factorials[n]!;
}

/** C(n, k), 0 outside 0..n. */
export function choose(n: number, k: number): bigint {
  return k < 0 || k > n ? 0n : factorial(n) / (factorial(k) * factorial(n - k));
}

/** C(N, a) · P(lowest <= K <= highest), K marked ones among a draws of N with T marked. */
function hypergeometricWays(
  range: { lowest: number; highest: number },
  population: number,
  marked: number,
  draws: number,
): bigint {
  let ways = 0n;
  for (let i = Math.max(0, range.lowest); i <= Math.min(draws, range.highest); i++) {
    ways += choose(marked, i) * choose(population - marked, draws - i);
  }
  return ways;
}

/** P(K >= k), correct to 15 digits. */
export function exactUpperTail(k: number, population: number, marked: number, draws: number): number {
  const ways = hypergeometricWays({ lowest: k, highest: draws }, population, marked, draws);
  return Number((ways * 10n ** 18n) / choose(population, draws)) / 1e18;
}

/** All whole I that the sampled counts allow, unequal sets of one size sharing less than all. */
export function possibleOverlaps(evidence: OverlapEvidence): number[] {
  const { shinglesA, shinglesB, sampledA, sampledB, shared } = evidence;
  const possible: number[] = [];
  for (let overlap = 0; overlap <= Math.min(shinglesA, shinglesB); overlap++) {
    const fits =
      shared <= overlap && sampledA - shared <= shinglesA - overlap && sampledB - shared <= shinglesB - overlap;
    if (fits && !(shinglesA === shinglesB && overlap === shinglesA)) possible.push(overlap);
  }
  return possible;
}

/** The likelihood of I but for a factor that is the same for every I. */
export function likelihood(overlap: number, evidence: OverlapEvidence): bigint {
  const { shinglesA, shinglesB, sampledA, sampledB, shared, modulus } = evidence;
  return (
    choose(overlap, shared) *
    choose(shinglesA - overlap, sampledA - shared) *
    choose(shinglesB - overlap, sampledB - shared) *
    BigInt(modulus) ** BigInt(overlap) *
    BigInt(modulus - 1) ** BigInt(Math.min(shinglesA, shinglesB) - overlap)
  );
}

/** The interval of I by trying every possible one against both tails of the conditional law that the sizes choose. */
export function intervalByTrying(evidence: OverlapEvidence): { low: number; high: number } {
  const { shinglesA, shinglesB, sampledA, sampledB, shared } = evidence;
  const union = Math.max(shinglesA, shinglesB) < 1.5 * Math.min(shinglesA, shinglesB);
  const smaller = shinglesA < shinglesB ? sampledA : sampledB;
  const draws = union ? sampledA + sampledB - shared : smaller;
  const possible = possibleOverlaps(evidence);
  const passes = (overlap: number, lowest: number, highest: number): boolean => {
    const population = union ? shinglesA + shinglesB - overlap : Math.min(shinglesA, shinglesB);
    // P >= .025 without a division
    return 40n * hypergeometricWays({ lowest, highest }, population, overlap, draws) >= choose(population, draws);
  };
  return {
    low: possible.find((overlap) => passes(overlap, shared, draws)) ?? possible.at(-1)!,
    high: possible.findLast((overlap) => passes(overlap, 0, shared)) ?? possible[0]!,
  };
}

/** ln n! by Stirling's series: relative error below 10^-15 from n = 16 on. */
function logFactorial(n: number): number {
  if (n < 16) return Math.log(Number(factorial(n)));
  const inverse = 1 / n;
  const series = inverse * (1 / 12 - inverse * inverse * (1 / 360 - (inverse * inverse) / 1260));
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + series;
}

function logChoose(n: number, k: number): number {
  return k < 0 || k > n ? Number.NEGATIVE_INFINITY : logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** P(K >= k) term by term from logarithms, for sizes beyond BigInt: right to 7 digits at N = 6,000,000. */
export function upperTailByLogarithms(k: number, population: number, marked: number, draws: number): number {
  let sum = 0;
  for (let i = Math.max(0, k); i <= Math.min(draws, marked); i++) {
    sum += Math.exp(logChoose(marked, i) + logChoose(population - marked, draws - i) - logChoose(population, draws));
  }
  return sum;
}
