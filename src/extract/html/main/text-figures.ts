/*
 * What a stretch of a text looks like: words, sentences, commas, capitals, digits. Counted byte by byte, in one pass, for any
 * script: no word of any language is known here.
 *
 *   word       a run of letters and digits; in scripts without spaces, two letters
 *   sentence   one of . ! ? before white space, a quotation mark or the end; 。！？ ؟ ۔ । anywhere
 */

/** Where each figure stands. */
export const WORDS = 0;
export const SENTENCES = 1;
export const COMMAS = 2;
export const CAPITALS = 3;
export const NUMBERS = 4;
/** Bytes. */
export const LENGTH = 5;
const WIDE = 6;
export const FIGURES = 7;

const COLON = 0x3a;
/** Of a longer stretch only the beginning is looked at: its figures tell as much, and no page costs more than it must. */
const STRETCH_BYTES_MAX = 8_192;

const [OTHER, LETTER, CAPITAL, DIGIT, SPACE, STOP, COMMA, QUOTE] = [0, 1, 2, 3, 4, 5, 6, 7];
/** What kind of byte it is; those beyond ASCII are letters, or looked at as characters. */
export const KIND = new Uint8Array(256).fill(LETTER, 0x80);
for (const [kind, characters] of [
  [LETTER, "abcdefghijklmnopqrstuvwxyz'"],
  [CAPITAL, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [DIGIT, '0123456789'],
  [SPACE, ' \t\n\f\r'],
  [STOP, '.!?'],
  [COMMA, ',;:'],
  [QUOTE, '")'],
] as const) {
  for (const character of characters) KIND[character.charCodeAt(0)] = kind;
}

/** Where a byte comes: behind none of these, inside a word, behind one of . ! ? */
const [APART, IN_WORD, AT_STOP] = [0, 0x100, 0x200];
/** Where the next byte comes. */
const NEXT = Uint16Array.from({ length: 256 }, (_, byte) => stateBehind(KIND[byte]!));

function stateBehind(kind: number): number {
  if (kind === STOP) return AT_STOP;
  return kind === LETTER || kind === CAPITAL || kind === DIGIT ? IN_WORD : APART;
}

/**
 * What a byte adds to each figure, at the sum of the byte and where it comes. Each figure has FIELD_BITS, so that a loop
 * without branches can add all of them at a time, for COUNTED_BYTES: most stretches have fewer.
 */
const FIELD_BITS = 6;
const COUNTED_BYTES = 2 ** FIELD_BITS - 1;
const FIELD_MASK = COUNTED_BYTES;
const FIELDS = [WORDS, SENTENCES, COMMAS, CAPITALS, NUMBERS];
const ADDED = Int32Array.from({ length: 3 * 256 }, (_, i) => addedBy(KIND[i & 0xff]!, i & ~0xff));

function addedBy(kind: number, state: number): number {
  const isLetter = stateBehind(kind) === IN_WORD;
  const begins = isLetter && state !== IN_WORD;
  const added = new Map<number, boolean>([
    [WORDS, begins],
    [SENTENCES, state === AT_STOP && (kind === SPACE || kind === QUOTE)],
    [COMMAS, kind === COMMA],
    [CAPITALS, begins && kind === CAPITAL],
    [NUMBERS, begins && kind === DIGIT],
  ]);
  return FIELDS.reduce((sum, figure, i) => sum | (added.get(figure) === true ? 1 << (i * FIELD_BITS) : 0), 0);
}

/** What the characters beyond ASCII are that are no letters; by their UTF-8, the first byte lowest. */
export const BEYOND_ASCII = new Map<number, number>();
for (const [kind, characters] of [
  [STOP, '。！？؟۔।…'],
  [COMMA, '、，：；،؛'],
  [SPACE, '\u00a0\u3000'],
  [QUOTE, '«»“”„‘‹「」『』（）《》【】'],
  [OTHER, '–—©®™·•›→'],
] as const) {
  for (const character of characters) {
    const bytes = new TextEncoder().encode(character);
    BEYOND_ASCII.set(bytes[0]! | (bytes[1]! << 8) | ((bytes[2] ?? 0) << 16), kind);
  }
}

/** First bytes of the characters above; all others are letters. */
export const FIRST_BYTES = new Uint8Array(256);
for (const key of BEYOND_ASCII.keys()) FIRST_BYTES[key & 0xff] = 1;

/** Adds the figures of bytes from..to-1 of UTF-8, which begin a word. */
export function addFigures(figures: Int32Array, bytes: Uint8Array, from: number, to: number): void {
  const end = Math.min(to, from + STRETCH_BYTES_MAX);
  let state = APART;
  for (let at = from; at < end; ) {
    const stop = Math.min(end, at + COUNTED_BYTES);
    let added = 0;
    for (; at < stop; at++) {
      const byte = bytes[at]!;
      if (byte >= 0xc2) break;
      added += ADDED[state | byte]!;
      state = NEXT[byte]!;
    }
    for (let figure = 0; added !== 0; figure++, added >>>= FIELD_BITS) figures[figure]! += added & FIELD_MASK;
    if (at === stop) continue;
    const kind = kindBeyond(figures, bytes, at);
    if (stateBehind(kind) === IN_WORD && state !== IN_WORD) {
      figures[WORDS]!++;
      if (kind === CAPITAL) figures[CAPITALS]!++;
    } else if (kind === QUOTE && state === AT_STOP) figures[SENTENCES]!++;
    state = kind === STOP ? APART : stateBehind(kind);
    // the bytes that go on a character change nothing
    for (at++; at < end && (bytes[at]! & 0xc0) === 0x80; at++);
  }
  if (state === AT_STOP) figures[SENTENCES]!++;
  figures[WORDS]! += figures[WIDE]! >> 1;
  figures[WIDE]! &= 1;
  figures[LENGTH]! += end - from;
}

/** The kind of a character beyond ASCII; counts what is no letter, and letters of scripts without spaces. */
function kindBeyond(figures: Int32Array, bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const second = bytes[at + 1]!;
  if (FIRST_BYTES[first] !== 0) {
    const kind = BEYOND_ASCII.get(first | (second << 8) | (first >= 0xe0 ? bytes[at + 2]! << 16 : 0));
    if (kind === STOP) figures[SENTENCES]!++;
    else if (kind === COMMA) figures[COMMAS]!++;
    if (kind !== undefined) return kind;
  }
  // À to Þ, Α to Ϋ, А to Я
  if ((first === 0xc3 && second <= 0x9e) || (first === 0xce && second <= 0xab)) return CAPITAL;
  if (first === 0xd0 && second >= 0x90 && second <= 0xaf) return CAPITAL;
  // kana and Han; Thai, Lao and Khmer have more letters a word
  if (first >= 0xe3 && first <= 0xe9) figures[WIDE]!++;
  return LETTER;
}

/** Whether a text ends as sentences do: with one of their marks, or a colon, quotation mark or bracket behind it. */
export function endsAsSentence(bytes: Uint8Array, from: number, to: number): boolean {
  let at = to - 1;
  while (at >= from && KIND[bytes[at]!] === SPACE) at--;
  if (at < from) return false;
  const byte = bytes[at]!;
  if (byte < 0x80) return KIND[byte] === STOP || KIND[byte] === QUOTE || byte === COLON;
  let first = at;
  while (first > from && (bytes[first]! & 0xc0) === 0x80) first--;
  const key = bytes[first]! | (bytes[first + 1]! << 8) | (bytes[first]! >= 0xe0 ? bytes[first + 2]! << 16 : 0);
  const kind = BEYOND_ASCII.get(key);
  return kind === STOP || kind === QUOTE;
}

/** Whether there is nothing but white space. */
export function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && bytes[at]! <= 0x20) at++;
  return at === to;
}
