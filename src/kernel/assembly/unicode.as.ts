import { SPELLINGS, TWO_BYTES, UNICODE_BLOCKS, UNICODE_INFOS } from './layout.as.ts';

/*
 * What the canonical form asks of a character: core/text/unicode.ts with other flags, written by ../unicode-image.ts.
 *
 *   info(code):  signed distance to the character it becomes << 8, or the rank of a RANKED mark << 8, or where in SPELLINGS
 *                a SPELLED one stands << 8, | flags
 *   flags        bits 0-1 kind: separator, word (1), mark, letter of an unspaced script
 *                bit 2 SLOW: left to TypeScript; << 8 stands 1 where it may change what is before it
 *                bit 3 RANKED: a mark that is SLOW only for its class or for what it composes with
 *                bit 4 COMPOSES: a RANKED one that composes with some characters before it
 *                bit 5 UNSEEN: vanishes; no other bit is set but the next
 *                bit 6 HYPHEN: parts a word where a line ends behind it
 *                bit 7 SPELLED: becomes up to seven bytes, whatever is before it: SPELLINGS has them, their number on top
 */

export const SEPARATOR: i32 = 0;
export const WORD: i32 = 1;
export const MARK: i32 = 2;
export const UNSPACED: i32 = 3;
export const KIND_MASK: i32 = 3;
export const SLOW: i32 = 4;
const RANKED: i32 = 8;
export const COMPOSES: i32 = 16;
export const UNSEEN: i32 = 32;
export const HYPHEN: i32 = 64;
export const SPELLED: i32 = 128;
/** Any of these: more is to be done than to write the character. */
export const NOT_PLAIN: i32 = SLOW | RANKED | UNSEEN | SPELLED;

/** The canonical bytes of a SPELLED character, and their number in the highest byte. */
export function spellingOf(info: i32): u64 {
  return load<u64>(SPELLINGS + ((<usize>(info >> 8)) << 3));
}

export function infoOf(code: i32): i32 {
  const block = <usize>load<u16>(UNICODE_BLOCKS + ((<usize>(code >> 7)) << 1));
  return load<i32>(UNICODE_INFOS + (((block << 7) | <usize>(code & 127)) << 2));
}

/** The entry of TWO_BYTES of the character that begins with these bytes. */
export function twoByte(bytes: u32): u32 {
  return load<u32>(<usize>(((bytes & 0x1f) << 8) | ((bytes >> 6) & 0xfc)), TWO_BYTES);
}

/** Info of the character of three bytes that begins with these; those too small for three bytes are SLOW. */
export function threeByteInfo(bytes: u32): i32 {
  const code = ((bytes & 0x0f) << 12) | ((bytes >> 2) & 0xfc0) | ((bytes >> 16) & 0x3f);
  return code < 0x800 ? SLOW : infoOf(code);
}
