import { Buffer } from 'node:buffer';
import type { FileKind } from '../../features/file-types.ts';
import { declaredType } from './declared-type.ts';
import { isZip, zippedDocumentOf } from './zip-kind.ts';

/*
 * Which documents are files of a kind of their own, each read by its own reader. Known by their bytes, whatever the type says:
 *
 *   pdf               "%PDF-"
 *   rtf               "{\rtf"
 *   docx, odt, epub   a ZIP archive with the parts of one
 *   mail              if no type is given: headers, MIME-Version and Content-Type: multipart/... among them
 *
 * else by their types (features/file-types.ts). What was sent as a text is none of them (features/sent-text.ts).
 */

const PDF_START = Buffer.from('%PDF-');
const RTF_START = Buffer.from('{\\rtf');
const startsWith = (bytes: Uint8Array, start: Uint8Array) => start.every((byte, index) => bytes[index] === byte);

/**
 * As which file a document is to be read; null: as HTML or text, or not at all. Never throws. Of a text it looks at the first
 * byte alone, unless nobody says its type.
 */
export function fileKindOf(contentType: string | null, bytes: Uint8Array): FileKind | null {
  const { isSentAsText, isGeneric, fileKind } = declaredType(contentType);
  if (isSentAsText) return null;
  const byBytes = kindOfBytes(bytes);
  if (byBytes !== null) return byBytes;
  if (isGeneric) return isMail(bytes) ? 'mail' : null;
  return fileKind;
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
