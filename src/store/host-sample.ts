/*
 * Which sources of a host stand for it: of all live ones those with the lowest keyed hashes of their URL. So which they are
 * follows from the set of live sources alone, no order of writes can matter, and nobody can choose to be among them.
 */

/** So many sources of a host are looked at, at the most. */
export const HOST_SOURCES_MAX = 64;

/**
 * A keyed hash of a URL: 42 bits, uniform.
 *
 * @param key two secret Uint32, those of the ranks
 * @param url normalised: printable ASCII
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
