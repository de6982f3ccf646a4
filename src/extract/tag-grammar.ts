import { languageOf } from './metadata.ts';
import { decodeReferences, REFERENCE_BYTES_MAX } from './references.ts';

/*
 * What stands between the name of a tag and the end of it (WHATWG HTML, "before attribute name state" to "self-closing start
 * tag state"): one table says for a state and a byte what comes next. Where a tag ends depends on nothing else.
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
const IN_NAME = 2 * STATES;
/** A */
const AFTER_NAME = 3 * STATES;
/** V: behind the equals sign. */
const BEFORE_VALUE = 4 * STATES;
/** D */
export const IN_DOUBLE_QUOTES = 5 * STATES;
/** The same in single quotes. */
const IN_SINGLE_QUOTES = 6 * STATES;
/** U */
const IN_UNQUOTED = 7 * STATES;
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

/**
 * The end of a tag as nearly all are: name="value", name='value', name=value or name alone, no spaces around "=". Finds it
 * several times faster than the table does.
 *
 * @param start where the name of the tag has ended.
 * @returns the position behind ">"; 0 where the tag is of another form or goes on beyond `limit`.
 */
export function endOfPlainTag(bytes: Uint8Array, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    const byte = bytes[at++]!;
    if (byte === 0x3e) return at;
    if (byte !== 0x3d) continue;
    // what stands before "=" has to be a name
    if (BYTE_KIND[bytes[at - 2]!] !== 0) return 0;
    const quote = bytes[at]!;
    if (quote !== 0x22 && quote !== 0x27) return 0;
    for (at++; at < limit && bytes[at] !== quote; at++);
    at++;
  }
  return 0;
}

/** So much of a name or a value is looked at; no attribute read here has a longer name, no language tag is as long. */
const NAME_BYTES_READ = 32;
const VALUE_BYTES_READ = 1_024;

/** Gathers the attributes of the few tags whose attributes matter, from the states that the bytes of the tag lead to. */
export class AttributeReader {
  readonly #name = new Uint8Array(NAME_BYTES_READ);
  readonly #value = new Uint8Array(VALUE_BYTES_READ + REFERENCE_BYTES_MAX);
  #nameLength = 0;
  #valueLength = 0;
  /** As first given: an attribute given again does not count. */
  #lang: string | null = null;
  #xmlLang: string | null = null;
  /** Whether the tag has shadowrootmode. */
  shadowRoot = false;

  /** What the tag says of its language; null where it says nothing that could be one. */
  get language(): string | null {
    return languageOf(this.#lang ?? '') ?? languageOf(this.#xmlLang ?? '');
  }

  /** A new tag begins. */
  begin(): void {
    this.#nameLength = 0;
    this.#valueLength = 0;
    this.shadowRoot = false;
    this.#lang = null;
    this.#xmlLang = null;
  }

  /** A byte of the tag, with the states before and after it. */
  take(byte: number, before: number, after: number): void {
    if (after === IN_NAME) {
      if (before !== IN_NAME) this.#finish();
      if (this.#nameLength < NAME_BYTES_READ) this.#name[this.#nameLength++] = byte;
    } else if (after >= IN_DOUBLE_QUOTES && after <= IN_UNQUOTED) {
      if (before !== after && after !== IN_UNQUOTED) return; // the quotation mark
      if (this.#valueLength < VALUE_BYTES_READ) this.#value[this.#valueLength++] = byte;
    } else if (after >= TAG_ENDED) {
      this.#finish();
    }
  }

  #finish(): void {
    const name = String.fromCharCode(...this.#name.subarray(0, this.#nameLength)).toLowerCase();
    if (name === 'shadowrootmode') this.shadowRoot = true;
    else if (name === 'lang') this.#lang ??= this.#valueText();
    else if (name === 'xml:lang') this.#xmlLang ??= this.#valueText();
    this.#nameLength = 0;
    this.#valueLength = 0;
  }

  #valueText(): string {
    return decodeReferences(this.#value, this.#valueLength);
  }
}
