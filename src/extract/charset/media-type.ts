import { Buffer } from 'node:buffer';
import { ShingledError } from '../../errors.ts';
import { FEATURES_TYPE } from '../../features/feature-list.ts';
import { FILE_NAMES } from '../../features/file-types.ts';
import { type DeclaredType, declaredType } from './declared-type.ts';
import { binaryKind, byteOrderMark, HEAD_BYTES } from './signatures.ts';
import { isZip, zippedDocumentOf } from './zip-kind.ts';

/*
 * What a document is, from its Content-Type and its first bytes.
 *
 *   text/html                                            html
 *   application/xhtml+xml                                xhtml: <a/> closes itself, CDATA is text
 *   text/xml, application/xml, …+xml                     xhtml where <html is among the first bytes, else refused
 *   text/richtext, text/json and its kin                 refused
 *   any other text/…                                     plain, as RFC 2046 §4.1.4 reads unknown kinds of text
 *   none, malformed, application/octet-stream and kin    by its first bytes: html, xhtml or plain
 *   PDF, office documents, books, RTF, mail              files of other kinds, read elsewhere: file-kind.ts
 *   application/vnd.shingled.features+json               features, read elsewhere: features/feature-list.ts
 *   anything else                                        refused
 *
 * A header is never believed against bytes that are evidently no text, unless the document was sent as a text. Sniffing follows
 * the WHATWG MIME Sniffing Standard (text/plain stays plain, however much it looks like HTML) with more elements. For no
 * security boundary is at stake here, but whether a page sent without a type is read as one.
 */

export type DocumentKind = 'html' | 'xhtml' | 'plain';

export interface MediaType {
  readonly kind: DocumentKind;
  /** The charset parameter of the Content-Type as sent, null where there is none. */
  readonly charsetLabel: string | null;
}

const REFUSED_TEXT = new Set(['text/richtext']);
const UNDERSTOOD = `text/html, application/xhtml+xml, text/plain, ${FEATURES_TYPE} and files as ${FILE_NAMES} are understood`;

const PAGE_ELEMENTS =
  'html head body title meta link base script style noscript iframe template main article section aside header footer nav div p a b i em strong span br hr h1 h2 h3 h4 h5 h6 ul ol li dl table tr td pre blockquote form center font img svg';
const PAGE_START = new RegExp(
  `^[\\t\\n\\f\\r ]*<(?:!doctype[\\s]+html|!--|(?:${PAGE_ELEMENTS.replaceAll(' ', '|')})(?=[\\s/>]))`,
  'i',
);
const XML_START = /^[\t\n\f\r ]*<\?xml[\s?]/i;
const HTML_ELEMENT = /<html[\s>]/i;

/**
 * The kind of a document that file-kind.ts does not claim.
 *
 * @param contentType the Content-Type header as sent, or null.
 * @throws `unsupported-media-type`, which says what the header or the bytes name.
 */
export function mediaTypeOf(contentType: string | null, bytes: Uint8Array): MediaType {
  const { kind, charsetLabel } = lookAt(contentType, bytes);
  if (typeof kind === 'object') {
    throw new ShingledError('unsupported-media-type', `${kind.refusedFor}; ${UNDERSTOOD}`);
  }
  return { kind, charsetLabel };
}

/** Whether a document that file-kind.ts does not claim is read as plain text; false for what is refused. Never throws. */
export function isPlainText(contentType: string | null, bytes: Uint8Array): boolean {
  return lookAt(contentType, bytes).kind === 'plain';
}

/** Why a document is not read: what its header or its bytes say that it is. */
interface Refusal {
  readonly refusedFor: string;
}

function lookAt(contentType: string | null, bytes: Uint8Array) {
  const declared = declaredType(contentType);
  const { essence, charsetLabel, sixteenBits, isSentAsText } = declared;
  if (isSentAsText) return { kind: essence === 'text/html' ? ('html' as const) : ('plain' as const), charsetLabel };
  const head = headOf(bytes);
  const binary = head.marked ? null : binaryKind(head.text, () => sixteenBits || PAGE_START.test(head.text));
  const kind =
    binary === null ? kindOf(declared, head.text) : { refusedFor: `The bytes look like ${named(binary, bytes)}` };
  return { kind, charsetLabel };
}

/** What a ZIP archive is, where that can be told. */
function named(binary: string, bytes: Uint8Array): string {
  const document = isZip(bytes) ? zippedDocumentOf(bytes) : null;
  return document?.read === null ? document.name : binary;
}

function kindOf({ essence, isGeneric }: DeclaredType, head: string): DocumentKind | Refusal {
  if (essence === null || isGeneric) return sniff(head);
  if (essence === 'text/html') return 'html';
  if (essence === 'application/xhtml+xml') return 'xhtml';
  if (/^(?:text|application)\/xml$|\+xml$/.test(essence)) {
    if (HTML_ELEMENT.test(head)) return 'xhtml';
    return { refusedFor: `${essence} is not understood` };
  }
  if (essence.startsWith('text/') && !REFUSED_TEXT.has(essence) && !essence.includes('json')) return 'plain';
  return { refusedFor: `${essence} is not understood` };
}

function sniff(head: string): DocumentKind | Refusal {
  if (PAGE_START.test(head)) return 'html';
  if (!XML_START.test(head)) return 'plain';
  if (HTML_ELEMENT.test(head)) return 'xhtml';
  return { refusedFor: 'The bytes look like an XML document' };
}

/** The first bytes as text, one character a byte unless a byte order mark says otherwise. */
function headOf(bytes: Uint8Array): { text: string; marked: boolean } {
  const mark = byteOrderMark(bytes);
  const head = bytes.subarray(mark?.bytes ?? 0, HEAD_BYTES);
  const text =
    mark === null || mark.charset === 'utf-8'
      ? Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')
      : new TextDecoder(mark.charset).decode(head);
  return { text, marked: mark !== null };
}
