import { DECOMPOSITIONS, FOLDS, KINDS, RANKS } from './unicode-tables.ts';

/*
 * What the canonical form asks of a character, decoded once from the frozen tables.
 *
 *   info(code):  signed distance to the character it becomes << 8 | flags     0 = a separator, as most code points are
 *
 *   flags   bits 0-1  kind, of what it becomes; of several characters, of the first
 *           bit 2     UNSAFE: may join with, move before or change by what stands before it; every other character begins
 *                     a piece that is normalised by itself
 *           bit 3     SPLITS: it becomes several characters (ß = s + s, ½, ㈱)
 *           bit 4     with UNSAFE and no other: IGNORED, gone before anything else
 *
 * Two stages hold the infos: blocks of 128 code points, those of one value kept once. Decoding takes about 20 ms.
 */

/** Kinds of characters, in bits 0-1 of an info. */
export const SEPARATOR = 0;
export const WORD = 1;
export const MARK = 2;
/** A letter of Han, Hiragana, Katakana, Thai, Khmer, Lao or Myanmar. */
export const UNSPACED = 3;
export const KIND_MASK = 3;

export const UNSAFE = 4;
export const SPLITS = 8;

/** The whole info of a character that nobody sees, or may leave out. UNSAFE, since those around it become neighbours. */
export const IGNORED = 16 | UNSAFE;

/** The one mark that becomes a letter, ι, when the marks beside it are in order: it is the last of them. */
export const IOTA_SUBSCRIPT = 0x0345;
export const IOTA = 0x03b9;

const DOT_ABOVE = 0x0307;
/** Letters that have their dot already: i, j, į. */
const SOFT_DOTTED = [0x69, 0x6a, 0x012f];

/** What stands for IGNORED in the table of kinds. */
const IGNORED_KIND = 4;
const CODE_POINTS = 0x11_0000;
const BLOCK_BITS = 7;
const BLOCK_MASK = (1 << BLOCK_BITS) - 1;

const HANGUL = {
  syllables: 0xac00,
  count: 11_172,
  leads: 0x1100,
  vowels: 0x1161,
  trails: 0x11a7,
  vowelCount: 21,
  trailCount: 28,
};

/** Order of the canonical combining class of characters whose class is not 0. */
const rankOf = new Map<number, number>();
/** What characters become that become several, before these compose: Hangul apart. */
const partsOf = new Map<number, readonly number[]>();
/** second -> first -> the character that they compose to, among folded characters: Hangul apart. */
const compositesOf = new Map<number, Map<number, number>>();

const { blockOf, blocks } = decode();

/** Distance and flags of a code point, as drawn above. */
export function infoOf(code: number): number {
  return blocks[(blockOf[code >>> BLOCK_BITS]! << BLOCK_BITS) | (code & BLOCK_MASK)]!;
}

/** Number of the block of 128 in which the info of a code point is kept: blocks of one number are alike. */
export const blockNumber = (code: number) => blockOf[code >>> BLOCK_BITS]!;

/** All characters that come apart, Hangul apart. */
export const decomposing = (): Iterable<number> => partsOf.keys();

/** Rank of a character's canonical combining class among the classes; 0 for starters. */
export function combiningRank(code: number): number {
  return rankOf.get(code) ?? 0;
}

/** What a character becomes, taken apart, or nothing where it does not come apart. */
export function foldedParts(code: number): readonly number[] | undefined {
  const syllable = code - HANGUL.syllables;
  if (syllable < 0 || syllable >= HANGUL.count) return partsOf.get(code);
  const trail = syllable % HANGUL.trailCount;
  const pair = (syllable - trail) / HANGUL.trailCount;
  const parts = [HANGUL.leads + Math.floor(pair / HANGUL.vowelCount), HANGUL.vowels + (pair % HANGUL.vowelCount)];
  return trail === 0 ? parts : [...parts, HANGUL.trails + trail];
}

/** The primary composite of two folded characters, or -1; of anything with -1, -1. */
export function compose(first: number, second: number): number {
  const trail = second - HANGUL.trails;
  const syllable = first - HANGUL.syllables;
  if (trail > 0 && trail < HANGUL.trailCount && syllable >= 0 && syllable < HANGUL.count)
    return syllable % HANGUL.trailCount === 0 ? first + trail : -1;
  const vowel = second - HANGUL.vowels;
  const lead = first - HANGUL.leads;
  if (vowel >= 0 && vowel < HANGUL.vowelCount && lead >= 0 && lead < 19)
    return HANGUL.syllables + (lead * HANGUL.vowelCount + vowel) * HANGUL.trailCount;
  return compositesOf.get(second)?.get(first) ?? -1;
}

/** Calls `visit` with the first number of every entry of a table, the gap before it, and a reader for the others. */
function readEntries(packed: string, visit: (gap: number, next: () => number) => void): void {
  const bytes = atob(packed);
  let at = 0;
  const next = () => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes.charCodeAt(at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  };
  while (at < bytes.length) visit(next(), next);
}

function signed(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** Calls `visit` with every run of characters of a table: its start, its end (exclusive) and what they all are. */
function readRuns(packed: string, visit: (start: number, end: number, value: number) => void): void {
  let end = 0;
  readEntries(packed, (gap, next) => {
    const start = end + gap;
    end = start + next();
    visit(start, end, next());
  });
}

function decode() {
  const infos = new Int32Array(CODE_POINTS);
  readRuns(KINDS, (start, end, kind) => infos.fill(kind === IGNORED_KIND ? IGNORED : kind, start, end));
  readRuns(RANKS, (start, end, rank) => {
    for (let code = start; code < end; code++) {
      rankOf.set(code, rank);
      infos[code]! |= UNSAFE;
    }
  });
  decodeFolds(infos);
  decodeDecompositions(infos);
  spreadUnsafe(infos);
  return inBlocks(infos);
}

function decodeFolds(infos: Int32Array): void {
  let code = 0;
  readEntries(FOLDS, (gap, next) => {
    code += gap;
    const [count, stride, distance] = [next(), next(), signed(next())];
    for (let i = 0; i < count; i++) infos[code + i * stride]! |= distance << 8;
  });
}

/**
 * What comes apart, and from it the pairs that compose. A character's own composition is its all-but-last parts composed,
 * with its last part.
 */
function decodeDecompositions(infos: Int32Array): void {
  const composable: [number, readonly number[]][] = [];
  let code = 0;
  readEntries(DECOMPOSITIONS, (gap, next) => {
    code += gap;
    const head = next();
    const parts = Array.from({ length: head >> 1 }, () => code + signed(next()));
    partsOf.set(code, parts);
    if ((head & 1) === 1) composable.push([code, parts]);
  });
  composable.sort(([, a], [, b]) => a.length - b.length);
  for (const [composite, parts] of composable) addPair(parts.slice(0, -1).reduce(compose), parts.at(-1)!, composite);
  // İ and what lower case makes of it are one with i, and so is the dot that Lithuanian puts below an accent
  for (const letter of SOFT_DOTTED) addPair(letter, DOT_ABOVE, letter);
  for (const second of compositesOf.keys()) infos[second]! |= UNSAFE;
  for (let jamo = 0; jamo < HANGUL.vowelCount; jamo++) infos[HANGUL.vowels + jamo]! |= UNSAFE;
  for (let jamo = 1; jamo < HANGUL.trailCount; jamo++) infos[HANGUL.trails + jamo]! |= UNSAFE;
  infos[IOTA_SUBSCRIPT]! |= SPLITS;
  for (const [whole, parts] of partsOf) {
    infos[whole]! |= infos[parts[0]!]! & UNSAFE;
    const composed = parts.reduce(compose);
    infos[whole]! |= composed < 0 ? SPLITS : (composed - whole) << 8;
  }
}

function addPair(first: number, second: number, composite: number): void {
  const firsts = compositesOf.get(second) ?? new Map<number, number>();
  compositesOf.set(second, firsts.set(first, composite));
}

/** A character is UNSAFE where what it becomes is. */
function spreadUnsafe(infos: Int32Array): void {
  for (let code = 0; code < CODE_POINTS; code++) {
    const distance = infos[code]! >> 8;
    if (distance !== 0) infos[code]! |= infos[code + distance]! & UNSAFE;
  }
}

/** Two stages of one table; blocks whose code points are all alike, nearly all of Unicode, are kept once. */
function inBlocks(infos: Int32Array) {
  const blockOf = new Uint16Array(CODE_POINTS >>> BLOCK_BITS);
  const kept: Int32Array[] = [];
  const alike = new Map<number, number>();
  for (let block = 0; block < blockOf.length; block++) {
    const start = block << BLOCK_BITS;
    const value = infos[start]!;
    let same = 1;
    while (same <= BLOCK_MASK && infos[start + same] === value) same++;
    const known = same > BLOCK_MASK ? alike.get(value) : undefined;
    blockOf[block] = known ?? kept.push(infos.subarray(start, start + BLOCK_MASK + 1)) - 1;
    if (same > BLOCK_MASK) alike.set(value, blockOf[block]!);
  }
  const blocks = new Int32Array(kept.length << BLOCK_BITS);
  for (const [index, values] of kept.entries()) blocks.set(values, index << BLOCK_BITS);
  return { blockOf, blocks };
}
