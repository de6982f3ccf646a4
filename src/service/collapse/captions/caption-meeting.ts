import type { Turns } from '../../../sharing/turns.ts';
import type { JoinedByCaption } from '../../api.ts';
import { createAligner, GRAM, gramAt } from './caption-alignment.ts';
import {
  areOfOneForm,
  beginsWithTitle,
  isTelling,
  type PlacedTitle,
  pathLetters,
  relateTitles,
  SiteNames,
  type TitleRelation,
} from './caption-titles.ts';
import { type Caption, type CaptionSnippet, LONE_SNIPPET_WORDS_LEAST, type Words } from './caption-words.ts';

/*
 * Whether two results are one page by what a search page shows of them. Both sides must speak for it, and neither against:
 *
 *   titles        snippets                                               joined by
 *   same          agree: WORDS or more of the shorter one, COVERED       title-and-snippet
 *   same, long    show SOME_WORDS of one text, and other parts of it     title-and-snippet
 *   same          there is none on one side; other hosts, a long title   title
 *   likely        agree, and the title is long or a subject              title-and-snippet
 *   rewritten     agree in MANY_WORDS or more, which the titles use      title-and-snippet
 *   one has none  agree in SOME_WORDS or more                            snippet
 *   other         -                                                      never
 *
 * Snippets that differ in a place, or in a number between what they share, never agree. A snippet that titles of several
 * pages have (a site's own description, the conditions of an employer) counts only where the titles are the same.
 */

const WORDS_LEAST = 5;
const SOME_WORDS_LEAST = LONE_SNIPPET_WORDS_LEAST;
const MANY_WORDS_LEAST = 12;
/** Share of the shorter snippet that both have: a byline or a call to read on may be beside it. */
const COVERED_LEAST = 0.75;
/** Words before the first that are common, such as the place and agency of a report. */
const BYLINE_WORDS_MAX = 6;
/** Letters of a word that says what a title is about; a pair of letters of a script without spaces always does. */
const TELLING_LETTERS_LEAST = 4;
/** Telling words that two titles share where they differ in a word each. */
const SHARED_LEAST = 5;
/** More would find no page that these do not find, but for lists that were made to have no rare words. */
const KEYS_MAX = 32;
const NO_KEYS: ReadonlySet<number> = new Set();
/** Pages in order of what they share with one that are not one page with it: after so many no other one is. */
export const CAPTION_MISSES_MAX = 32;

/** What is shown of one page of a list. */
export interface PlacedCaption {
  readonly title: PlacedTitle | null;
  readonly snippet: CaptionSnippet | null;
  /** Results of several titles have this very snippet. */
  isCommon: boolean;
  /** null where it is not known. */
  readonly host: string | null;
}

export interface CaptionSource extends Caption {
  /** null where it has none. */
  readonly url: string | null;
  readonly host: string | null;
}

/** @param sources in the order of the list's pages; null where nothing is shown of one */
export function placeCaptions(sources: readonly (CaptionSource | null)[]): (PlacedCaption | null)[] {
  const names = new SiteNames();
  for (const source of sources) {
    if (source?.title && source.host !== null) names.note(source.title, source.host);
  }
  const pages = sources.map((source): PlacedCaption | null => {
    if (source === null) return null;
    const { title, snippet, url, host } = source;
    const placed = title && names.place(title, host ?? '', url === null ? '' : pathLetters(url));
    return { title: placed, snippet, host, isCommon: false };
  });
  markCommon(pages);
  return pages;
}

/** Snippets that begin alike below titles of other pages. */
function markCommon(pages: readonly (PlacedCaption | null)[]): void {
  const bySnippet = new Map<string, PlacedCaption[]>();
  for (const page of pages) {
    if (page === null || page.snippet === null || page.title === null) continue;
    const key = page.snippet.words
      .slice(0, SOME_WORDS_LEAST)
      .map(({ id }) => id)
      .join(' ');
    const alike = bySnippet.get(key);
    if (alike === undefined) bySnippet.set(key, [page]);
    else alike.push(page);
  }
  for (const [first, ...others] of bySnippet.values()) {
    if (!others.some(({ title }) => areOfOneForm(first!.title!, title!))) continue;
    for (const page of [first!, ...others]) page.isCommon = true;
  }
}

/** Compares other pages with one. @returns by what they are one page; null where they are not */
export function createCaptionComparer(a: PlacedCaption): (b: PlacedCaption) => JoinedByCaption | null {
  let align: ReturnType<typeof createAligner> | null = null;
  return (b) => {
    const titles = a.title === null || b.title === null ? null : relateTitles(a.title, b.title);
    if (titles === 'other') return null;
    if (a.snippet === null || b.snippet === null) return titles === 'same' ? byTitleAlone(a, b) : null;
    align ??= createAligner(a.snippet);
    const { matched, covered, beginsApart, isReplaced, firstA } = align(b.snippet);
    // two engines may show other parts of one text
    const isPart = titles === 'same' && matched >= SOME_WORDS_LEAST && isTelling(a.title!) && isTelling(b.title!);
    if (isReplaced || (covered < COVERED_LEAST && !isPart)) return null;
    const isSure =
      beginsApart === 0 || (titles === 'same' && beginsApart <= BYLINE_WORDS_MAX && matched >= SOME_WORDS_LEAST);
    if (!isSure) return null;
    const common = a.snippet.words;
    return matched >= leastFor(titles, a, b, common, firstA)
      ? titles === null
        ? 'snippet'
        : 'title-and-snippet'
      : null;
  };
}

/** Words that two snippets must share. */
function leastFor(titles: TitleRelation | null, a: PlacedCaption, b: PlacedCaption, common: Words, at: number): number {
  if (titles === 'same') return Math.min(WORDS_LEAST, a.snippet!.words.length, b.snippet!.words.length);
  if (a.isCommon || b.isCommon) return Number.POSITIVE_INFINITY;
  if (titles === null) return SOME_WORDS_LEAST;
  if (titles === 'likely') {
    const main = a.title!.words.length < b.title!.words.length ? a.title! : b.title!;
    return isTelling(main) || beginsWithTitle(main, common, at) ? SOME_WORDS_LEAST : Number.POSITIVE_INFINITY;
  }
  return a.host !== b.host && isOnOneSubject(a.title!.words, b.title!.words, common)
    ? MANY_WORDS_LEAST
    : Number.POSITIVE_INFINITY;
}

/**
 * Whether two titles tell of one story, by the words that each has alone. Either half of those of one title, and some of
 * the other's, are in what both show below them; or each has one word at the most that is not. Two posts of one employer
 * have theirs in neither, and what they share in one piece. All numbers must be told.
 */
function isOnOneSubject(a: Words, b: Words, common: Words): boolean {
  const told = new Set(common.map(({ id }) => id));
  const [ofA, ofB] = [wordsAlone(a, b, told), wordsAlone(b, a, told)];
  if (ofA.isNumberUntold || ofB.isNumberUntold) return false;
  const shares = [ofA, ofB].map(({ told: count, untold }) => (count + untold === 0 ? 1 : count / (count + untold)));
  if (Math.min(...shares) > 0 && Math.max(...shares) >= 0.5) return true;
  return [ofA, ofB].every(({ untold, shared, pieces }) => untold <= 1 && shared >= SHARED_LEAST && pieces > 1);
}

/** The telling words of a title beside another one's. */
function wordsAlone(title: Words, other: Words, told: ReadonlySet<number>) {
  const inOther = new Set(other.map(({ id }) => id));
  const counts = { shared: 0, told: 0, untold: 0, pieces: 0, isNumberUntold: false };
  let wasShared = false;
  for (const { id, letters, hasDigit, isPair } of title) {
    const isShared = inOther.has(id);
    if (isShared && !wasShared) counts.pieces++;
    wasShared = isShared;
    if (!isPair && !hasDigit && letters < TELLING_LETTERS_LEAST) continue;
    if (isShared) counts.shared++;
    else if (told.has(id)) counts.told++;
    else counts.untold++;
    counts.isNumberUntold ||= hasDigit && !isShared && !told.has(id);
  }
  return counts;
}

function byTitleAlone(a: PlacedCaption, b: PlacedCaption): JoinedByCaption | null {
  return a.host !== b.host && isTelling(a.title!) && isTelling(b.title!) ? 'title' : null;
}

/**
 * Which pages share words in what is shown of them, so that only those are compared. Of each page the KEYS_MAX rarest of
 * its keys that another one has are looked up: a key is some words in a row of its title or snippet.
 */
export class CaptionIndex {
  readonly #holders = new Map<number, number[]>();
  /** Of each page. */
  readonly #keys: ReadonlySet<number>[] = [];
  readonly #counts: Uint16Array;

  /** @param turns of the event loop, which a list of 1,000 long snippets would keep for a tenth of a second */
  static async of(pages: readonly (PlacedCaption | null)[], turns: Turns): Promise<CaptionIndex> {
    const index = new CaptionIndex(pages.length);
    for (const page of pages) {
      if (page !== null && turns.spent()) await turns.next();
      index.#add(page);
    }
    return index;
  }

  private constructor(pages: number) {
    this.#counts = new Uint16Array(pages);
  }

  #add(page: PlacedCaption | null): void {
    const number = this.#keys.length;
    const keys = page === null ? NO_KEYS : new Set(keysOf(page));
    this.#keys.push(keys);
    for (const key of keys) {
      const holders = this.#holders.get(key);
      if (holders === undefined) this.#holders.set(key, [number]);
      else holders.push(number);
    }
  }

  /** Numbers of the others that share words with a page, those first that share most. */
  sharing(number: number): number[] {
    const lists: number[][] = [];
    for (const key of this.#keys[number]!) {
      const holders = this.#holders.get(key)!;
      if (holders.length > 1) lists.push(holders);
    }
    lists.sort((a, b) => a.length - b.length);
    const counts = this.#counts.fill(0);
    const found: number[] = [];
    for (const holders of lists.slice(0, KEYS_MAX)) {
      for (const holder of holders) {
        if (counts[holder] === 0 && holder !== number) found.push(holder);
        counts[holder]!++;
      }
    }
    return found.sort((a, b) => counts[b]! - counts[a]! || a - b);
  }
}

/** The grams of title and snippet; of a title of fewer words its first word. */
function keysOf(page: PlacedCaption): number[] {
  const keys: number[] = [];
  for (const words of [page.title?.whole ?? [], page.snippet?.words ?? []]) {
    for (let at = 0; at + GRAM <= words.length; at++) keys.push(gramAt(words, at));
  }
  const [first] = page.title?.words ?? [];
  if (first !== undefined && page.title!.words.length < GRAM) keys.push(-1 - first.id);
  return keys;
}
