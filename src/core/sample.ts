import type { DistinctFingerprints } from './distinct.ts';
import { FINGERPRINT_BITS, modulusFor, RECORD_SHINGLES_LEAST } from './modulus.ts';
import type { Sample } from './sketch.ts';

/*
 * What is kept of the set of all fingerprints, and what is said of it as a whole.
 *
 *   sample   V_m = { f : f = 0 mod m }, m a power of two, so that a test of the low bits decides   (modulus.ts)
 *            of each the low 40 bits, ascending: scattered by their top bits into about as many buckets as there are
 *            values, which leaves next to nothing to do for an insertion sort, for permuted values are uniform
 *   sum      four Uint32, the sums of four 32-bit functions of each fingerprint: equal sets have equal sums, in whatever
 *            order, and two different sets have them with a chance of 2^-128 over the secret key
 *
 * Cost: 8 ns a value kept, 2 ns a fingerprint of the sum.
 */

const BUCKET_BITS_MAX = 16;
const HIGH_MASK = 2 ** (FINGERPRINT_BITS - 32) - 1;

/** V_m of a document at its record's modulus m(n; modulusMax, 256). */
export function sampleOf(all: DistinctFingerprints, modulusMax: number): Sample {
  const modulus = modulusFor(all.count, modulusMax, RECORD_SHINGLES_LEAST);
  const mask = modulus - 1;
  const { low, high, count } = all;
  const kept = new Int32Array(count);
  let keptCount = 0;
  for (let i = 0; i < count; i++) {
    const rest = low[i]! & mask;
    kept[keptCount] = i;
    // counts where the rest is 0, without a branch that would be mispredicted
    keptCount += ((rest | -rest) >>> 31) ^ 1;
  }
  const sorted = new Float64Array(keptCount);
  if (keptCount > 0) scatter(low, high, kept, keptCount, sorted);
  insertionSort(sorted);
  return { modulus, fingerprints: withoutRepetitions(sorted) };
}

/** The low 40 bits of the fingerprints low[i], high[i] for from <= i < to, in their order. */
export function storedFingerprints(low: Int32Array, high: Int32Array, from: number, to: number): Float64Array {
  return Float64Array.from({ length: to - from }, (_, i) => stored(low[from + i]!, high[from + i]!));
}

function stored(low: number, high: number): number {
  return (high & HIGH_MASK) * 0x1_0000_0000 + (low >>> 0);
}

/** Order-independent sum of a set of fingerprints. */
export function sumOf(all: DistinctFingerprints): Uint32Array {
  const { low, high, count } = all;
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const l = low[i]!;
    const h = high[i]!;
    // two more rounds of mixing make two more words of each
    const m = Math.imul(l ^ (l >>> 15), 0x2c1b_3c6d) ^ h;
    const n = Math.imul(m ^ (m >>> 13), 0x297a_2d39) ^ l;
    a = (a + l) | 0;
    b = (b + h) | 0;
    c = (c + (m ^ (m >>> 16))) | 0;
    d = (d + (n ^ (n >>> 16))) | 0;
  }
  return Uint32Array.of(a, b, c, d);
}

/** Counting sort of the chosen fingerprints by the top bits of the 40 that are stored. */
function scatter(low: Int32Array, high: Int32Array, chosen: Int32Array, count: number, sorted: Float64Array): void {
  const bits = Math.min(BUCKET_BITS_MAX, 32 - Math.clz32(count));
  const shift = 32 - bits;
  const ends = new Int32Array((1 << bits) + 1);
  for (let i = 0; i < count; i++) ends[(topOfStored(low[chosen[i]!]!, high[chosen[i]!]!) >>> shift) + 1]!++;
  for (let bucket = 1; bucket < ends.length; bucket++) ends[bucket]! += ends[bucket - 1]!;
  for (let i = 0; i < count; i++) {
    const l = low[chosen[i]!]!;
    const h = high[chosen[i]!]!;
    sorted[ends[topOfStored(l, h) >>> shift]!++] = stored(l, h);
  }
}

function topOfStored(low: number, high: number): number {
  return (high << 24) | (low >>> 8);
}

function insertionSort(values: Float64Array): void {
  for (let i = 1; i < values.length; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

/** Two fingerprints may agree in their low 40 bits: one pair in 5e11. */
function withoutRepetitions(sorted: Float64Array): Float64Array {
  let count = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!;
  return count === sorted.length ? sorted : sorted.slice(0, count);
}
