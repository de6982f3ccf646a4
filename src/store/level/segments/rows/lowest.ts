import { postingRank, RANK_COUNT } from '../../../../core/query/rank.ts';
import { contentAtPosition, positionOf, rankAtPosition } from './sort.ts';

/*
 * The K lowest of a list by (rank, content), out of several sorted parts and an unsorted one, without sorting them:
 *
 *   ranks, counted in 1,024 bins   |###|##|####|###|##| …     all of the bins before the one in which the K-th lies,
 *                                             ^ K             and of that one the lowest after sorting it
 *
 * Cost: O(n), about 10 ns a posting, most of it the rank.
 */

const BINS = 1024;
const BIN_SHIFT = Math.log2(RANK_COUNT / BINS);

const bins = new Uint32Array(BINS);
let ranks = new Uint16Array(4096);

/** The K lowest, in no order. */
export interface Lowest {
  readonly contents: Uint32Array;
  /** The highest rank among them; 0 where there are none. */
  readonly lastRank: number;
}

/**
 * @param contents distinct; the first `count` of them are the list; they are left in another order
 * @param before only postings at positions below this (sort.ts)
 */
export function lowestByRank(
  rankKey: readonly [number, number],
  fingerprint: number,
  contents: Uint32Array,
  count: number,
  most: number,
  before: number,
): Lowest {
  if (count > ranks.length) ranks = new Uint16Array(2 * count);
  bins.fill(0);
  let eligible = 0;
  for (let i = 0; i < count; i++) {
    const content = contents[i]!;
    const rank = postingRank(rankKey, fingerprint, content);
    if (rank * 0x1_0000_0000 + content >= before) continue;
    contents[eligible] = content;
    ranks[eligible++] = rank;
    bins[rank >>> BIN_SHIFT]!++;
  }
  let last = 0;
  let below = 0;
  while (last < BINS && below + bins[last]! < most) below += bins[last++]!;
  return take(rankKey, fingerprint, contents, eligible, Math.min(most, eligible), last);
}

/** All of the bins before `last`, and the lowest of that one, as far as `size`. */
function take(
  rankKey: readonly [number, number],
  fingerprint: number,
  contents: Uint32Array,
  count: number,
  size: number,
  last: number,
): Lowest {
  const taken = new Uint32Array(size);
  const edge: number[] = [];
  let lastRank = 0;
  let at = 0;
  for (let i = 0; i < count; i++) {
    const rank = ranks[i]!;
    const bin = rank >>> BIN_SHIFT;
    if (bin > last) continue;
    if (bin === last) edge.push(positionOf(rankKey, fingerprint, contents[i]!));
    else {
      taken[at++] = contents[i]!;
      if (rank > lastRank) lastRank = rank;
    }
  }
  edge.sort((a, b) => a - b);
  for (let i = 0; at < size; i++) {
    taken[at++] = contentAtPosition(edge[i]!);
    lastRank = rankAtPosition(edge[i]!);
  }
  return { contents: taken, lastRank };
}
