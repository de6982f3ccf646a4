import { modulusFor } from '../sketch/modulus.ts';

/*
 * Which pairs are worth being compared by their records, from the postings that they share.
 *
 *   postings of D   V_m(D), m = m(n; cap, 32): 32 to 63 of them where nothing caps it                 (sketch/modulus.ts)
 *   k               postings that A and B share: those of both that are 0 mod M, M = max(m_A, m_B)
 *   estimate        I = k · M,  r = I / (n_A + n_B - I),  c = I / min(n_A, n_B)
 *
 * A pair goes on where the estimate is at least half of the floor. So a pair at the floor is lost where the sample has less
 * than half of what is expected: stated by {@link recallAt}. One far above the floor is never lost.
 */

/** What pairs are joined by. */
export type Likeness = 'resemblance' | 'containment';

/** Of the estimate from postings, against the floor. */
const SLACK = 0.5;
/** `least` of what is posted here. */
const POSTED_LEAST = 32;
/** Cap for containment, as in an index: a short text in a long one shares few postings with it else. */
const CONTAINMENT_MODULUS_MAX = 8;

/** m of the postings of a document. For resemblance nothing caps it: documents of other sizes resemble nothing of its size. */
export function postedModulus(shingleCount: number, by: Likeness): number {
  const cap = by === 'resemblance' ? Number.POSITIVE_INFINITY : CONTAINMENT_MODULUS_MAX;
  return modulusFor(shingleCount, cap, POSTED_LEAST);
}

/** Whether a pair that shares k postings is to be compared. */
export function isCandidate(k: number, modulus: number, nA: number, nB: number, by: Likeness, floor: number): boolean {
  const least = SLACK * floor;
  const overlap = k * modulus;
  if (by === 'containment') return overlap >= least * Math.min(nA, nB);
  // r >= floor is out of reach where one is so much longer than the other
  if (Math.min(nA, nB) < floor * Math.max(nA, nB)) return false;
  return overlap * (1 + least) >= least * (nA + nB);
}

/**
 * With fewer postings shared a node of n shingles is in no pair that {@link isCandidate} takes, whatever the other one is:
 *
 *   n_B <= n   M = m(n),             (n + n_B) / M >= n (1 + floor) / m(n)          since n_B >= floor · n
 *   n_B > n    M = m(n_B) or 1,      (n + n_B) / M >= 32 (1 + floor), or >= 2 n
 */
export function sharedLeast(n: number, modulus: number, by: Likeness, floor: number): number {
  if (by === 'containment') return 1;
  const least = SLACK * floor;
  const size = Math.min((n * (1 + floor)) / modulus, POSTED_LEAST * (1 + floor));
  return Math.max(1, Math.ceil((least / (1 + least)) * size));
}

/**
 * Of pairs with just this likeness the share that is compared, of documents of the size at which it is least. Of I shared
 * shingles binomial (I, 1/m) are posted. Of documents of two sizes it is the same within a hundredth.
 *
 * @param threshold at least the floor
 */
export function recallAt(threshold: number, by: Likeness, floor: number): number {
  let least = 1;
  // one modulus more says the same: postings are as many again
  for (let n = 1; n <= 2048; n = Math.max(n + 1, Math.floor(n * 1.05))) {
    const m = postedModulus(n, by);
    if (m === 1) continue;
    const overlap = by === 'containment' ? threshold * n : (2 * n * threshold) / (1 + threshold);
    const shared = Math.round(overlap);
    const needed = neededOf(n, m, by, floor);
    least = Math.min(least, 1 - binomialBelow(needed, shared, 1 / m));
  }
  return least;
}

function neededOf(n: number, modulus: number, by: Likeness, floor: number): number {
  let k = 0;
  while (!isCandidate(k, modulus, n, n, by, floor)) k++;
  return k;
}

/** P(X < k), X ~ binomial(trials, p). */
function binomialBelow(k: number, trials: number, p: number): number {
  let term = (1 - p) ** trials;
  let sum = 0;
  for (let i = 0; i < k; i++) {
    sum += term;
    term *= ((trials - i) / (i + 1)) * (p / (1 - p));
  }
  return Math.min(1, sum);
}
