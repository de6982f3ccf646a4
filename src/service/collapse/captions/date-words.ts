import { canonicalTextOf } from '../../../core/text/tokens.ts';

/*
 * Whether words are a date, or say how long ago something was: "3 Mar 2024", "vor 2 Tagen", "3天前". The words are those that
 * Intl writes dates with.
 */

const LOCALES = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'sv',
  'cs',
  'tr',
  'uk',
  'ru',
  'el',
  'ar',
  'fa',
  'he',
  'hi',
];
const PAIRED_LOCALES = ['zh', 'zh-TW', 'ja', 'ko', 'th', 'vi', 'id'];
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
/** Each has another plural in some language: Arabic and Russian have most. */
const COUNTS = [1, 2, 3, 5, 11, 100];
const NUMBER = /^\p{Nd}+$/u;

let words: ReadonlySet<string> | null = null;

/** @param date words of the canonical form, of which one is a number */
export function isDate(date: readonly string[]): boolean {
  words ??= dateWords();
  return date.length > 0 && date.every((word) => NUMBER.test(word) || words!.has(word));
}

function dateWords(): Set<string> {
  const texts: string[] = [];
  for (const locale of [...LOCALES, ...PAIRED_LOCALES]) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { year: 'numeric', month, day: 'numeric', timeZone: 'UTC' });
      for (let at = 0; at < 12; at++) texts.push(format.format(Date.UTC(2023, at, 5)));
    }
    for (const style of ['long', 'short'] as const) {
      const ago = new Intl.RelativeTimeFormat(locale, { style });
      for (const unit of UNITS) for (const count of COUNTS) texts.push(ago.format(-count, unit));
    }
  }
  const canonical = Buffer.from(canonicalTextOf(Buffer.from(texts.join('\n')))).toString();
  return new Set(canonical.split(' ').filter((word) => word !== '' && !NUMBER.test(word)));
}
