import { UNICODE_BLOCKS, UNICODE_INFOS } from './layout.ts';

/*
 * What the canonical form asks of a character: core/unicode.ts with other flags, written by ../unicode-image.ts.
 *
 *   info(code):  signed distance to the folded character << 8, or the rank of a RANKED mark << 8, | flags
 *   flags        bits 0-1 kind: separator, word (1), mark, letter of an unspaced script
 *                bit 2 SLOW: may need NFC          bit 3 RANKED: a mark whose class is not 0, and nothing else to mind
 */

export const SEPARATOR: i32 = 0;
export const MARK: i32 = 2;
export const UNSPACED: i32 = 3;
export const KIND_MASK: i32 = 3;
export const SLOW: i32 = 4;
export const RANKED: i32 = 8;
export function infoOf(code: i32): i32 {
  const block = <usize>load<u16>(UNICODE_BLOCKS + ((<usize>(code >> 7)) << 1));
  return load<i32>(UNICODE_INFOS + (((block << 7) | <usize>(code & 127)) << 2));
}
