/*
 * One character of UTF-8 at a time, for the stages that have left the fast path.
 *
 *   decodeAt   code point << 3 | bytes taken    an invalid sequence is U+FFFD and takes one byte
 *
 * The WHATWG decoder replaces a maximal invalid prefix as a whole, this one each of its bytes. So the count of U+FFFD
 * differs. Nobody can see that after canonicalisation, where any number of separators is one.
 */

const REPLACEMENT = (0xfffd << 3) | 1;

/** The character that begins at byte `at`: its code point << 3 | its length in bytes, 1..4. */
export function decodeAt(text: Uint8Array, at: number): number {
  const lead = text[at]!;
  if (lead < 0x80) return (lead << 3) | 1;
  // a byte beyond the end is undefined, whose bits are 0: no continuation
  const second = text[at + 1]! ^ 0x80;
  if (lead < 0xc2 || second > 0x3f) return REPLACEMENT;
  if (lead < 0xe0) return ((((lead & 0x1f) << 6) | second) << 3) | 2;
  const third = text[at + 2]! ^ 0x80;
  if (third > 0x3f) return REPLACEMENT;
  if (lead < 0xf0) {
    const code = ((lead & 0x0f) << 12) | (second << 6) | third;
    return code < 0x800 || (code & 0xf800) === 0xd800 ? REPLACEMENT : (code << 3) | 3;
  }
  const fourth = text[at + 3]! ^ 0x80;
  const code = ((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth;
  return lead > 0xf4 || fourth > 0x3f || code < 0x1_0000 || code > 0x10_ffff ? REPLACEMENT : (code << 3) | 4;
}

/** Writes a code point at byte `at` and returns the byte after it. */
export function encodeAt(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    bytes[at] = 0xc0 | (code >> 6);
    bytes[at + 1] = 0x80 | (code & 0x3f);
    return at + 2;
  }
  if (code < 0x1_0000) {
    bytes[at] = 0xe0 | (code >> 12);
    bytes[at + 1] = 0x80 | ((code >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (code & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (code >> 18);
  bytes[at + 1] = 0x80 | ((code >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((code >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (code & 0x3f);
  return at + 4;
}
