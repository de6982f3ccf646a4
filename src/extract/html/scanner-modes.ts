import { ESCAPABLE_RAW_TEXT, PLAINTEXT, RAW_TEXT, SCRIPT } from './elements.ts';

/* Where html-scanner.ts is in a page; drawn there. */

export const [TEXT, TAG, BOGUS, COMMENT, CDATA, NUMBER, RAW, SCRIPT_TEXT, PLAIN] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const ESCAPABLE = 9;

/** The mode for the content of an element with these flags. */
export function contentOf(flags: number): number {
  if ((flags & (RAW_TEXT | ESCAPABLE_RAW_TEXT | SCRIPT | PLAINTEXT)) === 0) return TEXT;
  if ((flags & RAW_TEXT) !== 0) return RAW;
  if ((flags & SCRIPT) !== 0) return SCRIPT_TEXT;
  return (flags & PLAINTEXT) !== 0 ? PLAIN : ESCAPABLE;
}
