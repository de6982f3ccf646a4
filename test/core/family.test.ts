import { beforeAll, describe, expect, it } from 'vitest';
import { countOverlaps, listShare } from '../../src/core/query/overlap.ts';
import { postingRank, RANK_COUNT } from '../../src/core/query/rank.ts';
import { statedRecall } from '../../src/core/query/recall.ts';
import { ALL_WORTH } from '../support/core/families.ts';
import { planLookUp } from '../support/core/plan-look-up.ts';
import { createPrng, distinctFingerprints } from '../support/prng.ts';

const FAMILY = 5000;
const SHINGLES = 400;
/** Each member has changed this share of the shingles, on its own. */
const CHANGED = 0.027;
const RANK_KEY = [0xfeed_5eed, 0x0dec_0de5] as const;
const THRESHOLDS = { resemblance: 0.9, queryInMatch: null, matchInQuery: null };

/** A posting of the family's text that a member has kept, in the order of arrival. */
interface Posting {
  readonly content: number;
  readonly rank: number;
}

/** 5,000 near-copies of one text in an index, asked with the text itself: every looked-up list is common. */
const prng = createPrng(5000);
const text = distinctFingerprints(prng, SHINGLES).sort();
const plan = planLookUp({ shingleCount: SHINGLES, sample: { modulus: 1, fingerprints: text } }, THRESHOLDS, {
  indexModulusMax: 8,
});
let byArrival: Posting[][];
let byRank: Posting[][];

beforeAll(() => {
  byArrival = [...plan.keys].map((key) => {
    const postings: Posting[] = [];
    for (let content = 0; content < FAMILY; content++) {
      if (prng.next() >= CHANGED) postings.push({ content, rank: postingRank(RANK_KEY, key, content) });
    }
    return postings;
  });
  byRank = byArrival.map((list) => list.toSorted((a, b) => a.rank - b.rank || a.content - b.content));
});

/** The share of the family that is found when the first `kept` of each list are read. */
function foundShare(lists: readonly (readonly Posting[])[], kept: number): number {
  const read = lists.map((list) => ({
    contents: Uint32Array.from(list.slice(0, kept), ({ content }) => content),
    cut: list.length > kept,
  }));
  return countOverlaps(read, 256, ALL_WORTH).found / FAMILY;
}

describe('a family of 5,000 near-copies whose every shingle is common', () => {
  it.each([
    [1000, 0.98],
    [256, 0.7],
    [128, 0.46],
    [64, 0.27],
  ])('is found by the first %i of each list by rank: a share of %d at least', (kept, least) => {
    const found = foundShare(byRank, kept);
    expect(found).toBeGreaterThan(least);
    // As independent draws promise: each of the lists holds a member with chance K / df, if the member kept the shingle.
    const missed = (1 - kept / FAMILY) ** byRank.length;
    expect(Math.abs(found - (1 - missed))).toBeLessThan(4 * Math.sqrt((missed * (1 - missed)) / FAMILY) + 0.002);
  });

  it('is found for a fifth by the first arrivals, and not at all where common shingles are ignored', () => {
    const arrivals = foundShare(byArrival, 1000);
    expect(arrivals > 0.2 && arrivals < 0.22).toBe(true);
    expect(
      foundShare(
        byRank.filter((list) => list.length <= 1000),
        1000,
      ),
    ).toBe(0);
  });

  it.each([1000, 256, 128, 64])('states a recall of its members at %i that is not above what is found', (kept) => {
    const shares = Float64Array.from(byRank, (list) => listShare(kept, list[kept - 1]!.rank));
    for (const share of shares) expect(Math.abs(share / (kept / (FAMILY * (1 - CHANGED))) - 1)).toBeLessThan(0.6);
    const looked = { indexModulusMax: 8, shares, passedOver: false, cut: null };
    const stated = statedRecall(plan, THRESHOLDS, looked).recall.resemblance!;
    const found = foundShare(byRank, kept);
    expect(stated).toBeLessThan(found + 0.03);
    expect(stated).toBeGreaterThan(found - 0.2);
  });

  it('shares its ranks out over their whole range', () => {
    const ranks = byRank[0]!.map(({ rank }) => rank);
    expect(ranks[0]!).toBeLessThan(RANK_COUNT / 500);
    expect(ranks.at(-1)!).toBeGreaterThan(RANK_COUNT - RANK_COUNT / 500);
  });
});
