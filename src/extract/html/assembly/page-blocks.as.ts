import { bitsOf } from './attributes.as.ts';
import { addFigures, clearFigures, endsAsSentence, FIGURES } from './figures.as.ts';
import { BYTE_KIND, PAGE, STATE } from './page-layout.as.ts';

/*
 * The blocks of the page that is scanned: ../main/page-blocks.ts in WebAssembly, under the same names. A tag is looked at when
 * it is noted.
 */

/** By elements: Uint8 ENDS_BITS, OMITTED_BIT, IS_FOLLOWED, TAG_OF; Uint32 BITS_OF of ../main/element-kinds.ts. */
export const ENDS_BITS: usize = 0xb000;
export const OMITTED_BIT: usize = 0xb100;
export const IS_FOLLOWED: usize = 0xb200;
export const TAG_OF: usize = 0xb300;
export const BITS_OF: usize = 0xb400;
/** How many of each element are open, Int32. */
const COUNTS: usize = 0xb800;
/** What is open, an entry of 32 bytes each: the element and what follows, all Int32. */
const STACK: usize = 0xc000;
const NUMBER: usize = 4;
const INSIDE_OF: usize = 8;
const HINT_OF: usize = 12;
const HINT_DEPTH: usize = 16;
const NAME_END: usize = 20;
const TAG_END: usize = 24;

const BLOCKS_MOST: i32 = 20_000;
const DEPTH_MOST: i32 = 512;
const BYTES_MOST: i32 = 0x5000;
const HINT_DISTANCE_MOST: i32 = 9;
const END_TAG: i32 = 0x100;
const AGAINST_BIT: i32 = 1 << 25;
const FOR_BIT: i32 = 1 << 26;
const NEWLINE: u8 = 0x0a;

/** The columns of ../main/block-table.ts. */
const ROWS: i32 = 20_480;
export const FROM: usize = 0x1_1000;
export const TO: usize = FROM + 4 * ROWS;
export const INSIDE: usize = TO + 4 * ROWS;
export const AROUND: usize = INSIDE + 4 * ROWS;
export const WORDS: usize = AROUND + 16 * ROWS;
export const LINKED: usize = WORDS + 2 * ROWS;
export const SENTENCES: usize = LINKED + 2 * ROWS;
export const COMMAS: usize = SENTENCES + 2 * ROWS;
export const CAPITALS: usize = COMMAS + 2 * ROWS;
export const NUMBERS: usize = CAPITALS + 2 * ROWS;
export const BYTES: usize = NUMBERS + 2 * ROWS;
export const DEPTH: usize = BYTES + 2 * ROWS;
export const ENDS: usize = DEPTH + 2 * ROWS;
export const TAG: usize = ENDS + ROWS;
export const HINT: usize = TAG + ROWS;
export const HINT_DISTANCE: usize = HINT + ROWS;

let count: i32 = 0;
let elements: i32 = 1;
/** Whether the page has more than is looked at. */
let isOver: bool = false;
/** Where the last block ends, if not before a line end; 0 where that is final. */
let unsettled: i32 = 0;
let start: i32 = 0;
let seen: i32 = 0;
let inLink: bool = false;
let linked: i32 = 0;
let depth: i32 = 0;
let known: i32 = 0;

/** Begins a page. */
export function beginBlocks(): void {
  count = 0;
  elements = 1;
  isOver = false;
  unsettled = 0;
  start = 0;
  seen = 0;
  inLink = false;
  linked = 0;
  depth = 0;
  known = 0;
  clearFigures();
  memory.fill(COUNTS, 0, 4 * 256);
}

/** A tag at which words end, or of a link. @param nameEnd as in ../main/page-blocks.ts, as the others; counts from PAGE */
export function note(textEnd: i32, tag: i32, nameEnd: i32, end: i32): void {
  if (isOver) return;
  settle(textEnd);
  const element = tag & ~END_TAG;
  if (element === load<i32>(STATE, 12)) {
    look(textEnd);
    inLink = tag === element;
    return;
  }
  endBlock(textEnd);
  if (tag !== element) close(element);
  else open(element, nameEnd, end);
}

/** Behind the last byte of the text. Returns whether the blocks are known; STATE has how many they are, and the elements. */
export function finishBlocks(textEnd: i32): bool {
  settle(textEnd);
  if (!isOver) endBlock(textEnd);
  store<i32>(STATE, count, 20);
  store<i32>(STATE, elements, 24);
  return !isOver;
}

/** Takes the line end off the last block, where the space with which it ended has become one since. */
function settle(textEnd: i32): void {
  if (unsettled === 0) return;
  const isLineEnd = load<u8>(<usize>load<i32>(STATE) + unsettled - 1) === NEWLINE;
  if (isLineEnd) store<i32>(TO + 4 * (count - 1), unsettled - 1);
  if (isLineEnd || textEnd > unsettled) unsettled = 0;
}

function entry(at: i32): usize {
  return STACK + 32 * at;
}

function elementOf(at: i32): i32 {
  return load<i32>(entry(at));
}

function open(element: i32, nameEnd: i32, end: i32): void {
  const ends = load<u8>(ENDS_BITS + element);
  while (depth > 0 && (load<u8>(OMITTED_BIT + elementOf(depth)) & ends) !== 0) pop();
  if (load<u8>(IS_FOLLOWED + element) === 0) return;
  if (depth === DEPTH_MOST) {
    isOver = true;
    return;
  }
  const own = entry(++depth);
  store<i32>(own, element);
  store<i32>(own, 0, NUMBER);
  store<i32>(own, nameEnd, NAME_END);
  store<i32>(own, end, TAG_END);
  store<i32>(COUNTS + 4 * element, load<i32>(COUNTS + 4 * element) + 1);
}

function close(element: i32): void {
  if (load<i32>(COUNTS + 4 * element) === 0) return;
  // what is left out around a <p> was ended by what is not
  if (element === load<i32>(STATE, 16) && elementOf(depth) !== element) return;
  while (elementOf(depth) !== element) pop();
  pop();
}

function pop(): void {
  const counted = COUNTS + 4 * elementOf(depth--);
  store<i32>(counted, load<i32>(counted) - 1);
  if (known > depth) known = depth;
}

/** Looks at the attributes of all open elements: of many nobody asks, as there is no text in them. */
function lookAround(): void {
  for (let at = known + 1; at <= depth; at++) {
    const own = entry(at);
    const outer = entry(at - 1);
    const bits = attributesOf(load<i32>(own, NAME_END), load<i32>(own, TAG_END));
    const inside = at > 1 ? load<i32>(outer, INSIDE_OF) : 0;
    store<i32>(own, inside | load<i32>(BITS_OF + 4 * elementOf(at)) | bits, INSIDE_OF);
    const hint = (bits & AGAINST_BIT) !== 0 ? -1 : (bits & FOR_BIT) !== 0 ? 1 : 0;
    const isOwn = hint !== 0 || at === 1;
    store<i32>(own, isOwn ? hint : load<i32>(outer, HINT_OF), HINT_OF);
    store<i32>(own, isOwn ? at : load<i32>(outer, HINT_DEPTH), HINT_DEPTH);
  }
  known = depth;
}

function attributesOf(nameEnd: i32, end: i32): i32 {
  if (nameEnd < 0) return end;
  return end === nameEnd + 1 ? 0 : bitsOf(PAGE + nameEnd, PAGE + end, BYTE_KIND);
}

function endBlock(end: i32): void {
  if (start < end && (seen > start || !isBlank(start, end))) {
    look(end);
    if (load<i32>(FIGURES) > 0) add(end);
    clearFigures();
    linked = 0;
  }
  start = end;
  seen = end;
}

function isBlank(from: i32, to: i32): bool {
  const text = <usize>load<i32>(STATE);
  let at = text + from;
  while (at < text + to && load<u8>(at) <= 0x20) at++;
  return at === text + to;
}

function look(to: i32): void {
  if (to === seen) return;
  const before = load<i32>(FIGURES);
  if (load<i32>(FIGURES, 20) < BYTES_MOST) addFigures(load<i32>(STATE), seen, to);
  if (inLink) linked += load<i32>(FIGURES) - before;
  seen = to;
}

function add(end: i32): void {
  if (count === BLOCKS_MOST) {
    isOver = true;
    return;
  }
  lookAround();
  const row = count++;
  const text = <usize>load<i32>(STATE);
  const to = load<u8>(text + end - 1) === NEWLINE ? end - 1 : end;
  unsettled = to === end ? end : 0;
  store<i32>(FROM + 4 * row, start);
  store<i32>(TO + 4 * row, to);
  store<u16>(WORDS + 2 * row, load<i32>(FIGURES));
  store<u16>(SENTENCES + 2 * row, load<i32>(FIGURES, 4));
  store<u16>(COMMAS + 2 * row, load<i32>(FIGURES, 8));
  store<u16>(CAPITALS + 2 * row, load<i32>(FIGURES, 12));
  store<u16>(NUMBERS + 2 * row, load<i32>(FIGURES, 16));
  store<u16>(BYTES + 2 * row, load<i32>(FIGURES, 20));
  store<u16>(LINKED + 2 * row, linked);
  store<u8>(ENDS + row, endsAsSentence(text + start, text + to) ? 1 : 0);
  for (let level = 0; level < 4; level++) store<i32>(AROUND + 16 * row + 4 * level, numberAt(depth - level));
  store<u16>(DEPTH + 2 * row, depth);
  const own = entry(depth);
  const isInside = depth > 0;
  store<u8>(TAG + row, isInside ? load<u8>(TAG_OF + load<i32>(own)) : 0);
  store<i32>(INSIDE + 4 * row, isInside ? load<i32>(own, INSIDE_OF) : 0);
  store<i8>(HINT + row, isInside ? load<i32>(own, HINT_OF) : 0);
  const distance = isInside ? min(HINT_DISTANCE_MOST, depth - load<i32>(own, HINT_DEPTH)) : 0;
  store<u8>(HINT_DISTANCE + row, distance);
}

function numberAt(at: i32): i32 {
  if (at <= 0) return 0;
  const own = entry(at);
  if (load<i32>(own, NUMBER) === 0) store<i32>(own, elements++, NUMBER);
  return load<i32>(own, NUMBER);
}
