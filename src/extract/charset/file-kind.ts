import { Buffer } from 'node:buffer';
import { declaredType } from './declared-type.ts';
import { isZip, zippedDocumentOf } from './zip-kind.ts';

/*
 * Documents that are files of their own making rather than HTML or text: read apart, each by its own reader. Known by their
 * bytes, whatever the type says, or by the type:
 *
 *   pdf    "%PDF-"                                         application/pdf, application/x-pdf
 *   rtf    "{\rtf"                                         application/rtf, text/rtf, application/x-rtf
 *   docx, odt, epub   a ZIP archive with their parts       their own types
 *   mail   where no type is told: headers, MIME-Version    message/rfc822, multipart/related, application/x-mimearchive
 *          and Content-Type: multipart/… among them
 *
 * What was sent as a text is none of them (features/sent-text.ts).
 */

export type FileKind = 'pdf' | 'docx' | 'odt' | 'epub' | 'rtf' | 'mail';

/** As what a file is read. */
export const FILE_TYPES = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  odt: 'application/vnd.oasis.opendocument.text',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  mail: 'message/rfc822',
} as const satisfies Record<FileKind, string>;

const BY_TYPE = new Map<string, FileKind>([
  ...Object.entries(FILE_TYPES).map(([kind, type]) => [type, kind as FileKind] as const),
  ['application/x-pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.template', 'docx'],
  ['application/vnd.ms-word.document.macroenabled.12', 'docx'],
  ['application/vnd.ms-word.template.macroenabled.12', 'docx'],
  ['application/vnd.oasis.opendocument.text-template', 'odt'],
  ['text/rtf', 'rtf'],
  ['application/x-rtf', 'rtf'],
  ['multipart/related', 'mail'],
  ['application/x-mimearchive', 'mail'],
]);

/** Types that say nothing of a document. */
export const GENERIC_TYPES: ReadonlySet<string> = new Set([
  ...['application/octet-stream', 'binary/octet-stream', 'unknown/unknown', 'application/unknown'],
]);

const PDF_START = Buffer.from('%PDF-');
const RTF_START = Buffer.from('{\\rtf');
const startsWith = (bytes: Uint8Array, start: Uint8Array) => start.every((byte, index) => bytes[index] === byte);

/**
 * As which file a document is to be read; null: as HTML or text, or not at all. Never throws. Of a text it looks at the first
 * byte alone, unless nobody says its type.
 */
export function fileKindOf(contentType: string | null, bytes: Uint8Array): FileKind | null {
  const { isSentAsText, essence } = declaredType(contentType);
  if (isSentAsText) return null;
  const byBytes = kindOfBytes(bytes);
  if (byBytes !== null) return byBytes;
  if (essence === null || GENERIC_TYPES.has(essence)) return isMail(bytes) ? 'mail' : null;
  return BY_TYPE.get(essence) ?? null;
}

function kindOfBytes(bytes: Uint8Array): FileKind | null {
  switch (bytes[0]) {
    case PDF_START[0]:
      return startsWith(bytes, PDF_START) ? 'pdf' : null;
    case RTF_START[0]:
      return startsWith(bytes, RTF_START) ? 'rtf' : null;
    default:
      return isZip(bytes) ? (zippedDocumentOf(bytes)?.read ?? null) : null;
  }
}

/** Headers of a mail reach so far at most; what says that it is one stands before that. */
const MAIL_HEAD_BYTES = 16 * 1024;
const HEADERS = /^(?:From [^\r\n]*\r?\n)?(?:[!-9;-~]+:[^\r\n]*\r?\n(?:[\t ][^\r\n]*\r?\n)*)+/;
const MIME_VERSION = /^mime-version:[\t ]*1\.0/im;
const MULTIPART = /^content-type:\s*multipart\//im;

/** Whether bytes begin with the headers of a mail or of a saved page that has parts. */
function isMail(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  // the name of a header
  if (first <= 0x20 || first >= 0x7f || first === 0x3c) return false;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAIL_HEAD_BYTES)).toString('latin1');
  const headers = HEADERS.exec(head)?.[0] ?? '';
  return MIME_VERSION.test(headers) && MULTIPART.test(headers);
}
