import type { Buffer } from 'node:buffer';

/*
 * The head of a record, ISO 28500: a line that names the version, fields, an empty line. As it is written, and as it is found:
 *
 *   WARC/1.0 CRLF                        LF alone
 *   WARC-Type: response CRLF             names in any case, no space or more behind the colon
 *   WARC-Target-URI: http://… CRLF       <http://…>, as WARC/0.18 and some writers of 1.0 have it
 *   Content-Length: 1234 CRLF            a line that begins with a space goes on with the one before
 *   CRLF
 */

/** The largest heads have a few KB: a URL, and what a crawler says of it. */
export const HEAD_BYTES_MAX = 2 ** 16;

export interface RecordHead {
  /** Bytes up to the block. */
  readonly bytes: number;
  /** By lowercase names; of a name that comes twice the first. */
  readonly fields: ReadonlyMap<string, string>;
  /** Of the block. */
  readonly length: number;
}

const VERSION = /^WARC\/[01]\.\d{1,2}[\t ]*\r?\n/;
/** The first line, and the beginning of a field. */
const BEGINNING = /^WARC\/[01]\.\d{1,2}[\t ]*\r?\n[!#$%&'*+.^_`|~\w-]+[\t ]*:/;
const BEGINNING_BYTES = 128;
const MARK = 'WARC/';

/** Whether these bytes are the first of a record, null where that cannot be said of so few. */
export function beginsRecord(bytes: Buffer): boolean | null {
  if (BEGINNING.test(bytes.toString('latin1', 0, BEGINNING_BYTES))) return true;
  return bytes.length < BEGINNING_BYTES && MARK.startsWith(bytes.toString('latin1', 0, MARK.length)) ? null : false;
}

/**
 * Where the next record begins: after whatever, for damage may have taken the end of the line before.
 *
 * @param isAll whether no more bytes come
 * @returns `at` is where to go on looking where none is `found`: what comes before is of none
 */
export function nextRecord(
  bytes: Buffer,
  from: number,
  isAll: boolean,
): { readonly at: number; readonly found: boolean } {
  for (let at = bytes.indexOf(MARK, from, 'latin1'); at >= 0; at = bytes.indexOf(MARK, at + 1, 'latin1')) {
    const begins = beginsRecord(bytes.subarray(at));
    if (begins === true) return { at, found: true };
    if (begins === null && !isAll) return { at, found: false };
  }
  return { at: isAll ? bytes.length : Math.max(from, bytes.length - MARK.length + 1), found: false };
}

/** Bytes of the head with its empty line, null where that is not there. */
export function headEnd(bytes: Buffer): number | null {
  const head = bytes.subarray(0, HEAD_BYTES_MAX);
  const crlf = head.indexOf('\r\n\r\n', 0, 'latin1');
  // a head with bare LFs, or an empty line of them inside one with CRLF
  const lf = (crlf < 0 ? head : head.subarray(0, crlf)).indexOf('\n\n', 0, 'latin1');
  if (lf >= 0) return lf + 2;
  return crlf < 0 ? null : crlf + 4;
}

/** All fields of a head in their order, by lowercase names; some may come more than once. */
export function allFields(head: Buffer): [name: string, value: string][] {
  return fieldsIn(head.toString('utf8'));
}

function fieldsIn(text: string): [string, string][] {
  const lines = text.replace(/\r?\n[\t ]+/g, ' ').split(/\r?\n/);
  const fields: [string, string][] = [];
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return fields;
}

/** @returns what is wrong with it, where something is */
export function parseHead(bytes: Buffer): RecordHead | string {
  const text = bytes.toString('utf8', 0, bytes.length);
  if (!VERSION.test(text)) return 'no record begins there';
  const fields = new Map<string, string>();
  for (const [name, value] of fieldsIn(text)) if (!fields.has(name)) fields.set(name, value);
  const length = fields.get('content-length');
  if (length === undefined) return 'the record has no Content-Length';
  if (!/^\d{1,15}$/.test(length)) return 'the Content-Length of the record is no number';
  return { bytes: bytes.length, fields, length: Number(length) };
}
