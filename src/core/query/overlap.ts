import { bestCounted } from './best-counted.ts';
import { CountTable, CUT_HIT, cappedHits, LISTS_MAX, TWIN, WHOLE_HIT, wholeHits } from './count-table.ts';
import { cutThrough, drawLeftOut, type OverlapCut } from './overlap-cut.ts';
import type { OverlapsNeeded } from './overlap-needed.ts';
import { RANK_COUNT } from './rank.ts';

/*
 * Counting what is shared by a query and every document of the index: posting lists -> candidates in order.
 *
 *   keys            posting lists (content numbers)        one Uint32 a content (core/query/count-table.ts)
 *   f1  ->  [ 7, 12, 95 ]            read to its end       slot:  content | overlap << 16 | cappedOverlap
 *   f2  ->  [ 12, 7, 31, … K ]       cut at K                       12        1                1
 *   f3  ->  [ 12 ]                   read to its end      (12: 2 and 1, 7: 1 and 1, 95: 1 and 0, 31: 0 and 1)
 *
 * The packed count is the order of the answer. Twins come first: contents with the query's very set of shingles. Then most
 * hits in complete lists, then most hits in cut ones. Among equals a keyed hash decides (core/query/rank.ts, tieOrder).
 * Were it the oldest content, the newest of a large family would never be found. What has fewer hits than it needs is passed
 * over (core/query/overlap-needed.ts). The best of the rest are kept in a bounded heap, so that a family of 100,000 is never
 * sorted. Where not all of them are kept, it is told where the cut went through (core/query/overlap-cut.ts).
 * Source: Broder 1997, §4.2 (on-the-fly resemblance), which ignores common shingles; here lists cut at K count apart.
 * Cost: O(postings + found · log candidatesMax) at the worst; memory as in core/query/count-table.ts.
 */

/** One posting list as read: the contents that hold a looked-up fingerprint, each once, in any order. */
export interface PostingList {
  readonly contents: Uint32Array;
  /** Whether the list goes on beyond what was read (its first K by rank). */
  readonly cut: boolean;
}

/** The contents that share most with a query; position i of the three arrays is the i-th candidate. */
export interface OverlapCounts {
  readonly contents: Uint32Array;
  /** Hits in lists that were read to their end. */
  readonly overlaps: Uint16Array;
  /** Hits in lists that were cut. */
  readonly cappedOverlaps: Uint16Array;
  /** Distinct contents in all lists together, returned or not. */
  readonly found: number;
  /** Those of them with less overlap than they need, and the most hits, in lists of both kinds, that any of these has. */
  readonly passedOver: number;
  readonly passedOverHits: number;
  /** Where the order was cut; null where all that has the overlap it needs is returned. */
  readonly cut: OverlapCut | null;
  /** Contents that the cut leaves out, drawn whatever they share (core/query/overlap-cut.ts). */
  readonly drawn: Uint32Array;
}

/** Which contents are worth returning. */
export interface OverlapSelection {
  /** Contents that are returned first, whatever they share; each once. */
  readonly twins: Uint32Array;
  readonly needed: OverlapsNeeded;
  /** n of a content. */
  shingleCountOf(content: number): number;
  /** What comes first of contents with as much overlap as one another, 0..TIE_COUNT-1: the smaller one. */
  orderOf(content: number): number;
}

/**
 * The contents of posting lists by their overlap with the query, at most `candidatesMax` (>= 0) of them. Twins come
 * first, then overlap descending, cappedOverlap descending, the selection's order, and number ascending.
 *
 * @param lists one a looked-up fingerprint, at most 32,767
 * @param drawnMax so many of those that are left out are drawn at the most
 * @throws RangeError on more lists: a caller's mistake, since a plan has at most 4,096 keys
 */
export function countOverlaps(
  lists: readonly PostingList[],
  candidatesMax: number,
  selection: OverlapSelection,
  drawnMax = 0,
): OverlapCounts {
  if (lists.length > LISTS_MAX) throw new RangeError(`at most ${LISTS_MAX} posting lists, got ${lists.length}`);
  countPostings(lists, selection.twins);
  const { pairs, used } = table;
  const { worth, passedOverHits } = worthReturning(pairs, used, selection);
  const { contents, counts } = bestCounted(pairs, worth, candidatesMax, selection.orderOf);
  // from() would make an object for each
  const overlaps = new Uint16Array(counts.length);
  const cappedOverlaps = new Uint16Array(counts.length);
  for (let i = 0; i < counts.length; i++) {
    overlaps[i] = wholeHits(counts[i]!);
    cappedOverlaps[i] = cappedHits(counts[i]!);
  }
  return {
    contents,
    overlaps,
    cappedOverlaps,
    found: used.length,
    passedOver: used.length - worth.length,
    passedOverHits,
    cut:
      worth.length === counts.length
        ? null
        : cutThrough(pairs, worth, counts, selection.needed.likely(), selection.shingleCountOf),
    drawn: drawLeftOut(pairs, worth, { contents, counts }, drawnMax, selection.orderOf),
  };
}

/**
 * The positions of twins and of what has the overlap it needs, and the most hits of anything else.
 *
 * @param used overwritten: the positions that are told come to lie at its beginning
 */
function worthReturning(pairs: Uint32Array, used: Uint32Array, { needed, shingleCountOf }: OverlapSelection) {
  const { least } = needed;
  let [count, passedOverHits] = [0, 0];
  for (let i = 0; i < used.length; i++) {
    const at = used[i]!;
    const counted = pairs[at + 1]!;
    const hits = wholeHits(counted);
    // most contents share one common shingle: the size of those is not even looked up
    const isWorth = counted >= TWIN || (hits >= least && hits >= needed.of(shingleCountOf(pairs[at]!)));
    used[count] = at;
    count += Number(isWorth);
    if (!isWorth) passedOverHits = Math.max(passedOverHits, hits + cappedHits(counted));
  }
  return { worth: used.subarray(0, count), passedOverHits };
}

/** One for all queries of a thread: from counting to the answer nothing waits. */
const table = new CountTable();

function countPostings(lists: readonly PostingList[], twins: Uint32Array): void {
  table.clear();
  for (const { contents, cut } of lists) table.add(contents, cut ? CUT_HIT : WHOLE_HIT);
  table.add(twins, TWIN);
}

/**
 * K / df of a list that was cut: the share of its contents that was read.
 *
 * Ranks are uniform, so the K-th smallest of df lies at K / (df + 1) of their range in the mean. So (rank + 1/2) /
 * 65,536 estimates K / (df + 1) without bias, with a relative error of 1 / sqrt(K).
 *
 * @param kept K >= 1, postings read
 * @param lastRank the rank of the K-th, 0..65535
 * @returns in (0, K / (K + 1)]: at least one more was there
 */
export function listShare(kept: number, lastRank: number): number {
  return Math.min((lastRank + 0.5) / RANK_COUNT, kept / (kept + 1));
}
