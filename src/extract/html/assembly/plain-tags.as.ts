import { GROUPS, HASHES, positionOf, ROLES } from './attributes.as.ts';
import { elementAt, FLAGS, HIGH, LENGTH, LOW, NAME_BYTE, NAMES, nameByte, SLOTS } from './element-names.as.ts';
import { FIRST_BYTES, KEYS, KIND, KINDS } from './figures.as.ts';
import {
  AROUND,
  BITS_OF,
  BYTES,
  beginBlocks,
  CAPITALS,
  COMMAS,
  DEPTH,
  ENDS,
  ENDS_BITS,
  FROM,
  finishBlocks,
  HINT,
  HINT_DISTANCE,
  INSIDE,
  IS_FOLLOWED,
  LINKED,
  NUMBERS,
  note,
  OMITTED_BIT,
  SENTENCES,
  TAG,
  TAG_OF,
  TO,
  WORDS,
} from './page-blocks.as.ts';
import { BYTE_KIND, PAGE, STATE } from './page-layout.as.ts';

/*
 * Text and the plain tags in it: ../plain-tags.ts in WebAssembly, byte for byte the same, 16 bytes at a time where that is
 * possible. Functions have the names that they have there, in ../elements.ts and in ../text-writer.ts.
 *
 *   tables, written once by the host │ STATE │ blocks of the page │ PAGE, with zeros behind it │ its text
 *
 * The text has room for all of the page, and for a vector behind that. Nothing is called from here.
 */

// what the host calls, beside what is below, and the addresses of what it writes and reads
export {
  AROUND,
  BITS_OF,
  BYTE_KIND,
  BYTES,
  beginBlocks,
  CAPITALS,
  COMMAS,
  DEPTH,
  ENDS,
  ENDS_BITS,
  FIRST_BYTES,
  FLAGS,
  FROM,
  finishBlocks,
  GROUPS,
  HASHES,
  HIGH,
  HINT,
  HINT_DISTANCE,
  INSIDE,
  IS_FOLLOWED,
  KEYS,
  KIND,
  KINDS,
  LENGTH,
  LINKED,
  LOW,
  NAME_BYTE,
  NAMES,
  NUMBERS,
  note,
  OMITTED_BIT,
  PAGE,
  ROLES,
  SENTENCES,
  SLOTS,
  STATE,
  TAG,
  TAG_OF,
  TO,
  WORDS,
};

const INLINE: i32 = 1;
const END_TAG: i32 = 0x100;

const NEWLINE: u8 = 0x0a;
const SPACE: u8 = 0x20;
const DOUBLE_QUOTE: u8 = 0x22;
const AMPERSAND: u8 = 0x26;
const SINGLE_QUOTE: u8 = 0x27;
const HYPHEN: u8 = 0x2d;
const SLASH: u8 = 0x2f;
const LESS: u8 = 0x3c;
const EQUALS: u8 = 0x3d;
const GREATER: u8 = 0x3e;
const LOWER_H: u8 = 0x68;
const LOWER_I: u8 = 0x69;
const LOWER_O: u8 = 0x6f;
const LOWER_P: u8 = 0x70;

/** Where the text ends, and where it ended when it was separated last: addresses. */
let end: usize = 0;
let separatedAt: usize = 0;

/** Reads on from `start` to what is no text and no plain tag, or to `limit`. Counts from PAGE. */
export function textWithPlainTags(start: i32, limit: i32, meaning: i32): i32 {
  const text = <usize>load<i32>(STATE);
  end = text + load<i32>(STATE, 4);
  separatedAt = text + load<i32>(STATE, 8);
  const linkElement = load<i32>(STATE, 12);
  const last: usize = PAGE + limit;
  let at: usize = PAGE + start;
  while (true) {
    at = writeText(at, last);
    if (at >= last || load<u8>(at) === AMPERSAND) break;
    const isEndTag = load<u8>(at, 1) === SLASH;
    const name = isEndTag ? at + 2 : at + 1;
    if (!isLetter(load<u8>(name))) break;
    const found = elementAt(name);
    const element = found & 0xff;
    const flags = <i32>load<u16>(FLAGS + 2 * element);
    const nameEnd = name + (found >> 8);
    if ((flags & meaning) !== 0 || nameByte(nameEnd) !== 0) break;
    const tagEnd = endOfPlainTag(nameEnd, last);
    if (tagEnd === 0) break;
    const separates = (flags & INLINE) === 0;
    if (separates) separate(text);
    if (separates || element === linkElement) {
      const tag = isEndTag ? element | END_TAG : element;
      note(<i32>(end - text), tag, <i32>(nameEnd - PAGE), <i32>(tagEnd - PAGE));
    }
    at = tagEnd;
  }
  store<i32>(STATE, <i32>(end - text), 4);
  store<i32>(STATE, <i32>(separatedAt - text), 8);
  return <i32>(at - PAGE);
}

/** Copies up to the next "<" or "&", or `last`. Writes up to 15 bytes more. */
function writeText(from: usize, last: usize): usize {
  let at = from;
  let to = end;
  while (at < last) {
    const bytes = v128.load(at);
    v128.store(to, bytes);
    const stops = i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(LESS)), i8x16.eq(bytes, i8x16.splat(AMPERSAND))));
    if (stops !== 0) {
      const most = last - at;
      const count = min<usize>(ctz(stops), most);
      end = to + count;
      return at + count;
    }
    at += 16;
    to += 16;
  }
  end = to - (at - last);
  return last;
}

function separate(text: usize): void {
  if (end === separatedAt) return;
  const lastByte = load<u8>(end - 1);
  if (lastByte === SPACE) store<u8>(end - 1, NEWLINE);
  else if (lastByte !== NEWLINE) store<u8>(end++, NEWLINE);
  if ((lastByte <= SPACE || lastByte >= 0x80 || lastByte === HYPHEN) && mayGoOn(text)) store<u8>(end++, NEWLINE);
  separatedAt = end;
}

function mayGoOn(text: usize): bool {
  let lineEnds = 0;
  for (let at = end; at > text; at--) {
    const byte = load<u8>(at - 1);
    if (byte > SPACE) return byte >= 0x80 || byte === HYPHEN;
    if (byte === NEWLINE && ++lineEnds === 2) return false;
  }
  return false;
}

/** Where a plain tag ends whose name ends at `start`; 0 where it is none, or goes on beyond `last`. */
function endOfPlainTag(start: usize, last: usize): usize {
  let at = start;
  while (at < last) {
    const byte = load<u8>(at++);
    if (byte > GREATER) continue;
    if (byte === GREATER) return at;
    if (byte !== EQUALS) {
      if (byte <= SLASH && (load<u8>(at) & 0xc7) === 0x40 && mayHide(at)) return 0;
      continue;
    }
    if (load<u8>(BYTE_KIND + load<u8>(at - 2)) !== 0) return 0;
    const quote = load<u8>(at);
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return 0;
    at = positionOf(quote, at + 1, last);
  }
  return 0;
}

function mayHide(at: usize): bool {
  const first = load<u8>(at) | 0x20;
  return (
    (load<u8>(at, 1) | 0x20) === (first === LOWER_H ? LOWER_I : LOWER_O) && (first === LOWER_H || first === LOWER_P)
  );
}

function isLetter(byte: u8): bool {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
