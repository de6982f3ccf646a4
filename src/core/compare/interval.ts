import { meanOverFalse, type Tally } from './evidence.ts';
import { hypergeometricLowerTail, hypergeometricUpperTail } from './hypergeometric.ts';

/*
 * The exact 95 % interval of I = |A ∩ B|: one conditional hypergeometric law, inverted.
 *
 *   sizes alike (n_max / n_min < 1.5): of the k + x + y values sampled in the union, k are shared:  N = n_A + n_B - I
 *   else: of the a values sampled in the smaller document, k are shared:                            N = n_min
 *   T = I in both;  low  = least I with P(K >= k) >= .025
 *                   high = greatest I with P(K <= k) >= .025, both within the bounds that always hold
 *
 *   P(K >= k)                    . - 1      Both tails are monotone in I, so each end is found by bracketing: start at the
 *                            . '            normal (Wilson) guess, go on by the secant of the tails' logits, halve the
 *   .025 - - - - - - - -.+'- - - -          bracket where that does not end soon. Mostly two tails an end.
 *             . . - ' '  ^ low
 *
 * Where values may agree by chance, k of the k + F counted ones are shared. A tail is that of the sum: P(K + F >=
 * counted) = sum over f of P(F = f) P(K >= counted - f), F as in core/compare/evidence.ts.
 *
 * That is for documents. A content is some dozens of values, and K is whole. With all of the chance of k, its interval would
 * hold the share in more than 97 % of all cases; with half of it (mid-P) it does in about 95 %.
 *
 * The law is chosen by the sizes alone, never by the data: choosing the narrower of two would lose coverage. Conditioning is
 * exact (not an approximation): given how many values were sampled, which ones is uniform. Each end misses with at most
 * .025, so coverage is at least .95 at any size, overlap and modulus.
 * Sources: Clopper & Pearson 1934, for the inversion of the hypergeometric law; Lancaster 1961, "Significance tests in discrete
 * distributions", for mid-P.
 */

/** The chance that one end misses. */
export const TAIL = 0.025;
/** The normal quantile of TAIL, and the slope of the logit of the normal tail there, in standard deviations. */
const QUANTILE = 1.959964;
const LOGIT_SLOPE = 2.398;
/** From this ratio of sizes on the smaller document's sample alone decides. */
const SIZE_RATIO_UNION_BELOW = 1.5;
/** Secant steps before the bracket is halved instead. */
const SECANT_STEPS_MAX = 10;

/** One conditional law: K ~ hypergeometric(population(I), I, draws). */
export interface Law {
  /** N at I = 0, and how much it shrinks for each I: 1 for the union, 0 for the smaller document. */
  readonly items: number;
  readonly shrink: 0 | 1;
  readonly draws: number;
}

/** Which part of the chance of k itself counts to a tail: all of it, or half. */
export const [EXACT, MID_P] = [1, 0.5];

/**
 * The ends of the 95 % interval of I, whole numbers within the tally's bounds.
 *
 * @param ofEqual EXACT or MID_P
 */
export function conditionalInterval(tally: Tally, ofEqual = EXACT): { low: number; high: number } {
  const { nA, nB, k, falseMatches } = tally;
  const { low, high } = falseMatches ?? tally;
  if (low === high) return { low, high };
  const law = lawFor(tally);
  const upper = tailOf(weighted(hypergeometricUpperTail, 1, ofEqual), law, tally);
  const lower = tailOf(weighted(hypergeometricLowerTail, -1, ofEqual), law, tally);
  const least = guess(law, k, -1, nA + nB);
  const greatest = guess(law, k, 1, nA + nB);
  return {
    low: upper(low) >= TAIL ? low : edge(upper, high, low, least),
    high: lower(high) >= TAIL ? high : edge(lower, low, high, greatest),
  };
}

/** A tail with a part of the chance of k itself. @param beyond from k to the next one of the tail */
export function weighted(tail: typeof hypergeometricUpperTail, beyond: 1 | -1, ofEqual: number) {
  if (ofEqual === EXACT) return tail;
  return (k: number, items: number, marked: number, draws: number) =>
    ofEqual * tail(k, items, marked, draws) + (1 - ofEqual) * tail(k + beyond, items, marked, draws);
}

/** P(K >= k) or P(K <= k) at I; of k + F where some may agree by chance. */
function tailOf(tail: typeof hypergeometricUpperTail, { items, shrink, draws }: Law, { k, falseMatches }: Tally) {
  if (falseMatches === null) return (overlap: number) => tail(k, items - shrink * overlap, overlap, draws);
  const { counted, chance, values, shingles } = falseMatches;
  return (overlap: number): number => {
    const trials = Math.round(values * (1 - Math.min(1, overlap / shingles)));
    return meanOverFalse(trials, chance, (f) => tail(counted - f, items - shrink * overlap, overlap, draws));
  };
}

function lawFor({ nA, nB, x, y, k }: Tally): Law {
  // both known whole, but for what agrees by chance: K = I, which the smaller document's law says too
  const isWhole = k + x >= nA && k + y >= nB;
  if (!isWhole && Math.max(nA, nB) < SIZE_RATIO_UNION_BELOW * Math.min(nA, nB)) {
    return { items: nA + nB, shrink: 1, draws: k + x + y };
  }
  return nA < nB ? { items: nA, shrink: 0, draws: k + x } : { items: nB, shrink: 0, draws: k + y };
}

interface Guess {
  readonly overlap: number;
  /** Change of the tail's logit for each step of I. */
  readonly slope: number;
}

/** Wilson's bound on the sampled share with a continuity correction of one half, as I. @param side -1 low, 1 high */
export function guess(law: Law, k: number, side: -1 | 1, total: number): Guess {
  const { items, shrink, draws } = law;
  const share = Math.min(1, Math.max(0, (k + side / 2) / draws));
  // The union's size at the share observed; the sample is a part of a finite whole, which narrows it.
  const population = shrink === 1 ? total / (1 + share) : items;
  const effective = (draws * population) / Math.max(1, population - draws);
  const square = (QUANTILE * QUANTILE) / effective;
  const spread = QUANTILE * Math.sqrt((share * (1 - share)) / effective + square / (4 * effective));
  const bound = (share + square / 2 + side * spread) / (1 + square);
  const deviation = Math.sqrt((bound * (1 - bound)) / effective);
  const overlapOf = shrink === 1 ? (total * bound) / (1 + bound) : items * bound;
  const overlapPerShare = shrink === 1 ? total / (1 + bound) ** 2 : items;
  return { overlap: overlapOf, slope: (-side * LOGIT_SLOPE) / (deviation * overlapPerShare) };
}

/**
 * The last I from `inside` towards `outside` whose tail is at least TAIL, where the tail falls from inside to outside.
 * `inside` counts as one that has it (the clamp to the bounds), `outside` as one that does not.
 */
export function edge(tail: (overlap: number) => number, inside: number, outside: number, start: Guess): number {
  let has = inside;
  let lacks = outside;
  let next = start.overlap;
  let slope = start.slope;
  let before = Number.NaN;
  let logitBefore = Number.NaN;
  for (let steps = 0; Math.abs(has - lacks) > 1; steps++) {
    const least = Math.min(has, lacks) + 1;
    const greatest = Math.max(has, lacks) - 1;
    const halfway = Math.floor((least + greatest) / 2);
    const secant = steps < SECANT_STEPS_MAX && Number.isFinite(next);
    const overlap = secant ? Math.min(greatest, Math.max(least, Math.round(next))) : halfway;
    const chance = tail(overlap);
    if (chance >= TAIL) has = overlap;
    else lacks = overlap;
    const logit = Math.log(chance / (1 - chance));
    const secantSlope = (logit - logitBefore) / (overlap - before);
    if (Number.isFinite(secantSlope) && secantSlope * start.slope > 0) slope = secantSlope;
    next = overlap + (Math.log(TAIL / (1 - TAIL)) - logit) / slope;
    before = overlap;
    logitBefore = logit;
  }
  return has;
}
