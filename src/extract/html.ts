import { Buffer } from 'node:buffer';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { languageOf, titleOf } from './metadata.ts';
import { PageText } from './page-text.ts';
import { withoutSoftHyphens } from './soft-hyphens.ts';

/*
 * The text of a page, in one pass and without a tree (which elements count: page-text.ts).
 *
 *   UTF-8 bytes    <p>caf C3 A9</p>          what is copied from
 *   as Latin-1     <p>cafÃ©</p>              what the tokenizer of htmlparser2 reads: one character a byte
 *
 * All markup is ASCII and no byte of a longer UTF-8 character is, so the tokenizer's offsets into the second are offsets
 * into the first, and texts are copied as bytes, never decoded.
 *
 * Cost: linear, whatever the nesting; about 100 MB/s of pages, nearly all of it the tokenizer's (bench/extract.ts).
 */

export interface PageContent {
  readonly text: Uint8Array;
  readonly title: string | null;
  readonly language: string | null;
}

/**
 * The text, title and language of a page.
 *
 * @param utf8 valid UTF-8.
 * @param xhtml whether `<a/>` closes itself and CDATA sections are text.
 */
export function pageContent(utf8: Uint8Array, xhtml: boolean): PageContent {
  const reader = new PageReader(utf8, xhtml);
  const tokenizer = new Tokenizer({ recognizeSelfClosing: xhtml }, reader);
  tokenizer.write(reader.source);
  tokenizer.end();
  return {
    text: withoutSoftHyphens(reader.page.writer.finish()),
    title: titleOf(reader.page.titleText()),
    language: reader.language,
  };
}

/** No language tag is as long. */
const VALUE_CHARACTERS_READ = 100;

class PageReader implements TokenizerCallbacks {
  readonly page: PageText;
  readonly source: string;
  readonly #utf8: Uint8Array;
  readonly #xhtml: boolean;
  #tag = '';
  #shadowRoot = false;
  #languageSeen = false;
  #attribute = '';
  #value = '';
  /** Attributes matter on the first <html> and on templates. */
  #readsAttributes = false;
  language: string | null = null;

  constructor(utf8: Uint8Array, xhtml: boolean) {
    this.#utf8 = utf8;
    this.#xhtml = xhtml;
    this.source = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString('latin1');
    this.page = new PageText(utf8.length + 64);
  }

  isInForeignContext(): boolean {
    return this.page.foreign;
  }

  ontext(start: number, end: number): void {
    if (this.page.visible) this.page.writer.write(this.#utf8, start, end);
  }

  ontextentity(codePoint: number): void {
    if (this.page.visible) this.page.writer.writeCodePoint(codePoint);
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.source.slice(start, end).toLowerCase();
    this.#shadowRoot = false;
    this.#readsAttributes = this.#tag === 'template' || (this.#tag === 'html' && !this.#languageSeen);
  }

  onopentagend(): void {
    if (this.#tag === 'html') this.#languageSeen = true;
    this.page.open(this.#tag, this.#shadowRoot);
  }

  onselfclosingtag(): void {
    this.onopentagend();
    if (this.#xhtml || this.page.foreign) this.page.close(this.#tag);
  }

  onclosetag(start: number, end: number): void {
    this.page.close(this.source.slice(start, end).toLowerCase());
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.#xhtml || this.page.foreign) this.ontext(start, end - endOffset);
  }

  onattribname(start: number, end: number): void {
    if (!this.#readsAttributes) return;
    this.#attribute = this.source.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#readsAttributes) this.#append(this.source.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    if (this.#readsAttributes) this.#append(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    if (!this.#readsAttributes) return;
    if (this.#tag === 'template') this.#shadowRoot ||= this.#attribute === 'shadowrootmode';
    else if (this.#attribute === 'lang') this.language = languageOf(this.#value) ?? this.language;
    else if (this.#attribute === 'xml:lang') this.language ??= languageOf(this.#value);
  }

  /** A value that is too long already stays so, however long it is. */
  #append(part: string): void {
    if (this.#value.length <= VALUE_CHARACTERS_READ) this.#value += part;
  }

  // what is no text
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
