/*
 * How far a posting list is kept, and how far a query reads it.
 *
 *   list of df postings   [ 1 … K ][ K+1 … 16 K ][ 16 K + 1 … df ]
 *                          a query   kept: read,   merges drop these
 *                          reads     too, where
 *                          these     it is deep
 *
 * A family of thousands has every shingle in thousands of documents. The first K of each list hold nearly all of its members
 * between them, but not all: of 5,000 that share 32 look-ups, K = 1,000 leaves out (1 - 1/5)^32, four. Who wants them to the
 * last reads on. With many keys a list is read less far, so that all of them together stay below DEEP_POSTINGS_MAX. There
 * are as many more lists then in which a member may be.
 */

/** What is kept of a list is so many times what a query reads of it. */
const KEPT_LISTS = 16;
/** Postings that a deep query reads, all lists together: 8 MB, counted in some 20 ms. */
const DEEP_POSTINGS_MAX = 2 ** 21;

/** So many postings of a list are kept at all, unless told otherwise. @param listPostingsMax K */
export const keptPostings = (listPostingsMax: number): number => KEPT_LISTS * listPostingsMax;

/**
 * So many postings a deep query reads of each list: from K to what is kept.
 *
 * @param listPostingsMax K
 * @param keptPostingsMax K or more
 * @param keys how many lists are read
 */
export function deepPostings(listPostingsMax: number, keptPostingsMax: number, keys: number): number {
  return Math.min(keptPostingsMax, Math.max(listPostingsMax, Math.floor(DEEP_POSTINGS_MAX / Math.max(1, keys))));
}
