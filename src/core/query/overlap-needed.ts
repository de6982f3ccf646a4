import { hypergeometricLowerQuantile } from '../compare/hypergeometric.ts';
import { indexModulusFor, leastPostedAt, modulusFor, RECORD_SHINGLES_LEAST } from '../sketch/modulus.ts';
import { countKeys, type KeyCounts, type LookUps, type LookUpThresholds, zerosOfModulus } from './look-up.ts';
import { documentSizes, type MatchSizes } from './match-sizes.ts';

/*
 * How many hits a content must have for its record to be worth reading. Most contents that share anything with a query
 * share a phrase. A match shares far more, and cannot have as few hits as they have.
 *
 *   content of n_d, exactly at a threshold: I of the query's n_q shingles are shared. The content posted those that are
 *   0 mod M, M = max(M_q, m(n_d; index cap, 32)). Of the query's keys q are 0 mod M, and c of these have lists that
 *   were cut:
 *
 *     n_q   [ I shared | n_q - I not ]      the keys are a random q of them:  S ~ hypergeometric(n_q, I, q) are shared
 *             : . q keys .  :               of which c at most have cut lists, where the content may have been left out
 *
 *     hits in whole lists >= S - c          needed = max(0, k - c),  k the greatest with P(S < k) <= 10^-6
 *
 * Sizes and I are those of core/query/match-sizes.ts. Of several thresholds the one with the least I decides. M = 1: S = I,
 * and nothing can be lost. Where undecided matches are asked for, whose interval reaches a threshold, I is less by
 * 2 √(m I) + m. The high end of the interval of two samples at modulus m is no further from the estimate: I has a standard
 * deviation of at most √(m I) there. Where all is kept, m = 1, what agrees by chance is far within that.
 *
 * The same with 10^-3 instead of 10^-6, for each direction by itself, tells what is likely to be a match. It is asked
 * only where not all that was found is read (core/query/recall.ts).
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

/** What a match exactly at a threshold has, but for UNLIKELY; Infinity where none is of that size. */
export interface LikelyOverlap extends OverlapNeeded {
  /** k: keys that a match of so many shingles shares, in lists read to their end or not. */
  keys(shingleCount: number): number;
}

export interface OverlapsNeeded extends OverlapNeeded {
  /** One for each direction asked for, in the order of core/query/match-sizes.ts. */
  likely(): readonly LikelyOverlap[];
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
export const IMPOSSIBLE = 1e-6;
/** The chance that one has less than is likely. */
export const UNLIKELY = 1e-3;
/** Standard deviations from an estimate to the end of its interval, rounded up. */
const INTERVAL_DEVIATIONS = 2;
const CLASSES_PER_DOUBLING = 8;
const CLASSES = 32 * CLASSES_PER_DOUBLING;

export function overlapNeeded(
  lookUps: LookUps,
  thresholds: LookUpThresholds,
  conditions: OverlapConditions,
): OverlapsNeeded {
  const directions = documentSizes(lookUps, thresholds);
  const keys = countKeys(lookUps, conditions.shares);
  const { least, of } = neededBy(directions, IMPOSSIBLE, lookUps, keys, conditions);
  const decided = { ...conditions, undecidedAt: null };
  return {
    least,
    of,
    likely: () => directions.map((one) => neededBy([one], UNLIKELY, lookUps, keys, decided)),
  };
}

/** What a match of any of some directions has, but for a chance. */
function neededBy(
  directions: readonly MatchSizes[],
  chance: number,
  lookUps: LookUps,
  keys: KeyCounts,
  conditions: OverlapConditions,
): LikelyOverlap {
  const { shingleCount, modulus: lookUpModulus } = lookUps;
  const { indexModulusMax, recordModulusMax, undecidedAt } = conditions;
  const least = Math.min(...directions.map((sizes) => sizes.least));
  const most = Math.max(...directions.map((sizes) => sizes.most));
  const shareds = new Int32Array(CLASSES).fill(-1);
  const needs = new Int32Array(CLASSES);

  function work(sizeClass: number): void {
    const from = leastOfClass(sizeClass);
    const to = leastOfClass(sizeClass + 1) - 1;
    const modulus = Math.max(lookUpModulus, indexModulusFor(from, indexModulusMax));
    let shared = shingleCount;
    for (const sizes of directions) {
      if (to >= sizes.least && from <= sizes.most) shared = Math.min(shared, sizes.shared(Math.max(from, sizes.least)));
    }
    if (undecidedAt !== null) {
      shared = undecidedFrom(shared, Math.max(undecidedAt, modulusFor(from, recordModulusMax, RECORD_SHINGLES_LEAST)));
    }
    const zeros = zerosOfModulus(modulus);
    shareds[sizeClass] = hypergeometricLowerQuantile(chance, shingleCount, shared, keys.all[zeros]!);
    needs[sizeClass] = Math.max(0, shareds[sizeClass]! - keys.cut[zeros]!);
  }

  function lookUp(table: Int32Array, size: number): number {
    if (!(size >= least && size <= most)) return Number.POSITIVE_INFINITY;
    const sizeClass = classOf(size);
    if (shareds[sizeClass] === -1) work(sizeClass);
    return table[sizeClass]!;
  }

  const of = (size: number) => lookUp(needs, size);
  return {
    least: Math.min(...turns(directions, lookUps, conditions).map(of)),
    of,
    keys: (size) => lookUp(shareds, size),
  };
}

/** Sizes among which the least is needed: within one modulus it grows, but where a direction begins to allow a size. */
function turns(
  directions: readonly MatchSizes[],
  { modulus }: LookUps,
  { indexModulusMax, recordModulusMax, undecidedAt }: OverlapConditions,
): number[] {
  const least = Math.min(...directions.map((sizes) => sizes.least));
  const most = Math.max(...directions.map((sizes) => sizes.most));
  const sizes = directions.map((direction) => direction.least);
  sizes.push(...modulusTurns(modulus, indexModulusMax, leastPostedAt, least, most));
  if (undecidedAt !== null) {
    sizes.push(...modulusTurns(undecidedAt, recordModulusMax, (at) => at * RECORD_SHINGLES_LEAST, least, most));
  }
  return sizes;
}

/** What a pair shares at the least by estimate, where its interval at modulus m reaches `shared`. */
function undecidedFrom(shared: number, modulus: number): number {
  return Math.max(0, Math.floor(shared - INTERVAL_DEVIATIONS * Math.sqrt(modulus * shared) - modulus));
}

/** The sizes in least..most at which a modulus rises that is `from` before, as far as `cap`. */
function modulusTurns(
  from: number,
  cap: number,
  leastAt: (modulus: number) => number,
  least: number,
  most: number,
): number[] {
  const sizes: number[] = [];
  for (let modulus = 2 * from; modulus <= cap; modulus *= 2) {
    const size = leastAt(modulus);
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
