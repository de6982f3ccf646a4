import { HYPHEN_MINUS, isBlank, isHyphen, LF, nextLineOfRun } from '../core/text/joined-lines.ts';
import { isPlain } from '../core/text/stretch.ts';
import { IGNORED, infoOf, KIND_MASK, MARK, SEPARATOR } from '../core/text/unicode.ts';
import { decodeAt } from '../core/text/utf8.ts';

/*
 * Where a text may be cut so that its pieces, put into canonical form one by one, make the canonical form of the whole.
 *
 *   before any plain character that is not a mark     no character before it changes it, nor it one before
 *   before a plain separator                          and no token lies in two pieces
 *
 * There is no cut beside a line end that may part nothing (core/text/joined-lines.ts). Where two line ends stand there is one
 * between them.
 *
 * A byte that does not go on a sequence always begins a character, however broken the text before it is.
 */

/** The last offset in from+1..to before which a text may be cut between two tokens, or -1. */
export function lastCut(text: Uint8Array, from: number, to: number): number {
  for (let at = to; at > from; at--) if (parts(text, at)) return at;
  return -1;
}

/**
 * An offset at which a text may be cut between two tokens: `at`, or another one with nothing but blanks between the two; -1
 * where there is none.
 *
 * @param least where it was cut last: that will do again
 */
export function cutBeside(text: Uint8Array, at: number, least: number): number {
  let first = at;
  while (first > least && isBlank(text[first - 1])) first--;
  if (first === least || first === text.length) return first;
  for (let next = first; next <= at || (next < text.length && isBlank(text[next])); next++) {
    if (parts(text, next)) return next;
  }
  return -1;
}

/** Whether what stands at `at` separates, and no line end goes over it. */
function parts(text: Uint8Array, at: number): boolean {
  const byte = text[at]!;
  if (byte < 0x80 && isAsciiToken(byte)) return false;
  if (isBlank(byte)) return partsBlank(text, at);
  if (goesOn(byte) || isHyphenAtBlank(text, at)) return false;
  return byte < 0x80 || isPlainSeparator(infoOf(decodeAt(text, at) >> 3));
}

/** Whether a hyphen stands at `at` behind which a line may end. */
function isHyphenAtBlank(text: Uint8Array, at: number): boolean {
  const decoded = decodeAt(text, at);
  return isHyphen(decoded >> 3) && isBlank(text[at + (decoded & 7)]);
}

/**
 * The same of blanks: those that begin at `at` and do not end a line within a run of letters. Behind a hyphen, or what nobody
 * sees, they may go on with a line end that stands before it.
 */
function partsBlank(text: Uint8Array, at: number): boolean {
  const before = text[at - 1]!;
  if (isBlank(before)) return text[at] === LF && isBehindLineEnd(text, at);
  if (before < 0x80) return before !== HYPHEN_MINUS;
  return !endsWithUnseen(text, at) && nextLineOfRun(text, at) < 0;
}

/** Whether only blanks stand between a line end and `at`. */
function isBehindLineEnd(text: Uint8Array, at: number): boolean {
  let last = at - 1;
  while (last >= 0 && isBlank(text[last]) && text[last] !== LF) last--;
  return text[last] === LF;
}

/** Whether the character beyond ASCII before `end` is a hyphen, or nobody sees it. */
function endsWithUnseen(text: Uint8Array, end: number): boolean {
  return [2, 3, 4].some((length) => {
    const decoded = end < length ? 0 : decodeAt(text, end - length);
    if ((decoded & 7) !== length) return false;
    return isHyphen(decoded >> 3) || infoOf(decoded >> 3) === IGNORED;
  });
}

/** The first offset at or after `from` before which a text may be cut, no line end going over it, or `end`. */
export function nextCut(text: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = text[at]!;
    if (goesOn(byte) || isBlank(byte) || isBlank(text[at - 1]) || isHyphenAtBlank(text, at)) continue;
    if (byte < 0x80 || beginsPiece(infoOf(decodeAt(text, at) >> 3))) return at;
  }
  return end;
}

/** Whether a byte continues a sequence. */
function goesOn(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function isAsciiToken(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

function isPlainSeparator(info: number): boolean {
  return isPlain(info) && (info & KIND_MASK) === SEPARATOR;
}

/** Whether a text may be cut before a character of core's info: a plain one that is not a mark. */
function beginsPiece(info: number): boolean {
  return isPlain(info) && (info & KIND_MASK) !== MARK;
}
