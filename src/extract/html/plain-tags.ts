import { elementAt, FLAGS, INLINE, NAME_BYTE } from './elements.ts';
import { A } from './main/element-kinds.ts';
import { END_TAG, NOTE, NOTED_MAX, type PageBlocks } from './main/page-blocks.ts';
import { BYTE_KIND, isLetter } from './tag-grammar.ts';
import type { TextWriter } from './text-writer.ts';

/*
 * The fast way through text and the tags that nearly all tags are. It says nothing that html-scanner.ts would not say of the
 * same bytes, and gives up at the first that it does not know.
 */

const AMPERSAND = 0x26;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const LOWER_H = 0x68;
const LOWER_I = 0x69;
const LOWER_O = 0x6f;
const LOWER_P = 0x70;

/**
 * Most of most pages, without a detour: visible text outside drawings and formulas, and plain tags in it. Such a tag
 * means no more than that words end, or not even that. Returns where something else begins, or `limit`.
 *
 * @param meaning the flags of elements that mean more: MEANING or MEANING_IN_XHTML
 */
export function textWithPlainTags(
  writer: TextWriter,
  blocks: PageBlocks,
  bytes: Uint8Array,
  start: number,
  limit: number,
  meaning: number,
): number {
  let at = start;
  for (;;) {
    at = writer.writeText(bytes, at, limit);
    if (at >= limit || bytes[at] === AMPERSAND) return at;
    const name = bytes[at + 1] === SLASH ? at + 2 : at + 1;
    if (!isLetter(bytes[name]!)) return at;
    const found = elementAt(bytes, name);
    const flags = FLAGS[found & 0xff]!;
    const nameEnd = name + (found >> 8);
    if ((flags & meaning) !== 0 || NAME_BYTE[bytes[nameEnd]!] !== 0) return at;
    const end = endOfPlainTag(bytes, nameEnd, limit);
    if (end === 0) return at;
    const separates = (flags & INLINE) === 0;
    if (separates) writer.separate();
    if (separates || (found & 0xff) === A) {
      // PageBlocks.note, which V8 would put here at the cost of something that is called more often
      if (blocks.noted === NOTED_MAX) blocks.drain();
      const { notes } = blocks;
      const note = blocks.noted;
      notes[note] = writer.length;
      notes[note + 1] = name > at + 1 ? (found & 0xff) | END_TAG : found & 0xff;
      notes[note + 2] = nameEnd;
      notes[note + 3] = end;
      blocks.noted = note + NOTE;
    }
    at = end;
  }
}

/**
 * The end of a tag as nearly all are: name="value", name='value' or name alone, no spaces around "=", and no attribute that
 * may be hidden or popover. Finds it several times faster than the table does.
 *
 * V8 makes one piece of this, textWithPlainTags and what that calls, as long as they are short: a few more operations here,
 * and pages take a quarter longer.
 *
 * @param start where the name of the tag has ended.
 * @returns the position behind ">"; 0 where the tag is of another form or goes on beyond `limit`.
 */
export function endOfPlainTag(bytes: Uint8Array, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    const byte = bytes[at++]!;
    // letters, in one step
    if (byte > GREATER) continue;
    if (byte === GREATER) return at;
    if (byte !== EQUALS) {
      // behind white space, a slash or a value (and behind some other bytes, which does no harm): h, p and few others
      if (byte <= SLASH && (bytes[at]! & 0xc7) === 0x40 && mayHide(bytes, at)) return 0;
      continue;
    }
    // what stands before "=" has to be a name
    if (BYTE_KIND[bytes[at - 2]!] !== 0) return 0;
    const quote = bytes[at]!;
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return 0;
    // up to the quotation mark, behind which a name may stand
    for (at++; at < limit && bytes[at] !== quote; at++);
  }
  return 0;
}

/** Whether the attribute whose name begins at `at` may be hidden or popover, by its first two letters. */
function mayHide(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at]! | 0x20;
  return (
    (bytes[at + 1]! | 0x20) === (first === LOWER_H ? LOWER_I : LOWER_O) && (first === LOWER_H || first === LOWER_P)
  );
}
