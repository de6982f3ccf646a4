import { hypergeometricLowerQuantile } from '../compare/hypergeometric.ts';
import { indexModulusFor, leastPostedAt } from '../sketch/modulus.ts';
import {
  countKeys,
  cutShares,
  type KeyCounts,
  type LookUpPlan,
  type LookUpThresholds,
  zerosOfModulus,
} from './look-up.ts';
import { type MatchSizes, matchSizes } from './match-sizes.ts';
import type { OverlapCut } from './overlap-cut.ts';
import { IMPOSSIBLE, UNLIKELY } from './overlap-needed.ts';

/*
 * What an answer may lack. Stated for each direction: the chance that a document exactly AT the threshold became a
 * candidate, or a lower bound of it. Whether its estimate then clears the threshold is not part of that: it does in
 * about one half of the cases.
 *
 *   stated = max(0, met - missed)
 *
 *   missed   the look-ups met no posting of it
 *   met      … but did they, it was not left out of cut lists, and its record was read
 *
 * A document d shares I shingles with the query's n_q: the set A. It posts those of A that are 0 mod M. The query's
 * keys that are 0 mod M are a random q of its shingles, since the key of the index is secret. S of these q are in A. Of
 * all q, c have lists that were cut. In each of these d is one of the first K by rank with chance h = K / df,
 * independently of the others.
 *
 *   missed   Each shingle of A is a key that d posted with chance 1/M, by itself: P(S = 0) = (1 - 1/M)^I, exactly.
 *
 * THE MEMBERS OF A FAMILY SHARE ONE S, and what was read shows something of it: which lists were cut, and the last
 * record. So what is seen and the S of a match are not independent, and S is never averaged over. It is taken to be at
 * least k: S ~ hypergeometric(n_q, I, q), and k is its quantile, P(S < k) <= 10^-3 (or 10^-6, where that is enough).
 * All that follows holds for every such S, given all that was seen; the 10^-3 is taken off.
 *
 *   cut lists         c < k: S keys cannot all have cut lists, and d is met. Else it may be in none of them, with a chance of
 *                     at most the product of (1 - h) over the k that were read least.
 *   cut candidates    What was found is read in the order (hits in whole lists, hits in cut ones, keyed hash) until
 *                     candidatesMax is reached (core/query/overlap-cut.ts). The last has w and v hits, as T do, R of
 *                     which were read.
 *
 *                       d has more than w      it was read
 *                       d has w                of its S - w keys with cut lists it is in H >= binomial(k - w, least h),
 *                                              of which only its own ranks decide: read with P(H > v) + P(H = v) R / T
 *                       d has fewer            it was not: 0, where anything with the hits and the size of a match stands
 *                                              there, or a match might be in no list at all
 *
 *                     (R / (T + 1) where there are cut lists, since d need not be one of the T.)
 *
 * Hence, for every document at the threshold, in any index. Under keys by which the look-ups meet it, it is read with
 * at least the chance `met`, but for the tails. Over all keys, the mean of what is stated is at most the chance that it
 * is read. Where something is cut, that mean may be more by `missed`: nothing shows a family whose one S is 0.
 * `npm run campaign:recall` measures all this. Where no limit bit, what is stated is the chance itself, at the least
 * favourable size:
 *
 *   resemblance    least over the n_d that a match may have, t n_q <= n_d <= n_q / t. It falls only where m(n_d) rises, so
 *                  n_d in {⌈t n_q⌉, 64, 128, … 32 · cap} is enough; M = max(M_q, m(n_d; index cap, 32))
 *   queryInMatch   a match of any length: M = max(M_q, index cap)
 *   matchInQuery   a match of one shingle, which posts it: M = M_q; and by size, each entry for all matches from that size on:
 *                  its least is at that size, or where M rises
 *
 * At t = 0 a match may share nothing at all, and what shares nothing is never a candidate: 0. Cost: O(sizes · keys).
 */

/**
 * From which sizes on the recall of matchInQuery is stated: of any match, of a sentence, of what is not short any more, of 50
 * words, of a page.
 */
const MATCH_SIZES = [1, 8, 20, 44, 100] as const;

/** 0..1 for each direction, the least of all matches that it may have; null where it was not asked for. */
export interface Recall extends LookUpThresholds {
  /** Where matchInQuery was asked for: short matches have few shingles by which they can be met, longer ones more. */
  readonly matchInQueryBySize?: readonly SizeRecall[];
}

/** The recall of all matches that have so many shingles or more. */
export interface SizeRecall {
  readonly shinglesLeast: number;
  readonly recall: number;
}

/** What became of a look-up. */
export interface RecallConditions {
  /** INDEX_MODULUS: the cap of every document's index sample, a power of two. */
  readonly indexModulusMax: number;
  /** The i-th: the part of the i-th key's list that was read (core/query/overlap.ts, listShare), 1 where that is all of it. */
  readonly shares: Float64Array;
  /** Whether contents were passed over that share less than a match does, but for IMPOSSIBLE. */
  readonly passedOver: boolean;
  /** Where the candidates were cut; null where all were read. */
  readonly cut: OverlapCut | null;
}

export interface StatedRecall {
  readonly recall: Recall;
  /** Whether no limit can have left out a document at or above a threshold, but for IMPOSSIBLE. */
  readonly nothingLeftOut: boolean;
}

export function statedRecall(
  plan: LookUpPlan,
  thresholds: LookUpThresholds,
  conditions: RecallConditions,
): StatedRecall {
  const recall: { -readonly [direction in keyof Recall]: Recall[direction] } = { ...NOT_ASKED };
  let nothingLeftOut = conditions.cut === null && plan.keysWanted === plan.keys.length;
  const keys = countKeys(plan, conditions.shares);
  for (const [direction, sizes] of matchSizes(plan.shingleCount, thresholds).entries()) {
    const statedFrom = (least: number) => {
      const stated = leastOver({ ...sizes, least }, direction, plan, keys, conditions);
      nothingLeftOut &&= stated.nothingLeftOut;
      return stated.recall;
    };
    if (sizes.direction !== 'matchInQuery') recall[sizes.direction] = statedFrom(sizes.least);
    else {
      const [shortest, ...longer] = MATCH_SIZES;
      const bySize = [shortest, ...longer.filter((least) => least <= sizes.most)];
      recall.matchInQueryBySize = bySize.map((least) => ({ shinglesLeast: least, recall: statedFrom(least) }));
      recall.matchInQuery = recall.matchInQueryBySize[0]!.recall;
    }
  }
  return { recall, nothingLeftOut };
}

/** What holds for a match of one direction, the i-th that was asked for, whichever of these sizes it has. */
function leastOver(
  sizes: MatchSizes,
  direction: number,
  plan: LookUpPlan,
  keys: KeyCounts,
  { indexModulusMax, shares, passedOver, cut }: RecallConditions,
) {
  let [recall, nothingLeftOut] = [1, true];
  for (const size of leastFavourable(sizes, indexModulusMax)) {
    const shared = Math.min(plan.shingleCount, sizes.shared(size));
    // the document may be of any size of which this is a part
    const postedAt = plan.ofParts ? indexModulusMax : indexModulusFor(size, indexModulusMax);
    const modulus = Math.max(plan.modulus, postedAt);
    const missed = (1 - 1 / modulus) ** shared;
    const lists = cutLists(plan, shares, keys, modulus, shared);
    const met = cut === null ? 1 - lists.lost : Math.min(1 - lists.lost, readShare(cut, direction, lists));
    const tails = lists.tail + (cut === null ? 0 : UNLIKELY) + (passedOver && modulus > 1 ? IMPOSSIBLE : 0);
    recall = Math.min(recall, met - missed - tails);
    if (lists.lost > 0 || lists.tail > IMPOSSIBLE || shared === 0) nothingLeftOut = false;
  }
  return { recall: Math.max(0, recall), nothingLeftOut };
}

const NOT_ASKED: Recall = { resemblance: null, queryInMatch: null, matchInQuery: null };

/** The sizes of a match at which least is certain: the smallest, and those at which its index modulus has just risen. */
function leastFavourable({ direction, least, most }: MatchSizes, cap: number): number[] {
  if (direction === 'queryInMatch') return [Number.POSITIVE_INFINITY];
  const sizes = [least];
  for (let modulus = 2; modulus <= cap; modulus *= 2) {
    const size = leastPostedAt(modulus);
    if (size > least && size <= most) sizes.push(size);
  }
  return sizes;
}

/** What cut lists may do to a document that shares keys with the query. */
interface CutLists {
  /** The chance that it is in none, with S >= k; 0 where it cannot be. */
  readonly lost: number;
  /** The chance that S < k. */
  readonly tail: number;
  /** k, at least 1. */
  readonly keysShared: number;
  /** h of the lists, the least first. */
  readonly shares: Float64Array;
}

const NO_CUT_LISTS: CutLists = { lost: 0, tail: 0, keysShared: 1, shares: new Float64Array(0) };

function cutLists(
  plan: LookUpPlan,
  allShares: Float64Array,
  { all, cut }: KeyCounts,
  modulus: number,
  shared: number,
): CutLists {
  const zeros = zerosOfModulus(modulus);
  const drawn = all[zeros]!;
  const listsCut = cut[zeros]!;
  if (listsCut === 0) return NO_CUT_LISTS;
  const shares = cutShares(plan, allShares, zeros);
  const keysBut = (chance: number) =>
    Math.max(1, hypergeometricLowerQuantile(chance, plan.shingleCount, shared, drawn));
  // where every shingle is a key, S = I
  const isSure = drawn === plan.shingleCount;
  const keysShared = keysBut(UNLIKELY);
  if (listsCut < keysBut(IMPOSSIBLE)) return { lost: 0, tail: isSure ? 0 : IMPOSSIBLE, keysShared, shares };
  const tail = isSure || keysShared === 1 ? 0 : UNLIKELY;
  if (listsCut < keysShared) return { lost: 0, tail, keysShared, shares };
  const lost = shares.subarray(0, keysShared).reduce((none, share) => none * (1 - share), 1);
  return { lost, tail, keysShared, shares };
}

/** The chance that a match of the i-th direction was read, given that S >= k. */
function readShare(cut: OverlapCut, direction: number, { lost, keysShared, shares }: CutLists): number {
  const { overlap, cappedOverlap, ties, tiesReturned } = cut;
  const { isBelow, keysLeast } = cut.likely[direction]!;
  if (isBelow || (overlap > 0 && lost > 0)) return 0;
  const least = lost > 0 ? Math.min(keysLeast, keysShared) : keysLeast;
  if (least === Number.POSITIVE_INFINITY) return 1;
  const inCutLists = hitsLaw(shares.subarray(0, Math.max(0, least - overlap)));
  const more = inCutLists.subarray(cappedOverlap + 1).reduce((sum, chance) => sum + chance, 0);
  return more + ((inCutLists[cappedOverlap] ?? 0) * tiesReturned) / (ties + Number(shares.length > 0));
}

/** P(H = h) for h = 0, 1, …: how many of some lists hold a document that is in each with its chance, by itself. */
function hitsLaw(chances: Float64Array): Float64Array {
  const law = new Float64Array(chances.length + 1);
  law[0] = 1;
  for (const [lists, chance] of chances.entries()) {
    for (let hits = lists + 1; hits > 0; hits--) law[hits] = law[hits]! * (1 - chance) + law[hits - 1]! * chance;
    law[0]! *= 1 - chance;
  }
  return law;
}

/** Where nothing is known of what is missing. */
export function noRecall(asked: Recall): Recall {
  return eachAsked(asked, () => 0);
}

/** Printed recalls have six decimals. */
const PRINTED_PER_UNIT = 1_000_000;

/** A recall as it is printed: rounded down, so that 1 is said only where the chance to miss is nil or below 10^-16. */
export function printRecall(stated: Recall): Recall {
  return eachAsked(stated, (chance) => Math.floor(chance * PRINTED_PER_UNIT) / PRINTED_PER_UNIT);
}

function eachAsked(recall: Recall, of: (chance: number) => number): Recall {
  const orNull = (chance: number | null) => (chance === null ? null : of(chance));
  const bySize = recall.matchInQueryBySize?.map((size) => ({ ...size, recall: of(size.recall) }));
  return {
    resemblance: orNull(recall.resemblance),
    queryInMatch: orNull(recall.queryInMatch),
    matchInQuery: orNull(recall.matchInQuery),
    ...(bySize === undefined ? {} : { matchInQueryBySize: bySize }),
  };
}
