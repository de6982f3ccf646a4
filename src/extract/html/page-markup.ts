import {
  ESCAPABLE_RAW_TEXT,
  FLAGS,
  HTML_ELEMENT,
  MEANING,
  MEANING_IN_XHTML,
  NAME_BYTES_MAX,
  PLAINTEXT,
  RAW_TEXT,
  SCRIPT,
} from './elements.ts';
import type { PageBlocks } from './main/page-blocks.ts';
import type { PageMemory } from './memory/page-memory.ts';
import { PageText } from './page-text.ts';
import { textWithPlainTags } from './plain-tags.ts';
import { endOfComment, endOfScript, endTagLength, positionOf } from './raw-text.ts';
import { REFERENCE_BYTES_MAX, readReference } from './references.ts';
import { isLetter } from './tag-grammar.ts';
import { TagReader } from './tag-reader.ts';
import type { TextWriter } from './text-writer.ts';

/*
 * The markup of a page, found in its bytes (WHATWG HTML, "Tokenization"). What is text goes straight into PageText;
 * what is a tag is told to it; nothing else is kept. All markup is ASCII and no byte of a longer UTF-8 character is.
 *
 *   <p …>      the content that begins is TEXT, or RAW, ESCAPABLE, SCRIPT or PLAIN: what counts in it as markup
 *   &#12;      a reference, in TEXT and ESCAPABLE
 *   <!-- -->   a comment          <![CDATA[ ]]>   text, in XHTML, drawings and formulas
 *   <! > <? > </1 >               nothing, as far as ">"
 *
 * A name, or the start of a comment, is seen at once: it has at most LOOKAHEAD bytes. So the page is scanned up to so
 * many bytes before its end, and what has not ended there, once more, in a copy with zeros behind it. Cost: linear.
 *
 * Deviations from the standard, beside those of page-text.ts. NUL and line ends stay as they are, as the canonical form
 * separates at both. References in attributes count as in text, where they cannot make a language tag.
 */

export const LOOKAHEAD = Math.max(REFERENCE_BYTES_MAX, 2 * NAME_BYTES_MAX + 5, 9);
/** What is returned of a tag, a comment or another piece of markup that has not ended before the limit. */
const UNFINISHED = 0;

const BANG = 0x21;
const DASH = 0x2d;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const BRACKET = 0x5d;
const CDATA_START = new TextEncoder().encode('<![CDATA[');

const OTHER_CONTENTS = RAW_TEXT | ESCAPABLE_RAW_TEXT | SCRIPT | PLAINTEXT;
const TEXT = 0;

/** Reads one page, and leaves what it says in `page` and `language`. */
export class HtmlScanner {
  readonly page: PageText;
  language: string | null = null;
  readonly #xhtml: boolean;
  readonly #tag: TagReader;
  /** The flag of the element that says what its content is, and that element. */
  #content = TEXT;
  #contentElement = 0;
  #languageSeen = false;
  readonly #blocks: PageBlocks;
  readonly #memory: PageMemory | null;
  /** Whether the page ends at the limit of the scan. */
  #isLast = false;

  /**
   * @param blocks who is told of tags where TypeScript reads the page
   * @param place where it stands, and whatever the writer writes; null where TypeScript reads it
   */
  constructor(writer: TextWriter, xhtml: boolean, blocks: PageBlocks, place: PageMemory | null) {
    this.#xhtml = xhtml;
    this.#tag = new TagReader(xhtml);
    this.#blocks = blocks;
    this.#memory = place;
    this.page = new PageText(writer, xhtml, place ?? blocks);
  }

  /** Reads a page with LOOKAHEAD zeros behind its last byte. */
  readPadded(bytes: Uint8Array, length: number): void {
    this.#isLast = true;
    this.#scan(bytes, 0, length);
  }

  read(utf8: Uint8Array): void {
    // one class of arrays everywhere, also for a Buffer: V8 is slower where it has met two
    const bytes = new Uint8Array(utf8.buffer, utf8.byteOffset, utf8.length);
    this.#blocks.readFrom(bytes);
    const reached = this.#scan(bytes, 0, bytes.length - LOOKAHEAD);
    const rest = new Uint8Array(bytes.length - reached + LOOKAHEAD);
    rest.set(bytes.subarray(reached));
    this.#blocks.readFrom(rest);
    this.readPadded(rest, bytes.length - reached);
  }

  /** Reads on to the limit, or to what has not ended there: in a page that is over, that is no text. */
  #scan(bytes: Uint8Array, start: number, limit: number): number {
    let at = start;
    while (at < limit) {
      at = this.#text(bytes, at, limit);
      if (at >= limit) break;
      const next = this.#markup(bytes, at, limit);
      if (next === UNFINISHED) return this.#isLast ? limit : at;
      at = next;
    }
    return at;
  }

  /** Text, to the next "<", or where they count "&", or the limit. */
  #text(bytes: Uint8Array, start: number, limit: number): number {
    const { page } = this;
    if (this.#content === SCRIPT) return start;
    if (this.#content === PLAINTEXT) return this.#write(bytes, start, limit);
    if (!page.visible) return positionOf(LESS, bytes, start, limit);
    if (this.#content !== TEXT || page.foreign) return page.writer.writeText(bytes, start, limit);
    const meaning = this.#xhtml ? MEANING_IN_XHTML : MEANING;
    if (this.#memory !== null) {
      if (page.writer.hasLent(limit - start)) return this.#memory.textWithPlainTags(page.writer, start, limit, meaning);
      page.writer.giveBack();
      return limit;
    }
    return textWithPlainTags(page.writer, this.#blocks, bytes, start, limit, meaning);
  }

  /** What stands where text stopped. Returns the position behind it. */
  #markup(bytes: Uint8Array, at: number, limit: number): number {
    if (this.#content === SCRIPT) {
      const end = endOfScript(bytes, at, limit);
      return end === limit ? UNFINISHED : this.#endTagOfContent(bytes, end, limit);
    }
    if (bytes[at] !== LESS) {
      if (this.#content === RAW_TEXT) return this.#write(bytes, at, at + 1);
      return readReference(this.page.writer, bytes, at, limit);
    }
    if (this.#content !== TEXT) {
      const isItsEnd = endTagLength(bytes, at, this.#contentElement) > 0;
      return isItsEnd ? this.#endTagOfContent(bytes, at, limit) : this.#write(bytes, at, at + 1);
    }
    const next = bytes[at + 1]!;
    if (isLetter(next)) return this.#afterTag(this.#tag.read(bytes, at + 1, limit, false));
    if (next === BANG) return this.#declaration(bytes, at, limit);
    if (next === QUESTION) return behindGreater(bytes, at + 2, limit);
    if (next !== SLASH) return this.#write(bytes, at, at + 1);
    const afterSlash = bytes[at + 2]!;
    if (isLetter(afterSlash)) return this.#afterTag(this.#tag.read(bytes, at + 2, limit, true));
    if (this.#isLast && at + 2 >= limit) return this.#write(bytes, at, at + 2);
    return behindGreater(bytes, at + 2, limit);
  }

  /** "<!": a comment, a CDATA section, or a declaration, which says nothing and ends as a bogus comment does. */
  #declaration(bytes: Uint8Array, at: number, limit: number): number {
    if (bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
      // <!--> and <!--->
      if (bytes[at + 4] === GREATER) return at + 5;
      if (bytes[at + 4] === DASH && bytes[at + 5] === GREATER) return at + 6;
      return endOfComment(bytes, at + 4, limit);
    }
    const isCdata = (this.#xhtml || this.page.foreign) && CDATA_START.every((byte, i) => bytes[at + i] === byte);
    return isCdata ? this.#cdata(bytes, at + CDATA_START.length, limit) : behindGreater(bytes, at + 2, limit);
  }

  #cdata(bytes: Uint8Array, start: number, limit: number): number {
    let end = positionOf(BRACKET, bytes, start, limit);
    while (end < limit && (bytes[end + 1] !== BRACKET || bytes[end + 2] !== GREATER)) {
      end = positionOf(BRACKET, bytes, end + 1, limit);
    }
    if (end === limit && !this.#isLast) return UNFINISHED;
    this.#write(bytes, start, end);
    return end + 3;
  }

  /** The end tag of an element with a content of its own, at `at`. */
  #endTagOfContent(bytes: Uint8Array, at: number, limit: number): number {
    const element = this.#contentElement;
    return this.#afterTag(this.#tag.readNamed(element, bytes, at + endTagLength(bytes, at, element), limit, true));
  }

  /** Tells the page of the tag that was read up to `end`, unless it is unfinished. */
  #afterTag(end: number): number {
    if (end === UNFINISHED) return end;
    const { page } = this;
    const tag = this.#tag;
    const { element, selfClosing } = tag;
    this.#content = TEXT;
    if (tag.isEndTag) {
      page.close(element);
      return end;
    }
    if (element === HTML_ELEMENT && !this.#languageSeen) {
      this.#languageSeen = true;
      this.language = tag.language;
    }
    const isMarkup = page.foreign || tag.hasPrefix || (selfClosing && this.#xhtml);
    page.open(element, tag.attributeOf, tag.bits);
    if (selfClosing && (this.#xhtml || page.foreign)) page.close(element);
    this.#content = isMarkup ? TEXT : FLAGS[element]! & OTHER_CONTENTS;
    this.#contentElement = element;
    return end;
  }

  #write(bytes: Uint8Array, start: number, end: number): number {
    if (this.page.visible) this.page.writer.write(bytes, start, end);
    return end;
  }
}

/** The position behind the next ">". */
function behindGreater(bytes: Uint8Array, start: number, limit: number): number {
  const end = positionOf(GREATER, bytes, start, limit);
  return end >= limit ? UNFINISHED : end + 1;
}
