import type { LookUpPlan, LookUpThresholds } from './look-up.ts';
import { INDEX_SHINGLES_LEAST, modulusFor } from './modulus.ts';

/*
 * What a look-up may have missed: for each direction, the chance that a document exactly AT the threshold became a
 * candidate (not that its estimate then clears it, which is about one half there).
 *
 *   I shared shingles, document of n_d:  P = 1 - Π over the I shingles (1 - h / M),    M = max(M_q, m(n_d; index cap, 32))
 *
 *   h = 1          the shingle's posting list was read to its end
 *   h = K / df     it was cut: the list held this document with that chance only
 *
 *   resemblance    least P over the n_d that a match may have, t n_q <= n_d <= n_q / t; I = ⌈t (n_q + n_d) / (1 + t)⌉.
 *                  P falls only where m(n_d) rises, so n_d in {⌈t n_q⌉, 64, 128, … 32 · cap} is enough
 *   queryInMatch   a match of any length: M = max(M_q, index cap), I = ⌈t n_q⌉
 *   matchInQuery   a match of 44 shingles (50 words at w = 7), which posts all it has: M = M_q, I = ⌈t · 44⌉
 *
 * Which of the query's shingles a match shares is not known, and what shares little with a query tends to share just what
 * is common. So the shared ones are taken to be those of cut lists first, the least read first; all looked-up keys with a
 * cut list, to be among those that the match posted; and the keys being a sample, the query to hold as many such shingles as
 * two standard deviations more than they show. The stated chance is exact where no list was cut, else a lower bound, nearly
 * reached by a match that shares nothing but common text. (Common text of which no key was sampled cannot be counted.)
 * At t = 0 a match may share nothing at all, and what shares nothing is never a candidate: 0. Cost: O(sizes · cut lists).
 */

/** Shingles of the match that the recall of matchInQuery is stated for. */
export const SHORT_MATCH_SHINGLES = 44;

/** So many standard deviations more shingles of cut lists than the keys show. */
const DEVIATIONS = 2;

export interface RecallConditions {
  /** INDEX_MODULUS: the cap of every document's index sample, a power of two. */
  readonly indexModulusMax: number;
  /** For each list that was cut its share that was read, in (0, 1] (core/overlap.ts, listShare), in any order. */
  readonly cappedShares: Float64Array;
}

/** 0..1 for each direction; null where it was not asked for. */
export type Recall = LookUpThresholds;

export function recall(plan: LookUpPlan, thresholds: LookUpThresholds, conditions: RecallConditions): Recall {
  const { shingleCount, modulus } = plan;
  const { indexModulusMax } = conditions;
  const shares = conditions.cappedShares.toSorted();
  const chance = (shared: number, matchModulus: number): number =>
    1 - missed(plan, Math.min(shared, shingleCount), Math.max(modulus, matchModulus), shares);
  const { resemblance, queryInMatch, matchInQuery } = thresholds;
  return {
    resemblance:
      resemblance === null
        ? null
        : Math.min(
            ...matchSizes(shingleCount, resemblance, indexModulusMax).map((size) =>
              chance(
                wholeAtLeast((resemblance * (shingleCount + size)) / (1 + resemblance)),
                modulusFor(size, indexModulusMax, INDEX_SHINGLES_LEAST),
              ),
            ),
          ),
    queryInMatch: queryInMatch === null ? null : chance(wholeAtLeast(queryInMatch * shingleCount), indexModulusMax),
    matchInQuery:
      matchInQuery === null
        ? null
        : chance(
            wholeAtLeast(matchInQuery * SHORT_MATCH_SHINGLES),
            modulusFor(SHORT_MATCH_SHINGLES, indexModulusMax, INDEX_SHINGLES_LEAST),
          ),
  };
}

/** The sizes of a match at which its index modulus has just risen, and the smallest. */
function matchSizes(shingleCount: number, threshold: number, indexModulusMax: number): number[] {
  const least = wholeAtLeast(threshold * shingleCount);
  const greatest = threshold > 0 ? shingleCount / threshold : Number.POSITIVE_INFINITY;
  const sizes = [least];
  for (let modulus = 2; modulus <= indexModulusMax; modulus *= 2) {
    const size = modulus * INDEX_SHINGLES_LEAST;
    if (size > least && size <= greatest) sizes.push(size);
  }
  return sizes;
}

/** Π (1 - h / M) over `shared` shingles: those of cut lists first, the least read first. @param shares ascending */
function missed(plan: LookUpPlan, shared: number, modulus: number, shares: Float64Array): number {
  const shinglesPerKey = (plan.shingleCount / Math.max(1, plan.keys.length)) * (modulus / plan.modulus);
  const deviation = Math.sqrt(shares.length * (1 - 1 / modulus));
  const shinglesPerShare = shinglesPerKey * (1 + (DEVIATIONS * deviation) / Math.max(1, shares.length));
  let left = shared;
  let chance = 1;
  for (let i = 0; i < shares.length && left > 0; i++) {
    const shingles = Math.min(left, shinglesPerShare);
    chance *= (1 - shares[i]! / modulus) ** shingles;
    left -= shingles;
  }
  return chance * (1 - 1 / modulus) ** left;
}

/** ⌈share⌉, but for the rounding error of a product that is whole. */
function wholeAtLeast(share: number): number {
  return Math.ceil(share * (1 - 1e-12));
}

/** Printed recalls have six decimals. */
const PRINTED_PER_UNIT = 1_000_000;

/** A recall as it is printed: rounded down, so that 1 is said only where the chance to miss is nil or below 10^-16. */
export function printRecall(stated: Recall): Recall {
  const print = (chance: number | null) =>
    chance === null ? null : Math.floor(chance * PRINTED_PER_UNIT) / PRINTED_PER_UNIT;
  return {
    resemblance: print(stated.resemblance),
    queryInMatch: print(stated.queryInMatch),
    matchInQuery: print(stated.matchInQuery),
  };
}
