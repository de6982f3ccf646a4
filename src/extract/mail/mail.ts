import { Buffer } from 'node:buffer';
import PostalMime from 'postal-mime';
import { ShingledError } from '../../errors.ts';
import { decodeText } from '../charset/decode.ts';
import { pageContent } from '../html/html-scanner.ts';
import type { FileText } from '../office/file-text.ts';
import { checkTime, GrowingText, type Reading, unreadable } from '../reading.ts';
import { shownTitle } from '../title.ts';
import { type MailPart, partOf, partsOf } from './mail-parts.ts';

/*
 * The text of a mail (.eml), or of a page that was saved with its pictures (.mhtml), which is a mail to the format.
 *
 *   multipart/related       its root, the page; what the page is made of is none
 *   multipart/alternative   the HTML, else the plain text
 *   other multiparts        their parts that are HTML or plain text and no attachments, one after the other
 *   message/rfc822          none: a message in a message is an attachment
 *   title                   the subject, else that of the page
 *   language                that of the first page
 *
 * Each part is read as a page or a text of its type is, by its own charset.
 */

const FILE = 'The mail';

/** Parts in one another: mail programs come to five. */
const DEPTH_MAX = 20;
/** Parts of one mail that are read. */
const PARTS_MAX = 1_000;

interface Found {
  readonly reading: Reading;
  readonly text: GrowingText;
  title: string | null;
  language: string | null;
  parts: number;
}

/** @param contentType of the whole, for the parts of one that has no headers itself */
export async function readMail(bytes: Uint8Array, contentType: string | null, reading: Reading): Promise<FileText> {
  const found: Found = { reading, text: new GrowingText(reading.limits), title: null, language: null, parts: 0 };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isBare = buffer.toString('latin1', 0, 1024).trimStart().startsWith('--');
  const whole = isBare ? { ...(await partOf(Buffer.alloc(0), contentType)), body: buffer } : await partOf(buffer, null);
  if (!(await addPart(whole, 0, found))) throw unreadable(FILE, 'has no part that is HTML or plain text');
  const { title: ofPage, language } = found;
  return { text: found.text.finish(), title: shownTitle(whole.subject) ?? ofPage, language };
}

/** Whether there was something to read. */
async function addPart(part: MailPart, depth: number, found: Found): Promise<boolean> {
  checkTime(found.reading);
  if (depth > DEPTH_MAX)
    throw tooComplex(`parts more than ${DEPTH_MAX} deep in one another`, 'partsDeepMax', DEPTH_MAX);
  if (++found.parts > PARTS_MAX) throw tooComplex(`more than ${PARTS_MAX} parts`, 'partsMax', PARTS_MAX);
  if (part.multipart === null) return addLeaf(part, found);
  const parts: MailPart[] = [];
  for (const piece of partsOf(part, PARTS_MAX)) {
    checkTime(found.reading);
    parts.push(await partOf(piece, null));
  }
  if (part.multipart === 'related') {
    const root = parts.find(({ contentId }) => contentId !== '' && contentId === part.start) ?? parts[0];
    return root !== undefined && addPart(root, depth + 1, found);
  }
  if (part.multipart === 'alternative') return addBest(parts, depth, found);
  let isAny = false;
  for (const inner of parts) if (await addPart(inner, depth + 1, found)) isAny = true;
  return isAny;
}

/** Of alternatives HTML first, then others that hold it, then plain text. */
async function addBest(parts: readonly MailPart[], depth: number, found: Found): Promise<boolean> {
  const rank = ({ essence, multipart }: MailPart) => (essence === 'text/html' ? 0 : multipart !== null ? 1 : 2);
  for (const part of parts.toSorted((a, b) => rank(a) - rank(b))) {
    if (await addPart(part, depth + 1, found)) return true;
  }
  return false;
}

async function addLeaf(part: MailPart, found: Found): Promise<boolean> {
  const { essence, isAttachment, charset } = part;
  const kind = KINDS.get(essence);
  if (kind === undefined || isAttachment) return false;
  const { utf8 } = decodeText(await decodedBody(part), kind, charset);
  if (kind === 'plain') found.text.addUtf8(utf8);
  else {
    const { text, title, language } = pageContent(utf8, kind === 'xhtml');
    found.text.addUtf8(text);
    found.title ??= title;
    found.language ??= language;
  }
  return true;
}

const KINDS: ReadonlyMap<string, 'html' | 'xhtml' | 'plain'> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
  ['text/plain', 'plain'],
]);

/** The body of a part without its transfer encoding. */
async function decodedBody({ encoding, body }: MailPart): Promise<Uint8Array> {
  if (encoding === '') return body;
  // as an attachment it is decoded, and left as it is
  const head = `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  const { attachments } = await PostalMime.parse(Buffer.concat([Buffer.from(head), body]));
  return new Uint8Array((attachments[0]?.content as ArrayBuffer | undefined) ?? new ArrayBuffer(0));
}

function tooComplex(what: string, name: string, value: number): ShingledError {
  return new ShingledError('document-too-complex', `${FILE} has ${what}`, { limit: { name, value } });
}
