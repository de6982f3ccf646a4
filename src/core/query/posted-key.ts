/*
 * What an index is looked up by: 32 bits of a fingerprint, as a number below 2^40.
 *
 *   fingerprint   39 …… 32 | 31 ……………… 4 | 3 2 1 0
 *                           |             |    └───────────────┐
 *   key                     └─ 39 ………… 12 | 11 … 4: zeros | 3 2 1 0
 *
 * Postings are shared out by the top bits of keys, so these are uniform. Filters leave keys out that are 0 mod 2, 4 or 8, so
 * the low bits say that. The eight zeros between them take no room on disk or in images.
 *
 * Two fingerprints that are 0 mod 8 agree in 32 bits by chance with 2^-29. So among ten million documents that post 60 each,
 * a key meets one of another fingerprint. It takes several to be read (core/query/overlap-needed.ts), so that it costs
 * hardly any reading.
 */

/** Bits of a fingerprint that a key has. */
export const POSTED_BITS = 32;
/** Bits of a key that are always 0, above its lowest four. */
export const KEY_ZEROS = 8;
const LOW_UNIT = 2 ** 4;
const HIGH_UNIT = 2 ** (4 + KEY_ZEROS);

/** @param fingerprint its low 32 bits or more */
export function postedKey(fingerprint: number): number {
  return ((fingerprint | 0) >>> 4) * HIGH_UNIT + (fingerprint & (LOW_UNIT - 1));
}

/** The low 32 bits of the fingerprints that have a key. */
export const fingerprintOfKey = (key: number): number =>
  Math.floor(key / HIGH_UNIT) * LOW_UNIT + (key & (LOW_UNIT - 1));

export function postedKeys(fingerprints: Float64Array): Float64Array {
  return fingerprints.map(postedKey);
}

/** More fingerprints than this with the same lowest bits do not come by chance: from there on a table finds equal keys. */
const RUN_MAX = 64;

/**
 * The distinct keys of fingerprints that stand in the order of their lowest bits. Equal keys stand together, so no table is
 * needed, in which each look would be a miss of all caches.
 *
 * @param bits how many of the lowest bits give the order, 16 to 32
 * @param keys where keys are written, as long as the fingerprints; it may be these themselves
 * @returns the part of `keys` that is kept
 */
export function distinctKeysInRuns(fingerprints: Float64Array, bits: number, keys: Float64Array): Float64Array {
  const shift = 32 - bits;
  let count = 0;
  let runFrom = 0;
  let runLow = -1;
  for (let i = 0; i < fingerprints.length; i++) {
    const fingerprint = fingerprints[i]!;
    const key = postedKey(fingerprint);
    const low = ((fingerprint | 0) << shift) >>> shift;
    if (low !== runLow) {
      runLow = low;
      runFrom = count;
    }
    let at = runFrom;
    while (at < count && keys[at] !== key) at++;
    if (at === count) keys[count++] = key;
    if (count - runFrom <= RUN_MAX) continue;
    for (let rest = i + 1; rest < fingerprints.length; rest++) keys[count++] = postedKey(fingerprints[rest]!);
    return distinctKeys(keys.subarray(0, count));
  }
  return keys.subarray(0, count);
}

/**
 * In place, each key once: of a hundred thousand documents one has two fingerprints of one key.
 *
 * @param keys in any order
 * @returns the part of them that is kept
 */
export function distinctKeys(keys: Float64Array): Float64Array {
  const { length } = keys;
  const bits = 33 - Math.clz32(Math.max(1, length));
  const slots = new Float64Array(2 ** bits).fill(-1);
  const mask = 2 ** bits - 1;
  let count = 0;
  for (let i = 0; i < length; i++) {
    const key = keys[i]!;
    let slot = (key / HIGH_UNIT) & mask;
    while (slots[slot]! >= 0 && slots[slot] !== key) slot = (slot + 1) & mask;
    if (slots[slot] === key) continue;
    slots[slot] = key;
    keys[count++] = key;
  }
  return keys.subarray(0, count);
}
