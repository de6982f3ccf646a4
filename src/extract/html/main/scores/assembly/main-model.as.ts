import { FEATURES, scoreFirst, WORDS_WORTH } from './first-scores.as.ts';
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
import { addUp, GOOD, LOGS, LOGS_MOST } from './page-sums.as.ts';
import {
  ASKED,
  ASKED_INSIDE,
  ASKED_SCORES,
  BASES,
  BITS,
  COLUMNS,
  COLUMNS_COUNT,
  COUNTS,
  LEAVES,
  QUESTIONS,
  rank,
  STRIDE,
  SUMS,
  sum,
  THRESHOLDS,
} from './trees.as.ts';

/*
 * The second scores of the blocks of a page, with what trees.as.ts adds: ../context-features.ts, ../late-features.ts and
 * ../second-scores.ts in WebAssembly, the same bit for bit.
 */

// what the host calls, beside what is below, and the addresses of what it writes and reads
export {
  ADDED,
  AROUND,
  addUp,
  BASES,
  BITS,
  BYTES,
  CAPITALS,
  COMMAS,
  COUNTS,
  DEPTH,
  ENDS,
  FEATURES,
  FIRSTS,
  GOOD,
  HINT,
  HINT_DISTANCE,
  INSIDE,
  LEAVES,
  LIKELIHOODS,
  LINKED,
  LOGS,
  LOGS_MOST,
  NUMBERS,
  QUESTIONS,
  SCORES,
  SENTENCES,
  scoreFirst,
  TAG,
  THRESHOLDS,
  WORDS,
  WORDS_WORTH,
};

const BATCH: i32 = 256;
/** A block with as many words is a paragraph. */
const LONG_WORDS: f64 = 25;

/** Float64: weights of the second model for the first score and for the surroundings, and its constant. */
export const WEIGHTS: usize = COLUMNS + 8 * COLUMNS_COUNT * STRIDE;
/** Float64: words, words by their scores, the most of an element, words in links, words of paragraphs by their scores. */
export const PAGE_SUMS: usize = WEIGHTS + 8 * 32;
/** Float64: what the features of the page are worth, and what share of its likely words paragraphs have. */
export const PAGE_WORTH: usize = PAGE_SUMS + 8 * 5;

/** Float64: words, and words by their scores, before each block, and in each element. */
const BEFORE: usize = END_OF_COLUMNS;
const SCORED: usize = BEFORE + 8 * ROWS;
const WORDS_IN: usize = SCORED + 8 * ROWS;
const SCORED_IN: usize = WORDS_IN + 8 * 4 * ROWS;

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
