import { Parts } from '../parts.ts';
import { FLAGS, HTML_ELEMENT, MEANING, MEANING_IN_XHTML, NAME_BYTES_MAX } from './elements.ts';
import { PageText } from './page-text.ts';
import { isLetter, positionOf, textWithPlainTags } from './plain-tags.ts';
import { endOfComment, endTagLength, ScriptReader } from './raw-text.ts';
import { REFERENCE_BYTES_MAX, ReferenceReader } from './references.ts';
import { BOGUS, CDATA, COMMENT, contentOf, NUMBER, PLAIN, RAW, SCRIPT_TEXT, TAG, TEXT } from './scanner-modes.ts';
import { TagReader } from './tag-reader.ts';

/*
 * The markup of a page, found in its bytes (WHATWG HTML, "Tokenization"). What is text goes straight into PageText;
 * what is a tag is told to it; nothing else is kept. All markup is ASCII and no byte of a longer UTF-8 character is.
 *
 *   TEXT ──"<p"── TAG ──">"── TEXT            ──"<!--"── COMMENT ──"-->"── back
 *     │                └── RAW, ESCAPABLE, SCRIPT, PLAIN: what the content of that element is (#content)
 *     ├──"&#12"── NUMBER ── back              ──"<!", "<?", "</1"── BOGUS ──">"── back
 *     └──"<![CDATA["── CDATA ──"]]>"── back   (XHTML, drawings and formulas)
 *
 * A page comes in parts, cut anywhere (parts.ts). What has to be seen at once (a name, the start of a comment) has at
 * most LOOKAHEAD bytes. What can be longer is a mode, in which scanning goes on wherever it stopped. Memory is bounded,
 * cost linear.
 *
 * Deviations from the standard, beside those of page-text.ts. NUL and line ends stay as they are, as the canonical form
 * separates at both. References in attributes count as in text, where they cannot make a language tag.
 */

const LOOKAHEAD = Math.max(REFERENCE_BYTES_MAX, 2 * NAME_BYTES_MAX + 5, 9);

const BANG = 0x21;
const DASH = 0x2d;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const BRACKET = 0x5d;
const CDATA_START = new TextEncoder().encode('<![CDATA[');

/** Reads one page: {@link write} its parts, {@link end} it, then look at what it left in `page`. */
export class HtmlScanner {
  readonly page: PageText;
  /** What the page says its language is. */
  language: string | null = null;
  readonly #xhtml: boolean;
  readonly #references: ReferenceReader;
  readonly #tag: TagReader;
  readonly #script = new ScriptReader();
  #mode = TEXT;
  /** The mode of the element's content that we are in, to go back to. */
  #content = TEXT;
  /** The element whose raw text we are in. */
  #rawElement = 0;
  #languageSeen = false;
  readonly #parts = new Parts(LOOKAHEAD, (bytes, at, limit) => this.#scan(bytes, at, limit));
  /** Whether the page ends at the limit of the scan. */
  #isLast = false;

  /**
   * @param bytesExpected of text, more or less.
   * @param xhtml whether `<a/>` closes itself and CDATA sections are text.
   */
  constructor(bytesExpected: number, xhtml: boolean) {
    this.page = new PageText(bytesExpected, xhtml);
    this.#xhtml = xhtml;
    this.#tag = new TagReader(xhtml);
    this.#references = new ReferenceReader(this.page.writer);
  }

  /** The next part of the page: UTF-8, of any length, cut anywhere. It is not kept. */
  write(part: Uint8Array): void {
    this.#parts.write(part);
  }

  /** The page is over. A tag or comment that is not, with all that is in it, is no text. */
  end(): void {
    this.#isLast = true;
    this.#parts.end();
    this.#references.finish();
  }

  #scan(bytes: Uint8Array, start: number, limit: number): number {
    let at = start;
    while (at < limit) at = this.#step(bytes, at, limit);
    return at;
  }

  /** Goes on in the mode we are in, to its end or the limit. */
  #step(bytes: Uint8Array, start: number, limit: number): number {
    if (this.#mode === TAG) {
      const at = this.#tag.read(bytes, start, limit);
      this.#afterPartOfTag();
      return at;
    }
    if (this.#mode === NUMBER) {
      const at = this.#references.digits(bytes, start, limit);
      if (!this.#references.inNumber) this.#mode = this.#content;
      return at;
    }
    if (this.#mode === BOGUS) return this.#bogusComment(bytes, start, limit);
    if (this.#mode === COMMENT) return this.#comment(bytes, start, limit);
    if (this.#mode === CDATA) return this.#cdata(bytes, start, limit);
    if (this.#mode === SCRIPT_TEXT) return this.#scriptText(bytes, start, limit);
    if (this.#mode === PLAIN) return this.#write(bytes, start, limit);
    return this.#text(bytes, start, limit);
  }

  /** Text in which tags and references count, or one end tag only (RAW), or that and references (ESCAPABLE). */
  #text(bytes: Uint8Array, start: number, limit: number): number {
    const mode = this.#mode;
    const { page } = this;
    const meaning = this.#xhtml ? MEANING_IN_XHTML : MEANING;
    let at = start;
    while (at < limit && this.#mode === mode) {
      if (!page.visible) at = positionOf(LESS, bytes, at, limit);
      else if (mode === TEXT && !page.foreign) at = textWithPlainTags(page.writer, bytes, at, limit, meaning);
      else at = page.writer.writeText(bytes, at, limit);
      if (at >= limit) break;
      if (bytes[at] === LESS) {
        at = mode === TEXT ? this.#markup(bytes, at, limit) : this.#rawMarkup(bytes, at, limit);
      } else if (mode === RAW) {
        at = this.#write(bytes, at, at + 1);
      } else {
        at = this.#references.begin(bytes, at);
        if (this.#references.inNumber) this.#mode = NUMBER;
      }
    }
    return at;
  }

  /** "<" in text. */
  #markup(bytes: Uint8Array, at: number, limit: number): number {
    const next = bytes[at + 1]!;
    if (isLetter(next)) return this.#beginTag(bytes, at + 1, limit, false);
    if (next === SLASH) {
      const afterSlash = bytes[at + 2]!;
      if (isLetter(afterSlash)) return this.#beginTag(bytes, at + 2, limit, true);
      if (this.#isLast && at + 2 >= limit) return this.#write(bytes, at, at + 2);
      if (afterSlash === GREATER) return at + 3;
      this.#mode = BOGUS;
      return at + 2;
    }
    if (next === BANG) return this.#declaration(bytes, at);
    if (next === QUESTION) {
      this.#mode = BOGUS;
      return at + 2;
    }
    return this.#write(bytes, at, at + 1);
  }

  /** "<!": a comment, a CDATA section, or a declaration, which says nothing and ends as a bogus comment does. */
  #declaration(bytes: Uint8Array, at: number): number {
    if (bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
      // <!--> and <!--->
      if (bytes[at + 4] === GREATER) return at + 5;
      if (bytes[at + 4] === DASH && bytes[at + 5] === GREATER) return at + 6;
      this.#mode = COMMENT;
      return at + 4;
    }
    const cdata = (this.#xhtml || this.page.foreign) && CDATA_START.every((byte, i) => bytes[at + i] === byte);
    this.#mode = cdata ? CDATA : BOGUS;
    return at + (cdata ? CDATA_START.length : 2);
  }

  /** A tag whose name begins at `start`. */
  #beginTag(bytes: Uint8Array, start: number, limit: number, isEndTag: boolean): number {
    const at = this.#tag.begin(bytes, start, limit, isEndTag);
    this.#afterPartOfTag();
    return at;
  }

  #afterPartOfTag(): void {
    this.#mode = TAG;
    if (this.#tag.ended) this.#endOfTag();
  }

  #endOfTag(): void {
    const { element, isEndTag, selfClosing, attributes, hasPrefix } = this.#tag;
    this.#mode = TEXT;
    this.#content = TEXT;
    if (isEndTag) {
      this.page.close(element);
      return;
    }
    if (element === HTML_ELEMENT && !this.#languageSeen) {
      this.#languageSeen = true;
      this.language = attributes.language;
    }
    const isMarkup = this.page.foreign || hasPrefix || (selfClosing && this.#xhtml);
    const content = isMarkup ? TEXT : contentOf(FLAGS[element]!);
    this.page.open(element, attributes);
    if (selfClosing && (this.#xhtml || this.page.foreign)) this.page.close(element);
    this.#mode = content;
    this.#content = content;
    this.#rawElement = element;
    if (content === SCRIPT_TEXT) this.#script.begin();
  }

  #scriptText(bytes: Uint8Array, start: number, limit: number): number {
    const at = this.#script.read(bytes, start, limit);
    return this.#script.ended ? this.#rawEndTag(bytes, at, limit) : at;
  }

  /** "<" in raw text: its end tag, or text. */
  #rawMarkup(bytes: Uint8Array, at: number, limit: number): number {
    if (endTagLength(bytes, at, this.#rawElement) > 0) return this.#rawEndTag(bytes, at, limit);
    return this.#write(bytes, at, at + 1);
  }

  #rawEndTag(bytes: Uint8Array, start: number, limit: number): number {
    const element = this.#rawElement;
    const at = this.#tag.beginNamed(element, bytes, start + endTagLength(bytes, start, element), limit, true);
    this.#afterPartOfTag();
    return at;
  }

  #bogusComment(bytes: Uint8Array, start: number, limit: number): number {
    const end = positionOf(GREATER, bytes, start, limit);
    if (end >= limit) return end;
    this.#mode = this.#content;
    return end + 1;
  }

  #comment(bytes: Uint8Array, start: number, limit: number): number {
    for (let at = start; at < limit; at++) {
      if (bytes[at] !== DASH) continue;
      const end = endOfComment(bytes, at);
      if (end === 0) continue;
      this.#mode = this.#content;
      return end;
    }
    return limit;
  }

  #cdata(bytes: Uint8Array, start: number, limit: number): number {
    const at = this.#write(bytes, start, positionOf(BRACKET, bytes, start, limit));
    if (at >= limit) return at;
    if (bytes[at + 1] !== BRACKET || bytes[at + 2] !== GREATER) return this.#write(bytes, at, at + 1);
    this.#mode = this.#content;
    return at + 3;
  }

  #write(bytes: Uint8Array, start: number, end: number): number {
    if (this.page.visible) this.page.writer.write(bytes, start, end);
    return end;
  }
}
