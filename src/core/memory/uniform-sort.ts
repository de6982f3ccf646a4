import { STEP_VALUES } from './steps.ts';

/*
 * Sorts numbers that are uniform over 0..2^bits-1, as permuted fingerprints are. They are scattered by their top bits
 * into about as many buckets as there are values. That leaves next to nothing to do for an insertion sort. Cost: some 6
 * ns a value.
 */

const BUCKET_BITS_MAX = 16;

/** Fills `sorted` with the first `count` values, STEP_VALUES at the most and all below 2^bits, ascending. */
export type SmallSort = (values: Float64Array, sorted: Float64Array, count: number, bits: number) => void;

export function createSmallSort(): SmallSort {
  const ends = new Int32Array((1 << BUCKET_BITS_MAX) + 1);
  return (values, sorted, count, bits) => {
    const bucketBits = bucketBitsOf(count, bits);
    const scale = 2 ** (bucketBits - bits);
    ends.fill(0, 0, (1 << bucketBits) + 1);
    countBuckets(values, 0, count, scale, ends);
    addUp(ends, 1 << bucketBits);
    scatter(values, 0, count, scale, ends, sorted);
    insertionSort(sorted, 0, count);
  };
}

/** One step, or for more than STEP_VALUES several, between which others may be sorted. */
export type UniformSort = (values: Float64Array, sorted: Float64Array, bits: number) => Generator<undefined, void>;

/** @returns steps that fill `sorted` with as many of the first values, all below 2^bits, ascending */
export function createUniformSort(): UniformSort {
  const sortSmall = createSmallSort();
  return function* sortSteps(values, sorted, bits) {
    const count = sorted.length;
    if (count <= STEP_VALUES) {
      sortSmall(values, sorted, count, bits);
      return;
    }
    const bucketBits = bucketBitsOf(count, bits);
    const scale = 2 ** (bucketBits - bits);
    // memory that others use between two steps is none to sort by
    const ends = new Int32Array((1 << bucketBits) + 1);
    for (let from = 0; from < count; from += STEP_VALUES) {
      if (from > 0) yield;
      countBuckets(values, from, Math.min(count, from + STEP_VALUES), scale, ends);
    }
    addUp(ends, 1 << bucketBits);
    for (let from = 0; from < count; from += STEP_VALUES) {
      if (from > 0) yield;
      scatter(values, from, Math.min(count, from + STEP_VALUES), scale, ends, sorted);
    }
    for (let from = 0; from < count; from += STEP_VALUES) {
      if (from > 0) yield;
      insertionSort(sorted, from, Math.min(count, from + STEP_VALUES));
    }
  };
}

const bucketBitsOf = (count: number, bits: number) => Math.min(BUCKET_BITS_MAX, bits, 32 - Math.clz32(count));

function countBuckets(values: Float64Array, from: number, to: number, scale: number, counts: Int32Array): void {
  for (let i = from; i < to; i++) counts[((values[i]! * scale) | 0) + 1]!++;
}

/** Sizes of buckets, each after an empty place, become where they begin. */
function addUp(sizes: Int32Array, count: number): void {
  for (let bucket = 1; bucket < count; bucket++) sizes[bucket]! += sizes[bucket - 1]!;
}

function scatter(
  values: Float64Array,
  from: number,
  to: number,
  scale: number,
  ends: Int32Array,
  sorted: Float64Array,
): void {
  for (let i = from; i < to; i++) sorted[ends[(values[i]! * scale) | 0]!++] = values[i]!;
}

/** Sorts values `from`..`to` among those before them, which are sorted; few are far from where they belong. */
function insertionSort(values: Float64Array, from: number, to: number): void {
  let last = from === 0 ? 0 : values[from - 1]!;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    if (value >= last) {
      last = value;
      continue;
    }
    let at = i;
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}
