/*
 * What a content shares with a query, in one Uint32 that is larger the more it is:
 *
 *   twin 1 bit | hits in lists read to their end 15 bits | hits in lists that were cut 16 bits
 *              `------------------- level -------------´   (with the twin bit)
 */

/** Most lists that can be counted. */
export const LISTS_MAX = 0x7fff;
export const WHOLE_HIT = 0x1_0000;
export const CUT_HIT = 1;
export const TWIN = 0x8000_0000;

export const wholeHits = (hits: number) => (hits >>> 16) & LISTS_MAX;
export const cappedHits = (hits: number) => hits & 0xffff;
/** What comes before hits in lists that were cut. */
export const levelOf = (hits: number) => hits >>> 16;
