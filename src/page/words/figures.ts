/* Numbers, sizes and times as the page writes them. */

/** An estimated share, or one that is exact. */
export interface Share {
  readonly estimate?: number;
  readonly exact?: number;
  readonly low?: number;
  readonly high?: number;
}

/** A share as three numbers from 0 to 1. */
export interface Interval {
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

/** An exact share is an interval of no width. */
export function intervalOf(share: Share): Interval {
  const at = share.exact ?? share.estimate ?? 0;
  return { at, low: share.low ?? at, high: share.high ?? at };
}

/**
 * A share in percent, without decimals; `<1 %` and `>99 %` where it is neither nothing nor all.
 *
 * @param share 0 to 1
 */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '<1 %';
  if (share < 1 && share >= 0.995) return '>99 %';
  return `${Math.round(share * 100)} %`;
}

/**
 * Two shares in percent, with as many decimals, up to three, as it takes to tell them apart.
 *
 * @returns `36 %` and `80 %`, or `79.96 %` and `80.00 %`
 */
export function unlike(one: number, other: number): [string, string] {
  for (let digits = 0; ; digits++) {
    const [a, b] = [one, other].map((share) => `${(share * 100).toFixed(digits)} %`) as [string, string];
    if (a !== b || digits === 3) return [a, b];
  }
}

/** `64 %`, or `64 % (60 to 68 %)` where the interval shows in whole percents. */
export function percentWithin({ at, low, high }: Interval): string {
  const [from, to] = [percent(low), percent(high)];
  return from === to ? percent(at) : `${percent(at)} (${from.replace(' %', '')} to ${to})`;
}

/** `1,234,567` */
export function count(value: number): string {
  return String(Math.trunc(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 word`, `1,234 words` */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

interface Size {
  readonly kind?: 'features';
  readonly tokens: number;
  readonly shingles: number;
}

/** How much there is of a document: `178 words`, `42 features`. */
export function sizeOf({ kind, tokens, shingles }: Size): string {
  return kind === 'features' ? counted(shingles, 'feature') : counted(tokens, 'word');
}

interface MainText {
  readonly main: 'read' | 'whole' | 'not-read';
  readonly mainShingles: number | null;
  readonly shingles: number;
}

/** What of a document is its main text, as a sentence. */
export function mainTextOf({ main, mainShingles, shingles }: MainText): string {
  if (main === 'whole') return 'All of it counts as its main text.';
  if (main === 'not-read' || mainShingles === null)
    return 'What of it is its main text is not known: it was not put since that is read.';
  return `Its main text is ${percent(mainShingles / shingles)} of it: ${count(mainShingles)} of ${counted(shingles, 'shingle')}.`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `512 bytes`, `1.5 MiB`; one decimal below ten. */
export function bytes(value: number): string {
  let rest = value;
  let unit = 0;
  while (rest >= 1023.5 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  const digits = unit > 0 && rest < 9.95 ? 1 : 0;
  return `${rest.toFixed(digits)} ${UNITS[unit]}`;
}

/** `2026-01-31`, of a time as the API writes it. */
export function day(time: string): string {
  return time.slice(0, 10);
}

/** `2026-01-31 12:05` (UTC), of a time as the API writes it. */
export function minute(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}`;
}

/** `2026-01-01`, or `2026-01-01 to 2026-02-03`. */
export function days(first: string, last: string): string {
  return day(first) === day(last) ? day(first) : `${day(first)} to ${day(last)}`;
}

/** `45 s`, `12 min`, `3 h`, `8 days`: the largest unit of which there are two. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${count(Math.round(seconds / 86_400))} days`;
}
