/*
 * What two sampled documents tell about I = |A ∩ B|, as counts that cannot contradict one another.
 *
 *   A  |---- n_A - I ----|------ I ------|                 n_A, n_B are known exactly; at the common modulus m
 *   B                    |------ I ------|-- n_B - I --|   each shingle was sampled with chance 1/m, by its fingerprint,
 *      sampled:  x               k              y          so a shared one in both documents or in neither
 *
 * Some values agree though their fingerprints do not: so few bits are kept (core/sketch/narrow.ts). Let a be the values of the
 * document with fewer of them. Each of these that is not shared agrees by chance with d values of the other document on
 * average. So the chance that it agrees with any of them is e:
 *
 *   e = 1 - exp(-d)
 *   counted = k + F,  F ~ binomial(a - k, e)   ->   k = (counted - e · a) / (1 - e), rounded
 *
 * d is at most 1/362 between documents of one length (narrow.ts), and grows with the length of the longer one.
 * Cost: one term for each F that is at all likely: three or four for a page, some 60 where many are expected.
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
  /**
   * d of a value of B: how many values of A are expected to agree with it by chance, in the bits compared. 0 or more; above 1
   * beside documents that are a thousand times as long.
   */
  readonly falseDensity: number;
  /** m >= 1, the coarser of the two; 1 = both sets are known whole. */
  readonly modulus: number;
  /** Whether both documents have the same full set of fingerprints (equal shingle digests); null where that is not known. */
  readonly equalSets: boolean | null;
}

/** How many of the values that agreed may be false: F of the k + F that were counted. */
export interface FalseMatches {
  /** k + F. */
  readonly counted: number;
  /** e, above 0 and below 1. */
  readonly chance: number;
  /** a, and of how many shingles: of the document with fewer values. */
  readonly values: number;
  readonly shingles: number;
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
  const values = Math.min(sampledA, sampledB);
  const shingles = sampledB <= sampledA ? nB : nA;
  const density = evidence.falseDensity * (sampledB > sampledA ? sampledB / Math.max(1, sampledA) : 1);
  const { k, chance, least } = sharedOf(counted, values, density);
  const x = sampledA - k;
  const y = sampledB - k;
  const mostAt = (shared: number): number => {
    if (evidence.modulus <= 1) return shared;
    const most = Math.min(nA - sampledA + shared, nB - sampledB + shared);
    return evidence.equalSets === false && nA === nB ? Math.min(most, Math.max(nA - 1, 0)) : most;
  };
  const high = mostAt(k);
  const low = Math.min(k, high);
  if (chance === 0) return { nA, nB, x, y, k, low, high, falseMatches: null };
  const falseMatches = { counted, chance, values, shingles, low: least, high: mostAt(counted) };
  return { nA, nB, x, y, k, low, high, falseMatches };
}

/**
 * How many of the values that agreed are shared: most likely k, and no fewer than `least`.
 *
 * @param counted 0..values
 * @param values a
 * @param density d, 0 or more
 * @returns with e, 0 where that changes nothing that is said
 */
export function sharedOf(counted: number, values: number, density: number) {
  const chance = falseChanceOf(density);
  const k = Math.min(counted, Math.max(0, Math.round((counted - chance * values) / (1 - chance))));
  if (chance * (values - k + 1) < FALSE_MATCHES_LEAST) return { k, chance: 0, least: k };
  return { k, chance, least: Math.max(0, counted - mostFalse(values, chance)) };
}

/** With fewer expected an interval that takes no heed of them covers less often by no more than this. */
const FALSE_MATCHES_LEAST = 5e-4;
/** No document has more distinct shingles; beyond it a count is damage, and would only cost time. */
const COUNT_MAX = 2 ** 32;

/** A whole number in 0..COUNT_MAX of any number; NaN counts as 0. */
function wholeCount(count: number): number {
  return count > 0 ? Math.min(COUNT_MAX, Math.floor(count)) : 0;
}

/** e; beyond CHANCE_MOST nothing can be told from what agrees, and nothing is: the interval is all that may be. */
function falseChanceOf(density: number): number {
  return density > 0 ? Math.min(CHANCE_MOST, -Math.expm1(-density)) : 0;
}

const CHANCE_MOST = 1 - 2 ** -20;

/** Terms of the law below this share of the greatest one are left out: together under 10^-4 of the whole. */
const TERM_LEAST = 1e-5;
/** For every 8 that the standard deviation of F has, one more neighbouring F is looked at together with the others. */
const TOGETHER_DEVIATIONS = 8;

/**
 * The mean of what holds for F = 0, 1, …, from the likeliest F outwards.
 *
 * @param trials a whole number, 0 or more
 * @param chance above 0 and below 1
 */
export function meanOverFalse(trials: number, chance: number, of: (f: number) => number): number {
  const odds = chance / (1 - chance);
  const together = 1 + Math.floor(Math.sqrt(trials * chance * (1 - chance)) / TOGETHER_DEVIATIONS);
  const mode = Math.min(trials, Math.floor((trials + 1) * chance));
  let [weights, sum] = [0, 0];
  for (let f = mode, term = 1; f <= trials && term > TERM_LEAST; ) {
    let weight = 0;
    const first = f;
    for (const end = Math.min(trials + 1, f + together); f < end; f++) {
      weight += term;
      term *= ((trials - f) / (f + 1)) * odds;
    }
    weights += weight;
    sum += weight * of((first + f - 1) >> 1);
  }
  for (let f = mode - 1, term = mode / ((trials - mode + 1) * odds); f >= 0 && term > TERM_LEAST; ) {
    let weight = 0;
    const first = f;
    for (const end = Math.max(-1, f - together); f > end; f--) {
      weight += term;
      term *= f / ((trials - f + 1) * odds);
    }
    weights += weight;
    sum += weight * of((first + f + 1) >> 1);
  }
  return sum / weights;
}

/** The greatest F that is at all likely: the last that meanOverFalse asks for. */
export function mostFalse(trials: number, chance: number): number {
  let most = 0;
  meanOverFalse(trials, chance, (f) => {
    most = Math.max(most, f);
    return 0;
  });
  return most;
}
