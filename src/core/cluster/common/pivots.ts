/*
 * Some members of a list that is too long to count all of its pairs: all others are counted against them. They are those that
 * consist most of common shingles, of several those with the lowest hashes. The rank is of what a node has, not of its place
 * in the input, so lists of one family have the same pivots in any order. The most common ones lie in the middle of a family:
 * those that nobody has changed, or the bare template.
 */

/** The members with the lowest ranks, ascending. */
export function pivotsOf(nodes: Uint32Array, rank: (node: number) => number): number[] {
  const pivots: number[] = [];
  const ranks: number[] = [];
  for (const node of nodes) {
    const own = rank(node);
    if (pivots.length === PIVOTS && own >= ranks[PIVOTS - 1]!) continue;
    let at = Math.min(pivots.length, PIVOTS - 1);
    for (; at > 0 && ranks[at - 1]! > own; at--) {
      pivots[at] = pivots[at - 1]!;
      ranks[at] = ranks[at - 1]!;
    }
    pivots[at] = node;
    ranks[at] = own;
  }
  return pivots.sort((a, b) => a - b);
}

/** Members of a list against which all are counted. */
export const PIVOTS = 16;

/** Steps of how much of a node is common. */
const COMMON_STEPS = 64;

/** A node's rank in a list. @param commonShare of its postings, 0..1 @param hash of what it has, below 2^32 */
export const pivotRank = (commonShare: number, hash: number): number =>
  Math.floor((1 - commonShare) * COMMON_STEPS) * 2 ** 32 + hash;

/** What a posting adds to the hash of its node, a sum, so that order does not matter. @param low 32 bits of the fingerprint */
export function postingHash(low: number): number {
  let hash = low ^ (low >>> 16);
  hash = Math.imul(hash, 0x85eb_ca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
