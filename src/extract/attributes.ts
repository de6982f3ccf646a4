import { languageOf } from './metadata.ts';
import { decodeReferences, REFERENCE_BYTES_MAX } from './references.ts';
import { IN_DOUBLE_QUOTES, IN_NAME, IN_UNQUOTED, TAG_ENDED } from './tag-grammar.ts';

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
