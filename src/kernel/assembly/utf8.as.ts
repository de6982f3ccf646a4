/*
 * One character of UTF-8 at a time: core/text/utf8.ts. An invalid sequence is U+FFFD and takes one byte.
 */

const REPLACEMENT: i32 = (0xfffd << 3) | 1;

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
export function lower(bytes: v128): v128 {
  const capitals = i8x16.lt_s(i8x16.add(bytes, i8x16.splat(63)), i8x16.splat(-102));
  return v128.or(bytes, v128.and(capitals, i8x16.splat(0x20)));
}
