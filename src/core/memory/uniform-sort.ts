/*
 * Sorts numbers that are uniform over 0..2^bits-1, as permuted fingerprints are. They are scattered by their top bits
 * into about as many buckets as there are values. That leaves next to nothing to do for an insertion sort. Cost: some 6
 * ns a value.
 */

const BUCKET_BITS_MAX = 16;

/** Sorts by scratch memory of its own, so it serves one call at a time. */
export type UniformSort = (values: Float64Array, sorted: Float64Array, bits: number) => void;

/** @returns a function that fills `sorted` with as many of the first values, all below 2^bits, ascending */
export function createUniformSort(): UniformSort {
  const endsOfBuckets = new Int32Array((1 << BUCKET_BITS_MAX) + 1);
  return (values, sorted, bits) => {
    const count = sorted.length;
    const bucketBits = Math.min(BUCKET_BITS_MAX, bits, 32 - Math.clz32(count));
    const scale = 2 ** (bucketBits - bits);
    const ends = endsOfBuckets.fill(0, 0, (1 << bucketBits) + 1);
    for (let i = 0; i < count; i++) ends[((values[i]! * scale) | 0) + 1]!++;
    for (let bucket = 1; bucket < 1 << bucketBits; bucket++) ends[bucket]! += ends[bucket - 1]!;
    for (let i = 0; i < count; i++) sorted[ends[(values[i]! * scale) | 0]!++] = values[i]!;
    insertionSort(sorted, count);
  };
}

/** Sorts the first `count` values, of which few are far from where they belong. */
function insertionSort(values: Float64Array, count: number): void {
  let last = 0;
  for (let i = 0; i < count; i++) {
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
