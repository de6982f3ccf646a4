/*
 * UTF-8: one character at a time, as core/text/utf8.ts, or up to 64 bytes of ASCII at once. An invalid sequence is U+FFFD and
 * takes one byte.
 */

const REPLACEMENT: i32 = (0xfffd << 3) | 1;
const HYPHEN_MINUS: u8 = 0x2d;
/** No byte of a line end is greater. */
const LINE_ENDS_MOST: u8 = 0x0d;

/** The character at `at`: its code point << 3 | its length in bytes: core/text/utf8.ts. */
export function decode(at: usize): i32 {
  const lead = <i32>load<u8>(at);
  const second = <i32>load<u8>(at, 1) ^ 0x80;
  if (lead < 0xc2 || second > 0x3f) return REPLACEMENT;
  if (lead < 0xe0) return ((((lead & 0x1f) << 6) | second) << 3) | 2;
  const third = <i32>load<u8>(at, 2) ^ 0x80;
  if (third > 0x3f) return REPLACEMENT;
  if (lead < 0xf0) {
    const code = ((lead & 0x0f) << 12) | (second << 6) | third;
    return code < 0x800 || (code & 0xf800) === 0xd800 ? REPLACEMENT : (code << 3) | 3;
  }
  const fourth = <i32>load<u8>(at, 3) ^ 0x80;
  const code = ((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth;
  return lead > 0xf4 || fourth > 0x3f || code < 0x1_0000 || code > 0x10_ffff ? REPLACEMENT : (code << 3) | 4;
}

/** Writes a code point at `at` and returns the address after it. */
export function encode(at: usize, code: i32): usize {
  if (code < 0x80) {
    store<u8>(at, code);
    return at + 1;
  }
  if (code < 0x800) {
    store<u8>(at, 0xc0 | (code >> 6));
    store<u8>(at, 0x80 | (code & 0x3f), 1);
    return at + 2;
  }
  if (code < 0x1_0000) {
    store<u8>(at, 0xe0 | (code >> 12));
    store<u8>(at, 0x80 | ((code >> 6) & 0x3f), 1);
    store<u8>(at, 0x80 | (code & 0x3f), 2);
    return at + 3;
  }
  store<u8>(at, 0xf0 | (code >> 18));
  store<u8>(at, 0x80 | ((code >> 12) & 0x3f), 1);
  store<u8>(at, 0x80 | ((code >> 6) & 0x3f), 2);
  store<u8>(at, 0x80 | (code & 0x3f), 3);
  return at + 4;
}

/** Lower case of an ASCII byte. */
export function lowerByte(byte: u32): u32 {
  return byte | ((<u32>(byte - 0x41 < 26)) << 5);
}

/** Lower case of A-Z. */
function lower(bytes: v128): v128 {
  const capitals = i8x16.lt_s(i8x16.add(bytes, i8x16.splat(63)), i8x16.splat(-102));
  return v128.or(bytes, v128.and(capitals, i8x16.splat(0x20)));
}

/**
 * Writes the ASCII at `from` to `to`, in lower case, and returns the number of bytes. It ends before a character beyond ASCII,
 * before a hyphen behind which a line may end (joined-lines.as.ts), or at `end`. Up to 16 bytes behind what is written are
 * written, too. Many hyphens stand within lines, so what follows one is looked at only where one was seen.
 *
 * @param end where the text ends; 16 bytes behind it may be read
 */
export function lowerAscii(from: usize, to: usize, end: usize): usize {
  let at = from;
  let out = to;
  while (at + 64 <= end) {
    const first = v128.load(at);
    const second = v128.load(at, 16);
    const third = v128.load(at, 32);
    const fourth = v128.load(at, 48);
    const all = v128.or(v128.or(first, second), v128.or(third, fourth));
    const hyphens = v128.or(v128.or(hyphensIn(first), hyphensIn(second)), v128.or(hyphensIn(third), hyphensIn(fourth)));
    if (i8x16.bitmask(v128.or(all, hyphens)) !== 0 && (i8x16.bitmask(all) !== 0 || hasLineHyphen(at))) break;
    v128.store(out, lower(first));
    v128.store(out, lower(second), 16);
    v128.store(out, lower(third), 32);
    v128.store(out, lower(fourth), 48);
    at += 64;
    out += 64;
  }
  while (at < end) {
    const bytes = v128.load(at);
    const beyond = i8x16.bitmask(v128.or(bytes, lineHyphensAt(at)));
    v128.store(out, lower(bytes));
    if (beyond !== 0) {
      at += <usize>ctz(beyond);
      break;
    }
    at += 16;
    out += 16;
  }
  return min(at, end) - from;
}

/** Where a "-" stands in 16 bytes. */
function hyphensIn(bytes: v128): v128 {
  return i8x16.eq(bytes, i8x16.splat(HYPHEN_MINUS));
}

/** Where a "-" stands in the 16 bytes at `at` behind which a line may end. */
function lineHyphensAt(at: usize): v128 {
  return v128.and(hyphensIn(v128.load(at)), i8x16.le_u(v128.load(at, 1), i8x16.splat(LINE_ENDS_MOST)));
}

/** Whether a line may end behind a "-" of the 64 bytes at `at`. */
function hasLineHyphen(at: usize): bool {
  const first = v128.or(lineHyphensAt(at), lineHyphensAt(at + 16));
  return v128.any_true(v128.or(first, v128.or(lineHyphensAt(at + 32), lineHyphensAt(at + 48))));
}
