/*
 * Which sources stand for a host: of its live ones those with the lowest keyed hashes of their URL. Which they are follows from
 * the set of live sources alone, so no order of writes can matter, and nobody can choose to be among them.
 *
 *   hash   0 ─────────── 1/16 ─────────────────────────────────── 1
 *          │ these have a row │ of a host where fewer than 64 have one, sources are read from the list of all of them
 *          └─ the lowest 64 ──┘
 *
 * A host with 2,048 sources that are live has 128 rows in the mean, and fewer than 64 once in 10^10 times. So at most
 * HOST_LISTED_MAX sources of the list are looked at. If many more are gone, some that are live may lie behind these. Then those
 * that have a row stand for the host, and those that are listed before.
 */

/** So many sources stand for a host, at the most. */
export const HOST_SOURCES_MAX = 64;
/** So many sources of a host are listed where too few have a row. */
export const HOST_LISTED_MAX = 2048;
/** Contents stand for a host until they have so many values: 64 pages of 4,000 words. Of a host of books some are enough. */
export const HOST_VALUES_MAX = 2 ** 16;
/** Sources with a lower hash have a row: 1/16 of them, which takes 2.6 bytes a source. */
const ROW_HASHES = 2 ** 38;

/** Whether a source has a row by which its host is sampled. @param hash of {@link sourceHash} */
export const hasSampleRow = (hash: number): boolean => hash < ROW_HASHES;

/**
 * A keyed hash of a URL.
 *
 * @param key two secret Uint32, those of the ranks
 * @param url normalised: printable ASCII
 * @returns 0..2^42-1, uniform
 */
export function sourceHash(key: readonly [number, number], url: string): number {
  let a = Math.imul(key[0] ^ url.length, 0x9e37_79b1);
  let b = Math.imul(key[1] ^ url.length, 0x85eb_ca6b);
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i);
    a = Math.imul(a ^ code ^ (a >>> 15), 0x7feb_352d);
    b = Math.imul(b ^ code ^ (b >>> 13), 0xc2b2_ae35);
  }
  a = Math.imul(a ^ (b >>> 16) ^ key[1], 0x846c_a68b);
  b = Math.imul(b ^ (a >>> 15) ^ key[0], 0x9e37_79b1);
  return ((a ^ (a >>> 16)) >>> 0) * 2 ** 10 + ((b ^ (b >>> 16)) >>> 22);
}
