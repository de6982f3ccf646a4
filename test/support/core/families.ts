import type { LookUpPlan, LookUpThresholds } from '../../../src/core/query/look-up.ts';
import type { MatchDirection } from '../../../src/core/query/match-sizes.ts';
import { countOverlaps, listShare, type OverlapSelection, type PostingList } from '../../../src/core/query/overlap.ts';
import { overlapNeeded } from '../../../src/core/query/overlap-needed.ts';
import { postingRank, tieOrder } from '../../../src/core/query/rank.ts';
import { type Recall, statedRecall } from '../../../src/core/query/recall.ts';
import { indexModulusFor } from '../../../src/core/sketch/modulus.ts';
import { createPrng, distinctFingerprints, type Prng } from '../prng.ts';
import { planLookUp } from './plan-look-up.ts';

/*
 * A query, and an index that holds nothing but families: what is stated of its members, and what becomes of them.
 *
 *   query's shingles   [ common to the family | its own: each member has some of them, drawn by itself | nobody's ]
 */

export interface Family {
  readonly members: number;
  /** Shingles of a member. */
  readonly size: number;
  /** Shingles of the query that every member has, and where the first of them is. */
  readonly common: number;
  readonly commonFrom: number;
  /** Other shingles of the query that a member has: drawn by itself. */
  readonly own: number;
}

export interface PlantedIndex {
  /** Shingles of the query. */
  readonly shingleCount: number;
  /** The members of the first are exactly at the threshold; the others stand in their way. */
  readonly families: readonly [Family, ...Family[]];
  readonly direction: MatchDirection;
  /** K: postings of a list that are read. */
  readonly listPostingsMax: number;
}

const INDEX_MODULUS = 8;
const RECORD_MODULUS = 4;

/** The share of the planted documents in question, as a fraction that their shares reach exactly. */
function thresholdOf({ shingleCount, families: [{ size, common, own }], direction }: PlantedIndex): number {
  const shared = common + own;
  if (direction === 'queryInMatch') return shared / shingleCount;
  return direction === 'matchInQuery' ? shared / size : shared / (shingleCount + size - shared);
}

/** What one answer said, and what it found. */
export interface Outcome {
  readonly stated: number;
  /** The share of the first family that became candidates. */
  readonly found: number;
  readonly nothingLeftOut: boolean;
  /** The share of it that has a posting among the query's keys. */
  readonly met: number;
  /** Whether lists or candidates were cut. */
  readonly isCut: boolean;
  /** The chance that the look-ups miss all that its members have in common, and all that one of them shares; 0 of nothing. */
  readonly missed: { readonly common: number; readonly shared: number };
}

/** Draws an index under a new key, asks, and says what came of it for every candidatesMax. */
export function askPlanted(planted: PlantedIndex, seed: number, candidatesMaxes: readonly number[]): Outcome[] {
  const prng = createPrng(seed);
  const { shingleCount, families, direction, listPostingsMax } = planted;
  const query = distinctFingerprints(prng, shingleCount);
  const rankKey = [prng.uint32(), prng.uint32()] as const;
  const tieKey = prng.uint32();
  const thresholds: LookUpThresholds = {
    ...{ resemblance: null, queryInMatch: null, matchInQuery: null },
    [direction]: thresholdOf(planted),
  };
  const sample = { modulus: 1, fingerprints: query.toSorted() };
  const plan = planLookUp({ shingleCount, sample }, thresholds, { indexModulusMax: INDEX_MODULUS });
  const { lists, shares, met } = readLists(plan, query, families, rankKey, listPostingsMax, prng);
  const needed = overlapNeeded(plan, thresholds, {
    ...{ indexModulusMax: INDEX_MODULUS, recordModulusMax: RECORD_MODULUS, shares, undecidedAt: null },
  });
  const [first] = families;
  const modulus = Math.max(plan.modulus, indexModulusFor(first.size, INDEX_MODULUS));
  const missing = (shared: number) => (shared === 0 ? 0 : (1 - 1 / modulus) ** shared);
  const missed = { common: missing(first.common), shared: missing(first.common + first.own) };
  return candidatesMaxes.map((candidatesMax) => {
    const { contents, passedOver, cut } = countOverlaps(lists, candidatesMax, {
      twins: new Uint32Array(0),
      needed,
      shingleCountOf: (content) => sizeOf(content, families),
      orderOf: (content) => tieOrder(rankKey, tieKey, content),
    });
    const conditions = { indexModulusMax: INDEX_MODULUS, shares, passedOver: passedOver > 0, cut };
    const { recall, nothingLeftOut } = statedRecall(plan, thresholds, conditions);
    const found = contents.reduce((sum, content) => sum + Number(content < first.members), 0) / first.members;
    const isCut = cut !== null || shares.some((share) => share < 1);
    return { stated: statedFor(recall, direction, first.size), found, nothingLeftOut, met, isCut, missed };
  });
}

/** What is stated of matches of some size. */
function statedFor(recall: Recall, direction: MatchDirection, size: number): number {
  if (direction !== 'matchInQuery') return recall[direction]!;
  return recall.matchInQueryBySize!.findLast(({ shinglesLeast }) => shinglesLeast <= size)!.recall;
}

/** A selection by which everything is worth returning, in the order of its number. */
export const ALL_WORTH: OverlapSelection = {
  twins: new Uint32Array(0),
  needed: { least: 0, of: () => 0, likely: () => [] },
  shingleCountOf: () => 0,
  orderOf: () => 0,
};

/** Content numbers are given out family by family, the first one's first. */
function sizeOf(content: number, families: readonly Family[]): number {
  let before = 0;
  for (const { members, size } of families) {
    before += members;
    if (content < before) return size;
  }
  throw new RangeError(`no content ${content}`);
}

function readLists(
  { keys }: LookUpPlan,
  query: Float64Array,
  families: readonly Family[],
  rankKey: readonly [number, number],
  listPostingsMax: number,
  prng: Prng,
): { lists: PostingList[]; shares: Float64Array; met: number } {
  const posted = new Map<number, number[]>(Array.from(keys, (key) => [key, []]));
  let first = 0;
  for (const family of families) {
    post(family, first, query, posted, prng);
    first += family.members;
  }
  const members = families[0]!.members;
  const met = new Uint8Array(members);
  const lists: PostingList[] = [];
  const shares = new Float64Array(keys.length).fill(1);
  for (const [i, [key, contents]] of [...posted].entries()) {
    for (const content of contents) if (content < members) met[content] = 1;
    if (contents.length <= listPostingsMax) lists.push({ contents: Uint32Array.from(contents), cut: false });
    else {
      const byRank = Float64Array.from(contents, (content) => postingRank(rankKey, key, content) * 2 ** 32 + content);
      const read = byRank.sort().subarray(0, listPostingsMax);
      lists.push({ contents: Uint32Array.from(read, (value) => value % 2 ** 32), cut: true });
      shares[i] = listShare(listPostingsMax, Math.floor(read.at(-1)! / 2 ** 32));
    }
  }
  return { lists, shares, met: met.reduce((sum, one) => sum + one, 0) / members };
}

/** Adds the members of a family to the lists of the keys that they have and post. */
function post(
  { members, size, common, commonFrom, own }: Family,
  first: number,
  query: Float64Array,
  posted: Map<number, number[]>,
  prng: Prng,
): void {
  const modulus = indexModulusFor(size, INDEX_MODULUS);
  const listOf = (shingle: number) => (shingle % modulus === 0 ? posted.get(shingle) : undefined);
  for (const shingle of query.subarray(commonFrom, commonFrom + common)) {
    const list = listOf(shingle);
    for (let member = 0; list !== undefined && member < members; member++) list.push(first + member);
  }
  const others = query.filter((_, i) => i < commonFrom || i >= commonFrom + common);
  for (let member = 0; member < members && own > 0; member++) {
    for (let drawn = 0; drawn < own; drawn++) {
      const at = drawn + prng.below(others.length - drawn);
      const shingle = others[at]!;
      others[at] = others[drawn]!;
      others[drawn] = shingle;
      listOf(shingle)?.push(first + member);
    }
  }
}
