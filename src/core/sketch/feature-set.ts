/*
 * The canonical bytes of a set of strings: each once, in the order of their UTF-16 code units, with its length before it.
 *
 *   {"b", "", "é"}     00 00 00 00 00 00 00 00 │ 01 00 00 00 00 00 00 00  62 │ 02 00 00 00 00 00 00 00  c3 a9
 *                      length, 8 bytes, little-endian, then UTF-8
 *
 * Equal sets have equal bytes, and other sets others: where a string ends is said before it begins. So these bytes are what a
 * set is known by (identity/digests.ts), and what its sketch is made of (feature-sketch.ts).
 *
 * Ours: Broder 1997, §3 speaks of documents as sets of shingles; any other set will do.
 * Cost: n log n comparisons of strings; 0.3 us a string where there are 1,000 (bench/compare/features.ts).
 */

export interface FeatureSet {
  /** Strings, each once. */
  readonly count: number;
  /** The canonical bytes. Up to 8 more lie behind them in the same memory, for readers of whole words. */
  readonly bytes: Uint8Array;
}

/** Bytes of the length before a string. */
export const LENGTH_BYTES = 8;

/** @param features well-formed strings, in any order, any of them several times */
export function createFeatureSet(features: readonly string[]): FeatureSet {
  const distinct = [...new Set(features)].sort();
  let units = 0;
  for (const feature of distinct) units += feature.length;
  // no code unit takes more than three bytes
  const room = new Uint8Array(LENGTH_BYTES * (distinct.length + 1) + 3 * units);
  const view = new DataView(room.buffer);
  const encoder = new TextEncoder();
  let at = 0;
  for (const feature of distinct) {
    const { written } = encoder.encodeInto(feature, room.subarray(at + LENGTH_BYTES));
    view.setUint32(at, written, true);
    at += LENGTH_BYTES + written;
  }
  return { count: distinct.length, bytes: room.subarray(0, at) };
}
