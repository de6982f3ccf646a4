/*
 * What two sampled documents tell about I = |A ∩ B|, as counts that cannot contradict one another.
 *
 *   A  |---- n_A - I ----|------ I ------|                 n_A, n_B are known exactly; at the common modulus m
 *   B                    |------ I ------|-- n_B - I --|   each shingle was sampled with chance 1/m, by its fingerprint,
 *      sampled:  x               k              y          so a shared one in both documents or in neither
 */

/** What is known of two documents A and B. */
export interface OverlapEvidence {
  /** n_A, n_B: exact numbers of distinct shingles. */
  readonly shinglesA: number;
  readonly shinglesB: number;
  /** Values of either document's sample at `modulus`, and how many of them are in both (core/overlap.ts). */
  readonly sampledA: number;
  readonly sampledB: number;
  readonly shared: number;
  /** m >= 1, the coarser of the two; 1 = both sets are known whole. */
  readonly modulus: number;
  /** Whether both documents have the same full set of fingerprints (equal shingle digests). */
  readonly equalSets: boolean;
}

/** The evidence in the letters of the drawing, with the bounds that always hold: low <= I <= high, never empty. */
export interface Tally {
  readonly nA: number;
  readonly nB: number;
  /** Sampled in A only, in B only, in both. */
  readonly x: number;
  readonly y: number;
  readonly k: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Brings the counts into range, so that no input can make an estimate NaN or an interval empty. Fingerprints are stored
 * with 40 bits, so a rare collision makes a sampled count one off; a damaged record could say anything.
 *
 *   k <= I <= min(n_A - x, n_B - y);  m = 1 or equal sets: I is known;  else sets of equal size differ: I <= n - 1
 */
export function tally(evidence: OverlapEvidence): Tally {
  const nA = wholeCount(evidence.shinglesA);
  const nB = wholeCount(evidence.shinglesB);
  const sampledA = Math.min(wholeCount(evidence.sampledA), nA);
  const sampledB = Math.min(wholeCount(evidence.sampledB), nB);
  const k = Math.min(wholeCount(evidence.shared), sampledA, sampledB);
  const x = sampledA - k;
  const y = sampledB - k;
  if (evidence.equalSets) {
    const whole = Math.min(nA, nB);
    return { nA, nB, x, y, k, low: whole, high: whole };
  }
  if (evidence.modulus <= 1) return { nA, nB, x, y, k, low: k, high: k };
  const high = nA === nB ? Math.min(nA - x, nB - y, Math.max(nA - 1, 0)) : Math.min(nA - x, nB - y);
  return { nA, nB, x, y, k, low: Math.min(k, high), high };
}

/** No document has more distinct shingles; beyond it a count is damage, and would only cost time. */
const COUNT_MAX = 2 ** 32;

/** A whole number in 0..COUNT_MAX of any number; NaN counts as 0. */
function wholeCount(count: number): number {
  return count > 0 ? Math.min(COUNT_MAX, Math.floor(count)) : 0;
}
