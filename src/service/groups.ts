import { countMultiples } from '../core/overlap.ts';
import type { Thresholds } from './api.ts';
import { meets, type Pair, pairOf } from './pair.ts';
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
  /** Sampled values at each modulus that was asked for. */
  readonly sampled: Map<number, number>;
}

export function createGroups(thresholds: Thresholds): Groups {
  const representatives: Representative[] = [];
  const holders = new Map<number, number[]>();
  /** Where a set of shingles went: the number of its representative. */
  const joined = new Map<string, number>();
  const meetsNothingShared = meets(pairOf(nothingShared), thresholds);

  function add(query: Query, result: number): void {
    const number = representatives.push({ result, query, sampled: new Map() }) - 1;
    for (const fingerprint of query.sample.fingerprints) {
      const held = holders.get(fingerprint);
      if (held === undefined) holders.set(fingerprint, [number]);
      else held.push(number);
    }
    joined.set(query.shingleDigest, number);
  }

  function countShared(query: Query): Uint32Array {
    const shared = new Uint32Array(representatives.length);
    for (const fingerprint of query.sample.fingerprints) {
      for (const number of holders.get(fingerprint) ?? []) shared[number]!++;
    }
    return shared;
  }

  function compareWith(query: Query, number: number, shared: number, own: Map<number, number>): Pair {
    const { query: other, sampled } = representatives[number]!;
    const modulus = Math.max(query.sample.modulus, other.sample.modulus);
    return pairOf({
      modulus,
      shared,
      sampledA: sampledAt(query, modulus, own),
      sampledB: sampledAt(other, modulus, sampled),
      shinglesA: query.shingleCount,
      shinglesB: other.shingleCount,
      equalSets: query.shingleDigest === other.shingleDigest,
    });
  }

  return {
    join(query, result) {
      const own = new Map<number, number>();
      const shared = countShared(query);
      const known = joined.get(query.shingleDigest);
      const first = known ?? 0;
      const end = known === undefined ? representatives.length : known + 1;
      for (let number = first; number < end; number++) {
        if (known === undefined && shared[number] === 0 && !meetsNothingShared) continue;
        const pair = compareWith(query, number, shared[number]!, own);
        if (!meets(pair, thresholds)) continue;
        joined.set(query.shingleDigest, number);
        const { result: representative, query: of } = representatives[number]!;
        return { representative, of, pair };
      }
      add(query, result);
      return null;
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
function sampledAt({ sample }: Query, modulus: number, counted: Map<number, number>): number {
  const known = counted.get(modulus);
  if (known !== undefined) return known;
  const count = countMultiples(sample, modulus);
  counted.set(modulus, count);
  return count;
}
