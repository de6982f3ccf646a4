import { NARROW_BITS_MIN } from '../core/narrow.ts';
import { countMultiples } from '../core/sample-comparer.ts';
import type { Thresholds } from './api.ts';
import { comparePair, meets, type Pair, pairOf } from './pair.ts';
import type { Query } from './query.ts';

/*
 * Representatives, and which of them a result meets first.
 *
 *   low 28 bits -> [ representatives that hold them ]       a result's values are looked up once, and every representative
 *                                                           has its shared count: no pair is merged that shares nothing
 *
 * Samples differ in their width, and all have the low 28 bits (core/narrow.ts). By so few a count can be a little too high,
 * never too low, so only a pair that meets a threshold by it is compared by all the bits that both have.
 *
 * A value that both samples hold is 0 mod the coarser of their moduli, so the counts are those at the common modulus
 * whatever the moduli are. A result with the words or the shingles of an earlier one meets what that one met: it goes where
 * that one went, uncounted. Thresholds of 0 are met by what shares nothing, so then every representative is looked at.
 * Cost: the values of the representatives in memory; for each result one step for each representative that holds one of its
 * values.
 */

export interface Joined {
  /** Position of the representative among the results, what it is, and how the result (A) compares with it (B). */
  readonly representative: number;
  readonly of: Query;
  readonly pair: Pair;
}

export interface Groups {
  /** The first representative that a result meets; null: it has become one. */
  join(query: Query, result: number): Joined | null;
}

interface Representative {
  readonly result: number;
  readonly query: Query;
  readonly sampled: Counts;
}

/** Sampled values at each modulus that was asked for. */
type Counts = Map<number, number>;

const KEY_MASK = 2 ** NARROW_BITS_MIN - 1;

export function createGroups(thresholds: Thresholds): Groups {
  const representatives: Representative[] = [];
  const holders = new Map<number, number[]>();
  /** Where the results with a set of shingles go, by its digest. */
  const known = new Map<string, Joined>();
  const meetsNothingShared = meets(pairOf(nothingShared), thresholds);

  function add(query: Query, result: number): void {
    const number = representatives.push({ result, query, sampled: new Map() }) - 1;
    for (const value of query.sample.values) {
      const key = value & KEY_MASK;
      const held = holders.get(key);
      if (held === undefined) holders.set(key, [number]);
      else held.push(number);
    }
    known.set(query.shingleDigest, { representative: result, of: query, pair: comparePair(query, query) });
  }

  /** For each representative how many values it shares with a result, or a few more. */
  function countShared(query: Query): Uint32Array {
    const shared = new Uint32Array(representatives.length);
    for (const value of query.sample.values) {
      for (const number of holders.get(value & KEY_MASK) ?? []) shared[number]!++;
    }
    return shared;
  }

  function compareAtMost(query: Query, { query: of, sampled }: Representative, shared: number, own: Counts): Pair {
    const modulus = Math.max(query.sample.modulus, of.sample.modulus);
    return pairOf({
      modulus,
      shared,
      falseChance: 0,
      sampledA: sampledAt(query, modulus, own),
      sampledB: sampledAt(of, modulus, sampled),
      shinglesA: query.shingleCount,
      shinglesB: of.shingleCount,
      equalSets: false,
    });
  }

  function firstMet(query: Query): Joined | null {
    const own: Counts = new Map();
    for (const [number, shared] of countShared(query).entries()) {
      if (shared === 0 && !meetsNothingShared) continue;
      const met = representatives[number]!;
      if (!meets(compareAtMost(query, met, shared, own), thresholds)) continue;
      const pair = comparePair(query, met.query);
      if (meets(pair, thresholds)) return { representative: met.result, of: met.query, pair };
    }
    return null;
  }

  return {
    join(query, result) {
      const joined = known.get(query.shingleDigest) ?? firstMet(query);
      if (joined === null) add(query, result);
      else known.set(query.shingleDigest, joined);
      return joined;
    },
  };
}

const nothingShared = {
  modulus: 1,
  shared: 0,
  falseChance: 0,
  sampledA: 1,
  sampledB: 1,
  shinglesA: 1,
  shinglesB: 1,
  equalSets: false,
};

/** Values of a query's sample at a modulus, counted once each. */
function sampledAt({ sample }: Query, modulus: number, counted: Counts): number {
  const known = counted.get(modulus);
  if (known !== undefined) return known;
  const count = countMultiples(sample, modulus);
  counted.set(modulus, count);
  return count;
}
