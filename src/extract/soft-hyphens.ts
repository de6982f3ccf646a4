import { Buffer } from 'node:buffer';

const SOFT_HYPHEN = Buffer.from('\u00ad');

/**
 * The text without its soft hyphens (U+00AD): a place where a word may be broken is no part of the word, so that
 * "inter&shy;national" is the word it shows. Other invisible characters are left to the canonical form, where they separate.
 *
 * @returns the very same bytes where there is none.
 */
export function withoutSoftHyphens(utf8: Uint8Array): Uint8Array {
  const text = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length);
  let next = text.indexOf(SOFT_HYPHEN);
  if (next < 0) return utf8;
  const kept = Buffer.allocUnsafeSlow(utf8.length);
  let length = 0;
  let from = 0;
  while (next >= 0) {
    length += text.copy(kept, length, from, next);
    from = next + SOFT_HYPHEN.length;
    next = text.indexOf(SOFT_HYPHEN, from);
  }
  length += text.copy(kept, length, from);
  return kept.subarray(0, length);
}
