/*
 * What stands between the name of a tag and the end of it (WHATWG HTML, "before attribute name state" to "self-closing
 * start tag state"). One table says for a state and a byte what comes next. Where a tag ends depends on nothing else.
 *
 *   <p   class = "a > b"   hidden   x=y/z   />
 *     T BNNNNNA=VDDDDDDDDDBNNNNNNNAANUUUUUBS          the state after each byte, by its letter below
 */

const STATES = 8;

/** Inside the name of the tag (T). */
export const IN_TAG_NAME = 0 * STATES;
/** B: between attributes, also right behind a quoted value. */
const BEFORE_NAME = 1 * STATES;
/** N */
export const IN_NAME = 2 * STATES;
/** A */
const AFTER_NAME = 3 * STATES;
/** V: behind the equals sign. */
const BEFORE_VALUE = 4 * STATES;
/** D */
export const IN_DOUBLE_QUOTES = 5 * STATES;
/** The same in single quotes. */
const IN_SINGLE_QUOTES = 6 * STATES;
/** U */
export const IN_UNQUOTED = 7 * STATES;
/** S: behind a slash that ends the tag if ">" follows. */
const AFTER_SLASH = 8 * STATES;
/** Behind ">": these two and nothing greater. */
export const TAG_ENDED = 9 * STATES;
export const TAG_ENDED_BY_SLASH = 10 * STATES;

const [SPACE, SLASH, GREATER, EQUALS, DOUBLE_QUOTE, SINGLE_QUOTE] = [1, 2, 3, 4, 5, 6];

/** What kind of byte it is: 0 or one of the kinds above. */
export const BYTE_KIND = new Uint8Array(256);
for (const [characters, kind] of [
  ['\t\n\f\r ', SPACE],
  ['/', SLASH],
  ['>', GREATER],
  ['=', EQUALS],
  ['"', DOUBLE_QUOTE],
  ["'", SINGLE_QUOTE],
] as const) {
  for (const character of characters) BYTE_KIND[character.charCodeAt(0)] = kind;
}

/** The state that follows a state and a kind of byte, at their sum. */
export const NEXT_STATE = new Uint8Array(9 * STATES);
function row(state: number, other: number, changes: Partial<Record<number, number>>): void {
  for (let kind = 0; kind < STATES; kind++) NEXT_STATE[state + kind] = changes[kind] ?? other;
}
const between = { [SPACE]: BEFORE_NAME, [SLASH]: AFTER_SLASH, [GREATER]: TAG_ENDED };
const afterName = { [SPACE]: AFTER_NAME, [SLASH]: AFTER_SLASH, [GREATER]: TAG_ENDED, [EQUALS]: BEFORE_VALUE };
row(IN_TAG_NAME, IN_TAG_NAME, between);
row(BEFORE_NAME, IN_NAME, between);
row(IN_NAME, IN_NAME, afterName);
row(AFTER_NAME, IN_NAME, afterName);
row(BEFORE_VALUE, IN_UNQUOTED, {
  [SPACE]: BEFORE_VALUE,
  [GREATER]: TAG_ENDED,
  [DOUBLE_QUOTE]: IN_DOUBLE_QUOTES,
  [SINGLE_QUOTE]: IN_SINGLE_QUOTES,
});
row(IN_DOUBLE_QUOTES, IN_DOUBLE_QUOTES, { [DOUBLE_QUOTE]: BEFORE_NAME });
row(IN_SINGLE_QUOTES, IN_SINGLE_QUOTES, { [SINGLE_QUOTE]: BEFORE_NAME });
row(IN_UNQUOTED, IN_UNQUOTED, { [SPACE]: BEFORE_NAME, [GREATER]: TAG_ENDED });
row(AFTER_SLASH, IN_NAME, { ...between, [GREATER]: TAG_ENDED_BY_SLASH });

export function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
