import { type Buffer, isUtf8 } from 'node:buffer';
import { urlOfBytes } from '../../message/url-bytes.ts';

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

/** How the records of an archive begin and end. */
export interface RecordForm {
  /** Whether these bytes are the first of a record, null where that cannot be said of so few. */
  begins(bytes: Buffer): boolean | null;
  /** Where the next one may begin, from a place on. Where none does: where to go on looking. `isAll`: no more bytes come. */
  nextMark(bytes: Buffer, from: number, isAll: boolean): { readonly at: number; readonly isMark: boolean };
  /** Bytes of the head, null where its end is not there. */
  headEnd(bytes: Buffer): number | null;
  /** @returns what is wrong with it, where something is */
  parse(head: Buffer): RecordHead | string;
  /** How many line ends behind a block show that the record has ended, whatever follows. */
  readonly lineEnds: 1 | 2;
  /** Whether the record is only the title of the file: where its length is wrong, nothing is lost. */
  isTitle(head: RecordHead): boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const VERSION = /^WARC\/[01]\.\d{1,2}[\t ]*\r?\n/;
/** The first line, and the beginning of a field. */
const BEGINNING = /^WARC\/[01]\.\d{1,2}[\t ]*\r?\n[!#$%&'*+.^_`|~\w-]+[\t ]*:/;
const BEGINNING_BYTES = 128;
const MARK = 'WARC/';

export const WARC_FORM: RecordForm = {
  begins(bytes) {
    if (BEGINNING.test(bytes.toString('latin1', 0, BEGINNING_BYTES))) return true;
    const isCut = bytes.length < BEGINNING_BYTES && MARK.startsWith(bytes.toString('latin1', 0, MARK.length));
    return isCut ? null : false;
  },
  nextMark(bytes, from, isAll) {
    const at = bytes.indexOf(MARK, from, 'latin1');
    if (at >= 0) return { at, isMark: true };
    return { at: isAll ? bytes.length : Math.max(from, bytes.length - MARK.length + 1), isMark: false };
  },
  headEnd(bytes) {
    const head = bytes.subarray(0, HEAD_BYTES_MAX);
    for (let lf = head.indexOf(LF); lf >= 0; lf = head.indexOf(LF, lf + 1)) {
      if (head[lf + 1] === LF) return lf + 2;
      if (head[lf + 1] === CR && head[lf + 2] === LF && head[lf - 1] === CR) return lf + 3;
    }
    return null;
  },
  parse(bytes) {
    const lines = linesOf(bytes);
    if (!VERSION.test(`${lines[0]}\n`)) return 'no record begins there';
    const fields = new Map<string, string>();
    eachField(lines, (name, value) => {
      if (!fields.has(name)) fields.set(name, value);
    });
    const length = fields.get('content-length');
    if (length === undefined) return 'the record has no Content-Length';
    if (!/^\d{1,15}$/.test(length)) return 'the Content-Length of the record is no number';
    return { bytes: bytes.length, fields, length: Number(length) };
  },
  lineEnds: 2,
  isTitle: () => false,
};

/**
 * Where the next record begins: after whatever, for damage may have taken the end of the line before.
 *
 * @param isAll whether no more bytes come
 * @returns `at` is where to go on looking where none is `found`: what comes before is of none
 */
export function nextRecord(
  form: RecordForm,
  bytes: Buffer,
  from: number,
  isAll: boolean,
): { readonly at: number; readonly found: boolean } {
  for (let at = from; ; at++) {
    const mark = form.nextMark(bytes, at, isAll);
    at = mark.at;
    if (!mark.isMark) return { at, found: false };
    const begins = form.begins(bytes.subarray(at));
    if (begins === true) return { at, found: true };
    if (begins === null && !isAll) return { at, found: false };
  }
}

/** All fields of a head in their order, by lowercase names; some may come more than once. */
export function allFields(head: Buffer): [name: string, value: string][] {
  const fields: [string, string][] = [];
  eachField(linesOf(head), (name, value) => fields.push([name, value]));
  return fields;
}

/** Lines with those that go on with them. What is not UTF-8 is percent-encoded, as in a URL. */
function linesOf(head: Buffer): string[] {
  const isText = isUtf8(head);
  const text = head.toString(isText ? 'utf8' : 'latin1');
  const isFolded = text.includes('\n ') || text.includes('\n\t');
  const lines = (isFolded ? text.replace(/\r?\n[\t ]+/g, ' ') : text).split('\n');
  return isText ? lines : lines.map(urlOfBytes);
}

/** The CR that a line may have at its end is none of its value, which is trimmed. */
function eachField(lines: readonly string[], take: (name: string, value: string) => void): void {
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    const colon = line.indexOf(':');
    if (colon > 0) take(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}

/** The URL of a record, null where it has none. */
export function targetOf({ fields }: RecordHead): string | null {
  const target = fields.get('warc-target-uri');
  return target === undefined || target === '' ? null : urlOfField(target);
}

/** Some writers have a URL in brackets. */
export const urlOfField = (value: string) => (value.startsWith('<') ? value.replace(/^<(.*)>$/, '$1') : value);
