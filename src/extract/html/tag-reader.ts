import { AttributeReader } from './attributes.ts';
import { elementAt, elementBehindPrefix, FLAGS, HAS_ATTRIBUTES_READ, NAME_BYTE } from './elements.ts';
import { endOfPlainTag } from './plain-tags.ts';
import {
  BYTE_KIND,
  IN_DOUBLE_QUOTES,
  IN_TAG_NAME,
  IN_UNQUOTED,
  NEXT_STATE,
  TAG_ENDED,
  TAG_ENDED_BY_SLASH,
} from './tag-grammar.ts';

const SLASH = 0x2f;

/** Reads one tag after another, each from its name to its ">", seen a part at a time. */
export class TagReader {
  /** Of which element the tag is, by its number. */
  element = 0;
  isEndTag = false;
  /** Whether ">" has been read. What the two below say is true from then on. */
  ended = false;
  selfClosing = false;
  /** Those of a start tag. */
  readonly attributes = new AttributeReader();
  /** Whether its name has a prefix: only in XHTML, where every name may have one. */
  hasPrefix = false;
  readonly #xhtml: boolean;
  #state = IN_TAG_NAME;

  constructor(xhtml: boolean) {
    this.#xhtml = xhtml;
  }

  /** Reads a tag whose name begins at `start`, as far as it goes before `limit`. Returns where it stopped. */
  begin(bytes: Uint8Array, start: number, limit: number, isEndTag: boolean): number {
    const found = elementAt(bytes, start);
    const at = start + (found >> 8);
    if (this.#xhtml && (found & 0xff) === 0) {
      const element = elementBehindPrefix(bytes, start, at);
      this.#enter(element, isEndTag);
      this.hasPrefix = element !== 0;
      return this.read(bytes, at, limit);
    }
    if (NAME_BYTE[bytes[at]!] === 0) return this.beginNamed(found & 0xff, bytes, at, limit, isEndTag);
    // longer than any name that means something
    this.#enter(0, isEndTag);
    return this.read(bytes, at, limit);
  }

  /** The same where the name, which ends at `at`, is known. */
  beginNamed(element: number, bytes: Uint8Array, at: number, limit: number, isEndTag: boolean): number {
    this.#enter(element, isEndTag);
    const readsAttributes = !isEndTag && (FLAGS[element]! & HAS_ATTRIBUTES_READ) !== 0;
    const end = readsAttributes ? 0 : endOfPlainTag(bytes, at, limit);
    if (end === 0) return this.read(bytes, at, limit);
    this.ended = true;
    this.selfClosing = bytes[end - 2] === SLASH;
    return end;
  }

  /** Goes on with a tag that has not ended. */
  read(bytes: Uint8Array, start: number, limit: number): number {
    let state = this.#state;
    let at = start;
    while (at < limit && state < TAG_ENDED) {
      const byte = bytes[at++]!;
      const before = state;
      state = NEXT_STATE[before + BYTE_KIND[byte]!]!;
      if (!this.isEndTag) this.attributes.take(byte, before, state);
      if (state < IN_DOUBLE_QUOTES || state > IN_UNQUOTED || (!this.isEndTag && this.attributes.readsValue)) continue;
      while (at < limit && NEXT_STATE[state + BYTE_KIND[bytes[at]!]!] === state) at++;
    }
    this.#state = state;
    this.ended = state >= TAG_ENDED;
    this.selfClosing = state === TAG_ENDED_BY_SLASH;
    return at;
  }

  #enter(element: number, isEndTag: boolean): void {
    this.element = element;
    this.isEndTag = isEndTag;
    this.ended = false;
    this.#state = IN_TAG_NAME;
    this.hasPrefix = false;
    if (!isEndTag) this.attributes.begin();
  }
}
