import { Buffer } from 'node:buffer';

/*
 * A document that is sent as a text: the `text` or the `html` of JSON, of a line, of a record. Its sender has said what it is,
 * so its first bytes are not asked: a text that begins with "%PDF-" or "{\rtf" is about such files, and is none.
 *
 * The parameter `sent` of its type says so, since a document goes with its type everywhere. A caller who sends the parameter
 * says the same.
 */

export const SENT_TEXT = 'text/plain; charset=utf-8; sent=text';
export const SENT_HTML = 'text/html; charset=utf-8; sent=text';

/** @param text well-formed */
export function textBody(text: string) {
  return { bytes: Buffer.from(text), contentType: SENT_TEXT };
}

/** @param html well-formed */
export function htmlBody(html: string) {
  return { bytes: Buffer.from(html), contentType: SENT_HTML };
}
