import { createCopier } from '../memory/copies.ts';
import type { DistinctFingerprints, WholeSet } from './distinct.ts';
import type { Sample } from './modulus.ts';
import { FINGERPRINT_BITS, modulusFor, RECORD_SHINGLES_LEAST } from './modulus.ts';

/*
 * What is kept of the set of all fingerprints, and what is said of it as a whole.
 *
 *   sample   V_m = { f : f = 0 mod m }, m a power of two, so that a test of the low bits decides   (modulus.ts)
 *            of each the low 40 bits, ascending: scattered by their top bits into about twice as many buckets as there
 *            are values, which leaves next to nothing to do for an insertion sort, for permuted values are uniform
 *   sum      four Uint32, the sums of four 32-bit functions of each fingerprint: equal sets have equal sums, in whatever
 *            order, and two different sets have them with a chance of 2^-128 over the secret key; added up in
 *            distinct.ts, as fingerprints arrive
 *
 * Cost: 7 ns a fingerprint where half are kept: a third each for choosing, sorting and the memory of the result.
 */

const BUCKET_BITS_MAX = 16;
/** Where the 32 top bits of the low 40 are, in either half. */
const LEFT = 64 - FINGERPRINT_BITS;
const RIGHT = FINGERPRINT_BITS - 32;
const HIGH_MASK = 2 ** (FINGERPRINT_BITS - 32) - 1;
/** Fingerprints for which there is room at the least, and at the most from one document to the next. */
const KEPT_LEAST = 0x1000;
const KEPT_MAX = 0x1_0000;

/** V_m of a set of fingerprints at its record's modulus m(n; modulusMax, 512). */
export type Sampler = (all: DistinctFingerprints, modulusMax: number) => Sample;

export function createSampler(): Sampler {
  const ends = new Int32Array(1 << BUCKET_BITS_MAX);
  const copy = createCopier();
  let kept = createRoom(KEPT_LEAST);
  return (all, modulusMax) => {
    const modulus = modulusFor(all.count, modulusMax, RECORD_SHINGLES_LEAST);
    const room = all.count <= kept.low.length ? kept : createRoom(all.count);
    if (all.count <= KEPT_MAX) kept = room;
    // about two buckets for each value that is kept
    const bits = Math.min(BUCKET_BITS_MAX, 33 - Math.clz32(all.count / modulus));
    ends.fill(0, 0, 1 << bits);
    const count = keep(all, modulus, bits, room, ends);
    scatter(room, count, bits, ends);
    return { modulus, fingerprints: copy(room.sorted, 0, settle(room.sorted, count)) };
  };
}

/** Room for what is kept: halves as they come, and low 40 bits in their order. */
interface Room {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly sorted: Float64Array;
}

function createRoom(count: number): Room {
  return { low: new Int32Array(count), high: new Int32Array(count), sorted: new Float64Array(count) };
}

/** Copies to `kept` those that the modulus divides, counts them by bucket and returns how many there are. */
function keep(all: DistinctFingerprints, modulus: number, bits: number, kept: Room, sizes: Int32Array): number {
  const { low, high, count } = all;
  const { low: keptLow, high: keptHigh } = kept;
  const mask = modulus - 1;
  let keptCount = 0;
  for (let i = 0; i < count; i++) {
    const l = low[i]!;
    const h = high[i]!;
    const rest = l & mask;
    // 1 where the rest is 0, without a branch that would be mispredicted
    const one = ((rest | -rest) >>> 31) ^ 1;
    keptLow[keptCount] = l;
    keptHigh[keptCount] = h;
    keptCount += one;
    sizes[bucketOf(l, h, bits)]! += one;
  }
  return keptCount;
}

/** Puts the low 40 bits of what is kept in the order of their buckets, of which the sizes are given. */
function scatter({ low, high, sorted }: Room, count: number, bits: number, ends: Int32Array): void {
  for (let bucket = 0, before = 0; bucket < 1 << bits; bucket++) {
    const size = ends[bucket]!;
    ends[bucket] = before;
    before = (before + size) | 0;
  }
  for (let i = 0; i < count; i++) {
    const l = low[i]!;
    const h = high[i]!;
    const bucket = bucketOf(l, h, bits);
    const at = ends[bucket]!;
    ends[bucket] = at + 1;
    sorted[at] = stored(l, h);
  }
}

/** The top bits of the low 40: 1..16 of them. */
function bucketOf(low: number, high: number, bits: number): number {
  return ((high << LEFT) | (low >>> RIGHT)) >>> (32 - bits);
}

/**
 * Moves the few values of which the bucket has a larger one before them to where they belong. Returns how many are
 * left, in front, when each is there once: one pair of fingerprints in 1e12 agrees in the low 40 bits.
 */
function settle(values: Float64Array, count: number): number {
  let settled = 0;
  let last = -1;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value > last) {
      values[settled++] = value;
      last = value;
    } else settled = insert(values, settled, value);
  }
  return settled;
}

/** Inserts a value among `count` ascending ones, unless it is there. Returns how many there are now. */
function insert(values: Float64Array, count: number, value: number): number {
  let at = count;
  while (at > 0 && values[at - 1]! > value) at--;
  if (at > 0 && values[at - 1] === value) return count;
  for (let i = count; i > at; i--) values[i] = values[i - 1]!;
  values[at] = value;
  return count + 1;
}

/** The low 40 bits of the fingerprints low[i], high[i] for from <= i < to, in their order. */
export function storedFingerprints(low: Int32Array, high: Int32Array, from: number, to: number): Float64Array {
  const fingerprints = new Float64Array(to - from);
  for (let i = from; i < to; i++) fingerprints[i - from] = stored(low[i]!, high[i]!);
  return fingerprints;
}

/** The low 40 bits of a fingerprint. */
export function stored(low: number, high: number): number {
  return (high & HIGH_MASK) * 0x1_0000_0000 + (low >>> 0);
}

/** Order-independent sum of a set of fingerprints. */
export function sumOf({ sums }: DistinctFingerprints): Uint32Array {
  return Uint32Array.of(sums[0]!, sums[1]!, sums[2]!, sums[3]!);
}

/** Adds a fingerprint to such a sum. */
export function addToSum(sum: Uint32Array, low: number, high: number): void {
  sum[0]! += low;
  sum[1]! += high;
  sum[2]! += Math.imul(low ^ (high >>> 16), high | 1);
  sum[3]! += Math.imul(high ^ (low >>> 16), low | 1);
}

/** The set itself. */
export function wholeOf({ low, high, count }: DistinctFingerprints): WholeSet {
  const whole = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    whole[2 * i] = low[i]!;
    whole[2 * i + 1] = high[i]!;
  }
  return whole;
}
