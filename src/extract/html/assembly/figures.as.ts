/*
 * What a stretch of a text looks like: ../main/text-figures.ts in WebAssembly, 16 bytes at a time where they are ASCII.
 *
 *   letters   a bit for each byte       words   letters AND NOT (letters << 1 | the last one before)
 */

/** Uint8: the kind of each byte below 0xc2; whether it is the first byte of a character in KEYS. */
export const KIND: usize = 0x6400;
export const FIRST_BYTES: usize = 0x6500;
/** A hash table of 128 characters by their UTF-8, Int32, and Uint8: their kinds. 0 where there is none. */
export const KEYS: usize = 0x6600;
export const KINDS: usize = 0x6800;
/** Int32: words, sentences, commas, capitals, numbers, bytes, letters that are half a word. */
export const FIGURES: usize = 0x6900;

const KEYS_MASK: u32 = 127;
const STRETCH_BYTES_MOST: usize = 8192;

const LETTER: u32 = 1;
const CAPITAL: u32 = 2;
const DIGIT: u32 = 3;
const SPACE: u32 = 4;
const STOP: u32 = 5;
const COMMA: u32 = 6;
const QUOTE: u32 = 7;
const UNKNOWN: u32 = 0xff;
const COLON: u8 = 0x3a;

/** What addCharacters goes on with: whether the byte before is part of a word, whether it is one of . ! ?; and counts. */
let inWord: u32 = 0;
let atStop: u32 = 0;
let words: u32 = 0;
let sentences: u32 = 0;
let commas: u32 = 0;
let capitals: u32 = 0;
let numbers: u32 = 0;
let wide: u32 = 0;

/** Adds the figures of bytes from..to-1 of a text that stands at `text`, which begin a word. */
export function addFigures(text: usize, from: usize, to: usize): void {
  const end = text + min<usize>(to, from + STRETCH_BYTES_MOST);
  clear();
  // in registers, unlike what is above
  let wordBefore: u32 = 0;
  let stopBefore: u32 = 0;
  let counts: u64 = 0;
  let at = text + from;
  while (at < end) {
    const bytes = v128.load(at);
    const count = <u32>min<usize>(16, end - at);
    const mask: u32 = ((<u32>1) << count) - 1;
    if ((bitsOf(bytes) & mask) !== 0) {
      inWord = wordBefore;
      atStop = stopBefore;
      at = addCharacters(at, at + count, end);
      wordBefore = inWord;
      stopBefore = atStop;
      continue;
    }
    const digit = below(bytes, 0x30, 10);
    const letters = v128.or(below(v128.or(bytes, i8x16.splat(0x20)), 0x61, 26), v128.or(digit, equal(bytes, 0x27)));
    const inside = bitsOf(letters) & mask;
    const starts = inside & ~((inside << 1) | wordBefore);
    const comma = mask & bitsOf(v128.or(below(bytes, 0x3a, 2), equal(bytes, 0x2c)));
    const stops = mask & bitsOf(v128.or(v128.or(equal(bytes, 0x2e), equal(bytes, 0x21)), equal(bytes, 0x3f)));
    // four counts of 16 bits: none reaches half of STRETCH_BYTES_MOST
    counts += <u64>popcnt(starts) | ((<u64>popcnt(comma)) << 16);
    counts += (<u64>popcnt(starts & bitsOf(below(bytes, 0x41, 26)))) << 32;
    counts += (<u64>popcnt(starts & bitsOf(digit))) << 48;
    const behind = (stops << 1) | stopBefore;
    if (behind !== 0) {
      const spaces = v128.or(v128.or(equal(bytes, 0x20), below(bytes, 0x09, 2)), below(bytes, 0x0c, 2));
      const ends = v128.or(spaces, v128.or(equal(bytes, 0x22), equal(bytes, 0x29)));
      sentences += popcnt(behind & mask & bitsOf(ends));
    }
    wordBefore = (inside >> (count - 1)) & 1;
    stopBefore = (stops >> (count - 1)) & 1;
    at += count;
  }
  const total = load<u32>(FIGURES, 24) + wide;
  add(0, words + <u32>(counts & 0xffff) + (total >> 1));
  add(4, sentences + stopBefore);
  add(8, commas + <u32>((counts >> 16) & 0xffff));
  add(12, capitals + <u32>((counts >> 32) & 0xffff));
  add(16, numbers + <u32>(counts >> 48));
  add(20, <u32>(end - text - from));
  store<u32>(FIGURES, total & 1, 24);
}

/** Makes all figures 0. */
export function clearFigures(): void {
  v128.store(FIGURES, i32x4.splat(0));
  v128.store(FIGURES, i32x4.splat(0), 16);
}

function clear(): void {
  words = 0;
  sentences = 0;
  commas = 0;
  capitals = 0;
  numbers = 0;
  wide = 0;
}

function add(at: usize, count: u32): void {
  store<u32>(FIGURES + at, load<u32>(FIGURES + at) + count);
}

/** The highest bit of each byte. */
function bitsOf(bytes: v128): u32 {
  return <u32>i8x16.bitmask(bytes);
}

/** Characters from..to-1, of which the last may go on as far as `end`. Returns where it ends. */
function addCharacters(from: usize, to: usize, end: usize): usize {
  let at = from;
  while (at < to) {
    const byte = <u32>load<u8>(at);
    const isCharacter = byte >= 0xc2;
    const kind = isCharacter ? kindBeyond(at) : <u32>load<u8>(KIND + byte);
    const isLetter = kind === LETTER || kind === CAPITAL || kind === DIGIT;
    if (isLetter && inWord === 0) {
      words++;
      if (kind === CAPITAL) capitals++;
      else if (kind === DIGIT) numbers++;
    } else if (kind === QUOTE || (kind === SPACE && !isCharacter)) sentences += atStop;
    if (!isCharacter && kind === COMMA) commas++;
    inWord = <u32>isLetter;
    atStop = <u32>(kind === STOP && !isCharacter);
    at++;
    if (isCharacter) while (at < end && (load<u8>(at) & 0xc0) === 0x80) at++;
  }
  return at;
}

/** The kind of a character beyond ASCII; counts what is no letter, and letters of scripts without spaces. */
function kindBeyond(at: usize): u32 {
  const first = <u32>load<u8>(at);
  const second = <u32>load<u8>(at, 1);
  if (load<u8>(FIRST_BYTES + first) !== 0) {
    const kind = kindOf(first | (second << 8) | (first >= 0xe0 ? (<u32>load<u8>(at, 2)) << 16 : 0));
    if (kind === STOP) sentences++;
    else if (kind === COMMA) commas++;
    if (kind !== UNKNOWN) return kind;
  }
  if ((first === 0xc3 && second <= 0x9e) || (first === 0xce && second <= 0xab)) return CAPITAL;
  if (first === 0xd0 && second >= 0x90 && second <= 0xaf) return CAPITAL;
  if (first >= 0xe3 && first <= 0xe9) wide++;
  return LETTER;
}

function kindOf(key: u32): u32 {
  let slot = (key * 0x9e37_79b1) >> 25;
  let found = load<u32>(KEYS + 4 * slot);
  while (found !== 0 && found !== key) {
    slot = (slot + 1) & KEYS_MASK;
    found = load<u32>(KEYS + 4 * slot);
  }
  return found === 0 ? UNKNOWN : <u32>load<u8>(KINDS + slot);
}

/** Whether a text ends as sentences do: endsAsSentence of ../main/text-figures.ts. */
export function endsAsSentence(from: usize, to: usize): bool {
  let at = to - 1;
  while (at >= from && <u32>load<u8>(KIND + load<u8>(at)) === SPACE) at--;
  if (at < from) return false;
  const byte = load<u8>(at);
  if (byte < 0x80) {
    const kind = <u32>load<u8>(KIND + byte);
    return kind === STOP || kind === QUOTE || byte === COLON;
  }
  let first = at;
  while (first > from && (load<u8>(first) & 0xc0) === 0x80) first--;
  const lead = <u32>load<u8>(first);
  const kind = kindOf(lead | ((<u32>load<u8>(first, 1)) << 8) | (lead >= 0xe0 ? (<u32>load<u8>(first, 2)) << 16 : 0));
  return kind === STOP || kind === QUOTE;
}

/** Whether each byte is one of `count` from `first` on. */
function below(bytes: v128, first: u8, count: u8): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(first)), i8x16.splat(count));
}

function equal(bytes: v128, byte: u8): v128 {
  return i8x16.eq(bytes, i8x16.splat(byte));
}
