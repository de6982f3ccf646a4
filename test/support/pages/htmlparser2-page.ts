import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { elementNamed, elementNamedInXhtml } from '../../../src/extract/html/elements.ts';
import type { PageContent } from '../../../src/extract/html/html-scanner.ts';
import { PageText } from '../../../src/extract/html/page-text.ts';
import { languageOf } from '../../../src/extract/html/tag-reader.ts';
import { TextWriter } from '../../../src/extract/html/text-writer.ts';

/** What pageContent says, by the tokenizer of htmlparser2: one of the two witnesses for src/extract/html/html-scanner.ts. */
export function htmlparser2Page(utf8: Uint8Array, xhtml: boolean): Omit<PageContent, 'main'> {
  const reader = new PageReader(Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length), xhtml);
  const tokenizer = new Tokenizer({ recognizeSelfClosing: xhtml }, reader);
  tokenizer.write(reader.source);
  tokenizer.end();
  return {
    text: reader.page.writer.finish(),
    title: reader.page.title,
    language: reader.language,
  };
}

class PageReader implements TokenizerCallbacks {
  readonly page: PageText;
  /** The bytes as Latin-1, one character a byte, so that offsets into it are offsets into them. */
  readonly source: string;
  language: string | null = null;
  readonly #utf8: Uint8Array;
  readonly #xhtml: boolean;
  #tag = '';
  #languageSeen = false;
  #attribute = '';
  #value = '';
  /** Of the tag being read; an attribute given again does not count. */
  readonly #attributes = new Map<string, string>();
  /** The first half of a pair of surrogates: htmlparser2 reports names such as &Afr; as two "code points". */
  #high = '';

  constructor(utf8: Buffer, xhtml: boolean) {
    this.#utf8 = utf8;
    this.#xhtml = xhtml;
    this.source = utf8.toString('latin1');
    this.page = new PageText(new TextWriter(utf8.length + 64), xhtml);
  }

  isInForeignContext(): boolean {
    return this.page.foreign;
  }

  ontext(start: number, end: number): void {
    // it reports a text from -1 where the page ends behind "</p " or "<p /"
    if (start >= 0 && this.page.visible) this.page.writer.write(this.#utf8, start, end);
  }

  ontextentity(codePoint: number): void {
    if (!this.page.visible) return;
    const text = this.#high + String.fromCodePoint(codePoint);
    this.#high = codePoint >= 0xd800 && codePoint <= 0xdbff ? text : '';
    if (this.#high === '') this.page.writer.writeString(text);
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.source.slice(start, end).toLowerCase();
    this.#attributes.clear();
  }

  onopentagend(): void {
    if (this.#tag === 'html' && !this.#languageSeen) {
      this.#languageSeen = true;
      const stated = ['lang', 'xml:lang'].map((name) => languageOf(this.#attributes.get(name) ?? ''));
      this.language = stated[0] ?? stated[1] ?? null;
    }
    this.page.open(this.#elementOf(this.#tag), (attribute) => this.#attributes.get(attribute) ?? null);
  }

  #elementOf(name: string): number {
    return this.#xhtml ? elementNamedInXhtml(name) : elementNamed(name);
  }

  onselfclosingtag(): void {
    this.onopentagend();
    if (this.#xhtml || this.page.foreign) this.page.close(this.#elementOf(this.#tag));
  }

  onclosetag(start: number, end: number): void {
    this.page.close(this.#elementOf(this.source.slice(start, end).toLowerCase()));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.#xhtml || this.page.foreign) this.ontext(start, end - endOffset);
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.source.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    this.#value += Buffer.from(this.#utf8.subarray(start, end)).toString();
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value);
  }

  // what is no text
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
