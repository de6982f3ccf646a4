import { runToEnd } from '../memory/steps.ts';
import { type ComparedSample, NARROW_BITS_MIN } from '../sketch/narrow.ts';

/*
 * Which fingerprints a sample holds, asked by 40 bits or by any of their low ones.
 *
 *   bucket    the lowest t bits above those that are 0 in every value of the sample, 2^t >= values; t + log2 m <= 16
 *   starts    where each bucket begins                             [ 0       2          5     5 ... ]
 *   low, high the values, bucket after bucket: low 32 bits, rest   [ 03 1a | 2f 31 38 |     | 90 ... ]
 *
 * Low bits, since those are what a narrow value has (core/sketch/narrow.ts): one table serves every width. Fingerprints
 * are permuted under a secret key, so no author can fill one bucket. Cost: 9 to 13 bytes and some 5 ns a value once,
 * then some 5 ns a value that is asked for.
 */

/** Values that are looked at in one step: some 5 ms where each is a miss of all caches, a table of millions. */
export const STEP_VALUES = 2 ** 14;

/** New memory that is touched in one step. */
const STEP_BYTES = 2 ** 19;

export interface FingerprintIndex {
  /** Whether one of the sample's values agrees with a value of `bits` bits (NARROW_BITS_MIN..40), in as many as both have. */
  has(value: number, bits: number): boolean;
  /** How many of its own values agree with a value. */
  agreeing(value: number, bits: number): number;
  /** How many of the values it has. */
  count(values: Float64Array, bits: number): number;
  /**
   * Which of its own values agree with those that are asked for: numbers of them, 0 … values - 1, in the order of the asked.
   * One that several ask for is there as often.
   */
  which(values: Float64Array, bits: number): Uint32Array;
  /** What {@link falseDensityOf} says of the sample. */
  readonly falseDensity: number;
  /**
   * For each of the first `length` values, whether it has one that agrees: 1 or 0.
   *
   * @param answers of `length` or more, to be written and returned; new memory where none are given
   */
  found(values: Float64Array, length: number, bits: number, answers?: Uint8Array): Uint8Array;
}

/** How many values of a sample are expected to agree by chance with a whole fingerprint that it does not have. */
export function falseDensityOf({ values, modulus, bits }: ComparedSample): number {
  return (values.length * modulus) / 2 ** bits;
}

export function createFingerprintIndex(sample: ComparedSample): FingerprintIndex {
  return runToEnd(fingerprintIndexSteps(sample));
}

/** The same step by step, for those who have more to do. */
export function* fingerprintIndexSteps(sample: ComparedSample): Generator<undefined, FingerprintIndex> {
  const { modulus, values } = sample;
  const shift = Math.log2(modulus);
  const bucketBits = Math.min(32 - Math.clz32(values.length), Math.max(0, NARROW_BITS_MIN - shift));
  const bucketMask = 2 ** bucketBits - 1;
  const starts = new Uint32Array(2 ** bucketBits + 1);
  yield* touch(starts);
  for (let from = 0; from < values.length; from += STEP_VALUES) {
    countBuckets(values.subarray(from, from + STEP_VALUES), shift, bucketMask, starts);
    yield;
  }
  addUp(starts);
  const low = new Int32Array(values.length);
  const high = new Uint8Array(values.length);
  yield* touch(low);
  yield* touch(high);
  for (let to = values.length; to > 0; to -= STEP_VALUES) {
    yield;
    fillBuckets(values.subarray(Math.max(0, to - STEP_VALUES), to), shift, bucketMask, starts, low, high);
  }

  function count(asked: Float64Array, bits: number): number {
    const common = Math.min(bits, sample.bits);
    const lowMask = common < 32 ? (1 << common) - 1 : -1;
    const highMask = common > 32 ? (1 << (common - 32)) - 1 : 0;
    let found = 0;
    for (let i = 0; i < asked.length; i++) {
      const value = asked[i]! | 0;
      const bucket = (value >>> shift) & bucketMask;
      const end = starts[bucket + 1]!;
      let at = starts[bucket]!;
      // most values asked for are too narrow to have a high part
      while (
        at < end &&
        (((low[at]! ^ value) & lowMask) !== 0 ||
          (highMask !== 0 && ((high[at]! ^ (asked[i]! / 0x1_0000_0000)) & highMask) !== 0))
      )
        at++;
      found += Number(at < end);
    }
    return found;
  }

  function which(asked: Float64Array, bits: number): Uint32Array {
    const common = Math.min(bits, sample.bits);
    const lowMask = common < 32 ? (1 << common) - 1 : -1;
    const highMask = common > 32 ? (1 << (common - 32)) - 1 : 0;
    const found = new Uint32Array(asked.length);
    let count = 0;
    for (let i = 0; i < asked.length; i++) {
      const value = asked[i]! | 0;
      const top = asked[i]! / 0x1_0000_0000;
      const bucket = (value >>> shift) & bucketMask;
      const end = starts[bucket + 1]!;
      let at = starts[bucket]!;
      while (at < end && (((low[at]! ^ value) & lowMask) !== 0 || ((high[at]! ^ top) & highMask) !== 0)) at++;
      found[count] = at;
      count += Number(at < end);
    }
    return found.subarray(0, count);
  }

  function found(asked: Float64Array, length: number, bits: number, answers = new Uint8Array(length)): Uint8Array {
    const common = Math.min(bits, sample.bits);
    const lowMask = common < 32 ? (1 << common) - 1 : -1;
    const highMask = common > 32 ? (1 << (common - 32)) - 1 : 0;
    for (let i = 0; i < length; i++) {
      const value = asked[i]! | 0;
      const bucket = (value >>> shift) & bucketMask;
      const end = starts[bucket + 1]!;
      let at = starts[bucket]!;
      while (
        at < end &&
        (((low[at]! ^ value) & lowMask) !== 0 ||
          (highMask !== 0 && ((high[at]! ^ (asked[i]! / 0x1_0000_0000)) & highMask) !== 0))
      )
        at++;
      answers[i] = Number(at < end);
    }
    return answers;
  }

  function agreeing(asked: number, bits: number): number {
    const common = 2 ** Math.min(bits, sample.bits);
    const bucket = ((asked | 0) >>> shift) & bucketMask;
    let count = 0;
    for (let at = starts[bucket]!; at < starts[bucket + 1]!; at++) {
      const own = high[at]! * 0x1_0000_0000 + (low[at]! >>> 0);
      count += Number(own % common === asked % common);
    }
    return count;
  }

  const one = new Float64Array(1);
  return {
    has(value, bits) {
      one[0] = value;
      return count(one, bits) === 1;
    },
    agreeing,
    count,
    which,
    found,
    falseDensity: falseDensityOf(sample),
  };
}

/** Memory is slow to touch for the first time, and values are anywhere: one step with them would touch all of it. */
function* touch(array: Uint32Array | Int32Array | Uint8Array): Generator<undefined, void> {
  const length = STEP_BYTES / array.BYTES_PER_ELEMENT;
  if (array.length <= length) return;
  for (let from = 0; from < array.length; from += length) {
    yield;
    array.fill(0, from, from + length);
  }
}

function countBuckets(values: Float64Array, shift: number, mask: number, counts: Uint32Array): void {
  for (let i = 0; i < values.length; i++) counts[((values[i]! | 0) >>> shift) & mask]!++;
}

/** Sizes of buckets become where the buckets end. */
function addUp(sizes: Uint32Array): void {
  for (let bucket = 1; bucket < sizes.length; bucket++) sizes[bucket]! += sizes[bucket - 1]!;
}

/** From the last value on, each before the others of its bucket; `ends` are where buckets begin then. */
function fillBuckets(
  values: Float64Array,
  shift: number,
  mask: number,
  ends: Uint32Array,
  low: Int32Array,
  high: Uint8Array,
): void {
  for (let i = values.length - 1; i >= 0; i--) {
    const value = values[i]!;
    const at = --ends[((value | 0) >>> shift) & mask]!;
    low[at] = value | 0;
    high[at] = value / 0x1_0000_0000;
  }
}
