import { modulusFor } from '../sketch/modulus.ts';

/*
 * Which pairs are worth being compared by their records, from the postings that they share.
 *
 *   postings of D   V_m(D), m = m(n; cap, 32): 32 to 63 of them where nothing caps it                 (sketch/modulus.ts)
 *   k               postings that A and B share: those of both that are 0 mod M, M = max(m_A, m_B)
 *   estimate        I = k · M,  r = I / (n_A + n_B - I),  c = I / min(n_A, n_B)
 *
 * A pair goes on where the estimate is at least half of the floor. So a pair at the floor is lost where the sample has less
 * than half of what is expected: stated by {@link recallAt}. One far above the floor is never lost. Parts of texts may
 * have fewer postings than their n asks for (`thin`), so that their estimate is less sure: there a quarter is enough.
 */

/** What pairs are joined by. */
export type Likeness = 'resemblance' | 'containment';

/** Which share of the floor the estimate has to reach, and where nodes may have fewer postings. */
const SLACK = 0.5;
const THIN_SLACK = 0.25;
/** s up to which recall is looked at: beyond it more and more are expected beyond those needed. */
const RECALL_SIZE_MAX = 128;
/** `least` of what is posted here. */
const POSTED_LEAST = 32;
/** Cap for containment, as in an index: a short text in a long one shares few postings with it else. */
const CONTAINMENT_MODULUS_MAX = 8;
/** The shortest text of which it is stated how often it is found in a longer one: of fewer shingles too few are posted. */
export const CONTAINED_SHINGLES_LEAST = 64;

/** m of the postings of a document. For resemblance nothing caps it: documents of other sizes resemble nothing of its size. */
export function postedModulus(shingleCount: number, by: Likeness): number {
  const cap = by === 'resemblance' ? Number.POSITIVE_INFINITY : CONTAINMENT_MODULUS_MAX;
  return modulusFor(shingleCount, cap, POSTED_LEAST);
}

/** Whether a pair that shares k postings is to be compared. @param isThin whether nodes may have fewer than n asks for */
export function isCandidate(
  k: number,
  modulus: number,
  nA: number,
  nB: number,
  { by, floor, isThin }: { readonly by: Likeness; readonly floor: number; readonly isThin: boolean },
): boolean {
  const least = (isThin ? THIN_SLACK : SLACK) * floor;
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

/** Postings of a node that are expected, or all where it has few shingles. */
export const postedUnits = (shingleCount: number, modulus: number): number => Math.floor(shingleCount / modulus);

/** Pairs at a threshold share fewer postings than {@link surelyShared} says with this chance at the most. */
const FEWER_CHANCE = 5e-4;

/**
 * Postings that a node shares at the least with any other of a resemblance, but for a small chance:
 *
 *   n_B <= n   overlap >= t n, so t n / m are expected
 *   n_B > n    overlap >= t n_B; where n_B may be 64 m or more, M = 2 m and 32 t are expected
 *
 * @param units postings of the node that are expected; fewer than 64
 */
export function surelyShared(units: number, threshold: number): number {
  const mayBeCoarser = units / threshold >= 2 * POSTED_LEAST;
  // both are posted whole
  if (units < POSTED_LEAST && !mayBeCoarser) return Math.ceil(threshold * units);
  const mean = threshold * (mayBeCoarser ? Math.min(units, POSTED_LEAST) : units);
  let least = 0;
  while (poissonBelow(least + 1, mean) <= FEWER_CHANCE) least++;
  return least;
}

/**
 * Of pairs with just this likeness the share that is compared at the least, whatever their sizes; for containment, those of
 * {@link CONTAINED_SHINGLES_LEAST} shingles or more. With s = (n_A + n_B) / M, or n_A / M for containment:
 *
 *   s >= 32 (1 + t)            since n_B >= 32 M and n_A >= t n_B;     for containment s >= 64 / 8
 *   expected  a s,  a = t / (1 + t),                                   or t
 *   needed    ceil(b s),  b = floor / 2 / (1 + floor / 2),             or floor / 2
 *   recall    1 - P(X < needed),  X ~ Poisson(expected)                below its mean the binomial's tail is smaller
 *
 * It is least just where one more is needed.
 *
 * @param threshold at least the floor
 * @param thin where nodes have fewer postings than n asks for: how many are expected of one, and their modulus
 */
export function recallAt(
  threshold: number,
  by: Likeness,
  floor: number,
  thin: { readonly unitsLeast: number; readonly modulusMost: number } | null = null,
): number {
  const half = (thin === null ? SLACK : THIN_SLACK) * floor;
  const units = Math.min(POSTED_LEAST, thin?.unitsLeast ?? POSTED_LEAST);
  const modulus = Math.max(CONTAINMENT_MODULUS_MAX, thin?.modulusMost ?? 1);
  const [size, share, needed] =
    by === 'resemblance'
      ? [units * (1 + threshold), threshold / (1 + threshold), half / (1 + half)]
      : [CONTAINED_SHINGLES_LEAST / modulus, threshold, half];
  let least = 1;
  for (let k = Math.ceil(needed * size); k <= needed * RECALL_SIZE_MAX + 1; k++) {
    const smallest = Math.max(size, (k - 1) / needed);
    least = Math.min(least, 1 - poissonBelow(k, share * smallest));
  }
  return least;
}

/** P(X < k), X ~ Poisson(mean). */
function poissonBelow(k: number, mean: number): number {
  let term = Math.exp(-mean);
  let sum = 0;
  for (let i = 0; i < k; i++) {
    sum += term;
    term *= mean / (i + 1);
  }
  return Math.min(1, sum);
}
