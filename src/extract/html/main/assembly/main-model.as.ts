import { addUp, FEATURES, GOOD, LOGS, LOGS_MOST, scoreFirst, WORDS_WORTH } from './first-scores.as.ts';
import {
  ADDED,
  AROUND,
  BYTES,
  CAPITALS,
  COMMAS,
  DEPTH,
  END_OF_COLUMNS,
  ENDS,
  FIRSTS,
  HINT,
  HINT_DISTANCE,
  INSIDE,
  LIKELIHOODS,
  LINKED,
  NUMBERS,
  ROWS,
  SCORES,
  SENTENCES,
  TAG,
  WORDS,
} from './model-columns.as.ts';

/*
 * The second scores of the blocks of a page, with what trees add: ../context-features.ts, ../late-features.ts, ../second-scores.ts
 * and ../page-trees.ts in WebAssembly, the same bit for bit. Ranks and leaves are those of 16 blocks at a time; what stands
 * behind the blocks of a batch is written over, up to the next 16.
 */

// what the host calls, beside what is below, and the addresses of what it writes and reads
export {
  ADDED,
  AROUND,
  addUp,
  BYTES,
  CAPITALS,
  COMMAS,
  DEPTH,
  ENDS,
  FEATURES,
  FIRSTS,
  GOOD,
  HINT,
  HINT_DISTANCE,
  INSIDE,
  LIKELIHOODS,
  LINKED,
  LOGS,
  LOGS_MOST,
  NUMBERS,
  SCORES,
  SENTENCES,
  scoreFirst,
  TAG,
  WORDS,
  WORDS_WORTH,
};

/** Numbers of a column: more than a batch, so that columns do not compete for the same lines of the cache. */
const STRIDE: i32 = 272;
const BATCH: i32 = 256;
/** Features of a block that are no bits. */
const COLUMNS_COUNT: i32 = 48;
const LONG_WORDS: f64 = 25;

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
const SUMS: usize = LEAVES + 8 * 16 * 256;
/** Uint32: the bits of the elements around each block of the batch, its row; Float64: its score. */
const ASKED_INSIDE: usize = SUMS + 8 * STRIDE;
const ASKED: usize = ASKED_INSIDE + 4 * STRIDE;
const ASKED_SCORES: usize = ASKED + 4 * STRIDE;
/** Uint8: a row of ranks for each feature, and then for each bit. */
const RANKS: usize = ASKED_SCORES + 8 * STRIDE;
/** Float64: the features, a column for each. */
const COLUMNS: usize = RANKS + 128 * STRIDE;
/**
 * Float64: weights of the second model for the first score, for the surroundings, and its constant; sums of the page (words,
 * words by their scores, the greatest of an element, words in links, words of paragraphs by their scores); what its
 * features are worth, and the one that tells what share paragraphs are.
 */
export const WEIGHTS: usize = COLUMNS + 8 * COLUMNS_COUNT * STRIDE;
export const PAGE_SUMS: usize = WEIGHTS + 8 * 32;
export const PAGE_WORTH: usize = PAGE_SUMS + 8 * 5;

/** Float64: words, and words by their scores, before each block, and in each element. */
const BEFORE: usize = END_OF_COLUMNS;
const SCORED: usize = BEFORE + 8 * ROWS;
const WORDS_IN: usize = SCORED + 8 * ROWS;
const SCORED_IN: usize = WORDS_IN + 8 * 4 * ROWS;

const LEAF: usize = 0x4f0;

/** Sets PAGE_SUMS and what leads to them. */
export function begin(count: i32, elements: i32): void {
  memory.fill(WORDS_IN, 0, 8 * <usize>elements);
  memory.fill(SCORED_IN, 0, 8 * <usize>elements);
  let words: f64 = 0;
  let scored: f64 = 0;
  let linked: f64 = 0;
  let long: f64 = 0;
  store<f64>(BEFORE, 0);
  store<f64>(SCORED, 0);
  for (let i = 0; i < count; i++) {
    const own = <f64>load<u16>(WORDS + 2 * i);
    const ownScored = own * <f64>load<f32>(LIKELIHOODS + 4 * i);
    words += own;
    scored += ownScored;
    linked += <f64>load<u16>(LINKED + 2 * i);
    if (own >= LONG_WORDS) long += ownScored;
    store<f64>(BEFORE + 8 * (i + 1), words);
    store<f64>(SCORED + 8 * (i + 1), scored);
    for (let level = 0; level < 4; level++) {
      const element = 8 * load<u32>(AROUND + 16 * i + 4 * level);
      store<f64>(WORDS_IN + element, load<f64>(WORDS_IN + element) + own);
      store<f64>(SCORED_IN + element, load<f64>(SCORED_IN + element) + ownScored);
    }
  }
  let top: f64 = 1;
  for (let element = 1; element < elements; element++) top = max(top, load<f64>(SCORED_IN + 8 * element));
  store<f64>(PAGE_SUMS, words);
  store<f64>(PAGE_SUMS, scored, 8);
  store<f64>(PAGE_SUMS, top, 16);
  store<f64>(PAGE_SUMS, linked, 24);
  store<f64>(PAGE_SUMS, long, 32);
  // no element has neither words nor scores
  store<f64>(WORDS_IN, 1);
  store<f64>(SCORED_IN, 0);
}

/** Puts the last scores in the place of the first ones. */
export function score(count: i32, trees: i32, bits: i32): void {
  const scored = load<f64>(PAGE_SUMS, 8);
  const total = scored === 0 ? 1 : scored;
  let asked = 0;
  for (let i = 0; i < count; i++) {
    const first = <f64>load<f32>(SCORES + 4 * i);
    if (first === -Infinity) continue;
    const to: usize = COLUMNS + 8 * asked;
    const own = <f64>load<f32>(ADDED + 4 * i);
    const near = putNear(i, count, to);
    const far = putElements(i, total, to);
    const sum = own + load<f64>(WEIGHTS) * first + load<f64>(WEIGHTS, 8 * 31) + near + (load<f64>(PAGE_WORTH) + far);
    store<f32>(SCORES + 4 * i, <f32>sum);
    if (abs(sum) >= 2) continue;
    putLate(i, count, to, first, own, sum);
    store<u32>(ASKED + 4 * asked, i);
    store<u32>(ASKED_INSIDE + 4 * asked, load<u32>(INSIDE + 4 * i));
    store<f64>(ASKED_SCORES + 8 * asked, sum);
    if (++asked < BATCH) continue;
    askTrees(asked, trees, bits);
    asked = 0;
  }
  if (asked > 0) askTrees(asked, trees, bits);
}

/** Adds what the trees say of the blocks of the batch. */
function askTrees(count: i32, trees: i32, bits: i32): void {
  rank(count, bits);
  sum(count, trees);
  for (let k = 0; k < count; k++)
    store<f32>(SCORES + 4 * load<u32>(ASKED + 4 * k), <f32>(load<f64>(ASKED_SCORES + 8 * k) + load<f64>(SUMS + 8 * k)));
}

/** Writes the first features of the surroundings to their columns. Returns what they are worth. */
function putNear(i: i32, count: i32, to: usize): f64 {
  const own = <f64>load<f32>(LIKELIHOODS + 4 * i);
  let worth = put(0, own, to);
  for (let step = 1; step <= 3; step++) {
    const before = i >= step ? <f64>load<f32>(LIKELIHOODS + 4 * (i - step)) : 0;
    const behind = i + step < count ? <f64>load<f32>(LIKELIHOODS + 4 * (i + step)) : 0;
    worth += put(2 * step - 1, before, to);
    worth += put(2 * step, behind, to);
  }
  worth += put(7, meanAround(i, 2, count), to);
  worth += put(8, meanAround(i, 5, count), to);
  worth += put(9, meanAround(i, 10, count), to);
  for (let level = 0; level < 4; level++) {
    const element = 8 * load<u32>(AROUND + 16 * i + 4 * level);
    worth += put(10 + level, load<f64>(SCORED_IN + element) / load<f64>(WORDS_IN + element), to);
  }
  return worth;
}

function meanAround(i: i32, width: i32, count: i32): f64 {
  const from = i > width ? 8 * (i - width) : 0;
  const end = i + width < count ? 8 * (i + width + 1) : 8 * count;
  return (load<f64>(SCORED + end) - load<f64>(SCORED + from)) / (load<f64>(BEFORE + end) - load<f64>(BEFORE + from));
}

/** Writes the other ones, except those of the page. Returns what they are worth. */
function putElements(i: i32, total: f64, to: usize): f64 {
  const top = load<f64>(PAGE_SUMS, 16);
  const long = load<f64>(PAGE_WORTH, 8);
  const words = <f64>load<u16>(WORDS + 2 * i);
  const outer = load<f64>(SCORED_IN + 8 * load<u32>(AROUND + 16 * i, 4));
  const third = load<f64>(SCORED_IN + 8 * load<u32>(AROUND + 16 * i, 8));
  const fourth = load<f64>(SCORED_IN + 8 * load<u32>(AROUND + 16 * i, 12));
  let worth = put(14, (load<f64>(SCORED + 8 * (i + 1)) - load<f64>(SCORED + 8 * i)) / total, to);
  worth += put(21, outer / total, to);
  worth += put(22, third / total, to);
  worth += put(23, outer / top, to);
  worth += put(24, third / top, to);
  worth += put(25, fourth / top, to);
  worth += put(26, long * <f64>load<f32>(LIKELIHOODS + 4 * i), to);
  worth += put(27, (long * <f64>load<u16>(LINKED + 2 * i)) / words, to);
  worth += put(28, (long * min(LONG_WORDS, words)) / LONG_WORDS, to);
  worth += put(29, long * <f64>load<i8>(HINT + i), to);
  return worth;
}

/** Writes a feature of the surroundings to its column. Returns what it is worth. */
function put(feature: i32, value: f64, to: usize): f64 {
  store<f64>(to + 8 * STRIDE * feature, value);
  return load<f64>(WEIGHTS + 8 * (feature + 1)) * value;
}

/** Writes the features of the block itself. */
function putLate(i: i32, count: i32, to: usize, first: f64, own: f64, second: f64): void {
  const words = <f64>load<u16>(WORDS + 2 * i);
  putOnly(30, first, to);
  putOnly(31, own, to);
  putOnly(32, second, to);
  putOnly(33, words, to);
  putOnly(34, <f64>load<u16>(LINKED + 2 * i) / words, to);
  putOnly(35, <f64>load<u16>(SENTENCES + 2 * i), to);
  putOnly(36, <f64>load<u16>(COMMAS + 2 * i), to);
  putOnly(37, <f64>load<u8>(ENDS + i), to);
  putOnly(38, <f64>load<u16>(CAPITALS + 2 * i) / words, to);
  putOnly(39, <f64>load<u16>(NUMBERS + 2 * i) / words, to);
  putOnly(40, <f64>load<u8>(TAG + i), to);
  putOnly(41, <f64>load<i8>(HINT + i), to);
  putOnly(42, <f64>load<u8>(HINT_DISTANCE + i), to);
  putOnly(43, <f64>load<u16>(DEPTH + 2 * i), to);
  putOnly(44, <f64>i / <f64>count, to);
  putOnly(45, i > 0 ? <f64>load<u16>(WORDS + 2 * (i - 1)) : 0, to);
  putOnly(46, i + 1 < count ? <f64>load<u16>(WORDS + 2 * (i + 1)) : 0, to);
  putOnly(47, i > 0 ? <f64>load<u8>(TAG + i - 1) : 0, to);
}

function putOnly(feature: i32, value: f64, to: usize): void {
  store<f64>(to + 8 * STRIDE * feature, value);
}

/** Sets RANKS of the first `count` blocks of the batch. */
function rank(count: i32, bits: i32): void {
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
function sum(count: i32, trees: i32): void {
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
