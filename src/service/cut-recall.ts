import type { LookUpPlan } from '../core/look-up.ts';
import { INDEX_SHINGLES_LEAST, modulusFor } from '../core/modulus.ts';
import { type Recall, SHORT_MATCH_SHINGLES } from '../core/recall.ts';
import type { Thresholds } from './api.ts';

/*
 * More contents share a shingle with the query than records are read: which of them can matter? They come in the order of
 * their overlap K, so the ones left out have K <= k, the overlap of the last one read. A document exactly at a threshold
 * shares I shingles or more, of which each was looked up and posted with chance 1/M:
 *
 *   K ~ binomial(I, 1/M)      P(K > k) = the chance that such a document was read
 *
 *   resemblance    I = ⌈t n_q⌉,  M = max(M_q, m(n_q / t)): the smallest I and the largest modulus that it may have
 *   queryInMatch   I = ⌈t n_q⌉,  M = max(M_q, index cap)
 *   matchInQuery   I = ⌈t · 44⌉, M = M_q                             as in core/recall.ts
 *
 * K counts lists that were read to their end only. Of the shared shingles those with cut lists are taken away first, so
 * the chance is a lower bound. Without a cut (k = 0 and nothing left out) it is what core/recall.ts states.
 */

export interface Cut {
  readonly indexModulusMax: number;
  /** k, the overlap of the last candidate that was read. */
  readonly overlapLast: number;
  readonly cappedLists: number;
}

/** 0..1 for each direction; null where it was not asked for. */
export function recallBeyondCut(plan: LookUpPlan, thresholds: Thresholds, cut: Cut): Recall {
  const { shingleCount, modulus, keys } = plan;
  const { indexModulusMax, overlapLast, cappedLists } = cut;
  const shinglesPerList = keys.length === 0 ? 0 : shingleCount / keys.length;
  const chance = (shared: number, matchModulus: number): number => {
    const looked = Math.max(modulus, matchModulus);
    const inWholeLists = Math.max(0, Math.floor(shared - cappedLists * shinglesPerList));
    return 1 - binomialLowerTail(overlapLast, inWholeLists, 1 / looked);
  };
  const { resemblance, queryInMatch, matchInQuery } = thresholds;
  const largest = resemblance === null || resemblance === 0 ? Number.POSITIVE_INFINITY : shingleCount / resemblance;
  return {
    resemblance:
      resemblance === null
        ? null
        : chance(Math.ceil(resemblance * shingleCount), modulusFor(largest, indexModulusMax, INDEX_SHINGLES_LEAST)),
    queryInMatch: queryInMatch === null ? null : chance(Math.ceil(queryInMatch * shingleCount), indexModulusMax),
    matchInQuery: matchInQuery === null ? null : chance(Math.ceil(matchInQuery * SHORT_MATCH_SHINGLES), 1),
  };
}

/** P(K <= k) for K ~ binomial(trials, chance), chance in (0, 1]. The terms are summed from K = 0 on. */
export function binomialLowerTail(k: number, trials: number, chance: number): number {
  if (k >= trials) return 1;
  if (chance >= 1) return 0;
  const odds = chance / (1 - chance);
  let term = (1 - chance) ** trials;
  let sum = term;
  for (let i = 1; i <= k; i++) {
    term *= ((trials - i + 1) / i) * odds;
    sum += term;
  }
  return Math.min(1, sum);
}
