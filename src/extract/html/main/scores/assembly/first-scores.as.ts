import {
  ADDED,
  AROUND,
  BYTES,
  CAPITALS,
  COMMAS,
  DEPTH,
  ENDS,
  FIRSTS,
  HINT,
  HINT_DISTANCE,
  INSIDE,
  LIKELIHOODS,
  NUMBERS,
  SCORES,
  TAG,
  WORDS,
} from './model-columns.as.ts';
import {
  CLOSED,
  GOOD,
  GOOD_BEFORE,
  GOOD_IN,
  GROUPS,
  good,
  h1,
  LOGS,
  perWord,
  SHARES,
  top,
  topSecond,
  topThird,
  total,
  WORTH,
} from './page-sums.as.ts';

/*
 * What the features of all blocks of a page are worth by both models: ../block-scores.ts in WebAssembly, the
 * same bit for bit, under the same names. The two models are the two halves of a vector.
 */

const FIRST_AT: usize = 0x30_0000;
/** A vector for each of the features, of the page's constant, and a table of three for each number of words. */
export const FEATURES: usize = FIRST_AT;
export const WORDS_WORTH: usize = FEATURES + 0x800;

const PLACE: i32 = 17;
const ELEMENTS: i32 = 29;
const BEFORE: i32 = 41;
const BEHIND: i32 = 48;
const TAGS_AT: i32 = 55;
const BITS_AT: i32 = 74;
const CONSTANT: i32 = 101;
const OPTION: u32 = 16;
const TITLE: u32 = 18;
const NAV_AND_FOOTER: u32 = 5;
const AGAINST: u32 = 1 << 25;
const WINDOW: i32 = 4;

/** Sets FIRSTS, SCORES and ADDED, and LIKELIHOODS of what is never main; GOOD has the logarithm that is a feature. */
export function scoreFirst(count: i32): void {
  putPlaces(count);
  addElements(count);
  addTexts(count);
  for (let i = 0; i < count; i++) {
    const worth = v128.load(WORTH + 16 * i);
    const first = f64x2.extract_lane(worth, 0);
    const never = isNever(i);
    store<f64>(FIRSTS + 8 * i, first);
    store<f32>(SCORES + 4 * i, never ? -Infinity : <f32>first);
    store<f32>(ADDED + 4 * i, <f32>f64x2.extract_lane(worth, 1));
    if (never) store<f32>(LIKELIHOODS + 4 * i, 0);
  }
}

function isNever(i: i32): bool {
  const tag = <u32>load<u8>(TAG + i);
  return tag === TITLE || tag === OPTION || (load<u32>(INSIDE + 4 * i) & NAV_AND_FOOTER) !== 0;
}

/** What a feature is worth where it is 1. */
function one(feature: i32): v128 {
  return v128.load(FEATURES + 16 * feature);
}

function times(feature: i32, value: f64): v128 {
  return f64x2.mul(one(feature), f64x2.splat(value));
}

function sumOf(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}

function logOf(n: f64): f64 {
  return load<f64>(LOGS + 8 * <i32>n);
}

function putPlaces(count: i32): void {
  const blocks = <f64>count;
  let constant = sumOf(one(CONSTANT), times(PLACE + 10, load<f64>(GOOD, 8)));
  if (h1 >= 0) constant = sumOf(constant, one(PLACE));
  let wordsBefore: f64 = 0;
  let wordsSince: f64 = 0;
  for (let i = 0; i < count; i++) {
    const own = <f64>load<u16>(WORDS + 2 * i);
    const before = wordsBefore / total;
    wordsBefore += own;
    const isAfter = h1 >= 0 && i > h1;
    const since = wordsSince;
    if (isAfter) wordsSince += own;
    if (isNever(i)) continue;
    const from = i < WINDOW ? 0 : i - WINDOW;
    const to = i + WINDOW < count ? i + WINDOW + 1 : count;
    const goodAround = load<f64>(GOOD_BEFORE + 8 * to) - load<f64>(GOOD_BEFORE + 8 * from);
    let sum = sumOf(constant, times(PLACE + 5, <f64>i / blocks));
    sum = sumOf(sum, times(PLACE + 6, before));
    sum = sumOf(sum, times(PLACE + 9, load<f64>(GOOD_BEFORE + 8 * i) / good));
    sum = sumOf(sum, times(PLACE + 11, logOf(goodAround / <f64>(to - from))));
    if (isAfter) {
      const near = times(PLACE + 3, 1.0 / (1.0 + <f64>(i - h1) / 8.0));
      sum = sumOf(sum, sumOf(sumOf(one(PLACE + 1), near), times(PLACE + 4, logOf(since) / 8.0)));
    } else if (i < h1) sum = sumOf(sum, one(PLACE + 2));
    if (before < 0.03) sum = sumOf(sum, one(PLACE + 7));
    else if (before > 0.9) sum = sumOf(sum, one(PLACE + 8));
    v128.store(WORTH + 16 * i, sum);
  }
}

function addElements(count: i32): void {
  let group: usize = 0;
  let bits: u32 = 0;
  let groupWorth = f64x2.splat(0);
  let bitsWorth = f64x2.splat(0);
  for (let i = 0; i < count; i++) {
    if (isNever(i)) continue;
    const inside = load<u32>(INSIDE + 4 * i);
    if (inside !== bits) {
      bits = inside;
      bitsWorth = worthOfBits(bits);
    }
    const own = <usize>load<u32>(GROUPS + 4 * i);
    if (own !== group) {
      group = own;
      groupWorth = worthOfGroup(group);
    }
    const around: usize = AROUND + 16 * i;
    const inner = load<i32>(around);
    const outer = load<i32>(around, 4);
    const third = load<i32>(around, 8);
    const fourth = load<i32>(around, 12);
    let sum = sumOf(bitsWorth, groupWorth);
    sum = sumOf(sum, times(ELEMENTS, load<f64>(GOOD_IN + 8 * inner) * perWord));
    sum = sumOf(sum, times(ELEMENTS + 3, load<f64>(GOOD_IN + 8 * fourth) * perWord));
    if (outer === topSecond || inner === topSecond) sum = sumOf(sum, one(ELEMENTS + 6));
    if (third === topThird || outer === topThird) sum = sumOf(sum, one(ELEMENTS + 7));
    if (inner === top || outer === top || third === top || fourth === top) sum = sumOf(sum, one(ELEMENTS + 8));
    addTo(i, sumOf(sum, one(TAGS_AT + <i32>load<u8>(TAG + i))));
  }
}

function addTo(i: i32, worth: v128): void {
  v128.store(WORTH + 16 * i, sumOf(v128.load(WORTH + 16 * i), worth));
}

function worthOfBits(inside: u32): v128 {
  let sum = f64x2.splat(0);
  for (let bits = inside; bits !== 0; bits &= bits - 1) sum = sumOf(sum, one(BITS_AT + <i32>ctz(bits)));
  return sum;
}

function worthOfGroup(group: usize): v128 {
  const members = <f64>load<u32>(group, 4);
  const words = <f64>load<u32>(group, 8);
  const linked = <f64>load<u32>(group, 12);
  const sum = sumOf(times(ELEMENTS + 9, logOf(members) / 4.0), times(ELEMENTS + 10, logOf(words / members)));
  return sumOf(sum, times(ELEMENTS + 11, linked / words));
}

function addTexts(count: i32): void {
  let before = nowhere(BEFORE);
  for (let i = 0; i < count; i++) {
    const words = <usize>load<u16>(WORDS + 2 * i);
    const row: usize = WORDS_WORTH + 48 * words;
    const share = <f64>load<f32>(SHARES + 4 * i);
    const closed = <f64>load<f32>(CLOSED + 4 * i);
    const outer = load<f64>(GOOD_IN + 8 * load<u32>(AROUND + 16 * i, 4)) * perWord;
    const third = load<f64>(GOOD_IN + 8 * load<u32>(AROUND + 16 * i, 8)) * perWord;
    const against: f64 = (load<u32>(INSIDE + 4 * i) & AGAINST) !== 0 ? 1 : 0;
    if (i > 0) addTo(i - 1, sumOf(besideWorth(BEHIND, share, closed, outer, third, against), v128.load(row, 32)));
    const sum = sumOf(before, v128.load(row));
    before = sumOf(besideWorth(BEFORE, share, closed, outer, third, against), v128.load(row, 16));
    if (!isNever(i)) addTo(i, ownWorth(i, sum, <f64>words, share, closed, outer, third));
  }
  if (count > 0) addTo(count - 1, nowhere(BEHIND));
}

function nowhere(at: i32): v128 {
  const sum = sumOf(sumOf(sumOf(sumOf(one(at), one(at + 1)), one(at + 2)), one(at + 3)), one(at + 4));
  return f64x2.mul(f64x2.splat(-0.5), sum);
}

function besideWorth(at: i32, share: f64, closed: f64, outer: f64, third: f64, against: f64): v128 {
  let sum = sumOf(times(at + 1, share), times(at + 2, closed));
  sum = sumOf(sum, times(at + 3, outer));
  sum = sumOf(sum, times(at + 4, third));
  return sumOf(sum, times(at + 5, against));
}

function ownWorth(i: i32, start: v128, own: f64, share: f64, closed: f64, outer: f64, third: f64): v128 {
  const perOwn = 1.0 / own;
  const comma = min<f64>(1, <f64>load<u16>(COMMAS + 2 * i) / max<f64>(1, own / 10));
  const capital = <f64>load<u16>(CAPITALS + 2 * i) * perOwn;
  const number = <f64>load<u16>(NUMBERS + 2 * i) * perOwn;
  const length = min<f64>(3, <f64>load<u16>(BYTES + 2 * i) * perOwn * 0.1);
  const deep = min<f64>(30, <f64>load<u16>(DEPTH + 2 * i)) / 30;
  const ends = <f64>load<u8>(ENDS + i);
  let sum = sumOf(start, sumOf(sumOf(times(8, closed), times(9, comma)), times(10, ends)));
  sum = sumOf(sum, sumOf(sumOf(times(11, capital), times(12, number)), times(13, length)));
  sum = sumOf(sum, sumOf(sumOf(times(16, deep), times(ELEMENTS + 1, outer)), times(ELEMENTS + 2, third)));
  if (share > 0) sum = sumOf(sum, linkWorth(share));
  const hint = <f64>load<i8>(HINT + i);
  if (hint !== 0) {
    const near = hint / (1.0 + <f64>load<u8>(HINT_DISTANCE + i));
    sum = sumOf(sum, sumOf(times(14, hint), times(15, near)));
  }
  if (outer < 0.02) sum = sumOf(sum, one(ELEMENTS + 4));
  if (third < 0.05) sum = sumOf(sum, one(ELEMENTS + 5));
  return sum;
}

function linkWorth(share: f64): v128 {
  const sum = times(5, share);
  if (share <= 0.5) return sum;
  return sumOf(sumOf(sum, one(6)), share > 0.95 ? one(7) : f64x2.splat(0));
}
