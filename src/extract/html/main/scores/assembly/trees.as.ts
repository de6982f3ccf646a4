/*
 * Ranks and leaves of ../page-trees.ts in WebAssembly: of 16 blocks at a time, and the same bit for bit. What stands behind the
 * blocks of a batch is written over, up to the next 16.
 */

/** Numbers of a column: more than a batch, so that columns do not compete for the same lines of the cache. */
export const STRIDE: i32 = 272;
/** Features of a block that are no bits. */
export const COLUMNS_COUNT: i32 = 48;

/** Uint8: how many thresholds each feature has; the bits that are asked for. */
export const COUNTS: usize = 0x400;
export const BITS: usize = 0x480;
/** Float64: the thresholds of the features, one feature after the other. */
export const THRESHOLDS: usize = 0x500;
/** Of each tree four Uint8, the ranks that it asks for, and four Uint8: above them the answer is yes. */
export const QUESTIONS: usize = THRESHOLDS + 8 * 512;
/** Uint32: where the leaves of each tree begin, for this page. */
export const BASES: usize = QUESTIONS + 8 * 256;
/** Float64, 16 for each tree. */
export const LEAVES: usize = BASES + 4 * 256;
/** What the trees add to each block, Float64. */
export const SUMS: usize = LEAVES + 8 * 16 * 256;
/** Uint32: the bits of the elements around each block of the batch, its row; Float64: its score. */
export const ASKED_INSIDE: usize = SUMS + 8 * STRIDE;
export const ASKED: usize = ASKED_INSIDE + 4 * STRIDE;
export const ASKED_SCORES: usize = ASKED + 4 * STRIDE;
/** Uint8: a row of ranks for each feature, and then for each bit. */
const RANKS: usize = ASKED_SCORES + 8 * STRIDE;
/** Float64: the features, a column for each. */
export const COLUMNS: usize = RANKS + 128 * STRIDE;
const LEAF: usize = 0x4f0;

/** Sets RANKS of the first `count` blocks of the batch. */
export function rank(count: i32, bits: i32): void {
  let threshold: usize = THRESHOLDS;
  let row: usize = RANKS;
  let values: usize = COLUMNS;
  for (let column = 0; column < COLUMNS_COUNT; column++) {
    const most = threshold + 8 * <usize>load<u8>(COUNTS + column);
    for (let block = 0; block < count && most > threshold; block += 16) {
      const from = values + 8 * block;
      const low = i16x8.narrow_i32x4_s(ranksOfFour(from, threshold, most), ranksOfFour(from + 32, threshold, most));
      const high = i16x8.narrow_i32x4_s(
        ranksOfFour(from + 64, threshold, most),
        ranksOfFour(from + 96, threshold, most),
      );
      v128.store(row + block, i8x16.neg(i8x16.narrow_i16x8_s(low, high)));
    }
    threshold = most;
    row += STRIDE;
    values += 8 * STRIDE;
  }
  for (let bit = 0; bit < bits; bit++) {
    const place = <i32>load<u8>(BITS + bit);
    for (let block = 0; block < count; block += 16) {
      const from: usize = ASKED_INSIDE + 4 * block;
      const low = i16x8.narrow_i32x4_s(bitOfFour(from, place), bitOfFour(from + 16, place));
      const high = i16x8.narrow_i32x4_s(bitOfFour(from + 32, place), bitOfFour(from + 48, place));
      v128.store(row + block, i8x16.narrow_i16x8_s(low, high));
    }
    row += STRIDE;
  }
}

/** Less one for each threshold that a number is above, of four numbers: 32 bits each. */
function ranksOfFour(values: usize, from: usize, to: usize): v128 {
  const one = v128.load(values);
  const other = v128.load(values, 16);
  let ranks = i64x2.splat(0);
  let others = i64x2.splat(0);
  for (let at = from; at < to; at += 8) {
    const threshold = v128.load64_splat(at);
    ranks = i64x2.add(ranks, f64x2.gt(one, threshold));
    others = i64x2.add(others, f64x2.gt(other, threshold));
  }
  return v128.shuffle<i32>(ranks, others, 0, 2, 4, 6);
}

function bitOfFour(inside: usize, place: i32): v128 {
  return v128.and(i32x4.shr_u(v128.load(inside), place), i32x4.splat(1));
}

/** Sets SUMS of the first `count` blocks of the batch. */
export function sum(count: i32, trees: i32): void {
  for (let block = 0; block < count; block += 2) v128.store(SUMS + 8 * block, f64x2.splat(0));
  for (let tree = 0; tree < trees; tree++) {
    const question: usize = QUESTIONS + 8 * tree;
    const rowA = RANKS + <usize>(<i32>load<u8>(question) * STRIDE);
    const rowB = RANKS + <usize>(<i32>load<u8>(question, 1) * STRIDE);
    const rowC = RANKS + <usize>(<i32>load<u8>(question, 2) * STRIDE);
    const rowD = RANKS + <usize>(<i32>load<u8>(question, 3) * STRIDE);
    const a = v128.load8_splat(question, 4);
    const b = v128.load8_splat(question, 5);
    const c = v128.load8_splat(question, 6);
    const d = v128.load8_splat(question, 7);
    const leaves: usize = LEAVES + 8 * load<u32>(BASES + 4 * tree);
    for (let block = 0; block < count; block += 16) {
      const first = v128.and(i8x16.gt_s(v128.load(rowA + block), a), i8x16.splat(1));
      const second = v128.and(i8x16.gt_s(v128.load(rowB + block), b), i8x16.splat(2));
      const third = v128.and(i8x16.gt_s(v128.load(rowC + block), c), i8x16.splat(4));
      const fourth = v128.and(i8x16.gt_s(v128.load(rowD + block), d), i8x16.splat(8));
      v128.store(LEAF, v128.or(v128.or(first, second), v128.or(third, fourth)));
      const to: usize = SUMS + 8 * block;
      for (let lane: usize = 0; lane < 16; lane += 2) {
        const one = v128.load64_zero(leaves + 8 * <usize>load<u8>(LEAF + lane));
        const both = v128.load64_lane(leaves + 8 * <usize>load<u8>(LEAF + lane, 1), one, 1);
        v128.store(to + 8 * lane, f64x2.add(v128.load(to + 8 * lane), both));
      }
    }
  }
}
