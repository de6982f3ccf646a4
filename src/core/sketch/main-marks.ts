import { runToEnd, STEP_VALUES } from '../memory/steps.ts';
import type { DistinctFingerprints } from './distinct.ts';
import type { Sample } from './modulus.ts';
import type { ComparedSample } from './narrow.ts';
import { addToSum, stored } from './sample.ts';

/*
 * What of a document is its main text, as a part of its own shingles. A window is main where all its tokens lie in ranges of
 * the text that are kept. A shingle is main where one of its windows is.
 *
 *   text    │ menu │ main main main main │ more │ main main main │ foot │
 *   w = 3            └──── main ────┘                └─ main ─┘
 */

/** The main part of a document's shingles: neither all of them nor none. */
export interface MainMarks {
  /** The exact number of distinct shingles that are main, 1 or more, and fewer than the document has. */
  readonly shingleCount: number;
  /** Order-independent sum over their 64-bit fingerprints, as Sketch.shingleSum is over all. */
  readonly shingleSum: Uint32Array;
  /** A bit for each value of the sample, in its order, the lowest bit of each byte first: 1 where the shingle is main. */
  readonly bits: Uint8Array;
}

/**
 * The text that is kept of a document: bytes from..to-1 of it, from and to of each range one after the other, ascending and
 * apart, each behind a separator. A token is kept that lies in one range as a whole; marks behind the separator count with it.
 */
export type KeptRanges = Uint32Array;

/** Whether one value of a sample is main. */
export function isMarked({ bits }: Pick<MainMarks, 'bits'>, value: number): boolean {
  return ((bits[value >> 3]! >> (value & 7)) & 1) === 1;
}

/** Says of the tokens of a text, in their order, which windows of them are main. */
export class MainWindows {
  readonly #kept: KeptRanges;
  readonly #size: number;
  #range = 0;
  /** Kept tokens up to here, without one between that is not. */
  #run = 0;

  /** @param size w */
  constructor(kept: KeptRanges, size: number) {
    this.#kept = kept;
    this.#size = size;
  }

  /** Whether all tokens so far were kept. @param count how many there were */
  areAllKept(count: number): boolean {
    return this.#run === count;
  }

  /**
   * Of each of the next tokens, whether the window that ends with it is main.
   *
   * @param spans start and end (exclusive) in the text of each token
   */
  next(spans: Uint32Array): Uint8Array {
    const kept = this.#kept;
    const marks = new Uint8Array(spans.length / 2);
    for (let i = 0; i < marks.length; i++) {
      const from = spans[2 * i]!;
      const to = spans[2 * i + 1]!;
      while (this.#range < kept.length && kept[this.#range + 1]! < to) this.#range += 2;
      const isKept = this.#range < kept.length && kept[this.#range]! - 1 <= from;
      this.#run = isKept ? this.#run + 1 : 0;
      marks[i] = this.#run >= this.#size ? 1 : 0;
    }
    return marks;
  }
}

/**
 * The main part of a document. Where it is all of its shingles, or none, it tells nothing apart, and all count as main.
 *
 * @param sample of the same document
 */
export function mainMarksOf(distinct: DistinctFingerprints, { modulus, fingerprints }: Sample): MainMarks | null {
  const { low, high, count, markedCount } = distinct;
  if (!isPart(markedCount, count)) return null;
  const marked: number[] = [];
  const sum = new Uint32Array(4);
  for (let i = 0; i < count; i++) {
    if (!distinct.isMarked(i)) continue;
    addToSum(sum, low[i]!, high[i]!);
    if ((low[i]! & (modulus - 1)) === 0) marked.push(stored(low[i]!, high[i]!));
  }
  const bits = bitsOf(fingerprints, Float64Array.from(marked));
  return { shingleCount: markedCount, shingleSum: sum, bits };
}

/** Whether so many of a document's shingles tell its main part from the rest. */
export const isPart = (mainCount: number, shingleCount: number): boolean => mainCount > 0 && mainCount < shingleCount;

export const bitBytes = (values: number): number => (values + 7) >> 3;

/** A bit for each of the values, ascending, that is among the marked ones, which are some of them in no order. */
export function bitsOf(values: Float64Array, marked: Float64Array): Uint8Array {
  return runToEnd(bitsSteps(values, marked));
}

/** Where the first value of a range stands, of as many equal ranges as there are values. */
const smallStarts = new Uint32Array(4096);

/** The same in steps of some 10 ms at the most. */
function* bitsSteps(values: Float64Array, marked: Float64Array): Generator<undefined, Uint8Array> {
  const { length } = values;
  const bits = new Uint8Array(bitBytes(length));
  if (length === 0) return bits;
  // values are uniform: that finds one in a step or two
  const starts = length < smallStarts.length ? smallStarts : new Uint32Array(length + 1);
  const scale = length / (values[length - 1]! + 1);
  for (let i = length - 1; i >= 0; i--) {
    if (i % STEP_VALUES === STEP_VALUES - 1) yield;
    starts[Math.floor(values[i]! * scale)] = i;
  }
  for (let i = 0; i < marked.length; i++) {
    if (i % STEP_VALUES === STEP_VALUES - 1) yield;
    const value = marked[i]!;
    let at = starts[Math.floor(value * scale)]!;
    while (at < length && values[at]! < value) at++;
    // two fingerprints may agree in what is stored of them
    for (; at < length && values[at] === value; at++) bits[at >> 3]! |= 1 << (at & 7);
  }
  return bits;
}

/** The bits of those of the values that are 0 mod a coarser modulus. */
export function coarsenBits({ fingerprints }: Sample, bits: Uint8Array, modulus: number): Uint8Array {
  const coarser = new Uint8Array(bitBytes(fingerprints.length));
  let kept = 0;
  for (let i = 0; i < fingerprints.length; i++) {
    if ((fingerprints[i]! & (modulus - 1)) !== 0) continue;
    coarser[kept >> 3]! |= ((bits[i >> 3]! >> (i & 7)) & 1) << (kept & 7);
    kept++;
  }
  return coarser.slice(0, bitBytes(kept));
}

/**
 * The bits of a sample in the order of what a record keeps of it, in steps of some 10 ms at the most.
 *
 * @param kept what narrow() made of the sample
 */
export function* keptBitsSteps(
  { fingerprints }: Sample,
  bits: Uint8Array,
  kept: ComparedSample,
): Generator<undefined, Uint8Array> {
  if (kept.values === fingerprints) return bits;
  const marked = new Float64Array(fingerprints.length);
  const unit = 2 ** kept.bits;
  const share = 1 / unit;
  let count = 0;
  for (let i = 0; i < fingerprints.length; i++) {
    const fingerprint = fingerprints[i]!;
    marked[count] = fingerprint - Math.floor(fingerprint * share) * unit;
    count += (bits[i >> 3]! >> (i & 7)) & 1;
  }
  return yield* bitsSteps(kept.values, marked.subarray(0, count));
}

/** {@link keptBitsSteps} at once. */
export const keptBits = (sample: Sample, bits: Uint8Array, kept: ComparedSample): Uint8Array =>
  runToEnd(keptBitsSteps(sample, bits, kept));
