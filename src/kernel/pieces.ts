import { isPlain } from '../core/text/stretch.ts';
import { infoOf, KIND_MASK, MARK, SEPARATOR } from '../core/text/unicode.ts';
import { decodeAt } from '../core/text/utf8.ts';

/*
 * Where a text may be cut so that its pieces, put into canonical form one by one, make the canonical form of the whole.
 *
 *   before any plain character that is not a mark     no character before it changes it, nor it one before
 *   before a plain separator                          and no token lies in two pieces
 *
 * A byte that does not go on a sequence always begins a character, however broken the text before it is.
 */

/** The last offset in from+1..to before which a text may be cut between two tokens, or -1. */
export function lastCut(text: Uint8Array, from: number, to: number): number {
  for (let at = to; at > from; at--) {
    const byte = text[at]!;
    if (byte < 0x80 ? !isAsciiToken(byte) : !goesOn(byte) && isPlainSeparator(infoOf(decodeAt(text, at) >> 3)))
      return at;
  }
  return -1;
}

/** Whether a text may be cut between two tokens at an offset. */
export function mayCut(text: Uint8Array, at: number): boolean {
  return at === 0 || at === text.length || lastCut(text, at - 1, at) === at;
}

/** The first offset at or after `from` before which a text may be cut, or `end`. */
export function nextCut(text: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = text[at]!;
    if (byte < 0x80 || (!goesOn(byte) && beginsPiece(infoOf(decodeAt(text, at) >> 3)))) return at;
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
