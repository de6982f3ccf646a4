import { elementAt, elementBehindPrefix, FLAGS, HAS_ATTRIBUTES_READ, NAME_BYTE } from './elements.ts';
import { attributeBits } from './main/attribute-bits.ts';
import { IS_FOLLOWED } from './main/element-kinds.ts';
import { endOfPlainTag } from './plain-tags.ts';
import { decodeReferences } from './references.ts';
import {
  BYTE_KIND,
  IN_DOUBLE_QUOTES,
  IN_NAME,
  IN_TAG_NAME,
  IN_UNQUOTED,
  NEXT_STATE,
  TAG_ENDED,
  TAG_ENDED_BY_SLASH,
} from './tag-grammar.ts';

const SLASH = 0x2f;

/** So much of a value is looked at; no language tag is as long. */
const VALUE_BYTES_READ = 1_024;

/** The few attributes that matter. */
const NAMES = ['hidden', 'id', 'lang', 'open', 'popover', 'shadowrootmode', 'xml:lang'];
const NAMES_AS_BYTES = NAMES.map((name) => new TextEncoder().encode(name));
const NAME_BYTES_MAX = Math.max(...NAMES.map(({ length }) => length));
/** Which of NAMES it may be by its length and its first letter, and no other: its place + 1. */
const LOOKS = new Uint8Array((NAME_BYTES_MAX + 1) << 5);
for (const [i, name] of NAMES.entries()) LOOKS[lookOf(name.length, name.charCodeAt(0))] = i + 1;

function lookOf(length: number, first: number): number {
  return (length << 5) | (first & 0x1f);
}

/** Of an attribute that the tag has not, and of one that has no value: where its value begins. */
const [ABSENT, EMPTY] = [-2, -1];
/** What a name is that is none of NAMES, or was given before. */
const NO_NAME = -1;

/** The shape of a BCP 47 language tag (RFC 5646, §2.1), not its meaning. */
const LANGUAGE_TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;
const LANGUAGE_CHARACTERS_MAX = 35;

/** Reads one tag after another. */
export class TagReader {
  /** Of which element the tag is, by its number. */
  element = 0;
  isEndTag = false;
  selfClosing = false;
  /** Whether its name has a prefix: only in XHTML, where every name may have one. */
  hasPrefix = false;
  /** What its attributes say of its text: main/attribute-bits.ts. */
  bits = 0;
  readonly #xhtml: boolean;
  /** Where the value of each of NAMES begins and ends, as first given, in #bytes; it begins at ABSENT or EMPTY too. */
  readonly #starts = new Int32Array(NAMES.length).fill(ABSENT);
  readonly #ends = new Int32Array(NAMES.length);
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(xhtml: boolean) {
    this.#xhtml = xhtml;
  }

  /** The value of one of the few attributes that matter. */
  readonly attributeOf = (name: string): string | null => {
    const at = NAMES.indexOf(name);
    const start = this.#starts[at] ?? ABSENT;
    if (start < 0) return start === EMPTY ? '' : null;
    return decodeReferences(this.#bytes.subarray(start, Math.min(this.#ends[at]!, start + VALUE_BYTES_READ)));
  };

  /** What the tag says of its language; null where it says nothing that could be one. */
  get language(): string | null {
    return languageOf(this.attributeOf('lang') ?? '') ?? languageOf(this.attributeOf('xml:lang') ?? '');
  }

  /** Reads a tag whose name begins at `start`. Returns the position behind its ">", 0 where that is not before `limit`. */
  read(bytes: Uint8Array, start: number, limit: number, isEndTag: boolean): number {
    const found = elementAt(bytes, start);
    const at = start + (found >> 8);
    // a name that goes on is longer than any that means something
    const known = NAME_BYTE[bytes[at]!] === 0 ? found & 0xff : 0;
    const behindPrefix = this.#xhtml && (found & 0xff) === 0 ? elementBehindPrefix(bytes, start, at) : 0;
    const end = this.readNamed(known || behindPrefix, bytes, at, limit, isEndTag);
    this.hasPrefix = behindPrefix !== 0;
    return end;
  }

  /** The same where the element is known, and its name has been read as far as `at`. */
  readNamed(element: number, bytes: Uint8Array, at: number, limit: number, isEndTag: boolean): number {
    this.element = element;
    this.isEndTag = isEndTag;
    this.hasPrefix = false;
    this.bits = 0;
    if (!isEndTag) this.#starts.fill(ABSENT);
    const isPlain = (isEndTag || (FLAGS[element]! & HAS_ATTRIBUTES_READ) === 0) && NAME_BYTE[bytes[at]!] === 0;
    const end = isPlain ? endOfPlainTag(bytes, at, limit) : 0;
    if (end === 0) return this.#readStates(bytes, at, limit);
    this.selfClosing = bytes[end - 2] === SLASH;
    return end;
  }

  /** The rest of a tag, state by state. */
  #readStates(bytes: Uint8Array, start: number, limit: number): number {
    let state = IN_TAG_NAME;
    let nameStart = start;
    let nameEnd = start;
    let valueStart = start;
    /** Which of NAMES the attribute under way is, or NO_NAME. */
    let name = NO_NAME;
    this.#bytes = bytes;
    for (let at = start; at < limit; at++) {
      const next = NEXT_STATE[state + BYTE_KIND[bytes[at]!]!]!;
      if (next === state) continue;
      if (next === IN_NAME) nameStart = at;
      else if (state === IN_NAME) {
        nameEnd = at;
        name = this.isEndTag ? NO_NAME : this.#newName(bytes, nameStart, at);
      } else if (next === IN_UNQUOTED) valueStart = at;
      else if (next >= IN_DOUBLE_QUOTES && next < IN_UNQUOTED) valueStart = at + 1;
      else if (state >= IN_DOUBLE_QUOTES && state <= IN_UNQUOTED && !this.isEndTag) {
        if (IS_FOLLOWED[this.element] !== 0) this.bits |= attributeBits(bytes, nameEnd, valueStart, at);
        if (name !== NO_NAME) {
          this.#starts[name] = valueStart;
          this.#ends[name] = at;
        }
      }
      state = next;
      if (state < TAG_ENDED) continue;
      this.selfClosing = state === TAG_ENDED_BY_SLASH;
      return at + 1;
    }
    return 0;
  }

  /** Which of NAMES a name is that was not given before; until its value is read it has an empty one. */
  #newName(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const name = (length > NAME_BYTES_MAX ? 0 : LOOKS[lookOf(length, bytes[start]!)]!) - 1;
    if (name < 0 || this.#starts[name] !== ABSENT) return NO_NAME;
    const wanted = NAMES_AS_BYTES[name]!;
    for (let i = 0; i < length; i++) if (NAME_BYTE[bytes[start + i]!] !== wanted[i]) return NO_NAME;
    this.#starts[name] = EMPTY;
    return name;
  }
}

/** A language as an attribute gives it; null where it has not the shape of a language tag. */
export function languageOf(attribute: string): string | null {
  const tag = attribute.trim();
  return tag.length <= LANGUAGE_CHARACTERS_MAX && LANGUAGE_TAG.test(tag) ? tag : null;
}
