import { count as distinctCount, list } from './distinct.as.ts';
import { BUCKET_BITS_MOST, BUCKETS, HEAP, LOW_40, RESULT } from './layout.as.ts';

/*
 * What is kept of the set of all fingerprints, and what is said of it as a whole: core/sketch/sample.ts.
 *
 *   sample   those that are 0 mod m, m a power of two; of each the low 40 bits, ascending and once each, as doubles
 *   sum      four Uint32 over the whole set, four fingerprints at a time
 *
 * No memory of its own: what is kept is moved to the front of the list, and sorted into the slots. Nobody needs the
 * slots any more, and they are never fewer than twice the fingerprints.
 */

/** Sets the sum in RESULT. Must come before the sample is taken. */
export function sumDistinct(): void {
  const end = list + (distinctCount << 3);
  let a = i32x4.splat(0);
  let b = i32x4.splat(0);
  let c = i32x4.splat(0);
  let d = i32x4.splat(0);
  const one = i32x4.splat(1);
  let at = list;
  for (; at + 32 <= end; at += 32) {
    const first = v128.load(at);
    const second = v128.load(at, 16);
    const low = i32x4.shuffle(first, second, 0, 2, 4, 6);
    const high = i32x4.shuffle(first, second, 1, 3, 5, 7);
    a = i32x4.add(a, low);
    b = i32x4.add(b, high);
    c = i32x4.add(c, i32x4.mul(v128.xor(low, i32x4.shr_u(high, 16)), v128.or(high, one)));
    d = i32x4.add(d, i32x4.mul(v128.xor(high, i32x4.shr_u(low, 16)), v128.or(low, one)));
  }
  let sumA = total(a);
  let sumB = total(b);
  let sumC = total(c);
  let sumD = total(d);
  for (; at < end; at += 8) {
    const low = load<u32>(at);
    const high = load<u32>(at, 4);
    sumA += low;
    sumB += high;
    sumC += (low ^ (high >> 16)) * (high | 1);
    sumD += (high ^ (low >> 16)) * (low | 1);
  }
  store<u32>(RESULT, sumA);
  store<u32>(RESULT, sumB, 4);
  store<u32>(RESULT, sumC, 8);
  store<u32>(RESULT, sumD, 12);
}

function total(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/**
 * Writes the sample under a modulus to HEAP, as Float64, and returns its size. Once, after `finish`: the list and the slots
 * are no more then.
 */
export function sample(modulus: u32): usize {
  const expected = <u32>distinctCount / modulus;
  const bits = min(BUCKET_BITS_MOST - 1, 33 - <u32>clz<u32>(expected));
  // so that what is left of a value is four times the number of its bucket
  const shift = <u64>(38 - bits);
  const buckets: usize = (<usize>4) << bits;
  for (let bucket: usize = 0; bucket <= buckets; bucket += 16) v128.store(bucket, i32x4.splat(0), BUCKETS);
  const kept = keep(<u64>modulus - 1, shift);
  addUp(BUCKETS, BUCKETS + buckets);
  scatter(kept, shift);
  return insertionSort(kept) ? kept : withoutRepetitions(kept);
}

/**
 * Moves the low 40 bits of those that are 0 mod m to the front of the list, and counts them by their top bits, one bucket
 * further on. What is kept is decided without a branch, which would be mispredicted.
 */
function keep(mask: u64, shift: u64): usize {
  const end = list + (distinctCount << 3);
  let to = list;
  for (let at = list; at < end; at += 8) {
    const value = load<u64>(at) & LOW_40;
    const counts = <u32>((value & mask) === 0);
    store<u64>(to, value);
    to += (<usize>counts) << 3;
    const bucket = <usize>(value >> shift) & ~3;
    store<u32>(bucket, load<u32>(bucket, BUCKETS + 4) + counts, BUCKETS + 4);
  }
  return (to - list) >> 3;
}

/** Moves what was kept to its bucket by the top bits: more buckets than values leave little to an insertion sort. */
function scatter(count: usize, shift: u64): void {
  const end = list + (count << 3);
  for (let at = list; at < end; at += 8) {
    const value = load<u64>(at);
    const bucket = <usize>(value >> shift) & ~3;
    const place = load<u32>(bucket, BUCKETS);
    store<u32>(bucket, place + 1, BUCKETS);
    store<f64>((<usize>place) << 3, <f64>(<i64>value), HEAP);
  }
}

/** Sorts the doubles at HEAP; of those that are not negative, the bits sort like the numbers. Returns whether all differ. */
function insertionSort(count: usize): bool {
  let different = true;
  let last: u64 = 0;
  if (count > 0) last = load<u64>(HEAP);
  const end = HEAP + (count << 3);
  for (let at = HEAP + 8; at < end; at += 8) {
    const value = load<u64>(at);
    if (value > last) {
      last = value;
      continue;
    }
    let to = at;
    while (to > HEAP && load<u64>(to - 8) > value) {
      store<u64>(to, load<u64>(to - 8));
      to -= 8;
    }
    store<u64>(to, value);
    if (to > HEAP && load<u64>(to - 8) === value) different = false;
  }
  return different;
}

/** Replaces each of the Uint32 from `at` to `end` by the sum of all up to it, four at a time. */
function addUp(at: usize, end: usize): void {
  const zero = i32x4.splat(0);
  let before = zero;
  for (; at < end; at += 16) {
    const own = v128.load(at);
    const pairs = i32x4.add(own, i32x4.shuffle(zero, own, 0, 4, 5, 6));
    const sums = i32x4.add(before, i32x4.add(pairs, i32x4.shuffle(zero, pairs, 0, 1, 4, 5)));
    v128.store(at, sums);
    before = i32x4.shuffle(sums, sums, 3, 3, 3, 3);
  }
}

/** Two fingerprints may agree in their low 40 bits: one pair in 5e11. */
function withoutRepetitions(count: usize): usize {
  let to = HEAP;
  let last: u64 = <u64>-1;
  for (let at = HEAP; at < HEAP + (count << 3); at += 8) {
    const value = load<u64>(at);
    store<u64>(to, value);
    to += (<usize>(value !== last)) << 3;
    last = value;
  }
  return (to - HEAP) >> 3;
}
