/*
 * When a document was seen, in whichever way a file writes it.
 *
 *   2026-01-02T03:04:05Z  2026-01-02 03:04:05.678+0100  2026-01-02  2026-01     ISO 8601; without a zone it is UTC
 *   20260102030405  20260102  2026                                              as archives of the web name captures
 *   1767323045  1767323045678  1767323045.678                                   s, ms, us or ns since 1970: by their size
 *   2026/01/02 03:04:05  2026.01.02                                             the same with other signs
 *   Fri, 02 Jan 2026 03:04:05 GMT  Friday, 02-Jan-26 03:04:05 GMT               HTTP, feeds and mail
 *   2 January 2026  January 2, 2026  Jan. 2, 2026, 3:04 PM                      pages; without a zone it is UTC
 *   Fri Jan  2 03:04:05 2026  Fri Jan 02 2026 03:04:05 GMT+0100 (CET)           C, date and JavaScript
 *   {"$date": …}                                                                exports of MongoDB
 *
 * 01/02/2026 is two days, and so none.
 */

const ISO =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?)?$/i;
const YEAR = /^[12]\d{3}$/;
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)Z?)?$/;
/** A day of the week, which says nothing. */
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i;
const TIME = String.raw`(\d\d?):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:\s?([ap])\.?m\.?)?`;
const ZONE = String.raw`(?:\s*((?:gmt|utc)?[+-]\d\d:?\d\d|[a-z]{1,4}))?`;
const CLOCK = `(?:,?\\s+(?:at\\s+)?${TIME}${ZONE})?`;
const DAY_FIRST = new RegExp(`^(\\d\\d?)(?:st|nd|rd|th)?[\\s-]([a-z]{3,9})\\.?,?[\\s-](\\d{4}|\\d\\d)${CLOCK}$`, 'i');
const MONTH_FIRST = new RegExp(`^([a-z]{3,9})\\.?\\s(\\d\\d?)(?:st|nd|rd|th)?,?\\s(\\d{4})${CLOCK}$`, 'i');
const YEAR_LAST = new RegExp(`^([a-z]{3})\\s(\\d\\d?)\\s${TIME}${ZONE}\\s(\\d{4})$`, 'i');
const NUMBER = /^\d{1,19}(?:\.\d{1,9})?$/;

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
/** Hours behind UTC, of RFC 822; other names are taken by no two readers alike. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

/** Seconds until the year 5138; as milliseconds they are in 1973. */
const SECONDS_MAX = 1e11;
/** No date is longer: the longest have a weekday, a zone and its name. */
const CHARACTERS_MAX = 100;
/** What `Date` holds. */
const MS_MAX = 8.64e15;
/** A year of two digits is of this century below this: RFC 9110 lets one be at most 50 years ahead. */
const SHORT_YEAR_TURN = 70;

/**
 * ms since 1970, a whole number; null for what is no time from 1970 on.
 *
 * @param value a text, a number, a bigint or a Date
 */
export function timeOf(value: unknown): number | null {
  const ms = msOf(value);
  return ms !== null && ms >= 0 && ms <= MS_MAX ? Math.floor(ms) : null;
}

function msOf(value: unknown): number | null {
  if (typeof value === 'string') return msOfText(value.trim());
  if (typeof value === 'number') return msOfNumber(value);
  if (typeof value === 'bigint') return msOfNumber(Number(value));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.getTime();
  if (typeof value === 'object' && value !== null && '$date' in value && typeof value.$date !== 'object') {
    return msOf(value.$date);
  }
  return null;
}

function msOfNumber(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null;
  if (Number.isInteger(value)) {
    const named = msOfCompact(String(value));
    if (named !== null) return named;
  }
  if (value < SECONDS_MAX) return value * 1000;
  let ms = value;
  while (ms >= SECONDS_MAX * 1000) ms /= 1000;
  return ms;
}

function msOfText(text: string): number | null {
  if (text.length > CHARACTERS_MAX) return null;
  const isDashed = text[4] !== '/' && text[4] !== '.';
  const iso = ISO.exec(isDashed ? text : text.replace(/^(\d{4})([./])(\d\d)\2/, '$1-$3-'));
  if (iso !== null) {
    const [, year, month, day = '1', hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = iso;
    return utc([year, month, day, hour, minute, second], Number(`0.${fraction}`) * 1000, zone);
  }
  const compact = msOfCompact(text);
  if (compact !== null) return compact;
  if (NUMBER.test(text)) return msOfNumber(Number(text));
  return msOfWords(text);
}

/** A date whose month has a name. */
function msOfWords(text: string): number | null {
  const bare = text
    .replace(/\s*\([^()]*\)$/, '')
    .replace(/\s+/g, ' ')
    .replace(WEEKDAY, '');
  const dayFirst = DAY_FIRST.exec(bare);
  if (dayFirst !== null) {
    const [, day, month, year, ...clock] = dayFirst;
    return msAt([longYear(year!), month, day], clock);
  }
  const monthFirst = MONTH_FIRST.exec(bare);
  if (monthFirst !== null) {
    const [, month, day, year, ...clock] = monthFirst;
    return msAt([year, month, day], clock);
  }
  const yearLast = YEAR_LAST.exec(bare);
  if (yearLast === null) return null;
  const [, month, day, hour, minute, second, half, zone, year] = yearLast;
  return msAt([year, month, day], [hour, minute, second, half, zone]);
}

/** @param clock hour, minute, second, `a` or `p`, and zone */
function msAt([year, month, day]: readonly (string | undefined)[], clock: readonly (string | undefined)[]) {
  const [hour = '0', minute = '0', second = '0', half, zone = 'GMT'] = clock;
  const isHalf = half !== undefined;
  if (isHalf && (Number(hour) < 1 || Number(hour) > 12)) return null;
  const hours = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  return utc([year, monthOf(month!), day, String(hours), minute, second], 0, zone.replace(/^(?:gmt|utc)(?=[+-])/i, ''));
}

function msOfCompact(text: string): number | null {
  if (YEAR.test(text)) return utc([text, '1', '1', '0', '0', '0'], 0, 'Z');
  const match = COMPACT.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match;
  return utc([year, month, day, hour, minute, second], 0, 'Z');
}

/** Its number, by its name or the beginning of it; 0: it is none. */
const monthOf = (name: string) => String(MONTHS.findIndex((month) => month.startsWith(name.toLowerCase())) + 1);

function longYear(year: string): string {
  if (year.length === 4) return year;
  return String(Number(year) + (Number(year) < SHORT_YEAR_TURN ? 2000 : 1900));
}

/** @param parts year, month, day, hour, minute and second; a leap second counts as the one after it */
function utc(parts: readonly (string | undefined)[], ms: number, zone: string): number | null {
  const [year, month, day, hour, minute, second] = parts.map(Number) as [number, number, number, ...number[]];
  const offset = offsetMs(zone);
  if (offset === null || hour! > 24 || minute! > 59 || second! > 60) return null;
  const date = Date.UTC(year, month - 1, day);
  const isThatDay = new Date(date).getUTCMonth() === month - 1 && day >= 1;
  return isThatDay ? date + ((hour! * 60 + minute!) * 60 + second!) * 1000 + ms - offset : null;
}

function offsetMs(zone: string): number | null {
  const match = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(zone);
  if (match === null) {
    const hours = ZONES[zone.toUpperCase()];
    return hours === undefined ? null : hours * 3_600_000;
  }
  const [, sign, hours, minutes = '0'] = match;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -ms : ms;
}
