import { didYouMean } from '../plain-words/near-name.ts';
import { type Given, UsageError } from './command.ts';
import type { OptionName } from './command-options.ts';

/* What options say, as values. A text that is none is refused: by the option, what was given, and what is possible. */

/** A share that an option gives, above 0 and at most 1; null where it was not given. @throws UsageError */
export function shareOf(given: Given, name: OptionName): number | null {
  const text = given.text(name);
  return text === null ? null : shareIn(text, name, 'a share above 0 and at most 1, such as 0.9');
}

/** Shares with commas between them; none where the option was not given. @throws UsageError */
export function sharesOf(given: Given, name: OptionName): number[] {
  const texts = given.text(name)?.split(',') ?? [];
  return texts.map((text) => shareIn(text.trim(), name, 'shares above 0 and at most 1, such as 0.8 or 0.5,0.8'));
}

function shareIn(text: string, name: OptionName, wanted: string): number {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (share > 0 && share <= 1) return share;
  throw new UsageError(`${notTaken(name, wanted, text)}.${meantShare(text)}`);
}

/** Shares are also written as 80 %, 80, or with a comma. */
function meantShare(text: string): string {
  const [, digits] = /^(\d*[.,]?\d+) ?%?$/.exec(text) ?? [];
  const written = Number((digits ?? '').replace(',', '.'));
  const share = written > 1 ? written / (written < 10 && !text.endsWith('%') ? 10 : 100) : written;
  return share > 0 && share <= 1 ? ` Did you mean ${share}?` : '';
}

/** A whole number that an option gives. @param otherwise where it was not given. @throws UsageError */
export function numberOf(
  given: Given,
  name: OptionName,
  { otherwise, max }: { otherwise: number; max: number },
): number {
  const text = given.text(name);
  if (text === null) return otherwise;
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(notTaken(name, `a whole number from 1 to ${max.toLocaleString('en')}`, text));
}

const UNITS = { M: 2 ** 20, G: 2 ** 30 } as const;

/** Bytes that an option gives, as 512M or 2G; undefined where it was not given. @throws UsageError */
export function bytesOf(given: Given, name: OptionName): number | undefined {
  const text = given.text(name);
  if (text === null) return;
  const [, size, unit] = /^(\d{1,6}(?:\.\d{1,3})?)([MG])$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(size) * UNITS[unit?.toUpperCase() as keyof typeof UNITS]);
  if (bytes > 0) return bytes;
  const [, number, letter] = /^(\d+(?:\.\d+)?) ?([MG])i?B?$/i.exec(text) ?? [];
  const meant = Number(number) > 0 ? ` Did you mean ${number}${letter!.toUpperCase()}?` : '';
  throw new UsageError(`${notTaken(name, 'a size, such as 512M or 2G', text)}.${meant}`);
}

/**
 * One of a few words.
 *
 * @param otherwise where the option was not given
 * @param others what else may be said, for the message
 * @throws UsageError
 */
export function choiceOf<const V extends string>(
  given: Given,
  name: OptionName,
  values: readonly V[],
  otherwise: NoInfer<V>,
  others: readonly string[] = [],
): V {
  const text = given.text(name) ?? otherwise;
  const value = values.find((one) => one === text);
  if (value !== undefined) return value;
  throw new UsageError(`${notTaken(name, alternatives([...values, ...others]), text)}.${didYouMean(text, values)}`);
}

/**
 * One character that an option gives: a sign of ASCII, or `tab`; undefined if the option was not given.
 *
 * @param canBeNone whether `none` may be said, which is null
 * @throws UsageError
 */
export function characterOf(given: Given, name: OptionName, canBeNone: true): string | null | undefined;
export function characterOf(given: Given, name: OptionName): string | undefined;
export function characterOf(given: Given, name: OptionName, canBeNone = false): string | null | undefined {
  const text = given.text(name);
  if (text === null) return undefined;
  if (canBeNone && text === 'none') return null;
  const sign = text === 'tab' || text === '\\t' ? '\t' : text;
  if (sign.length === 1 && sign < '\x7f' && !/[a-z\d\r\n]/i.test(sign)) return sign;
  const wanted = `one character of ASCII that is no letter, digit or line end, or "tab"${canBeNone ? ', or "none"' : ''}`;
  throw new UsageError(`${notTaken(name, wanted, text)}.`);
}

/** A day, or a time, in ms since 1970; undefined where the option was not given. @throws UsageError */
export function timeOf(given: Given, name: OptionName): number | undefined {
  const text = given.text(name);
  if (text === null) return undefined;
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  // the 30th of February is no day, and not the 2nd of March
  const isDay = ms >= 0 && new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
  if (isDay) return ms;
  const wanted = 'a day or a time from 1970 on, such as 2026-01-02 or 2026-01-02T03:04:05Z';
  throw new UsageError(notTaken(name, wanted, text));
}

/** A key and its value. @throws UsageError */
export function pairOf(text: string, name: OptionName): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(notTaken(name, 'a key and its value, such as crawl=spring', text));
}

/** The beginning of a refusal. */
const notTaken = (name: OptionName, wanted: string, text: string) => `--${name} takes ${wanted}: not "${text}"`;

/** `a, b or c`. */
function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
