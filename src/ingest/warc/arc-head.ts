import type { Buffer } from 'node:buffer';
import { urlOfBytes } from '../../message/url-bytes.ts';
import { HEAD_BYTES_MAX, type RecordForm, type RecordHead } from './record-head.ts';

/*
 * ARC, in which the Internet Archive wrote until 2008 and Common Crawl until 2012. The head of a record is a line, and its
 * block is the answer of a server with its head:
 *
 *   filedesc://name.arc 0.0.0.0 20080430204825 text/plain 77            version 1; its block says so, and is no document
 *   http://a.example/ 192.0.2.1 20080430204826 text/html 680            URL, address, time, type, bytes of the block
 *   http://a.example/ 192.0.2.1 20080430204826 text/html 200 … 680      version 2 has more fields before the last one
 *
 * A URL may have spaces in it. Records have one line end between them, or more, or none; of packed files each is a member.
 */

/** Of WARC, whose fields other files know: what a record of ARC would be there. */
const TYPE = 'warc-type';
const TITLE = 'filedesc';
/** A URL, an address, digits, …, digits. */
const LINE = /^(\S.*?) (\S+) (\d{4,17}) (?:(\S+) )?(?:.* )?(\d{1,15})[\t ]*\r?\n?$/;
const BEGINNING = /^[a-z][a-z\d+.-]{1,30}:/i;
const BEGINNING_BYTES = 32;
/** A line ends as it must; else the long way through it is not gone. */
const END = / \d{1,15}[\t ]*\r?\n?$/;
const END_BYTES = 64;
/** Of a time to the second. */
const SECOND_DIGITS = 14;
/** The longest URLs have some KB; behind damage many lines are looked at. */
const LINE_BYTES_MAX = 2 ** 14;

export const ARC_FORM: RecordForm = {
  begins(bytes) {
    const first = bytes.toString('latin1', 0, BEGINNING_BYTES);
    if (!BEGINNING.test(first)) return first.length < BEGINNING_BYTES && /^[a-z\d+.-]*$/i.test(first) ? null : false;
    const lf = bytes.subarray(0, LINE_BYTES_MAX).indexOf(0x0a);
    if (lf < 0) return bytes.length < LINE_BYTES_MAX ? null : false;
    return lineIn(bytes.subarray(0, lf)) !== null;
  },
  nextMark(bytes, from, isAll) {
    if (from === 0) return { at: 0, isMark: bytes.length > 0 };
    const lf = bytes.indexOf(0x0a, from - 1);
    if (lf >= 0 && lf + 1 < bytes.length) return { at: lf + 1, isMark: true };
    return { at: isAll ? bytes.length : Math.max(from, bytes.length - 1), isMark: false };
  },
  headEnd(bytes) {
    const lf = bytes.subarray(0, HEAD_BYTES_MAX).indexOf(0x0a);
    return lf < 0 ? null : lf + 1;
  },
  parse(bytes) {
    const line = lineIn(bytes);
    if (line === null) return 'no record begins there';
    const [, url, , time, type, length] = line;
    return { bytes: bytes.length, fields: fieldsOf(url!, time!, type ?? ''), length: Number(length) };
  },
  lineEnds: 1,
  // many writers count its bytes wrongly
  isTitle: ({ fields }) => fields.get(TYPE) === TITLE,
};

function lineIn(bytes: Buffer): RegExpExecArray | null {
  const line = bytes.toString('latin1');
  return END.test(line.slice(-END_BYTES)) ? LINE.exec(line) : null;
}

function fieldsOf(url: string, time: string, type: string): RecordHead['fields'] {
  const target: [string, string] = ['warc-target-uri', urlOfBytes(url)];
  const date: [string, string] = ['warc-date', dateOf(time)];
  if (/^filedesc:/i.test(url)) return new Map([[TYPE, TITLE], target, date]);
  if (/^https?:/i.test(url)) return new Map([[TYPE, 'response'], target, date]);
  return new Map([[TYPE, 'resource'], target, date, ['content-type', type]]);
}

/** 20080430204826, which is a WARC-Date too, or fewer digits: what is missing is the first of its kind. */
function dateOf(digits: string): string {
  if (digits.length === SECOND_DIGITS) return digits;
  const [year, ...parts] = /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?/.exec(digits)!.slice(1);
  const [month = '01', day = '01', hour = '00', minute = '00', second = '00'] = parts;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}
