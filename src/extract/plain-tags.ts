import { elementAt, FLAGS, INLINE, MEANING, NAME_BYTE } from './elements.ts';
import { BYTE_KIND } from './tag-grammar.ts';
import type { TextWriter } from './text-writer.ts';

/*
 * The fast way through text and the tags that nearly all tags are. It says nothing that html-scanner.ts would not say of the
 * same bytes, and gives up at the first that it does not know.
 */

const DOUBLE_QUOTE = 0x22;
const AMPERSAND = 0x26;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/**
 * Most of most pages, without a detour: visible text outside drawings and formulas, and tags in it that are plain and mean
 * no more than that words end, or not even that. Returns where something else begins, or `limit`.
 */
export function textWithPlainTags(writer: TextWriter, bytes: Uint8Array, start: number, limit: number): number {
  let at = start;
  for (;;) {
    at = writer.writeText(bytes, at, limit);
    if (at >= limit || bytes[at] === AMPERSAND) return at;
    const name = bytes[at + 1] === SLASH ? at + 2 : at + 1;
    if (!isLetter(bytes[name]!)) return at;
    const found = elementAt(bytes, name);
    const flags = FLAGS[found & 0xff]!;
    const nameEnd = name + (found >> 8);
    if ((flags & MEANING) !== 0 || NAME_BYTE[bytes[nameEnd]!] !== 0) return at;
    const end = endOfPlainTag(bytes, nameEnd, limit);
    if (end === 0) return at;
    if ((flags & INLINE) === 0) writer.separate();
    at = end;
  }
}

/**
 * The end of a tag as nearly all are: name="value", name='value' or name alone, no spaces around "=". Finds it
 * several times faster than the table does.
 *
 * @param start where the name of the tag has ended.
 * @returns the position behind ">"; 0 where the tag is of another form or goes on beyond `limit`.
 */
export function endOfPlainTag(bytes: Uint8Array, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    const byte = bytes[at++]!;
    if (byte === GREATER) return at;
    if (byte !== EQUALS) continue;
    // what stands before "=" has to be a name
    if (BYTE_KIND[bytes[at - 2]!] !== 0) return 0;
    const quote = bytes[at]!;
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return 0;
    for (at++; at < limit && bytes[at] !== quote; at++);
    at++;
  }
  return 0;
}

export function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Where a byte is next, or `limit` where it is not before that. */
export function positionOf(byte: number, bytes: Uint8Array, start: number, limit: number): number {
  const found = bytes.indexOf(byte, start);
  return found < 0 || found > limit ? limit : found;
}
