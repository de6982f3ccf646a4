import { languageOf } from '../metadata.ts';
import { isHidden, type SeenAttributes } from './page-text.ts';
import { decodeReferences, REFERENCE_BYTES_MAX } from './references.ts';
import { IN_DOUBLE_QUOTES, IN_NAME, IN_UNQUOTED, TAG_ENDED } from './tag-grammar.ts';

/** So much of a name or a value is looked at; no attribute read here has a longer name, no language tag is as long. */
const NAME_BYTES_READ = 32;
const VALUE_BYTES_READ = 1_024;

const NAMES = ['hidden', 'lang', 'open', 'popover', 'shadowrootmode', 'xml:lang'];
/** Whether a name of this length << 5 with a first letter of these five bits may be one of them: nearly no other may. */
const MAY_BE_READ = new Uint8Array((NAME_BYTES_READ + 1) << 5);
for (const name of NAMES) MAY_BE_READ[lookOf(name.length, name.charCodeAt(0))] = 1;

function lookOf(length: number, first: number): number {
  return (length << 5) | (first & 0x1f);
}

/** Gathers the few attributes that matter, as first given, from the states that the bytes of a tag lead to. */
export class AttributeReader implements SeenAttributes {
  readonly #name = new Uint8Array(NAME_BYTES_READ);
  readonly #value = new Uint8Array(VALUE_BYTES_READ + REFERENCE_BYTES_MAX);
  #nameLength = 0;
  #valueLength = 0;
  /** Whether the value under way is one that is read. */
  readsValue = false;
  /** Texts of the attributes of NAMES that the tag has, in that order. */
  readonly #texts: (string | null)[] = NAMES.map(() => null);

  get hidden(): boolean {
    return isHidden(this.#texts[0]!);
  }

  get opened(): boolean {
    return this.#texts[2] !== null;
  }

  get popover(): boolean {
    return this.#texts[3] !== null;
  }

  get shadowRoot(): boolean {
    return this.#texts[4] !== null;
  }

  /** What the tag says of its language; null where it says nothing that could be one. */
  get language(): string | null {
    return languageOf(this.#texts[1] ?? '') ?? languageOf(this.#texts[5] ?? '');
  }

  /** A new tag begins. */
  begin(): void {
    this.#nameLength = 0;
    this.#valueLength = 0;
    this.#texts.fill(null);
  }

  /** A byte of the tag, with the states before and after it; bytes of values that are not read may be left out. */
  take(byte: number, before: number, after: number): void {
    if (after === IN_NAME) {
      if (before !== IN_NAME) this.#finish();
      if (this.#nameLength < NAME_BYTES_READ) this.#name[this.#nameLength++] = byte;
    } else if (after >= IN_DOUBLE_QUOTES && after <= IN_UNQUOTED) {
      if (before !== after) this.readsValue = this.#mayBeRead();
      if (before !== after && after !== IN_UNQUOTED) return; // the quotation mark
      if (this.#valueLength < VALUE_BYTES_READ) this.#value[this.#valueLength++] = byte;
    } else if (after >= TAG_ENDED) {
      this.#finish();
    }
  }

  #mayBeRead(): boolean {
    return MAY_BE_READ[lookOf(this.#nameLength, this.#name[0]!)] === 1;
  }

  #finish(): void {
    if (this.#mayBeRead()) this.#keep();
    this.#nameLength = 0;
    this.#valueLength = 0;
  }

  #keep(): void {
    const name = String.fromCharCode(...this.#name.subarray(0, this.#nameLength)).toLowerCase();
    const place = NAMES.indexOf(name);
    if (place >= 0) this.#texts[place] ??= decodeReferences(this.#value, this.#valueLength);
  }
}
