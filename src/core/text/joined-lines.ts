import { IGNORED, infoOf, KIND_MASK, MARK, SPLITS, UNSAFE, UNSPACED, WORD } from './unicode.ts';
import { decodeAt } from './utf8.ts';

/*
 * Line ends that part nothing:
 *
 *   東京⏎都庁   the letters on both sides are of scripts without spaces: the run goes on
 *   exam-⏎ple   a hyphen between letters, the second of them no capital: hyphen and line end are as if they were not there
 *
 * One line end, LF, CR LF or CR, with blanks around it, or behind it after a hyphen. Two are the end of a paragraph.
 * Cost: linear, for white space is looked at once from each side.
 */

const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
const SPACE = 0x20;
export const HYPHEN_MINUS = 0x2d;
const SOFT_HYPHEN = 0xad;
const HYPHEN = 0x2010;

/** Whether a byte is one of those that make up a line end with blanks around it. */
export function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

/** Whether a character parts a word where a line ends behind it. */
export function isHyphen(code: number): boolean {
  return code === HYPHEN_MINUS || code === HYPHEN || code === SOFT_HYPHEN;
}

/**
 * Where a run of letters of a script without spaces goes on behind blanks that begin at `at`: the start of its next letter, or
 * -1 if the run is over.
 */
export function nextLineOfRun(text: Uint8Array, at: number): number {
  let lineEnds = 0;
  for (let next = at; next < text.length; ) {
    const byte = text[next]!;
    if (byte === LF || (byte === CR && text[next + 1] !== LF)) lineEnds++;
    if (lineEnds > 1) return -1;
    if (isBlank(byte)) {
      next++;
      continue;
    }
    const decoded = decodeAt(text, next);
    const info = infoOf(decoded >> 3);
    if (info !== IGNORED) return lineEnds === 1 && (info & (KIND_MASK | UNSAFE)) === UNSPACED ? next : -1;
    next += decoded & 7;
  }
  return -1;
}

/**
 * Where a word goes on that a hyphen parts at the end of a line: the start of its second half, or -1 if it is no such hyphen.
 *
 * @param start where the hyphen stands, up to `end` (exclusive)
 */
export function secondHalf(text: Uint8Array, start: number, end: number): number {
  let next = end;
  if (text[next] === CR) next++;
  if (text[next] === LF) next++;
  if (next === end || !endsWithLetter(text, start)) return -1;
  while (text[next] === SPACE || text[next] === TAB) next++;
  return next < text.length && isSmallLetter(text, next) ? next : -1;
}

/** Whether the character before `end` belongs to a letter of a word. */
function endsWithLetter(text: Uint8Array, end: number): boolean {
  let start = end - 1;
  while (start > 0 && end - start < 4 && (text[start]! & 0xc0) === 0x80) start--;
  if (start < 0) return false;
  if (start === end - 1) return isAsciiLetter(text[start]! | 0x20);
  const decoded = decodeAt(text, start);
  const kind = infoOf(decoded >> 3) & KIND_MASK;
  return (decoded & 7) === end - start && (kind === WORD || kind === MARK);
}

/** Whether a character is a letter of a word that lower case leaves as it is. */
function isSmallLetter(text: Uint8Array, at: number): boolean {
  if (text[at]! < 0x80) return isAsciiLetter(text[at]!);
  const info = infoOf(decodeAt(text, at) >> 3);
  return (info & (KIND_MASK | UNSAFE)) === WORD && ((info & SPLITS) !== 0 || info >> 8 === 0);
}

/** Whether a byte is a-z. */
function isAsciiLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}
