/*
 * Keyed hashes that decide which contents are read where there are too many.
 *
 * The rank of a posting: 16 bits of (fingerprint, content number).
 *
 * Posting lists are ordered by rank, ties by content number. The first K of a long list are then a random K of its
 * contents, drawn independently for every shingle. So each member of a family of near-copies keeps about K/df of its
 * postings, and no member is hidden. (Broder 1997, §5.1 ignores shingles in more than 1,000 documents instead, which
 * hides whole families.) Keyed, so that nobody can make documents that rank first. Cost: five multiplications.
 *
 * The order of contents that share as much with a query as one another: 21 bits of (query, content number). Each of them comes
 * first as often as any other, old or new, over the queries; for one query always the same do, so that pages go on.
 */

/** Ranks are whole numbers in 0..RANK_COUNT-1. */
export const RANK_COUNT = 0x1_0000;
/**
 * Orders of ties are whole numbers in 0..TIE_COUNT-1: as many as a double holds beside a Uint32
 * (core/query/best-counted.ts).
 */
export const TIE_COUNT = 2 ** 21;

/**
 * @param key two secret Uint32
 * @param fingerprint 0..2^40-1
 * @param content the content's number, a Uint32
 * @returns 0..65535, uniform over contents for any one fingerprint
 */
export function postingRank(key: readonly [number, number], fingerprint: number, content: number): number {
  const low = (fingerprint % 0x1_0000_0000) | 0;
  const high = (fingerprint / 0x1_0000_0000) | 0;
  let hash = Math.imul(low ^ key[0], 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ high, 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 13) ^ content, 0x9e37_79b1);
  hash = Math.imul(hash ^ (hash >>> 16) ^ key[1], 0x7feb_352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846c_a68b);
  return (hash ^ (hash >>> 16)) >>> 16;
}

/**
 * @param key two secret Uint32, those of the ranks
 * @param query a Uint32 of the query, the same for the same query
 * @param content the content's number, a Uint32
 * @returns 0..TIE_COUNT-1; smaller comes first
 */
export function tieOrder(key: readonly [number, number], query: number, content: number): number {
  let hash = Math.imul(query ^ key[1], 0x9e37_79b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ content, 0x7feb_352d);
  hash = Math.imul(hash ^ (hash >>> 16) ^ key[0], 0x846c_a68b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 11;
}
