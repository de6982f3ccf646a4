import { AROUND, LINKED, ROWS, SENTENCES, TAG, WORDS } from './model-columns.as.ts';

/* What is known of a page as a whole: ../page-sums.ts in WebAssembly, the same bit for bit. */

const SUMS_AT: usize = 0x31_0000;
/** ln(1 + n), Float64. */
export const LOGS: usize = SUMS_AT;
export const LOGS_MOST: i32 = 16_384;
/** Float64: good words of the page and their logarithm. */
export const GOOD: usize = LOGS + 8 * LOGS_MOST;
export const SHARES: usize = GOOD + 16;
export const CLOSED: usize = SHARES + 4 * ROWS;
export const GROUPS: usize = CLOSED + 4 * ROWS;
export const GOOD_BEFORE: usize = GROUPS + 4 * ROWS;
export const WORTH: usize = GOOD_BEFORE + 8 * ROWS;
export const GOOD_IN: usize = WORTH + 16 * ROWS;
const SECOND: usize = GOOD_IN + 32 * ROWS;
const THIRD: usize = SECOND + 32 * ROWS;
/** Uint32, four for each group of siblings: key, blocks, words, words in links. */
const SIBLINGS: usize = THIRD + 32 * ROWS;

const TAGS: u32 = 19;
const H1: u32 = 3;
const WORDS_TABLED: u32 = 1024;

export let h1: i32 = -1;
export let total: f64 = 0;
export let good: f64 = 0;
export let perWord: f64 = 1;
export let top: i32 = -1;
export let topSecond: i32 = -1;
export let topThird: i32 = -1;

/** Sets what is known of the page as a whole. Returns whether LOGS has all that is needed: if not, go no further. */
export function addUp(count: i32, elements: i32): bool {
  const mask = beginSiblings(count);
  memory.fill(GOOD_IN, 0, 8 * <usize>elements);
  memory.fill(SECOND, 0, 8 * <usize>elements);
  memory.fill(THIRD, 0, 8 * <usize>elements);
  let sum: u32 = 0;
  let goodSum: f64 = 0;
  let most: u32 = 0;
  h1 = -1;
  for (let i = 0; i < count; i++) {
    const words = <u32>load<u16>(WORDS + 2 * i);
    const linked = <u32>load<u16>(LINKED + 2 * i);
    const own = <f64>words;
    const share = <f64>linked / own;
    store<f32>(SHARES + 4 * i, <f32>share);
    store<f32>(CLOSED + 4 * i, <f32>min<f64>(1, <f64>load<u16>(SENTENCES + 2 * i) / max<f64>(1, own / 12)));
    store<f64>(GOOD_BEFORE + 8 * i, goodSum);
    const around: usize = AROUND + 16 * i;
    if (words >= 10 && share < 1.0 / 3.0) {
      goodSum += own;
      for (let level = 0; level < 4; level++) add(GOOD_IN + 8 * load<u32>(around + 4 * level), own);
      add(SECOND + 8 * load<u32>(around, 4), own);
      add(THIRD + 8 * load<u32>(around, 8), own);
    }
    sum += words;
    most = max(most, words);
    const tag = <u32>load<u8>(TAG + i);
    store<u32>(GROUPS + 4 * i, addSibling(load<u32>(around, 4), tag, words, linked, mask));
    if (h1 < 0 && tag === H1 && words >= 2) h1 = i;
  }
  store<f64>(GOOD_IN, 0);
  store<f64>(GOOD_BEFORE + 8 * count, goodSum);
  good = goodSum === 0 ? 1 : goodSum;
  perWord = 1.0 / good;
  total = <f64>sum;
  topSecond = greatest(SECOND, elements);
  topThird = greatest(THIRD, elements);
  top = greatest(GOOD_IN, elements);
  store<f64>(GOOD, good);
  return most < WORDS_TABLED && sum < <u32>LOGS_MOST;
}

function add(at: usize, words: f64): void {
  store<f64>(at, load<f64>(at) + words);
}

function greatest(values: usize, count: i32): i32 {
  let found = -1;
  let most: f64 = 0;
  for (let i = 1; i < count; i++) {
    const value = load<f64>(values + 8 * i);
    if (value <= most) continue;
    most = value;
    found = i;
  }
  return found;
}

/** Forgets all groups. Returns the mask of the table. */
function beginSiblings(blocks: i32): u32 {
  const slots: u32 = max<u32>(64, 1 << (33 - clz(blocks)));
  memory.fill(SIBLINGS, 0, 16 * <usize>slots);
  return slots - 1;
}

/** Adds a block to its group. Returns where that stands. */
function addSibling(parent: u32, tag: u32, words: u32, linked: u32, mask: u32): u32 {
  const key = parent * TAGS + tag + 1;
  let slot = ((key * 0x9e37_79b1) >> 8) & mask;
  let found = load<u32>(SIBLINGS + 16 * slot);
  while (found !== key && found !== 0) {
    slot = (slot + 1) & mask;
    found = load<u32>(SIBLINGS + 16 * slot);
  }
  const group: usize = SIBLINGS + 16 * slot;
  store<u32>(group, key);
  store<u32>(group, load<u32>(group, 4) + 1, 4);
  store<u32>(group, load<u32>(group, 8) + words, 8);
  store<u32>(group, load<u32>(group, 12) + linked, 12);
  return <u32>group;
}
