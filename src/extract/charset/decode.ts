import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { Parser } from 'htmlparser2';
import { ShingledError } from '../../errors.ts';
import type { DocumentKind } from './media-type.ts';
import { byteOrderMark } from './signatures.ts';

/*
 * Bytes of any charset -> UTF-8. The first of these that names a charset decides:
 *
 *   1  the byte order mark
 *   2  the charset of the Content-Type
 *   3  (pages) <meta charset>, <meta http-equiv=content-type>, the XML declaration, in the first 1,024 bytes
 *   4  UTF-8, where the bytes are valid UTF-8, a cut last character aside
 *   5  (pages) the same as 3 in the first 16 KiB
 *   6  windows-1252
 *
 * A label that nobody knows is passed over, as in browsers, but not up to 6: a caller who named a charset is told rather
 * than guessed for. Charsets of 7 bits that cannot be decoded (UTF-7 and those that the WHATWG replaces) are always
 * refused, since their bytes would pass for ASCII words.
 *
 * Valid UTF-8 is not copied: what comes back is then a view of what came in.
 */

export interface DecodedText {
  /** Valid UTF-8 without a byte order mark; bytes that meant nothing in the charset are U+FFFD. */
  readonly utf8: Uint8Array;
  /** The charset used, by its WHATWG name in lower case. */
  readonly charset: string;
}

type Decoder = InstanceType<typeof TextDecoder>;

/** How far into a page its own declaration of a charset is looked for (WHATWG HTML, "prescan a byte stream"). */
const PRESCAN_BYTES = 1_024;

/** How far where nothing else is known: browsers that meet a late declaration start over ("changing the encoding"). */
const LATE_PRESCAN_BYTES = 16_384;

const IN_CONTENT = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))/i;
const XML_ENCODING = /^<\?xml[\t\n\f\r ][^>]*?encoding[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)')/;

const UNDECODABLE = /^(?:x-)?(?:unicode-1-1-)?(?:cs)?utf-?7|^(?:cs)?iso-?2022(?!-?jp$)|^hz-gb-2312$|^replacement$/;

/**
 * The text of a document as UTF-8.
 *
 * @param charsetLabel what the Content-Type says, or null.
 * @throws `unsupported-charset`, which names the label.
 */
export function decodeText(bytes: Uint8Array, kind: DocumentKind, charsetLabel: string | null): DecodedText {
  const mark = byteOrderMark(bytes);
  if (mark !== null) return decodeAs(new TextDecoder(mark.charset), bytes.subarray(mark.bytes));
  const fromHeader = decoderOf(charsetLabel);
  if (fromHeader !== null) return decodeAs(fromHeader, bytes);
  const fromPage = declaredDecoder(bytes, kind, PRESCAN_BYTES);
  if (fromPage !== null) return decodeAs(fromPage, bytes);
  if (isUtf8(bytes) || isCutUtf8(bytes)) return decodeAs(new TextDecoder(), bytes);
  const declaredLate = declaredDecoder(bytes, kind, LATE_PRESCAN_BYTES);
  if (declaredLate !== null) return decodeAs(declaredLate, bytes);
  if (charsetLabel !== null) throw unsupported(charsetLabel);
  return decodeAs(new TextDecoder('windows-1252'), bytes);
}

/** The decoder of the first known charset that a page declares among its first bytes; null where it declares none. */
function declaredDecoder(bytes: Uint8Array, kind: DocumentKind, bytesRead: number): Decoder | null {
  if (kind === 'plain') return null;
  for (const label of declaredCharsets(bytes, kind === 'xhtml', bytesRead)) {
    const decoder = decoderOf(label);
    if (decoder !== null) return decoder;
  }
  return null;
}

/**
 * The labels by which a page names its own charset, in the order in which they are to be tried.
 *
 * A page that was read as bytes cannot be UTF-16, whatever it says: such a label means UTF-8, and x-user-defined means
 * windows-1252, as in browsers. Unlike theirs, this prescan does not look into scripts, styles and titles.
 *
 * @param xhtml the XML declaration comes first, else <meta> does.
 * @param bytesRead how far to look.
 */
function declaredCharsets(bytes: Uint8Array, xhtml: boolean, bytesRead: number): string[] {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, bytesRead)).toString('latin1');
  const xml = XML_ENCODING.exec(head);
  const inXml = xml === null ? [] : [xml[1] ?? xml[2] ?? ''];
  const labels = xhtml ? [...inXml, ...metaCharsets(head)] : [...metaCharsets(head), ...inXml];
  return labels.map(asReadByBytes);
}

function metaCharsets(head: string): string[] {
  const lastMention = head.toLowerCase().lastIndexOf('charset');
  if (lastMention < 0) return [];
  const labels: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name !== 'meta') return;
      const charset = attributes['charset'] ?? charsetInContent(attributes);
      if (charset !== null) labels.push(charset);
    },
  });
  // nothing behind the tag that mentions a charset last can name one
  parser.end(head.slice(0, head.indexOf('>', lastMention) + 1 || head.length));
  return labels;
}

function charsetInContent(attributes: Record<string, string>): string | null {
  if (attributes['http-equiv']?.toLowerCase() !== 'content-type') return null;
  const match = IN_CONTENT.exec(attributes['content'] ?? '');
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

function asReadByBytes(label: string): string {
  const name = label.trim().toLowerCase();
  if (/^(?:utf-?16|ucs-2|unicode$|unicodefeff|unicodefffe|csunicode|iso-10646-ucs-2)/.test(name)) return 'utf-8';
  return name === 'x-user-defined' ? 'windows-1252' : name;
}

/** The decoder that a label names; null where it names none. */
function decoderOf(label: string | null): Decoder | null {
  if (label === null) return null;
  const known = decoders.get(label);
  if (known !== undefined) return known;
  if (UNDECODABLE.test(label.trim().toLowerCase())) throw unsupported(label);
  try {
    const decoder = new TextDecoder(label);
    if (decoders.size < DECODERS_MAX) decoders.set(label, decoder);
    return decoder;
  } catch {
    return null;
  }
}

/** By the labels that came: to make one costs as much as to read a page of text. A decoder keeps nothing of what it decoded. */
const decoders = new Map<string, Decoder>();
const DECODERS_MAX = 64;

function decodeAs(decoder: Decoder, bytes: Uint8Array): DecodedText {
  const charset = decoder.encoding;
  const isItsOwnUtf8 = charset === 'utf-8' ? isUtf8(bytes) : extendsAscii(charset) && isAscii(bytes);
  return { utf8: isItsOwnUtf8 ? bytes : Buffer.from(decoder.decode(bytes)), charset };
}

function extendsAscii(charset: string): boolean {
  return charset !== 'utf-16le' && charset !== 'utf-16be' && charset !== 'iso-2022-jp';
}

/** Whether these are UTF-8 bytes, some of them beyond ASCII, that end in the middle of a character. */
function isCutUtf8(bytes: Uint8Array): boolean {
  for (let tail = 1; tail <= 3 && tail < bytes.length; tail++) {
    const byte = bytes[bytes.length - tail]!;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) {
      const whole = bytes.subarray(0, bytes.length - tail);
      return !isAscii(whole) && isUtf8(whole);
    }
  }
  return false;
}

/** The label is the client's or the page's own: it is cut, and only printable ASCII of it is repeated. */
function unsupported(label: string): ShingledError {
  const shown = label.slice(0, 40).replace(/[^ -~]/g, '?');
  return new ShingledError('unsupported-charset', `The charset "${shown}" is not known`);
}
