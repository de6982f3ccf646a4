import { hypergeometricLowerQuantile } from './hypergeometric.ts';
import type { LookUpPlan, LookUpThresholds } from './look-up.ts';
import { INDEX_SHINGLES_LEAST, modulusFor, RECORD_SHINGLES_LEAST } from './modulus.ts';
import { type Recall, SHORT_MATCH_SHINGLES } from './recall.ts';

/*
 * How many hits a content must have for its record to be worth reading. Most contents that share anything with a query share
 * a phrase; a match shares so much that it cannot have as few hits as they have.
 *
 *   content of n_d, exactly at a threshold: I shared shingles of the query's n_q; it posted those that are 0 mod M,
 *   M = max(M_q, m(n_d; index cap, 32)), and q of the query's keys are 0 mod M, c of them with lists that were cut:
 *
 *     n_q   [ I shared | n_q - I not ]      the keys are a random q of them:  S ~ hypergeometric(n_q, I, q) are shared
 *             : . q keys .  :               of which c at most have cut lists, where the content may have been left out
 *
 *     hits in whole lists >= S - c          needed = max(0, k - c),  k the greatest with P(S < k) <= 10^-6
 *
 *   resemblance    t n_q <= n_d <= n_q / t    I = ⌈t (n_q + n_d) / (1 + t)⌉
 *   queryInMatch   t n_q <= n_d               I = ⌈t n_q⌉
 *   matchInQuery          n_d <= n_q / t      I = ⌈t n_d⌉
 *
 * A size that none of the thresholds asked for allows needs Infinity; of several the least I decides. M = 1: S = I, and
 * nothing can be lost. Undecided matches are those whose interval reaches a threshold. The interval is of the two samples at
 * modulus m, and its high end is within 2 √(m I) + m of the estimate, for I has a standard deviation of at most √(m I)
 * there; so where they are asked for, I is less by that.
 *
 * Sizes come in classes, eight to the doubling: I is that of the least size of the class, M and m change only where a class
 * begins. Source: ours; Broder 1997 reads every document that shares a shingle.
 * Cost: half a microsecond for each class met, then one look into a table.
 */

/** What a content must share with a query for its record to be worth reading. */
export interface OverlapNeeded {
  /** The least that a content of any size needs, 0 or more: what has less need not be asked for its size. */
  readonly least: number;
  /**
   * The hits in lists read to their end that a content of so many shingles needs: 0 or more; Infinity where no content of
   * that size can be a match. Asked for every content that was found: a few nanoseconds.
   */
  of(shingleCount: number): number;
}

export interface OverlapConditions {
  /** INDEX_MODULUS and RECORD_MODULUS, powers of two. */
  readonly indexModulusMax: number;
  readonly recordModulusMax: number;
  /** The i-th: the part of the i-th key's list that was read, 1 where that is all of it. */
  readonly shares: Float64Array;
  /** Where undecided matches are asked for, the modulus of the query's sample; else null. */
  readonly undecidedAt: number | null;
}

/** The chance that a content at a threshold has less than it needs. */
const MISS_CHANCE = 1e-6;
/** Standard deviations from an estimate to the end of its interval, rounded up. */
const INTERVAL_DEVIATIONS = 2;
const CLASSES_PER_DOUBLING = 8;
const CLASSES = 32 * CLASSES_PER_DOUBLING;
/** Keys are looked at as far as their lowest 32 bits. */
const ZEROS_MAX = 32;

/** The sizes that a match of one direction may have, and what one of a size shares at the least. */
interface MatchSizes {
  readonly least: number;
  readonly most: number;
  shared(size: number): number;
}

export function overlapNeeded(
  plan: LookUpPlan,
  thresholds: LookUpThresholds,
  conditions: OverlapConditions,
): OverlapNeeded {
  const { shingleCount, modulus: lookUpModulus } = plan;
  const { indexModulusMax, recordModulusMax, undecidedAt } = conditions;
  const directions = matchSizes(shingleCount, thresholds);
  const least = Math.min(...directions.map((sizes) => sizes.least));
  const most = Math.max(...directions.map((sizes) => sizes.most));
  const keys = countKeys(plan, conditions.shares);
  const known = new Int32Array(CLASSES).fill(-1);

  function neededIn(sizeClass: number): number {
    const from = leastOfClass(sizeClass);
    const to = leastOfClass(sizeClass + 1) - 1;
    const modulus = Math.max(lookUpModulus, modulusFor(from, indexModulusMax, INDEX_SHINGLES_LEAST));
    let shared = shingleCount;
    for (const sizes of directions) {
      if (to >= sizes.least && from <= sizes.most) shared = Math.min(shared, sizes.shared(Math.max(from, sizes.least)));
    }
    if (undecidedAt !== null) {
      shared = undecidedFrom(shared, Math.max(undecidedAt, modulusFor(from, recordModulusMax, RECORD_SHINGLES_LEAST)));
    }
    const zeros = 31 - Math.clz32(modulus);
    const hits = hypergeometricLowerQuantile(MISS_CHANCE, shingleCount, shared, keys.all[zeros]!);
    return Math.max(0, hits - keys.unsure[zeros]!);
  }

  function of(size: number): number {
    if (!(size >= least && size <= most)) return Number.POSITIVE_INFINITY;
    const sizeClass = classOf(size);
    if (known[sizeClass] === -1) known[sizeClass] = neededIn(sizeClass);
    return known[sizeClass]!;
  }

  // within one modulus what is needed grows with the size, but where a direction begins to allow it
  const turns = directions.map((sizes) => sizes.least);
  turns.push(...modulusTurns(lookUpModulus, indexModulusMax, INDEX_SHINGLES_LEAST, least, most));
  if (undecidedAt !== null) {
    turns.push(...modulusTurns(undecidedAt, recordModulusMax, RECORD_SHINGLES_LEAST, least, most));
  }
  return { least: Math.min(...turns.map(of)), of };
}

/**
 * The share of matches at a threshold that have the overlap they need, for each direction as core/recall.ts states it: all
 * of them where every shared shingle is looked up and posted, else 1 - MISS_CHANCE at the least.
 */
export function recallOfNeeded(plan: LookUpPlan, thresholds: LookUpThresholds, indexModulusMax: number): Recall {
  const { resemblance: r, queryInMatch: q, matchInQuery: m } = thresholds;
  const upTo = (size: number) => {
    const modulus = Math.max(plan.modulus, modulusFor(size, indexModulusMax, INDEX_SHINGLES_LEAST));
    return modulus === 1 ? 1 : 1 - MISS_CHANCE;
  };
  return {
    resemblance: r === null ? null : upTo(plan.shingleCount / r),
    queryInMatch: q === null ? null : upTo(Number.POSITIVE_INFINITY),
    matchInQuery: m === null ? null : upTo(SHORT_MATCH_SHINGLES),
  };
}

function matchSizes(shingleCount: number, thresholds: LookUpThresholds): MatchSizes[] {
  const { resemblance: r, queryInMatch: q, matchInQuery: m } = thresholds;
  const directions: MatchSizes[] = [];
  if (r !== null) {
    const shared = (size: number) => wholeAtLeast((r * (shingleCount + size)) / (1 + r));
    directions.push({ least: wholeAtLeast(r * shingleCount), most: wholeAtMost(shingleCount / r), shared });
  }
  if (q !== null) {
    const shared = wholeAtLeast(q * shingleCount);
    directions.push({ least: shared, most: Number.POSITIVE_INFINITY, shared: () => shared });
  }
  if (m !== null) {
    directions.push({ least: 0, most: wholeAtMost(shingleCount / m), shared: (size) => wholeAtLeast(m * size) });
  }
  return directions;
}

/** What a pair shares at the least by estimate, where its interval at modulus m reaches `shared`. */
function undecidedFrom(shared: number, modulus: number): number {
  if (modulus === 1) return shared;
  return Math.max(0, Math.floor(shared - INTERVAL_DEVIATIONS * Math.sqrt(modulus * shared) - modulus));
}

/** The i-th: how many keys are 0 mod 2^i, and how many of them have lists that were not read whole. */
function countKeys({ keys }: LookUpPlan, shares: Float64Array): { all: Uint32Array; unsure: Uint32Array } {
  const all = new Uint32Array(ZEROS_MAX + 1);
  const unsure = new Uint32Array(ZEROS_MAX + 1);
  for (let i = 0; i < keys.length; i++) {
    const low = keys[i]! | 0;
    const zeros = low === 0 ? ZEROS_MAX : 31 - Math.clz32(low & -low);
    all[zeros]!++;
    unsure[zeros]! += Number(shares[i]! < 1);
  }
  for (let zeros = ZEROS_MAX - 1; zeros >= 0; zeros--) {
    all[zeros]! += all[zeros + 1]!;
    unsure[zeros]! += unsure[zeros + 1]!;
  }
  return { all, unsure };
}

/** The sizes in least..most at which a modulus rises that is `from` before, as far as `cap`. */
function modulusTurns(from: number, cap: number, shinglesLeast: number, least: number, most: number): number[] {
  const sizes: number[] = [];
  for (let modulus = 2 * from; modulus <= cap; modulus *= 2) {
    const size = modulus * shinglesLeast;
    if (size > least && size <= most) sizes.push(size);
  }
  return sizes;
}

function classOf(size: number): number {
  const doublings = 31 - Math.clz32(size);
  return size < 1 ? 0 : doublings * CLASSES_PER_DOUBLING + (((size << (31 - doublings)) >>> 28) & 7);
}

function leastOfClass(sizeClass: number): number {
  const part = sizeClass % CLASSES_PER_DOUBLING;
  const doublings = (sizeClass - part) / CLASSES_PER_DOUBLING;
  return Math.ceil(2 ** doublings * (1 + part / CLASSES_PER_DOUBLING));
}

/** ⌈share⌉ and ⌊share⌋, but for the rounding error of a product that is whole. */
const wholeAtLeast = (share: number) => Math.ceil(share * (1 - 1e-12));
const wholeAtMost = (share: number) => Math.floor(share * (1 + 1e-12));
