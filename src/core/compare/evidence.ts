/*
 * What two sampled documents tell about I = |A ∩ B|, as counts that cannot contradict one another.
 *
 *   A  |---- n_A - I ----|------ I ------|                 n_A, n_B are known exactly; at the common modulus m
 *   B                    |------ I ------|-- n_B - I --|   each shingle was sampled with chance 1/m, by its fingerprint,
 *      sampled:  x               k              y          so a shared one in both documents or in neither
 *
 * Some values agree though their fingerprints do not, between huge documents and small ones: so few bits are kept
 * (core/sketch/narrow.ts). Each of the values of B that are not in A agrees with one of A with chance e, by itself:
 *
 *   counted = k + F,  F ~ binomial(sampled B - k, e)   ->   k = (counted - e · sampled B) / (1 - e), rounded
 *
 * Cost: one term for each F that is at all likely, two or three of them but beside documents of a million shingles.
 */

/** What is known of two documents A and B. */
export interface OverlapEvidence {
  /** n_A, n_B: exact numbers of distinct shingles. */
  readonly shinglesA: number;
  readonly shinglesB: number;
  /**
   * Values of either document's sample at `modulus`, and how many of B's agree with one of A's
   * (core/compare/sample-comparer.ts).
   */
  readonly sampledA: number;
  readonly sampledB: number;
  readonly shared: number;
  /** The chance, 0..1, that a value of B which is not in A agrees with one of A all the same, in the bits compared. */
  readonly falseChance: number;
  /** m >= 1, the coarser of the two; 1 = both sets are known whole. */
  readonly modulus: number;
  /** Whether both documents have the same full set of fingerprints (equal shingle digests); null where that is not known. */
  readonly equalSets: boolean | null;
}

/** How many of the values that agreed may be false: F of the k + F that were counted. */
export interface FalseMatches {
  /** k + F. */
  readonly counted: number;
  /** e, above 0 and at most 1/2. */
  readonly chance: number;
  /** Of so many values of B. */
  readonly values: number;
  /** What I is between, however many were false. */
  readonly low: number;
  readonly high: number;
}

/** The evidence in the letters of the drawing, with the bounds that always hold: low <= I <= high, never empty. */
export interface Tally {
  readonly nA: number;
  readonly nB: number;
  /** Sampled in A only, in B only, in both: the false matches that are expected are taken off k. */
  readonly x: number;
  readonly y: number;
  readonly k: number;
  /** What I is between if just so many were false. */
  readonly low: number;
  readonly high: number;
  /** What may have been counted in k though it is not shared; null where that changes nothing that is said. */
  readonly falseMatches: FalseMatches | null;
}

/**
 * Brings the counts into range, so that no input can make an estimate NaN or an interval empty: a damaged record could say
 * anything.
 *
 *   k <= I <= min(n_A - x, n_B - y);  m = 1 or equal sets: I is known;  sets of equal size that differ: I <= n - 1
 */
export function tally(evidence: OverlapEvidence): Tally {
  const nA = wholeCount(evidence.shinglesA);
  const nB = wholeCount(evidence.shinglesB);
  const sampledA = Math.min(wholeCount(evidence.sampledA), nA);
  const sampledB = Math.min(wholeCount(evidence.sampledB), nB);
  const counted = Math.min(wholeCount(evidence.shared), sampledA, sampledB);
  if (evidence.equalSets) {
    const whole = Math.min(nA, nB);
    const [x, y] = [sampledA - counted, sampledB - counted];
    return { nA, nB, x, y, k: counted, low: whole, high: whole, falseMatches: null };
  }
  const chance = falseChanceOf(evidence.falseChance, sampledB);
  const k = Math.max(0, Math.round((counted - chance * sampledB) / (1 - chance)));
  const x = sampledA - k;
  const y = sampledB - k;
  const mostAt = (shared: number): number => {
    if (evidence.modulus <= 1) return shared;
    const most = Math.min(nA - sampledA + shared, nB - sampledB + shared);
    return evidence.equalSets === false && nA === nB ? Math.min(most, Math.max(nA - 1, 0)) : most;
  };
  const high = mostAt(k);
  const low = Math.min(k, high);
  if (chance * (y + 1) < FALSE_MATCHES_LEAST) return { nA, nB, x, y, k, low, high, falseMatches: null };
  const least = Math.max(0, counted - mostFalse(sampledB, chance));
  const falseMatches = { counted, chance, values: sampledB, low: least, high: mostAt(counted) };
  return { nA, nB, x, y, k, low, high, falseMatches };
}

/** With fewer expected an interval that takes no heed of them covers less often by no more than this. */
const FALSE_MATCHES_LEAST = 5e-4;
/** No document has more distinct shingles; beyond it a count is damage, and would only cost time. */
const COUNT_MAX = 2 ** 32;

/** A whole number in 0..COUNT_MAX of any number; NaN counts as 0. */
function wholeCount(count: number): number {
  return count > 0 ? Math.min(COUNT_MAX, Math.floor(count)) : 0;
}

/** Never so large that more than so many false matches are expected: the largest documents make 5 (core/sketch/narrow.ts). */
function falseChanceOf(chance: number, values: number): number {
  return chance > 0 ? Math.min(chance, 0.5, FALSE_MATCHES_MOST / Math.max(1, values)) : 0;
}

const FALSE_MATCHES_MOST = 64;

/** What is left of the law when the rest of it goes to the last term. */
const REST_MOST = 1e-6;

/** The mean of what holds for F = 0, 1, … @param trials a whole number, 0 or more */
export function meanOverFalse(trials: number, chance: number, of: (f: number) => number): number {
  const odds = chance / (1 - chance);
  let term = (1 - chance) ** trials;
  let left = 1;
  let sum = 0;
  let f = 0;
  for (; f < trials && left - term > REST_MOST; f++) {
    sum += term * of(f);
    left -= term;
    term *= ((trials - f) / (f + 1)) * odds;
  }
  return sum + left * of(f);
}

/** The greatest F that is at all likely: the last that meanOverFalse asks for. */
export function mostFalse(trials: number, chance: number): number {
  let most = 0;
  meanOverFalse(trials, chance, (f) => {
    most = f;
    return 0;
  });
  return most;
}
