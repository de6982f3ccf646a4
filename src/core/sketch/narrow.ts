import { createCopier, createRoom } from '../memory/copies.ts';
import { createScratch, type Scratch } from '../memory/scratch.ts';
import { runToEnd, STEP_VALUES } from '../memory/steps.ts';
import { createSmallSort, createUniformSort } from '../memory/uniform-sort.ts';
import type { Sample } from './modulus.ts';
import { coarsen, FINGERPRINT_BITS } from './modulus.ts';

/*
 * How much of each fingerprint a record keeps.
 *
 *   fingerprint    39 …………… b | b-1 …………………… 3 2 1 0      values   the low b bits of all of V_m: what is compared
 *                  └─ 40 - b ─┘└────────── b ──────────┘      exact    32 of those in V_e, V_e ⊆ V_m: what is looked up
 *
 * A value is 0 mod any modulus up to 2^b where its fingerprint is, so a narrow sample coarsens as a whole one does. Two
 * samples are compared by the bits that both have.
 *
 * How narrow: b = log2 n + SPARE_BITS, rounded. Fingerprints that are 0 mod m agree in their low b bits by chance with m / 2^b.
 * Another document of n shingles keeps n/m of them. So a value that is not shared agrees with one of these all the same with a
 * chance of n / 2^b, whichever m it is: 1/362 to 1/724. What is expected of that is taken off, and intervals cover it:
 * core/compare/evidence.ts. A document that is a hundred times as long agrees a hundred times as often. More bits would make
 * that rarer; they cost as much as more values, which make every estimate better.
 *
 *   n      64 … 181    … 362    … 724    … 1,448    … 2,896    … 5,792    … 11,585    … 46,340
 *   b            16       17       18         19         20         21          22          24
 *
 * Values of one document that agree both stay, so that no count of sampled values is ever off. Cost of narrowing: some
 * 12 ns a value.
 */

/** V_m of a document as a record keeps it, or whole: see above. */
export interface KeptSample {
  /** m, a power of two; 1 = the whole set. */
  readonly modulus: number;
  /** b: NARROW_BITS_MIN..40. */
  readonly bits: number;
  /** The low `bits` bits of the fingerprints of V_m, ascending; those of two that agree in them are both there. */
  readonly values: Float64Array;
  /** e, a power of two: m or coarser. */
  readonly exactModulus: number;
  /** The fingerprints of V_e as far as {@link exactBitsOf} says, in the order of their low `bits` bits. */
  readonly exact: Float64Array;
}

/** A sample as far as it is compared. */
export type ComparedSample = Pick<KeptSample, 'modulus' | 'bits' | 'values'>;

/** Bits beyond those that number the shingles. */
const SPARE_BITS = 9;

/** Every sample has at least these bits. A document of fewer than 64 shingles is kept whole. */
export const NARROW_BITS_MIN = 16;

/**
 * From this number of bits on, `exact` has all 40: in whole samples, in samples of huge documents, and in records from before
 * format 9.
 */
const WHOLE_EXACT_BITS = 28;
const EXACT_BITS = 32;

/** How many low bits of the fingerprints of V_e a sample keeps: 32 as its postings, or all 40. @param bits b of the sample */
export const exactBitsOf = (bits: number): number => (bits < WHOLE_EXACT_BITS ? EXACT_BITS : FINGERPRINT_BITS);

/** b of a document of n shingles, NARROW_BITS_MIN..40. */
export function narrowBits(shingleCount: number): number {
  const bits = Math.round(Math.log2(Math.max(1, shingleCount))) + SPARE_BITS;
  return Math.min(FINGERPRINT_BITS, Math.max(NARROW_BITS_MIN, bits));
}

/** A sample of which nothing is dropped; it shares its memory. */
export function wholeSample({ modulus, fingerprints }: Sample): KeptSample {
  const bits = FINGERPRINT_BITS;
  return { modulus, bits, values: fingerprints, exactModulus: modulus, exact: fingerprints };
}

/**
 * What is kept of a sample.
 *
 * @param bits NARROW_BITS_MIN..40
 * @param exactModulus e, a power of two, the sample's own or coarser; where it is its own, all stays as it is
 */
export function narrow(sample: Sample, bits: number, exactModulus: number): KeptSample {
  const { modulus, fingerprints } = sample;
  if (exactModulus <= modulus) return wholeSample(sample);
  const { length } = fingerprints;
  if (length > SMALL_VALUES_MAX) return runToEnd(narrowSteps(sample, bits, exactModulus));
  turn(fingerprints, 0, length, bits, smallTurned);
  sortSmall(smallTurned, smallSorted, length, FINGERPRINT_BITS);
  const values = room(length);
  const exactCount = tellApart(smallSorted, 0, length, bits, exactModulus - 1, values, smallTurned, 0);
  return { modulus, bits, values, exactModulus, exact: copy(smallTurned, 0, exactCount) };
}

/** So many values are made narrow without steps, which take as long as half of the work: almost every document is small. */
const SMALL_VALUES_MAX = 4096;
const smallTurned = new Float64Array(SMALL_VALUES_MAX);
const smallSorted = new Float64Array(SMALL_VALUES_MAX);
const sortSmall = createSmallSort();
const room = createRoom();
const copy = createCopier();

/** Scratch memory that a value takes: turned, and in its place. */
const VALUE_BYTES = 16;

/** The fewest values of a sample that takes several steps. */
export const STEPPED_VALUES_LEAST = STEP_VALUES + 1;

/**
 * As {@link narrow}, in steps that take about 10 ms at most.
 *
 * @param memory scratch memory; of its own if another sample may be made narrow between the steps
 */
export function* narrowSteps(
  sample: Sample,
  bits: number,
  exactModulus: number,
  memory: Scratch = scratch,
): Generator<undefined, KeptSample> {
  const { modulus, fingerprints } = sample;
  if (exactModulus <= modulus) return wholeSample(sample);
  const { length } = fingerprints;
  // rotated until the low bits are the high ones, they sort as plain numbers
  const { buffer } = memory(VALUE_BYTES * length).bytes;
  const turned = new Float64Array(buffer, 0, length);
  for (let from = 0; from < length; from += STEP_VALUES) {
    turn(fingerprints, from, Math.min(length, from + STEP_VALUES), bits, turned);
    yield;
  }
  const sorted = new Float64Array(buffer, 8 * length, length);
  yield* sort(turned, sorted, FINGERPRINT_BITS);
  const values = new Float64Array(length);
  let exactCount = 0;
  for (let from = 0; from < length; from += STEP_VALUES) {
    yield;
    const to = Math.min(length, from + STEP_VALUES);
    exactCount = tellApart(sorted, from, to, bits, exactModulus - 1, values, turned, exactCount);
  }
  return { modulus, bits, values, exactModulus, exact: turned.slice(0, exactCount) };
}

/** Turns fingerprints `from`..`to` until their low bits are the high ones. */
function turn(fingerprints: Float64Array, from: number, to: number, bits: number, turned: Float64Array): void {
  const unit = 2 ** bits;
  const unitShare = 2 ** -bits;
  const top = 2 ** (FINGERPRINT_BITS - bits);
  for (let i = from; i < to; i++) {
    const fingerprint = fingerprints[i]!;
    const high = Math.floor(fingerprint * unitShare);
    turned[i] = (fingerprint - high * unit) * top + high;
  }
}

/**
 * The low bits of turned fingerprints `from`..`to`, and more of those that are 0 in `mask`.
 *
 * @returns how many those are by now
 */
function tellApart(
  turned: Float64Array,
  from: number,
  to: number,
  bits: number,
  mask: number,
  values: Float64Array,
  exact: Float64Array,
  exactBefore: number,
): number {
  const unit = 2 ** bits;
  const top = 2 ** (FINGERPRINT_BITS - bits);
  const topShare = 2 ** (bits - FINGERPRINT_BITS);
  const highMask = 2 ** (exactBitsOf(bits) - bits) - 1;
  let exactCount = exactBefore;
  for (let i = from; i < to; i++) {
    const value = Math.floor(turned[i]! * topShare);
    values[i] = value;
    exact[exactCount] = ((turned[i]! - value * top) & highMask) * unit + value;
    // goes on where the rest is 0, without a branch that would be mispredicted
    const rest = value & mask;
    exactCount += ((rest | -rest) >>> 31) ^ 1;
  }
  return exactCount;
}

const scratch = createScratch();
const sort = createUniformSort();

/** What is known well enough to be looked up, as a sample: ascending. */
export function exactSample({ bits, exactModulus, exact }: KeptSample): Sample {
  return { modulus: exactModulus, fingerprints: bits === FINGERPRINT_BITS ? exact : exact.toSorted() };
}

/** The part of a compared sample at a coarser modulus; the same object where the modulus is no coarser than its own. */
export function coarsenCompared(sample: ComparedSample, modulus: number): ComparedSample {
  if (modulus <= sample.modulus) return sample;
  const { fingerprints: values } = coarsen({ modulus: sample.modulus, fingerprints: sample.values }, modulus);
  return { modulus, bits: sample.bits, values };
}
