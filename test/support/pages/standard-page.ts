import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';
import { elementNamed, elementNamedInXhtml } from '../../../src/extract/html/elements.ts';
import type { PageContent } from '../../../src/extract/html/html-scanner.ts';
import { PageText } from '../../../src/extract/html/page-text.ts';
import { languageOf } from '../../../src/extract/html/tag-reader.ts';
import { TextWriter } from '../../../src/extract/html/text-writer.ts';

/** Which mode the tokenizer is in behind a start tag: WHATWG HTML, "tree construction", with scripting off. */
const MODES: Partial<Record<string, Tokenizer['state']>> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

/**
 * What pageContent says, by the tokenizer of parse5, which is the standard's, state by state: the other witness for
 * src/extract/html/html-scanner.ts.
 */
export function standardPage(utf8: Uint8Array, xhtml: boolean): Omit<PageContent, 'main'> {
  const reader = new PageReader(utf8.length, xhtml);
  reader.read(Buffer.from(utf8).toString());
  return {
    text: reader.page.writer.finish(),
    title: reader.page.title,
    language: reader.language,
  };
}

class PageReader implements TokenHandler {
  readonly page: PageText;
  language: string | null = null;
  readonly #tokenizer = new Tokenizer({}, this);
  readonly #xhtml: boolean;
  #htmlSeen = false;

  constructor(bytes: number, xhtml: boolean) {
    this.page = new PageText(new TextWriter(bytes + 64), xhtml);
    this.#xhtml = xhtml;
    this.#tokenizer.inForeignNode = xhtml;
  }

  read(page: string): void {
    this.#tokenizer.write(page, true);
  }

  onStartTag(tag: Token.TagToken): void {
    const name = tag.tagName;
    const element = this.#elementOf(name);
    const values = (attribute: string) => tag.attrs.filter((each) => each.name === attribute).map(({ value }) => value);
    if (name === 'html' && !this.#htmlSeen) {
      this.#htmlSeen = true;
      const stated = [...values('lang'), ...values('xml:lang')].map(languageOf);
      this.language = stated.find((language) => language !== null) ?? null;
    }
    const closed = tag.selfClosing && this.#xhtml;
    const mode = this.page.foreign || closed ? undefined : MODES[name];
    this.page.open(element, (attribute) => values(attribute)[0] ?? null);
    if (tag.selfClosing && (this.#xhtml || this.page.foreign)) this.page.close(element);
    if (mode !== undefined) this.#tokenizer.state = mode;
    this.#tokenizer.inForeignNode = this.#xhtml || this.page.foreign;
  }

  #elementOf(name: string): number {
    return this.#xhtml ? elementNamedInXhtml(name) : elementNamed(name);
  }

  onEndTag(tag: Token.TagToken): void {
    this.page.close(this.#elementOf(tag.tagName));
    this.#tokenizer.inForeignNode = this.#xhtml || this.page.foreign;
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.page.visible) this.page.writer.writeString(chars);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  // what is no text
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
}
