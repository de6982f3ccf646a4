import { countMultiples } from '../core/overlap.ts';
import type { Thresholds } from './api.ts';
import { comparePair, meets, type Pair, pairOf } from './pair.ts';
import type { Query } from './query.ts';

/*
 * Representatives, and which of them a result meets first.
 *
 *   fingerprint -> [ representatives that hold it ]     a result's fingerprints are looked up once, and every representative
 *                                                       has its shared count: no pair is merged that shares nothing
 *
 * A value that both samples hold is 0 mod the coarser of their moduli, so the counts are those at the common modulus
 * whatever the moduli are. A result with the words or the shingles of an earlier one meets what that one met: it goes where
 * that one went, uncounted. Thresholds of 0 are met by what shares nothing, so then every representative is looked at.
 * Cost: the fingerprints of the representatives in memory; for each result one step for each representative that holds one
 * of its fingerprints.
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

export function createGroups(thresholds: Thresholds): Groups {
  const representatives: Representative[] = [];
  const holders = new Map<number, number[]>();
  /** Where the results with a set of shingles go, by its digest. */
  const known = new Map<string, Joined>();
  const meetsNothingShared = meets(pairOf(nothingShared), thresholds);

  function add(query: Query, result: number): void {
    const number = representatives.push({ result, query, sampled: new Map() }) - 1;
    for (const fingerprint of query.sample.fingerprints) {
      const held = holders.get(fingerprint);
      if (held === undefined) holders.set(fingerprint, [number]);
      else held.push(number);
    }
    known.set(query.shingleDigest, { representative: result, of: query, pair: comparePair(query, query) });
  }

  function countShared(query: Query): Uint32Array {
    const shared = new Uint32Array(representatives.length);
    for (const fingerprint of query.sample.fingerprints) {
      for (const number of holders.get(fingerprint) ?? []) shared[number]!++;
    }
    return shared;
  }

  function compareWith(query: Query, { query: of, sampled }: Representative, shared: number, own: Counts): Pair {
    const modulus = Math.max(query.sample.modulus, of.sample.modulus);
    return pairOf({
      modulus,
      shared,
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
      const pair = compareWith(query, met, shared, own);
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
