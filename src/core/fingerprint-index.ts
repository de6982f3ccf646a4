import { FINGERPRINT_BITS } from './modulus.ts';

/*
 * Membership in a sorted array of fingerprints.
 *
 *   fingerprints (ascending, uniform)   [ 03 1a | 2f 31 38 |     | 90 ... ]    the sorted array is its own hash table:
 *   bucket = top bits                     0       1          2     3           the top bits are the hash, and starts says
 *   starts                              [ 0       2          5     5 ... ]     where each bucket begins
 *
 * Cost: 4 to 8 bytes and a few ns a value once, then some 5 ns a question; a keyed permutation makes values uniform, so no
 * author can fill one bucket.
 */

/**
 * @param fingerprints 0..2^40-1, ascending, distinct; kept for as long as the answer lives
 * @returns whether a whole number 0..2^40-1 is among them
 */
export function createFingerprintIndex(fingerprints: Float64Array): (fingerprint: number) => boolean {
  let bits = 0;
  while (2 ** bits < fingerprints.length) bits++;
  const scale = 2 ** (bits - FINGERPRINT_BITS);
  const starts = new Uint32Array(2 ** bits);
  let bucket = 0;
  for (let i = 0; i < fingerprints.length; i++) {
    const own = Math.floor(fingerprints[i]! * scale);
    while (bucket < own) starts[++bucket] = i;
  }
  starts.fill(fingerprints.length, bucket + 1);
  return (fingerprint) => {
    let at = starts[Math.floor(fingerprint * scale)]!;
    while (at < fingerprints.length && fingerprints[at]! < fingerprint) at++;
    return at < fingerprints.length && fingerprints[at] === fingerprint;
  };
}
