/*
 * WARC-Date: 2016-01-11T23:24:25Z, in WARC/1.1 with up to nine digits of a second, or cut anywhere: 2016-01. Some writers of
 * WARC/0.18 have 20160111232425.
 */

const TIME = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;
const DIGITS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;

/** @returns ms since 1970; null for what is no time, or before 1970 */
export function warcTime(text: string): number | null {
  const parts = TIME.exec(text) ?? DIGITS.exec(text);
  if (parts === null) return null;
  const [, year, month = '1', day = '1', hours = '0', minutes = '0', seconds = '0', fraction, zoneName = ''] = parts;
  const ms = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
  const monthIndex = Number(month) - 1;
  const time = Date.UTC(Number(year), monthIndex, Number(day), Number(hours), Number(minutes), Number(seconds), ms);
  // the 31st of February is no day
  const isDay = new Date(time).getUTCMonth() === monthIndex;
  if (!isDay || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return null;
  const zone = /^([+-])(\d\d):?(\d\d)$/.exec(zoneName);
  const offsetMs = zone === null ? 0 : (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
  return time - offsetMs >= 0 ? time - offsetMs : null;
}

/** Where a time names no part of a second, its last millisecond: the record that it refers to may name one. */
export function endOfWarcTime(text: string): number | null {
  const time = warcTime(text);
  return time === null || text.includes('.') ? time : time + 999;
}
