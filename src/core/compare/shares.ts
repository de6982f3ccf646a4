/*
 * Overlaps as shares: resemblance and containment of I = |A ∩ B|, what they decide, and how they are printed.
 *
 *   I in 0..min(n_A, n_B)   ->   r = I / (n_A + n_B - I),   c(A, B) = I / n_A,   both in 0..1, both growing with I,
 *
 * so the ends of an interval of I are the ends of the intervals of r and c. Source: Broder 1997, §2.
 */

/** What a 95 % interval says of a threshold: the share is at least the threshold, is not, or may be either. */
export type ShareDecision = 'yes' | 'no' | 'undecided';

/** r of two sets of `shinglesA` and `shinglesB` elements that share `overlap`; two empty sets resemble each other: 1. */
export function resemblanceOf(overlap: number, shinglesA: number, shinglesB: number): number {
  const union = shinglesA + shinglesB - overlap;
  return union > 0 ? Math.min(1, overlap / union) : 1;
}

/** c of a set of `shingles` elements of which `overlap` are in the other set; the empty set is in every set: 1. */
export function containmentOf(overlap: number, shingles: number): number {
  return shingles > 0 ? Math.min(1, overlap / shingles) : 1;
}

/** All unrounded, 0..1: a threshold of the same fraction is met exactly. */
export function decide(low: number, high: number, threshold: number): ShareDecision {
  if (low >= threshold) return 'yes';
  return high < threshold ? 'no' : 'undecided';
}

/** Significant digits of a printed share. */
const DIGITS = 6;
/** Digits behind the point, at the most: the least share of 2^32 shingles has ten zeros. */
const DECIMALS_MAX = 20;
/**
 * A share is a fraction of whole numbers below 2^24. With as many decimals as are printed it is whole, or more than 5 ·
 * 10^-8 away from it. Rounding errors are below 2 · 10^-9. So within this distance it counts as whole.
 */
const WHOLE_WITHIN = 1e-8;

/** To the nearest of 6 significant digits; 1 only where the share is 1, 0 only where it is 0. */
export function roundShare(share: number): number {
  return rounded(share, Math.round);
}

/** Down, the low end of an interval: never above the share, so 1 only where the share is 1. */
export function roundShareDown(share: number): number {
  return rounded(share, (units) => Math.floor(units + WHOLE_WITHIN));
}

/** Up, the high end of an interval: never below the share, and 1 only where the share is 1. */
export function roundShareUp(share: number): number {
  return rounded(share, (units) => Math.ceil(units - WHOLE_WITHIN));
}

/** With 6 significant digits, and more where it would be 1 otherwise. */
function rounded(share: number, toWhole: (units: number) => number): number {
  if (share <= 0 || share >= 1) return share <= 0 ? 0 : 1;
  const digits = Math.max(DIGITS + zerosOf(share), zerosOf(1 - share) + 1);
  const decimals = Math.min(DECIMALS_MAX, digits);
  const units = toWhole(share * 10 ** decimals);
  // the number nearest to the decimal fraction that is printed: by one division of two that are exact, where they are
  const areExact = units <= Number.MAX_SAFE_INTEGER;
  return areExact ? units / 10 ** decimals : Number(`${units}e-${decimals}`);
}

/** Zeros behind the point before the first digit that is none, of a number between 0 and 1. */
function zerosOf(share: number): number {
  return -Math.floor(Math.log10(share)) - 1;
}

/** A share with its interval as it is printed: low <= estimate <= high. */
export interface PrintedShare {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** null where no threshold was asked for. */
  readonly decision: ShareDecision | null;
}

/** Unrounded shares and the threshold (null = none) as they are printed; the decision is taken before rounding. */
export function printShare(estimate: number, low: number, high: number, threshold: number | null): PrintedShare {
  return {
    estimate: roundShare(estimate),
    low: roundShareDown(low),
    high: roundShareUp(high),
    decision: threshold === null ? null : decide(low, high, threshold),
  };
}
