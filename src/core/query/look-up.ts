import { coarsenSteps, indexModulusFor, modulusFor } from '../sketch/modulus.ts';
import type { Sketch } from '../sketch/sketch.ts';

/*
 * Thresholds -> which fingerprints of the query to look up.
 *
 *   asked                          M_q                      look-ups
 *   resemblance, queryInMatch      m(n; no cap, 24)         24 to 48 in the mean at any size (n < 64: all), since every
 *                                                           document has posted its part of them
 *   matchInQuery                   m(n; index cap, 32)      n / cap: all that a short document may have posted; at most
 *                                                           lookUpsMax, beyond that M_q doubles
 *
 *   V_8 ⊂ V_4 ⊂ V_2 ⊂ V_1: the finest modulus asked for holds the look-ups of every direction.
 *
 * The chance that this misses a document is stated with the answer: core/query/recall.ts.
 * Source: Broder 1997, §4.2, which looks up the whole sketch. Cost: O(values of the sample).
 */

/** A share in 0..1 at which a match counts, or null: that direction is not looked for. */
export interface LookUpThresholds {
  readonly resemblance: number | null;
  readonly queryInMatch: number | null;
  readonly matchInQuery: number | null;
}

export interface LookUpOptions {
  /** INDEX_MODULUS: the cap of every document's index sample, a power of two. */
  readonly indexModulusMax: number;
  /** Most fingerprints to look up, at least 1; 4,096 unless told. */
  readonly lookUpsMax?: number;
}

/** What is looked up of a query. */
export interface LookUps {
  /** n of the query. */
  readonly shingleCount: number;
  /** M_q: the keys are all the query's fingerprints that are 0 mod it. */
  readonly modulus: number;
  /** The fingerprints to look up: 32 bits or more, ascending, distinct. May share memory with the sample. */
  readonly keys: Float64Array;
  /**
   * Whether own contents are compared (core/content/own-content.ts): n is that of the query's, and what a match has of its own
   * may be any part of it.
   */
  readonly ofParts?: boolean;
}

export interface LookUpPlan extends LookUps {
  /** How many keys the thresholds asked for; more than keys.length where lookUpsMax cut them. */
  readonly keysWanted: number;
}

/** `least` of the look-ups for resemblance and queryInMatch. */
export const LOOK_UPS_LEAST = 24;
const LOOK_UPS_MAX = 4096;

/** M_q for resemblance and queryInMatch: what is short enough to be posted whole is looked up whole. */
export function lookUpModulusFor(shingleCount: number): number {
  const isWhole = indexModulusFor(shingleCount, Number.POSITIVE_INFINITY) === 1;
  return isWhole ? 1 : modulusFor(shingleCount, Number.POSITIVE_INFINITY, LOOK_UPS_LEAST);
}

/**
 * What to look up for a query, in steps of some 10 ms at the most; no direction asked for: no keys. A query from the index
 * has its sample at the record's modulus: what is finer is not known, and not looked up.
 */
export function* planLookUpSteps(
  query: Pick<Sketch, 'shingleCount' | 'sample'>,
  thresholds: LookUpThresholds,
  { indexModulusMax, lookUpsMax = LOOK_UPS_MAX }: LookUpOptions,
): Generator<undefined, LookUpPlan> {
  const { shingleCount, sample } = query;
  const wanted: number[] = [];
  if (thresholds.resemblance !== null || thresholds.queryInMatch !== null) {
    wanted.push(lookUpModulusFor(shingleCount));
  }
  if (thresholds.matchInQuery !== null) {
    wanted.push(indexModulusFor(shingleCount, indexModulusMax));
  }
  if (wanted.length === 0) {
    return { shingleCount, modulus: sample.modulus, keys: new Float64Array(0), keysWanted: 0 };
  }
  let kept = yield* coarsenSteps(sample, Math.max(sample.modulus, Math.min(...wanted)));
  const keysWanted = kept.fingerprints.length;
  while (kept.fingerprints.length > Math.max(1, lookUpsMax)) kept = yield* coarsenSteps(kept, kept.modulus * 2);
  return { shingleCount, modulus: kept.modulus, keys: kept.fingerprints, keysWanted };
}

/**
 * The keys of a look-up by how coarse a document may sample and still have posted them. A key that is 0 mod 8 was posted by a
 * document of modulus 1, 2, 4 or 8 that has this shingle.
 */
export interface KeyCounts {
  /** The i-th: how many keys are 0 mod 2^i. */
  readonly all: Uint32Array;
  /** The i-th: how many of them have lists that were not read whole. */
  readonly cut: Uint32Array;
}

/** Keys are looked at as far as their lowest 32 bits. */
const ZEROS_MAX = 32;

/** @param shares the i-th: the part of the i-th key's list that was read, 1 where that is all of it */
export function countKeys({ keys }: LookUps, shares: Float64Array): KeyCounts {
  const all = new Uint32Array(ZEROS_MAX + 1);
  const cut = new Uint32Array(ZEROS_MAX + 1);
  for (let i = 0; i < keys.length; i++) {
    const zeros = zerosOf(keys[i]!);
    all[zeros]!++;
    cut[zeros]! += Number(shares[i]! < 1);
  }
  for (let zeros = ZEROS_MAX - 1; zeros >= 0; zeros--) {
    all[zeros]! += all[zeros + 1]!;
    cut[zeros]! += cut[zeros + 1]!;
  }
  return { all, cut };
}

/** Of the keys that are 0 mod 2^zeros the shares of lists that were not read whole, ascending. */
export function cutShares({ keys }: LookUps, shares: Float64Array, zeros: number): Float64Array {
  return shares.filter((share, i) => share < 1 && zerosOf(keys[i]!) >= zeros).sort();
}

/** i of a modulus 2^i. */
export const zerosOfModulus = (modulus: number) => Math.log2(modulus);

function zerosOf(key: number): number {
  const low = key | 0;
  return low === 0 ? ZEROS_MAX : 31 - Math.clz32(low & -low);
}
