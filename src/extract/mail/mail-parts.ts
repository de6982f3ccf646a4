import { Buffer } from 'node:buffer';
import PostalMime, { decodeWords } from 'postal-mime';

/** A mail, or a part of one: its headers are read, its body is as it came. */
export interface MailPart {
  /** `type/subtype` in small letters. */
  readonly essence: string;
  /** Of a multipart: its kind in small letters. */
  readonly multipart: string | null;
  readonly boundary: string;
  /** Of multipart/related: the Content-ID of its root, or empty. */
  readonly start: string;
  readonly charset: string | null;
  /** A transfer encoding that is to be undone, or empty. */
  readonly encoding: 'base64' | 'quoted-printable' | '';
  readonly contentId: string;
  readonly isAttachment: boolean;
  readonly subject: string;
  readonly body: Buffer;
}

/** Headers beyond are none: a mail is not read for them. */
const HEAD_BYTES_MAX = 256 * 1024;
const BLANK_LINE = /\r?\n\r?\n/g;
const ENCODINGS = ['base64', 'quoted-printable'] as const;

/**
 * Reads the headers of a part.
 *
 * @param bytes its headers, a blank line, its body
 * @param contentType for one without headers
 */
export async function partOf(bytes: Buffer, contentType: string | null): Promise<MailPart> {
  const { head, body } = cutHead(bytes);
  const { headers, subject = '' } = await PostalMime.parse(Buffer.concat([head, Buffer.from('\r\n\r\n')]));
  const header = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  const type = header('content-type') || contentType || 'text/plain';
  const essence = /^\s*([^\s;]+)/.exec(type)?.[1]?.toLowerCase() ?? '';
  const transfer = header('content-transfer-encoding').trim().toLowerCase();
  const start = parameterOf(type, 'start');
  return {
    essence,
    multipart: essence.startsWith('multipart/') ? essence.slice('multipart/'.length) : null,
    boundary: parameterOf(type, 'boundary'),
    start,
    charset: parameterOf(type, 'charset') || null,
    encoding: ENCODINGS.find((encoding) => encoding === transfer) ?? '',
    contentId: header('content-id').trim(),
    isAttachment: /^\s*attachment/i.test(header('content-disposition')),
    subject: decodeWords(subject),
    body,
  };
}

function cutHead(bytes: Buffer): { readonly head: Buffer; readonly body: Buffer } {
  // a part without headers begins with its blank line
  const lineEnd = /^\r?\n/.exec(bytes.toString('latin1', 0, 2));
  if (lineEnd !== null) return { head: Buffer.alloc(0), body: bytes.subarray(lineEnd[0].length) };
  BLANK_LINE.lastIndex = 0;
  const blank = BLANK_LINE.exec(bytes.toString('latin1', 0, HEAD_BYTES_MAX));
  if (blank === null) return { head: bytes.subarray(0, HEAD_BYTES_MAX), body: Buffer.alloc(0) };
  return { head: bytes.subarray(0, blank.index), body: bytes.subarray(BLANK_LINE.lastIndex) };
}

function parameterOf(value: string, name: string): string {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]*))`, 'i').exec(value);
  return match?.[1] ?? match?.[2] ?? '';
}

/**
 * The parts of a multipart, each with its headers, between the lines that are its boundary. One that is not closed ends with
 * the bytes.
 */
export function* partsOf({ body, boundary }: MailPart, partsMax: number): Generator<Buffer> {
  if (boundary === '') return;
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  let start = -1;
  let parts = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== LF) continue;
    const lineEnd = body.indexOf(LF, at);
    const rest = body.toString('latin1', at + delimiter.length, lineEnd < 0 ? body.length : lineEnd).trim();
    if (rest !== '' && rest !== '--') continue;
    if (start >= 0) {
      yield body.subarray(start, beforeLineEnd(body, at));
      if (++parts >= partsMax) return;
    }
    if (rest === '--' || lineEnd < 0) return;
    start = lineEnd + 1;
  }
  if (start >= 0) yield body.subarray(start);
}

const LF = 0x0a;
const CR = 0x0d;

/** The line end before a boundary belongs to it. */
function beforeLineEnd(body: Buffer, at: number): number {
  if (body[at - 1] !== LF) return at;
  return body[at - 2] === CR ? at - 2 : at - 1;
}
