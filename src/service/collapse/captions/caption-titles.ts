import type { CaptionTitle, Word, Words } from './caption-words.ts';

/*
 * Whether the titles of two results are of one page.
 *
 *   same        equal without the names of their sites, or one is cut where it is the beginning of the other
 *   likely      one has another segment beside those of the other, which may name a site, and may not
 *   rewritten   they differ in several places, and share some words: an editor's work, or two pages on one subject
 *   other       they differ in one place: a number, a name, a town; or share nothing
 *
 * A segment names the site where its letters are those of the host, or the name of an encyclopedia in its own script. So
 * does one that stands in several titles of one host, and of no other. A segment with a number in it does not, unless it is
 * the very name of the host.
 */

export type TitleRelation = 'same' | 'likely' | 'rewritten' | 'other';

/** A title without what names its site, and where it was found. */
export interface PlacedTitle {
  readonly words: Words;
  /** With it: a copy may have kept the name of the site that it was copied from. */
  readonly whole: Words;
  readonly segments: readonly Words[];
  readonly texts: readonly string[];
  readonly isCut: boolean;
  /** Of its URL, without www; '' where it has none. */
  readonly host: string;
  /** Letters of the URL behind its host. */
  readonly path: string;
}

/** The most words that the name of a site may have. */
const SITE_WORDS_MAX = 8;
/** A title of fewer words is a subject of many pages: "Nurse", "Tide". */
const MAIN_WORDS_LEAST = 4;
/** The fewest words of a title that was cut: with fewer it is the beginning of many titles. */
const CUT_WORDS_LEAST = 4;
/** The fewest words that two titles of one story share. */
const SHARED_WORDS_LEAST = 2;
const SECOND_LEVEL = new Set(['ac', 'co', 'com', 'edu', 'gob', 'gov', 'go', 'ne', 'net', 'or', 'org']);
const ENCYCLOPEDIA =
  /^(?:wikip[eé]dia|википеди[яа]|вікіпедія|ويكيبيديا|ویکی‌پدیا|ויקיפדיה|维基百科|維基百科|ウィキペディア|위키백과|विकिपीडिया|βικιπαίδεια)(?:[,,].*)?$/iu;

/** Which segments name the site, by what the titles of a list have in common. */
export class SiteNames {
  /** Of the words of a last segment: its host, null where two have it; and the titles in which it was seen. */
  readonly #seen = new Map<string, { host: string | null; readonly titles: Set<string> }>();

  note(title: CaptionTitle, host: string): void {
    const last = title.segments.at(-1)!;
    if (title.segments.length < 2 || title.isCut || last.some(({ hasDigit }) => hasDigit)) return;
    const key = keyOf(last);
    const seen = this.#seen.get(key) ?? { host, titles: new Set() };
    this.#seen.set(key, seen);
    if (seen.host !== host) seen.host = null;
    seen.titles.add(keyOf(title.segments.slice(0, -1).flat()));
  }

  place(title: CaptionTitle, host: string, path: string): PlacedTitle {
    const site = mainLabel(host);
    const all = [...title.segments.keys()];
    const kept = all.filter((i) => !this.#isSiteName(title, i, host, site));
    const at = kept.length === 0 ? all : kept;
    const segments = at.map((i) => title.segments[i]!);
    const texts = at.map((i) => title.texts[i]!);
    return { words: segments.flat(), whole: title.segments.flat(), segments, texts, isCut: title.isCut, host, path };
  }

  #isSiteName({ segments, texts }: CaptionTitle, i: number, host: string, site: string): boolean {
    const segment = segments[i]!;
    if (segments.length === 1 || (i > 0 && i < segments.length - 1) || segment.length > SITE_WORDS_MAX) return false;
    const letters = lettersOf(texts[i]!);
    if (letters === site) return true;
    if (segment.some(({ hasDigit }) => hasDigit)) return false;
    if (ENCYCLOPEDIA.test(texts[i]!)) return true;
    if (site.length > 2 && letters.includes(site)) return true;
    if (letters.length > 3 && site.includes(letters)) return true;
    const seen = i === segments.length - 1 ? this.#seen.get(keyOf(segment)) : undefined;
    return seen !== undefined && seen.host === host && seen.titles.size > 1;
  }
}

export function relateTitles(a: PlacedTitle, b: PlacedTitle): TitleRelation {
  if (isEqual(a.words, b.words) || isEqual(a.whole, b.whole)) return 'same';
  if (isCutOf(a, b) || isCutOf(b, a)) return 'same';
  if (a.host !== b.host && (hasSegmentMore(a, b) || hasSegmentMore(b, a))) return 'likely';
  return isRewritten(a.words, b.words) ? 'rewritten' : 'other';
}

/** Whether a title is long enough to be of few pages. */
export function isTelling({ words }: PlacedTitle): boolean {
  return words.length > MAIN_WORDS_LEAST;
}

/** Whether a snippet has the words of a title from `at` on, as the first sentence of an encyclopedia has. */
export function beginsWithTitle({ words }: PlacedTitle, snippet: Words, at: number): boolean {
  return at >= 0 && words.every(({ id }, i) => snippet[at + i]?.id === id);
}

/** Letters of what stands behind the host of a URL, for {@link PlacedTitle}. */
export function pathLetters(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '');
  try {
    return lettersOf(decodeURIComponent(path));
  } catch {
    return lettersOf(path);
  }
}

function isCutOf(cut: PlacedTitle, whole: PlacedTitle): boolean {
  // half a word may stand before the cut
  const words = cut.words.slice(0, -1);
  return cut.isCut && words.length >= CUT_WORDS_LEAST && isPrefix(words, whole.whole);
}

/** Whether a title has a segment more than another one, in front or behind, that may name its site. */
function hasSegmentMore(short: PlacedTitle, long: PlacedTitle): boolean {
  if (short.isCut || long.isCut || long.segments.length < 2) return false;
  const isBehind = isPrefix(short.words, long.words);
  const at = isBehind ? long.segments.length - 1 : 0;
  const extra = long.segments[at]!;
  if (extra.length + short.words.length !== long.words.length) return false;
  if (!isBehind && !isPrefix(short.words, long.words.slice(extra.length))) return false;
  // the town of an offer is in its URL, too
  const letters = lettersOf(long.texts[at]!);
  return extra.length <= SITE_WORDS_MAX && extra.every(({ hasDigit }) => !hasDigit) && !long.path.includes(letters);
}

/** In several places: what is in common is not only a beginning and an end, as in a form that was filled in twice. */
function isRewritten(a: Words, b: Words): boolean {
  const idsOfB = new Set(b.map(({ id }) => id));
  const shared = a.filter(({ id }) => idsOfB.has(id)).length;
  return shared >= SHARED_WORDS_LEAST && shared > commonEnds(a, b);
}

/** Whether titles that are of other pages are filled into one form: of one site, or with a beginning or end in common. */
export function areOfOneForm(a: PlacedTitle, b: PlacedTitle): boolean {
  return relateTitles(a, b) === 'other' && (a.host === b.host || commonEnds(a.words, b.words) > 0);
}

function commonEnds(a: Words, b: Words): number {
  const begin = commonLength(a, b);
  return begin + commonLength(a.slice(begin).reverse(), b.slice(begin).reverse());
}

function commonLength(a: Words, b: Words): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length]!.id === b[length]!.id) length++;
  return length;
}

function isEqual(a: Words, b: Words): boolean {
  return a.length === b.length && isPrefix(a, b);
}

function isPrefix(a: Words, b: Words): boolean {
  return a.length <= b.length && a.every(({ id }, i) => id === b[i]!.id);
}

const keyOf = (words: readonly Word[]) => words.map(({ id }) => id).join(' ');

/** Letters and digits alone, without marks. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The label that somebody registered, without hyphens: portal of www.portal.co.uk. */
function mainLabel(host: string): string {
  const labels = host.split('.');
  labels.pop();
  if (labels.length > 1 && SECOND_LEVEL.has(labels.at(-1)!)) labels.pop();
  return lettersOf(labels.at(-1) ?? '');
}
