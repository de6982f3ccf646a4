import { isHyphen } from '../core/text/joined-lines.ts';
import { Normalizer } from '../core/text/normalize.ts';
import { isPlain } from '../core/text/stretch.ts';
import {
  blockNumber,
  combiningRank,
  compose,
  decomposing,
  foldedParts,
  IGNORED,
  IOTA_SUBSCRIPT,
  infoOf,
  KIND_MASK,
  MARK,
  SEPARATOR,
  SPLITS,
  UNSAFE,
  UNSPACED,
} from '../core/text/unicode.ts';
import { encodeAt } from '../core/text/utf8.ts';

/*
 * The tables of core/text/unicode.ts as the WebAssembly kernel wants them: assembly/canonicalize.as.ts draws their layout.
 *
 *   UNSAFE in core is one of three things here
 *   RANKED   a mark that neither folds nor decomposes: unless it COMPOSES with what is before it, only its position may change
 *   UNSEEN   core's IGNORED: passed over; a mark behind it that COMPOSES is left to core
 *   SLOW     everything else: left to core
 *
 *   SPLITS in core is SLOW or
 *   SPELLED  becomes at most seven bytes of words and separators, whatever is before it
 *
 * Made once in a process, in about 10 ms: it is plain data, which threads are given.
 */

const SLOW = 4;
const RANKED = 8;
const COMPOSES = 16;
const UNSEEN = 32;
const HYPHEN = 64;
const SPELLED = 128;
/** The bit of a SLOW character that may change what stands before it. */
const CHANGES = 1 << 8;
const SPELLING_BYTES_MAX = 7;
const SPACE = 0x20;
const CODE_POINTS = 0x11_0000;
const BLOCK = 128;
/** Of the characters with a bit in `joining`. */
const JOINING_END = 0x1_0000;
/** Hangul syllables, whose parts are jamo: those are no marks, and remain SLOW. */
const HANGUL_FIRST = 0xac00;
const HANGUL_END = 0xd7a4;

let image: UnicodeImage | null = null;

export type UnicodeImage = ReturnType<typeof makeImage>;

export function unicodeImage(): UnicodeImage {
  image ??= makeImage();
  return image;
}

/** Takes the one that another thread has made. */
export function takeUnicodeImage(made: UnicodeImage): void {
  image = made;
}

/**
 * `blockOf`: the number of the block of 128 infos for each 128 code points. `twoBytes`: canonical bytes | their number << 16
 * of the two-byte characters that need no second look, by code point. `joining`: a bit for each character below U+10000,
 * whether it composes with one behind it, decomposes, or is not seen. `spellings`: eight bytes for each SPELLED character.
 */
function makeImage() {
  const { firsts, seconds } = composingCharacters();
  const blockOf = new Uint16Array(CODE_POINTS / BLOCK);
  const infos: number[] = [];
  const spellings: number[] = [];
  // nearly all blocks of Unicode are uniform; core gives a number to each kind of them
  const uniform = new Map<number, number>();
  for (let block = 0; block < blockOf.length; block++) {
    const start = block * BLOCK;
    const number = blockNumber(start);
    const known = uniform.get(number);
    blockOf[block] = known ?? infos.length / BLOCK;
    if (known !== undefined) continue;
    if (isUniform(start)) uniform.set(number, blockOf[block]!);
    for (let code = start; code < start + BLOCK; code++) infos.push(kernelInfo(code, seconds, spellings));
  }
  const twoBytes = Uint32Array.from({ length: 0x800 }, (_, code) => (code < 0x80 ? 0 : shortForm(code)));
  return {
    ...{ blockOf, infos: Int32Array.from(infos), twoBytes },
    ...{ joining: joiningCharacters(firsts), spellings: Uint8Array.from(spellings) },
  };
}

/** Whether all characters of a block are plain or not in one way, and fold by one distance. */
function isUniform(start: number): boolean {
  const first = infoOf(start);
  // what an unsafe one becomes depends on more than its info
  if (first !== IGNORED && (first & (UNSAFE | SPLITS)) !== 0) return false;
  for (let code = start + 1; code < start + BLOCK; code++) if (infoOf(code) !== first) return false;
  return true;
}

/** The first and the second characters of all pairs that compose, among folded characters; Hangul apart. */
function composingCharacters() {
  const firsts = new Set<number>();
  const seconds = new Set<number>();
  for (const code of decomposing()) {
    const parts = foldedParts(code)!;
    if (parts.length < 2) continue;
    const first = parts.slice(0, -1).reduce(compose);
    const second = parts.at(-1)!;
    if (compose(first, second) < 0) continue;
    firsts.add(first);
    seconds.add(second);
  }
  return { firsts, seconds };
}

/** Marks that compose may change these, or what stands before them. */
function joiningCharacters(firsts: ReadonlySet<number>): Uint8Array {
  const bits = new Uint8Array(JOINING_END / 8);
  const set = (code: number) => {
    bits[code >> 3]! |= 1 << (code & 7);
  };
  for (let code = 0; code < JOINING_END; code++) {
    const info = infoOf(code);
    if (info === IGNORED || firsts.has(code + (info >> 8))) set(code);
  }
  for (const code of decomposing()) if (code < JOINING_END) set(code);
  for (let code = HANGUL_FIRST; code < HANGUL_END; code++) set(code);
  return bits;
}

/** @param spellings takes that of a SPELLED character */
function kernelInfo(code: number, seconds: ReadonlySet<number>, spellings: number[]): number {
  const info = infoOf(code);
  const hyphen = code >= 0x80 && isHyphen(code) ? HYPHEN : 0;
  if (info === IGNORED) return UNSEEN | hyphen;
  if ((info & (UNSAFE | SPLITS)) === 0) return info | hyphen;
  const kind = info & KIND_MASK;
  if ((info & UNSAFE) === 0) {
    const spelling = spellingOf(code);
    if (spelling === null) return SLOW | kind;
    const at = spellings.length / (SPELLING_BYTES_MAX + 1);
    spellings.push(...Array.from({ length: SPELLING_BYTES_MAX }, (_, i) => spelling[i] ?? 0), spelling.length);
    return (at << 8) | SPELLED | kind;
  }
  if (info !== (MARK | UNSAFE) || foldedParts(code) !== undefined) return CHANGES | SLOW | kind;
  return (combiningRank(code) << 8) | (seconds.has(code) ? COMPOSES : 0) | RANKED | MARK;
}

/** The canonical bytes of a character that becomes words and separators alone, or null where it becomes more or too many. */
function spellingOf(code: number): readonly number[] | null {
  const bytes = new Uint8Array(4);
  const spelling: number[] = [];
  // a mark behind it would go before its iota
  let isSimple = foldedParts(code)?.includes(IOTA_SUBSCRIPT) !== true;
  const normalizer = new Normalizer((part, kind) => {
    if (kind === MARK || kind === UNSPACED) isSimple = false;
    else if (kind === SEPARATOR) spelling.push(SPACE);
    else spelling.push(...bytes.subarray(0, encodeAt(bytes, 0, part)));
  });
  normalizer.push(code, 0, 1);
  normalizer.flush();
  return isSimple && spelling.length <= SPELLING_BYTES_MAX ? spelling : null;
}

/** Canonical bytes | their number << 16 of a plain word character or separator, or of what becomes two bytes (ß), or 0. */
function shortForm(code: number): number {
  const info = infoOf(code);
  if ((info & (SPLITS | UNSAFE)) === SPLITS) {
    const [first = 0, second = 0, ...others] = spellingOf(code) ?? [0, 0, 0];
    return others.length > 0 ? 0 : first | (second << 8) | (2 << 16);
  }
  if (!isPlain(info) || (info & KIND_MASK) === MARK) return 0;
  if ((info & KIND_MASK) === SEPARATOR) return SPACE | (1 << 16);
  const bytes = new Uint8Array(4);
  const length = encodeAt(bytes, 0, code + (info >> 8));
  return length > 2 ? 0 : bytes[0]! | (bytes[1]! << 8) | (length << 16);
}
