/*
 * When a document was seen, in whichever way a file writes it.
 *
 *   2026-01-02T03:04:05Z  2026-01-02 03:04:05.678+0100  2026-01-02  2026-01     ISO 8601; without a zone it is UTC
 *   20260102030405  20260102                                                    as archives of the web name captures
 *   1767323045  1767323045678  1767323045.678                                   s, ms, us or ns since 1970: by their size
 *   Fri, 02 Jan 2026 03:04:05 GMT  Friday, 02-Jan-26 03:04:05 GMT               HTTP, feeds and mail
 *   {"$date": …}                                                                exports of MongoDB
 */

const ISO =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?)?$/i;
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)Z?)?$/;
const NAMED =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})[\s-]([a-z]{3})[a-z]*[\s-](\d{2}|\d{4})\s+(\d\d):(\d\d)(?::(\d\d))?\s*([a-z]{1,4}|[+-]\d{4})?$/i;
const ASCTIME = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+(\d\d):(\d\d):(\d\d)\s+(\d{4})$/i;
const NUMBER = /^\d{1,19}(?:\.\d{1,9})?$/;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Hours behind UTC, of RFC 822; other names are taken by no two readers alike. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

/** Seconds until the year 5138; as milliseconds they are in 1973. */
const SECONDS_MAX = 1e11;
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
  const iso = ISO.exec(text);
  if (iso !== null) {
    const [, year, month, day = '1', hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = iso;
    return utc([year, month, day, hour, minute, second], Number(`0.${fraction}`) * 1000, zone);
  }
  const compact = msOfCompact(text);
  if (compact !== null) return compact;
  if (NUMBER.test(text)) return msOfNumber(Number(text));
  const named = NAMED.exec(text);
  if (named !== null) {
    const [, day, month, year, hour, minute, second = '0', zone = 'GMT'] = named;
    return utc([longYear(year!), monthOf(month!), day, hour, minute, second], 0, zone);
  }
  const asctime = ASCTIME.exec(text);
  if (asctime === null) return null;
  const [, month, day, hour, minute, second, year] = asctime;
  return utc([year, monthOf(month!), day, hour, minute, second], 0, 'GMT');
}

function msOfCompact(text: string): number | null {
  const match = COMPACT.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match;
  return utc([year, month, day, hour, minute, second], 0, 'Z');
}

const monthOf = (name: string) => String(MONTHS.indexOf(name.toLowerCase()) + 1);

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
