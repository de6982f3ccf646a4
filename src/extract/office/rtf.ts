import { Buffer } from 'node:buffer';
import { ShingledError } from '../../errors.ts';
import { checkTime, GrowingText, type Reading } from '../reading.ts';
import { shownTitle } from '../title.ts';
import type { FileText } from './file-text.ts';
import { destinationOf, type Group, innerGroup, ROOT } from './rtf-groups.ts';
import { CONTROL_TEXTS, decoderOfCharset, decoderOfCodePage, PARAGRAPH_ENDS } from './rtf-words.ts';

/*
 * The text of an .rtf file (Rich Text Format 1.9).
 *
 *   is text        paragraphs in their order, those of tables, lists and text boxes among them; results of fields; then
 *                  footnotes, at the end
 *   is not text    hidden text and what is deleted by tracked changes; instructions of fields; tables of fonts, colours and
 *                  styles, and every other destination that a reader may pass over; heads and feet of pages, comments;
 *                  pictures; numbers of lists
 *   separates      paragraphs, lines, cells, tabs, pages
 *   title          of its information
 *   language       none: a file names the language of its writer's program
 *
 * Read in one pass. Characters are bytes in the code page of their font, or "\u" with as many bytes for older readers behind
 * it as "\uc" says.
 */

const FILE = 'The .rtf file';

/** A control word, a hex byte, a control symbol, a brace, line ends, or text. */
const TOKEN = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([0-9a-f]{2})|([^a-z]))|([{}])|[\r\n]+|([^\\{}\r\n]+)/giy;
const TOKENS_A_LOOK = 10_000;

/** @throws ShingledError `unsupported-media-type`, `document-too-complex`, `body-too-large`; OutOfTime */
export function readRtf(bytes: Uint8Array, reading: Reading): FileText {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (!source.startsWith('{\\rtf')) {
    throw new ShingledError('unsupported-media-type', 'The bytes are no RTF file: they do not begin with "{\\rtf"');
  }
  return new RtfScanner(source, reading).read();
}

class RtfScanner {
  readonly #source: string;
  readonly #reading: Reading;
  readonly #text: GrowingText;
  readonly #notes: GrowingText;
  readonly #groups: Group[] = [];
  #group: Group = ROOT;
  #title = '';
  /** Whether the last token opened a group: then a control word may name its destination. */
  #isAtStart = false;
  #isStarred = false;
  /** Characters that are still to be passed over. */
  #toSkip = 0;
  /** Characters of a code page that are not decoded yet: one may be two bytes. */
  #encoded = '';
  #codePage: InstanceType<typeof TextDecoder> = decoderOfCodePage(1252);
  readonly #fonts = new Map<number, InstanceType<typeof TextDecoder>>();
  #defaultFont: number | null = null;

  constructor(source: string, reading: Reading) {
    this.#source = source;
    this.#reading = reading;
    this.#text = new GrowingText(reading.limits);
    this.#notes = new GrowingText(reading.limits);
  }

  read(): FileText {
    TOKEN.lastIndex = 0;
    for (let tokens = 1; ; tokens++) {
      if (tokens % TOKENS_A_LOOK === 0) checkTime(this.#reading);
      const match = TOKEN.exec(this.#source);
      if (match === null) break;
      const [, word, parameter, hex, symbol, brace, text] = match;
      const wasAtStart = this.#isAtStart;
      const wasStarred = this.#isStarred;
      this.#isAtStart = false;
      this.#isStarred = false;
      if (text !== undefined) this.#characters(text);
      else if (hex !== undefined) this.#characters(String.fromCharCode(Number.parseInt(hex, 16)));
      else if (brace === '{') this.#open();
      else if (brace === '}') this.#close();
      else if (symbol === '*' && wasAtStart) this.#isStarred = true;
      else if (symbol !== undefined) this.#word(symbol, null);
      else if (word !== undefined) {
        const number = parameter === undefined ? null : Number(parameter);
        if (!((wasAtStart || wasStarred) && this.#destination(word, wasStarred))) this.#word(word, number);
      }
    }
    this.#decode();
    this.#text.addUtf8(this.#notes.finish());
    return { text: this.#text.finish(), title: shownTitle(this.#title), language: null };
  }

  #open(): void {
    this.#decode();
    const { depthMax: value } = this.#reading.limits;
    if (this.#groups.length >= value) {
      const limit = { name: 'depthMax', value };
      throw new ShingledError('document-too-complex', `${FILE} has groups more than ${value} deep in one another`, {
        limit,
      });
    }
    this.#groups.push(this.#group);
    this.#group = innerGroup(this.#group);
    this.#isAtStart = true;
    this.#toSkip = 0;
  }

  #close(): void {
    this.#decode();
    // a brace too many at the end is no reason to lose the text before it
    this.#group = this.#groups.pop() ?? ROOT;
    this.#toSkip = 0;
  }

  /** Whether the word named the destination of the group that begins. */
  #destination(word: string, isStarred: boolean): boolean {
    const change = destinationOf(word, isStarred, this.#groups.at(-1) ?? ROOT);
    if (change === null) return false;
    if (change.into === 'notes') this.#notes.add('\n');
    this.#change(change);
    return true;
  }

  #change(change: Partial<Group>): void {
    this.#decode();
    this.#group = { ...this.#group, ...change };
  }

  #word(word: string, number: number | null): void {
    if (word === 'bin') {
      TOKEN.lastIndex += Math.max(0, number ?? 0);
      return;
    }
    if (this.#toSkip > 0) {
      this.#toSkip--;
      return;
    }
    const written = CONTROL_TEXTS.get(word);
    if (PARAGRAPH_ENDS.has(word)) this.#endParagraph();
    else if (written !== undefined) this.#write(written);
    else this.#setting(word, number);
  }

  #setting(word: string, number: number | null): void {
    const isOn = number !== 0;
    switch (word) {
      case 'u':
        this.#unicode(number ?? 0);
        break;
      case 'uc':
        this.#change({ unicodeSkip: Math.max(0, number ?? 1) });
        break;
      case 'v':
        this.#change({ isHidden: isOn });
        break;
      case 'deleted':
        this.#change({ isDeleted: isOn });
        break;
      case 'plain':
        this.#change({ isHidden: false, isDeleted: false, font: null });
        break;
      case 'f':
        this.#change({ font: number });
        break;
      case 'fcharset':
        if (this.#group.into === 'fonts') this.#setFont(decoderOfCharset(number ?? 0));
        break;
      case 'cpg':
        if (this.#group.into === 'fonts') this.#setFont(decoderOfCodePage(number ?? 1252));
        break;
      case 'deff':
        this.#defaultFont = number;
        break;
      case 'ansicpg':
        this.#codePage = decoderOfCodePage(number ?? 1252);
        break;
      case 'mac':
        this.#codePage = decoderOfCodePage(10_000);
        break;
    }
  }

  #setFont(decoder: InstanceType<typeof TextDecoder> | null): void {
    const { font } = this.#group;
    if (font !== null && decoder !== null) this.#fonts.set(font, decoder);
  }

  #unicode(number: number): void {
    this.#decode();
    this.#write(String.fromCharCode(number & 0xffff));
    this.#toSkip = this.#group.unicodeSkip;
  }

  /** @param bytes in the code page of their font, a byte a unit */
  #characters(bytes: string): void {
    const skipped = Math.min(this.#toSkip, bytes.length);
    this.#toSkip -= skipped;
    this.#encoded += skipped === 0 ? bytes : bytes.slice(skipped);
  }

  #decode(): void {
    const encoded = this.#encoded;
    if (encoded === '') return;
    this.#encoded = '';
    if (!this.#isShown) return;
    // bytes of ASCII are the same everywhere
    if (!/[\x80-\xff]/.test(encoded)) this.#put(encoded);
    else {
      const font = this.#group.font ?? this.#defaultFont;
      const decoder = (font === null ? undefined : this.#fonts.get(font)) ?? this.#codePage;
      this.#put(decoder.decode(Buffer.from(encoded, 'latin1')));
    }
  }

  #write(text: string): void {
    this.#decode();
    if (this.#isShown) this.#put(text);
  }

  #endParagraph(): void {
    this.#decode();
    const { into } = this.#group;
    if (this.#isShown && into === 'text') this.#text.endParagraph();
    else if (this.#isShown && into === 'notes') this.#notes.endParagraph();
    else this.#write('\n');
  }

  get #isShown(): boolean {
    const { isNoText, isHidden, isDeleted, into } = this.#group;
    return !(isNoText || isHidden || isDeleted || into === 'fonts');
  }

  #put(text: string): void {
    const { into } = this.#group;
    if (into === 'text') this.#text.add(text);
    else if (into === 'notes') this.#notes.add(text);
    else if (this.#title.length < TITLE_UNITS_MAX) this.#title += text.slice(0, TITLE_UNITS_MAX);
  }
}

const TITLE_UNITS_MAX = 4096;
