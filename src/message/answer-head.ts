import type { Buffer } from 'node:buffer';

/*
 * The head of a server's answer, read as browsers read it, which show the page in spite of its faults.
 *
 *   ┌ up to 4 stray bytes, empty lines
 *   │  HTTP/1.1 200 OK                  any version, in any case; ICY; no reason; no space behind the status
 *   │  Content-Type: text/html;         CRLF, or LF alone
 *   │   charset=utf-8                   a line that begins with a space goes on with the one before it
 *   │  X Name (1) : x                   names of any characters, spaces before the colon
 *   │  nonsense                         lines without a colon say nothing
 *   └                                   an empty line
 */

export interface AnswerHead {
  readonly status: number;
  /** By their names in lower case. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The values of a field, in their order. @param name in lower case */
  header(name: string): readonly string[];
}

/** Bytes of a head: Chromium takes as many. Servers allow 8 to 64 KiB; pages with policies and cookies have 20. */
export const HEAD_BYTES_MAX = 2 ** 18;
const STATUS_LINE = /^[\s\S]{0,4}?(?:HTTP\/\d{1,3}(?:\.\d{1,3})?|ICY)[\t ]+(\d{3})(?!\d)/i;
const BEGINNING = /^[\s\S]{0,4}?(?:HTTP\/|ICY )/i;
const BEGINNING_BYTES = 9;
/** Line ends before the head, and other bytes. */
const STRAY_BYTES_MAX = 4;
/** No server sends that many fields; more are not looked at. */
const FIELDS_MAX = 10_000;

/** Whether these first bytes may be those of a head; true also of so few that this cannot be said. */
export function mayBeginHead(bytes: Buffer): boolean {
  return bytes.length < BEGINNING_BYTES || BEGINNING.test(bytes.toString('latin1', 0, BEGINNING_BYTES));
}

/**
 * Bytes of a head with its empty line.
 *
 * @param from where to begin to look: what is before has no end of a line with another behind it
 * @returns null where the empty line is not among the bytes
 */
export function headEnd(bytes: Buffer, from = 0): number | null {
  let firstLine = 0;
  while (firstLine < STRAY_BYTES_MAX && (bytes[firstLine] === 0x0a || bytes[firstLine] === 0x0d)) firstLine++;
  for (let lf = bytes.indexOf(0x0a, Math.max(from, firstLine)); lf >= 0; lf = bytes.indexOf(0x0a, lf + 1)) {
    if (bytes[lf + 1] === 0x0a) return lf + 2;
    if (bytes[lf + 1] === 0x0d && bytes[lf + 2] === 0x0a) return lf + 3;
  }
  return null;
}

/** @param text of the head, a character a byte. @returns null where no answer begins so */
export function parseAnswerHead(text: string): AnswerHead | null {
  const status = STATUS_LINE.exec(text);
  if (status === null) return null;
  const rest = text.slice(status[0].length);
  const isFolded = rest.includes('\n ') || rest.includes('\n\t');
  const lines = (isFolded ? rest.replace(/\r?\n[\t ]+/g, ' ') : rest).split('\n', FIELDS_MAX);
  const fields = new Map<string, string[]>();
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    // the CR that it may have at its end is none of the value, which is trimmed
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = fields.get(name);
    if (before === undefined) fields.set(name, [value]);
    else before.push(value);
  }
  return { status: Number(status[1]), fields, header: (name) => fields.get(name) ?? [] };
}

/** Whether the body comes in chunks. */
export const isChunked = ({ header }: Pick<AnswerHead, 'header'>) =>
  header('transfer-encoding').some((codings) => /(?:^|[\s,])chunked(?:$|[\s,;])/i.test(codings));
