import { indexModulusFor } from '../sketch/modulus.ts';
import { countKeys, cutShares, type LookUps, zerosOfModulus } from './look-up.ts';

/*
 * How many matches there are, where lists or candidates were cut: an estimate by what was found.
 *
 *   keys     f1  f2  f3  f4 …     of list i the part s_i was read: 1 where that is all
 *   match     #   .   #   .       it has a key with chance c = queryInMatch, and is among those that were read with s_i
 *
 *   found with chance   p = 1 - Π (1 - c s_i)        over the keys that a document of its size has posted
 *
 * Each match that was found stands for 1 / p: for itself, and for those like it that were not found. Ranks are independent
 * from list to list, so p is exact where c = 1. Source: Horvitz & Thompson 1952, "A Generalization of Sampling Without
 * Replacement From a Finite Universe". Of candidates that were not judged, some were drawn and judged: each stands for as
 * many of those as there are to one that was drawn.
 *
 *   estimate = Σ found 1 / p  +  left out / drawn · Σ drawn matches 1 / p
 *
 * Cost: O(keys) for each class of c and each modulus that is met, else O(1) a match.
 */

/** c is told apart so finely. */
const CLASSES = 128;

export interface FoundMatch {
  readonly shingleCount: number;
  /** The share of the query's shingles that it has, 0..1. */
  readonly queryInMatch: number;
}

/** Matches among some candidates that stand for others, which were not judged. */
export interface DrawnMatches {
  readonly matches: readonly FoundMatch[];
  /** How many of the others each candidate stands for. */
  readonly standFor: number;
}

/**
 * @param shares the i-th: the part of the i-th key's list that was read, 1 where that is all of it
 * @param indexModulusMax INDEX_MODULUS
 * @param drawn what tells of candidates that were not judged
 * @returns a whole number, at least as many as were found
 */
export function estimatedMatches(
  matches: readonly FoundMatch[],
  lookUps: LookUps,
  shares: Float64Array,
  indexModulusMax: number,
  drawn: readonly DrawnMatches[],
): number {
  const counts = countKeys(lookUps, shares);
  const known = new Map<number, number>();
  const standsFor = ({ shingleCount, queryInMatch }: FoundMatch): number => {
    const modulus = Math.max(lookUps.modulus, indexModulusFor(shingleCount, indexModulusMax));
    const zeros = zerosOfModulus(modulus);
    const shareClass = Math.max(1, Math.round(queryInMatch * CLASSES));
    const at = zeros * (CLASSES + 1) + shareClass;
    let weight = known.get(at);
    if (weight === undefined) {
      const c = shareClass / CLASSES;
      let missed = (1 - c) ** (counts.all[zeros]! - counts.cut[zeros]!);
      for (const share of cutShares(lookUps, shares, zeros)) missed *= 1 - c * share;
      // where no key could have met it, its words did: it stands for itself
      weight = missed < 1 ? 1 / (1 - missed) : 1;
      known.set(at, weight);
    }
    return weight;
  };
  let sum = 0;
  for (const match of matches) sum += standsFor(match);
  for (const { matches: some, standFor: others } of drawn) for (const match of some) sum += others * standsFor(match);
  return Math.round(sum);
}
