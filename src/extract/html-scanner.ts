import {
  ESCAPABLE_RAW_TEXT,
  elementAt,
  FLAGS,
  HAS_ATTRIBUTES_READ,
  HTML_ELEMENT,
  INLINE,
  MEANING,
  NAME_BYTE,
  NAME_BYTES_MAX,
  PLAINTEXT,
  RAW_TEXT,
  SCRIPT,
} from './elements.ts';
import { PageText } from './page-text.ts';
import { endOfComment, endTagLength, ScriptReader } from './raw-text.ts';
import { REFERENCE_BYTES_MAX, ReferenceReader } from './references.ts';
import {
  AttributeReader,
  BYTE_KIND,
  endOfPlainTag,
  IN_DOUBLE_QUOTES,
  IN_TAG_NAME,
  NEXT_STATE,
  TAG_ENDED,
  TAG_ENDED_BY_SLASH,
} from './tag-grammar.ts';
import type { TextWriter } from './text-writer.ts';

/*
 * The markup of a page, found in its bytes (WHATWG HTML, "Tokenization"): what is text goes straight into PageText, what
 * is a tag is told to it, and nothing else is kept. All markup is ASCII and no byte of a longer UTF-8 character is.
 *
 *   TEXT ──"<p"── TAG ──">"── TEXT            ──"<!--"── COMMENT ──"-->"── back
 *     │                └── RAW, ESCAPABLE, SCRIPT, PLAIN: what the content of that element is (#content)
 *     ├──"&#12"── NUMBER ── back              ──"<!", "<?", "</1"── BOGUS ──">"── back
 *     └──"<![CDATA["── CDATA ──"]]>"── back   (XHTML, drawings and formulas)
 *
 * A page comes in parts, cut anywhere. What has to be seen at once (a name, the start of a comment) has at most LOOKAHEAD
 * bytes, so a part is scanned up to so many bytes before its end and those are kept for the next; what can be longer is a
 * mode, in which scanning goes on wherever it stopped. Nobody looks beyond LOOKAHEAD bytes: memory is bounded, cost linear.
 *
 * Deviations from the standard, beside those of page-text.ts: NUL stays NUL and line ends stay as they are, as the canonical
 * form separates at both; references in attributes count as in text, where they cannot make a language tag.
 */

const [TEXT, TAG, BOGUS, COMMENT, CDATA, NUMBER, RAW, ESCAPABLE, SCRIPT_TEXT, PLAIN] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const LOOKAHEAD = Math.max(REFERENCE_BYTES_MAX, NAME_BYTES_MAX + 3, 9);

const BANG = 0x21;
const DOUBLE_QUOTE = 0x22;
const AMPERSAND = 0x26;
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
  readonly #attributes: AttributeReader;
  readonly #script = new ScriptReader();
  #mode = TEXT;
  /** The mode of the element's content that we are in, to go back to. */
  #content = TEXT;
  /** The element whose tag we are in, or whose raw text. */
  #element = 0;
  #isEndTag = false;
  #tagState = IN_TAG_NAME;
  #readsAttributes = false;
  #languageSeen = false;
  /** The last bytes of the parts so far, not yet scanned; behind them, room for as many of the next part, and for zeros. */
  readonly #kept = new Uint8Array(3 * LOOKAHEAD);
  #keptLength = 0;
  /** Where the page ends, in the bytes being scanned; infinite as long as it goes on behind them. */
  #end = Number.POSITIVE_INFINITY;

  /**
   * @param bytesExpected of text, more or less.
   * @param xhtml whether `<a/>` closes itself and CDATA sections are text.
   */
  constructor(bytesExpected: number, xhtml: boolean) {
    this.page = new PageText(bytesExpected);
    this.#xhtml = xhtml;
    this.#references = new ReferenceReader(this.page.writer);
    this.#attributes = new AttributeReader();
  }

  /** The next part of the page: UTF-8, of any length, cut anywhere. It is not kept. */
  write(utf8: Uint8Array): void {
    // one class of arrays everywhere, also for a Buffer: V8 reads bytes of two classes at half the speed
    const part = new Uint8Array(utf8.buffer, utf8.byteOffset, utf8.length);
    let from = 0;
    if (this.#keptLength > 0) {
      const joined = Math.min(part.length, LOOKAHEAD);
      this.#kept.set(part.subarray(0, joined), this.#keptLength);
      const length = this.#keptLength + joined;
      const reached = this.#scan(this.#kept, 0, length - LOOKAHEAD);
      if (joined === part.length) {
        this.#kept.copyWithin(0, reached, length);
        this.#keptLength = length - reached;
        return;
      }
      from = reached - this.#keptLength;
    }
    from = this.#scan(part, from, part.length - LOOKAHEAD);
    this.#kept.set(part.subarray(from));
    this.#keptLength = part.length - from;
  }

  /** The page is over. A tag or comment that is not, with all that is in it, is no text. */
  end(): void {
    this.#kept.fill(0, this.#keptLength);
    this.#end = this.#keptLength;
    this.#scan(this.#kept, 0, this.#end);
    this.#references.finish();
  }

  /** Scans from `at` to `limit` or a few bytes beyond it, and returns where it stopped; LOOKAHEAD more bytes are there. */
  #scan(bytes: Uint8Array, start: number, limit: number): number {
    let at = start;
    while (at < limit) {
      switch (this.#mode) {
        case TEXT:
        case ESCAPABLE:
          at = this.#text(bytes, at, limit);
          break;
        case TAG:
          at = this.#tag(bytes, at, limit);
          break;
        case BOGUS:
          at = this.#bogusComment(bytes, at, limit);
          break;
        case COMMENT:
          at = this.#comment(bytes, at, limit);
          break;
        case NUMBER:
          at = this.#references.digits(bytes, at, limit);
          if (!this.#references.inNumber) this.#mode = this.#content;
          break;
        case CDATA:
          at = this.#cdata(bytes, at, limit);
          break;
        case PLAIN:
          at = this.#write(bytes, at, limit);
          break;
        default:
          at = this.#rawText(bytes, at, limit);
      }
    }
    return at;
  }

  /** Text in which tags and references count, or (ESCAPABLE) references and one end tag. */
  #text(bytes: Uint8Array, start: number, limit: number): number {
    const mode = this.#mode;
    const { page } = this;
    let at = start;
    while (at < limit && this.#mode === mode) {
      if (!page.visible) at = positionOf(LESS, bytes, at, limit);
      else if (mode === TEXT && !page.foreign) at = textWithPlainTags(page.writer, bytes, at, limit);
      else at = page.writer.writeText(bytes, at, limit);
      if (at >= limit) break;
      if (bytes[at] === AMPERSAND) {
        at = this.#references.begin(bytes, at);
        if (this.#references.inNumber) this.#mode = NUMBER;
      } else {
        at = mode === TEXT ? this.#markup(bytes, at, limit) : this.#rawMarkup(bytes, at, limit);
      }
    }
    return at;
  }

  /** "<" in text. */
  #markup(bytes: Uint8Array, at: number, limit: number): number {
    const next = bytes[at + 1]!;
    if (isLetter(next)) return this.#tagName(bytes, at + 1, limit, false);
    if (next === SLASH) {
      const afterSlash = bytes[at + 2]!;
      if (isLetter(afterSlash)) return this.#tagName(bytes, at + 2, limit, true);
      if (at + 2 >= this.#end) return this.#write(bytes, at, at + 2);
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

  #tagName(bytes: Uint8Array, start: number, limit: number, isEndTag: boolean): number {
    const found = elementAt(bytes, start);
    const at = start + (found >> 8);
    if (NAME_BYTE[bytes[at]!] === 0) return this.#beginTag(found & 0xff, isEndTag, bytes, at, limit);
    this.#enterTag(0, isEndTag);
    return this.#tag(bytes, at, limit);
  }

  /** @param at the end of the name */
  #beginTag(element: number, isEndTag: boolean, bytes: Uint8Array, at: number, limit: number): number {
    this.#enterTag(element, isEndTag);
    const end = this.#readsAttributes ? 0 : endOfPlainTag(bytes, at, limit);
    if (end === 0) return this.#tag(bytes, at, limit);
    this.#endOfTag(bytes[end - 2] === SLASH);
    return end;
  }

  #enterTag(element: number, isEndTag: boolean): void {
    this.#element = element;
    this.#isEndTag = isEndTag;
    this.#tagState = IN_TAG_NAME;
    this.#mode = TAG;
    this.#readsAttributes = !isEndTag && (FLAGS[element]! & HAS_ATTRIBUTES_READ) !== 0;
    if (this.#readsAttributes) this.#attributes.begin();
  }

  /** The rest of a tag, behind (the beginning of) its name. */
  #tag(bytes: Uint8Array, start: number, limit: number): number {
    if (this.#readsAttributes) return this.#tagWithAttributes(bytes, start, limit);
    let state = this.#tagState;
    let at = start;
    while (at < limit) {
      state = NEXT_STATE[state + BYTE_KIND[bytes[at++]!]!]!;
      if (state === IN_DOUBLE_QUOTES) {
        while (at < limit && bytes[at] !== DOUBLE_QUOTE) at++;
      } else if (state >= TAG_ENDED) {
        this.#endOfTag(state === TAG_ENDED_BY_SLASH);
        return at;
      }
    }
    this.#tagState = state;
    return at;
  }

  #tagWithAttributes(bytes: Uint8Array, start: number, limit: number): number {
    let state = this.#tagState;
    let at = start;
    while (at < limit && state < TAG_ENDED) {
      const byte = bytes[at++]!;
      const before = state;
      state = NEXT_STATE[before + BYTE_KIND[byte]!]!;
      this.#attributes.take(byte, before, state);
    }
    this.#tagState = state;
    if (state >= TAG_ENDED) this.#endOfTag(state === TAG_ENDED_BY_SLASH);
    return at;
  }

  #endOfTag(selfClosing: boolean): void {
    const element = this.#element;
    this.#mode = TEXT;
    this.#content = TEXT;
    if (this.#isEndTag) {
      this.page.close(element);
      return;
    }
    if (element === HTML_ELEMENT && !this.#languageSeen) {
      this.#languageSeen = true;
      this.language = this.#attributes.language;
    }
    const content = this.page.foreign || (selfClosing && this.#xhtml) ? TEXT : contentOf(FLAGS[element]!);
    this.page.open(element, this.#readsAttributes && this.#attributes.shadowRoot);
    if (selfClosing && (this.#xhtml || this.page.foreign)) this.page.close(element);
    this.#mode = content;
    this.#content = content;
    if (content === SCRIPT_TEXT) this.#script.begin();
  }

  /** <style>, <script> and their like. */
  #rawText(bytes: Uint8Array, start: number, limit: number): number {
    if (this.#mode === SCRIPT_TEXT) {
      const end = this.#script.read(bytes, start, limit);
      return this.#script.ended ? this.#rawEndTag(bytes, end, limit) : end;
    }
    let at = start;
    while (at < limit) {
      const less = positionOf(LESS, bytes, at, limit);
      at = this.#write(bytes, at, less);
      if (at >= limit) break;
      at = this.#rawMarkup(bytes, at, limit);
      if (this.#mode !== RAW) break;
    }
    return at;
  }

  /** "<" in raw text: its end tag, or text. */
  #rawMarkup(bytes: Uint8Array, at: number, limit: number): number {
    if (endTagLength(bytes, at, this.#element) > 0) return this.#rawEndTag(bytes, at, limit);
    return this.#write(bytes, at, at + 1);
  }

  #rawEndTag(bytes: Uint8Array, at: number, limit: number): number {
    return this.#beginTag(this.#element, true, bytes, at + endTagLength(bytes, at, this.#element), limit);
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

function contentOf(flags: number): number {
  if ((flags & (RAW_TEXT | ESCAPABLE_RAW_TEXT | SCRIPT | PLAINTEXT)) === 0) return TEXT;
  if ((flags & RAW_TEXT) !== 0) return RAW;
  if ((flags & SCRIPT) !== 0) return SCRIPT_TEXT;
  return (flags & PLAINTEXT) !== 0 ? PLAIN : ESCAPABLE;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/**
 * Most of most pages, without a detour: visible text outside drawings and formulas, and tags in it that are plain and mean
 * no more than that words end, or not even that. Returns where something else begins, or `limit`.
 */
function textWithPlainTags(writer: TextWriter, bytes: Uint8Array, start: number, limit: number): number {
  let at = start;
  for (;;) {
    at = writer.writeText(bytes, at, limit);
    if (at >= limit || bytes[at] === AMPERSAND) return at;
    const name = bytes[at + 1] === SLASH ? at + 2 : at + 1;
    if (!isLetter(bytes[name]!)) return at;
    const found = elementAt(bytes, name);
    const flags = FLAGS[found & 0xff]!;
    const nameEnd = name + (found >> 8);
    if ((flags & MEANING) !== 0 || NAME_BYTE[bytes[nameEnd]!] !== 0) return at;
    const end = endOfPlainTag(bytes, nameEnd, limit);
    if (end === 0) return at;
    if ((flags & INLINE) === 0) writer.separate();
    at = end;
  }
}

/** Where a byte is next, or `limit` where it is not before that. */
function positionOf(byte: number, bytes: Uint8Array, start: number, limit: number): number {
  const found = bytes.indexOf(byte, start);
  return found < 0 || found > limit ? limit : found;
}
