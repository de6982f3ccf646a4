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
  const [year, month, day, hours, minutes, seconds] = [1, 2, 3, 4, 5, 6].map((i) =>
    Number(parts[i] ?? (i === 2 || i === 3 ? 1 : 0)),
  );
  const ms = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000);
  const time = Date.UTC(year!, month! - 1, day, hours, minutes, seconds, ms);
  // the 31st of February is no day
  const date = new Date(time);
  if (date.getUTCMonth() !== month! - 1 || hours! > 23 || minutes! > 59 || seconds! > 60) return null;
  const zone = /^([+-])(\d\d):?(\d\d)$/.exec(parts[8] ?? '');
  const offsetMs = zone === null ? 0 : (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
  return time - offsetMs >= 0 ? time - offsetMs : null;
}

/** Where a time names no part of a second, its last millisecond: the record that it refers to may name one. */
export function endOfWarcTime(text: string): number | null {
  const time = warcTime(text);
  return time === null || text.includes('.') ? time : time + 999;
}
