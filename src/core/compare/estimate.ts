import { type OverlapEvidence, type Tally, tally } from './evidence.ts';
import { conditionalInterval, EXACT } from './interval.ts';

/*
 * Counts -> I = |A ∩ B|, the one unknown, and from it resemblance and both containments.
 *
 *   r = I / (n_A + n_B - I)      c(A, B) = I / n_A      c(B, A) = I / n_B
 *
 * All three follow from one I, so they cannot contradict one another: 1/r = 1/c(A,B) + 1/c(B,A) - 1 holds to the last
 * bit. Separate estimators, as in Broder 1997, §3, imply resemblances that differ by more than .02 in 29 % of pairs.
 *
 * The estimate is the I within its bounds (core/compare/evidence.ts) that maximises
 *
 *   L(I) = C(I, k) C(n_A - I, x) C(n_B - I, y) (1 - 1/m)^(-I)
 *
 *   L(I) / L(I-1) = I/(I-k) · (n_A-I+1-x)/(n_A-I+1) · (n_B-I+1-y)/(n_B-I+1) · 1/(1-1/m)   falls with I (L is log-concave),
 *
 * so the last I at which the ratio is at least 1 is found by halving, without a logarithm.
 * Cost: some 20 steps of a nanosecond or two; an interval is dearer, so ask for it only where it is shown.
 */

/**
 * The most likely I. Exact where the modulus is 1 or the sets are equal; 0 where nothing shared was sampled. Otherwise
 * below equality where that is ruled out: documents of the same size that are not the same set share at most n - 1.
 */
export function likeliestOverlap(evidence: OverlapEvidence): number {
  return likeliest(tally(evidence), evidence.modulus);
}

/**
 * The most likely I with its 95 % interval (core/compare/interval.ts); where nothing was sampled, that is 0..min(n_A, n_B).
 *
 * The interval looks at one conditional law and the estimate at the whole likelihood, so the estimate can lie outside. That
 * is rare, but for a smaller document that is nearly contained in one 1.2 to 1.5 times its size (2 to 3 in 100 such pairs).
 * The interval is then widened to it, which cannot lose coverage.
 *
 * @param ofEqual EXACT or MID_P of core/compare/interval.ts
 */
export function estimateOverlap(
  evidence: OverlapEvidence,
  ofEqual = EXACT,
): { estimate: number; low: number; high: number } {
  const counts = tally(evidence);
  const estimate = likeliest(counts, evidence.modulus);
  const { low, high } = conditionalInterval(counts, ofEqual);
  return { estimate, low: Math.min(low, estimate), high: Math.max(high, estimate) };
}

function likeliest({ nA, nB, x, y, k, low, high }: Tally, modulus: number): number {
  if (k === 0) return low;
  const missed = 1 - 1 / modulus;
  let best = low;
  let beyond = high + 1;
  while (beyond - best > 1) {
    const overlap = Math.floor((best + beyond) / 2);
    const restA = nA - overlap + 1;
    const restB = nB - overlap + 1;
    // L(overlap) >= L(overlap - 1), cross-multiplied: every factor is positive within the bounds.
    if (overlap * (restA - x) * (restB - y) >= missed * (overlap - k) * restA * restB) best = overlap;
    else beyond = overlap;
  }
  return best;
}
