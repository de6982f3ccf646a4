import { NAMED_REFERENCES } from './entity-table.ts';
import { isLetter } from './tag-grammar.ts';
import { TextWriter } from './text-writer.ts';

/*
 * Character references (WHATWG HTML, "character reference state"), in text: `&amp;`, `&amp`, `&#233;`, `&#xe9`.
 *
 * Names are letters and digits, and only the semicolon that ends one tells a longer name from a shorter one with text behind
 * it. So the longest match is: the whole run of letters and digits where a semicolon follows, else the longest beginning of
 * the run that counts without one.
 *
 *   names     A E l i g a m p …      all names, one behind the other
 *   values    C3 86 26 …             what they stand for, as UTF-8, in the same order
 *   table     hash -> number of a name; open addressing
 */

const AMPERSAND = 0x26;
const NUMBER_SIGN = 0x23;
const SEMICOLON = 0x3b;
const LOWER_X = 0x78;
const REPLACEMENT = 0xfffd;
const CODE_POINT_MAX = 0x10_ffff;

const entries = NAMED_REFERENCES.split('|').slice(0, -1).map(parseEntry);
const names = new TextEncoder().encode(entries.map(({ name }) => name).join(''));
const values = new TextEncoder().encode(entries.map(({ value }) => value).join(''));
/** Where name i begins, and where its value does; one more for the end of the last. */
const nameStarts = startsOf(entries.map(({ name }) => name));
const valueStarts = startsOf(entries.map(({ value }) => value));
const needsSemicolon = Uint8Array.from(entries, (entry) => (entry.needsSemicolon ? 1 : 0));

/** Without the semicolon, as all lengths here. */
const NAME_BYTES_MAX = Math.max(...entries.map(({ name }) => name.length));
const BARE_NAME_BYTES_MAX = Math.max(...entries.map((entry) => (entry.needsSemicolon ? 0 : entry.name.length)));

/** No beginning of a reference that has to be seen at once has more bytes: "&", the longest name, a semicolon. */
export const REFERENCE_BYTES_MAX = NAME_BYTES_MAX + 2;

const SLOTS = 8192;
const table = new Uint16Array(SLOTS);
for (let i = 0; i < entries.length; i++) {
  let slot = hashOf(names, nameStarts[i]!, nameStarts[i + 1]!);
  while (table[slot] !== 0) slot = (slot + 1) % SLOTS;
  table[slot] = i + 1;
}

/** What the numbers 128..159 stand for: the characters that they are in windows-1252. */
const WINDOWS_1252 = Array.from(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i)),
  (character) => character.charCodeAt(0),
);

function parseEntry(entry: string) {
  const [, name, mark, codes] = /^(\w+)([& ])(.+)$/.exec(entry) as unknown as [string, string, string, string];
  const value = codes
    .split('+')
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join('');
  return { name, value, needsSemicolon: mark === ' ' };
}

function startsOf(texts: readonly string[]): Uint16Array {
  const encoder = new TextEncoder();
  const starts = new Uint16Array(texts.length + 1);
  for (let i = 0; i < texts.length; i++) starts[i + 1] = starts[i]! + encoder.encode(texts[i]!).length;
  return starts;
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (hash * 31 + bytes[i]!) & 0xff_ffff;
  return (hash ^ (hash >>> 11)) % SLOTS;
}

/** The number of the name that is bytes start..end-1, or -1. */
function nameAt(bytes: Uint8Array, start: number, end: number): number {
  for (let slot = hashOf(bytes, start, end); ; slot = (slot + 1) % SLOTS) {
    const found = table[slot]! - 1;
    if (found < 0 || isName(found, bytes, start, end)) return found;
  }
}

function isName(number: number, bytes: Uint8Array, start: number, end: number): boolean {
  const from = nameStarts[number]!;
  if (nameStarts[number + 1]! - from !== end - start) return false;
  for (let i = start; i < end; i++) if (names[from + i - start] !== bytes[i]) return false;
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** The value of a digit to a base, -1 where the byte is none. */
function digitOf(byte: number, base: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const lower = byte | 0x20;
  return base === 16 && lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The Unicode scalar value that a number stands for ("numeric character reference end state"). */
function scalarOf(number: number): number {
  if (number === 0 || number > CODE_POINT_MAX || (number >= 0xd800 && number <= 0xdfff)) return REPLACEMENT;
  return number >= 0x80 && number <= 0x9f ? WINDOWS_1252[number - 0x80]! : number;
}

/**
 * Reads the reference that an ampersand begins and writes what it stands for; the next REFERENCE_BYTES_MAX bytes must be
 * there. Where it is none, the ampersand is written and what follows is text.
 *
 * @returns the position behind it; 0, and nothing is written, where it is a number with a digit at `limit`
 */
export function readReference(writer: TextWriter, bytes: Uint8Array, at: number, limit: number): number {
  const next = bytes[at + 1]!;
  if (next === NUMBER_SIGN) {
    const base = (bytes[at + 2]! | 0x20) === LOWER_X ? 16 : 10;
    const start = base === 16 ? at + 3 : at + 2;
    if (digitOf(bytes[start]!, base) >= 0) return readNumber(writer, bytes, start, limit, base);
  } else if (isLetter(next)) {
    const end = readNamed(writer, bytes, at + 1);
    if (end > 0) return end;
  }
  writer.writeCodePoint(AMPERSAND);
  return at + 1;
}

function readNumber(writer: TextWriter, bytes: Uint8Array, start: number, limit: number, base: number): number {
  let number = 0;
  let at = start;
  for (let digit = digitOf(bytes[at]!, base); digit >= 0; digit = digitOf(bytes[++at]!, base)) {
    if (at >= limit) return 0;
    number = Math.min(number * base + digit, CODE_POINT_MAX + 1);
  }
  writer.writeCodePoint(scalarOf(number));
  return bytes[at] === SEMICOLON ? at + 1 : at;
}

/** The position behind the reference whose name begins at `start`; 0 where there is none. */
function readNamed(writer: TextWriter, bytes: Uint8Array, start: number): number {
  let end = start;
  while (end - start <= NAME_BYTES_MAX && (isLetter(bytes[end]!) || isDigit(bytes[end]!))) end++;
  if (bytes[end] === SEMICOLON) {
    const found = nameAt(bytes, start, end);
    if (found >= 0) return writeValue(writer, found, end + 1);
  }
  for (end = Math.min(end, start + BARE_NAME_BYTES_MAX); end > start + 1; end--) {
    const found = nameAt(bytes, start, end);
    if (found >= 0 && needsSemicolon[found] === 0) return writeValue(writer, found, end);
  }
  return 0;
}

function writeValue(writer: TextWriter, number: number, end: number): number {
  writer.write(values, valueStarts[number]!, valueStarts[number + 1]!);
  return end;
}

/** A text with the references in it decoded. */
export function decodeReferences(text: Uint8Array): string {
  const bytes = new Uint8Array(text.length + REFERENCE_BYTES_MAX);
  bytes.set(text);
  const writer = new TextWriter(text.length);
  for (let at = 0; at < text.length; ) {
    if (bytes[at] === AMPERSAND) at = readReference(writer, bytes, at, text.length);
    else {
      writer.write(bytes, at, at + 1);
      at++;
    }
  }
  return writer.toString(0, writer.length);
}
