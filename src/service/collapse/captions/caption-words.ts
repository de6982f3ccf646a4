import { createCanonicalTexts } from '../../../core/text/tokens.ts';
import { pageContent } from '../../../extract/html/html-scanner.ts';
import { isDate } from './date-words.ts';
import { isStockSnippet, isStockTitle } from './stock-phrases.ts';

/*
 * What a search page shows of a result, its title and snippet, as words that can be compared.
 *
 *   title     <b>Tide</b> tables - Porto Daily     segments between separators: [tide tables] [porto daily]
 *   snippet   3 Mar 2024 — … the moon pulls …      words, and where something is left out: | the moon pulls |
 *
 * Words are those of the canonical form (core/text), as numbers of a vocabulary that one list of results has. Left out is
 * what says nothing of the page: a date in front, half a word at a cut, and a snippet such as "enable JavaScript".
 */

/** Characters of a snippet that are compared: search pages show some 300. The rest counts as cut. */
const SNIPPET_CHARACTERS_MAX = 600;
const TITLE_CHARACTERS_MAX = 200;
/** Fewer words are in many pages: of a snippet below a title, and of one without. */
const SNIPPET_WORDS_LEAST = 3;
export const LONE_SNIPPET_WORDS_LEAST = 8;
/** A date in front of a snippet ends by here. */
const DATE_CHARACTERS_MAX = 40;
const CUT = /\s?(?:\[(?:…|\.{3,})\]|…+|\.{3,}|⋯+|‥+)/u;
/** Between a title and the name of its site; a parenthesis at the end may name the source. */
const SEPARATOR = /\s+[-–—|·•»«:：]{1,2}\s+|\s*[|_|]\s*|\s*-(?=\p{Script=Han})|\s*[((](?=[^()()]*[))]\s*$)/u;
const DATE_END = /\s[—–·|-]\s|\s?(?:…|\.{3,})/u;
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const DIGIT = /\p{Nd}/u;

export interface Word {
  readonly id: number;
  readonly hasDigit: boolean;
  readonly letters: number;
  /** Whether it is two letters of a script without spaces. */
  readonly isPair: boolean;
}

export type Words = readonly Word[];

export interface CaptionTitle {
  /** At least one, each of at least one word. */
  readonly segments: readonly Words[];
  readonly texts: readonly string[];
  readonly isCut: boolean;
}

export interface CaptionSnippet {
  readonly words: Words;
  /** 1 at positions before which something is left out, one more than there are words. */
  readonly cuts: Uint8Array;
}

/** Of one of the two there is something. */
export interface Caption {
  readonly title: CaptionTitle | null;
  readonly snippet: CaptionSnippet | null;
}

/** Reads what is shown of the results of one list. */
export class CaptionReader {
  readonly #vocabulary = new Map<string, Word>();
  readonly #canonicalTextOf = createCanonicalTexts();

  /**
   * @param title HTML, UTF-8
   * @param snippet HTML, UTF-8
   * @returns null where neither says anything
   */
  read(title: Uint8Array | null, snippet: Uint8Array | null): Caption | null {
    const caption = { title: title && this.#title(textOf(title)), snippet: snippet && this.#snippet(textOf(snippet)) };
    if (caption.title === null && (caption.snippet?.words.length ?? 0) < LONE_SNIPPET_WORDS_LEAST) return null;
    return caption;
  }

  #title(text: string): CaptionTitle | null {
    const [head = '', ...rest] = text.slice(0, TITLE_CHARACTERS_MAX).split(CUT);
    const isCut = rest.length > 0 || text.length > TITLE_CHARACTERS_MAX;
    const texts: string[] = [];
    const segments: Word[][] = [];
    // what begins with a cut has nothing before it
    for (const part of (head.trim() === '' ? rest.join(' ') : head).split(SEPARATOR)) {
      const words = this.#words(part);
      if (words.length === 0) continue;
      texts.push(part.trim());
      segments.push(words);
    }
    if (segments.length === 0 || isStockTitle(text, segments.flat().length)) return null;
    return { segments, texts, isCut };
  }

  #snippet(text: string): CaptionSnippet | null {
    const kept = text.length > SNIPPET_CHARACTERS_MAX ? `${text.slice(0, SNIPPET_CHARACTERS_MAX)}…` : text;
    const shown = withoutDate(kept, (part) => this.#strings(part));
    const words: Word[] = [];
    const cuts: number[] = [];
    const pieces = shown.split(CUT);
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) cuts.push(words.length);
      const found = this.#words(piece);
      // no space before the cut: it may be half a word
      const isHalved = i < pieces.length - 1 && found.length > 3 && /[\p{L}\p{N}]$/u.test(piece);
      words.push(...(isHalved ? found.slice(0, -1) : found));
    }
    if (words.length < SNIPPET_WORDS_LEAST || isStockSnippet(shown, words.length)) return null;
    const flags = new Uint8Array(words.length + 1);
    for (const cut of cuts) flags[cut] = 1;
    return { words, cuts: flags };
  }

  #words(text: string): Word[] {
    return this.#strings(text).map((string) => {
      const known = this.#vocabulary.get(string);
      if (known !== undefined) return known;
      const [hasDigit, isPair] = [DIGIT.test(string), PAIRED.test(string)];
      const word = { id: this.#vocabulary.size, hasDigit, letters: string.length, isPair };
      this.#vocabulary.set(string, word);
      return word;
    });
  }

  #strings(text: string): string[] {
    if (text === '') return [];
    const { buffer, byteOffset, byteLength } = this.#canonicalTextOf(Buffer.from(text.toWellFormed()));
    const words = Buffer.from(buffer, byteOffset, byteLength).toString().split(' ');
    // a space is behind each
    words.pop();
    return words;
  }
}

/** Search engines mark in it what was looked for: it is read as HTML. */
function textOf(html: Uint8Array): string {
  return Buffer.from(pageContent(html, false).text).toString().replace(/\s+/g, ' ').trim();
}

function withoutDate(text: string, wordsOf: (text: string) => string[]): string {
  const end = DATE_END.exec(text.slice(0, DATE_CHARACTERS_MAX));
  if (end === null || end.index === 0) return text;
  const head = text.slice(0, end.index);
  return DIGIT.test(head) && isDate(wordsOf(head)) ? text.slice(end.index + end[0].length) : text;
}
