import { ShingledError } from '../errors.ts';
import { isFeatures, readFeatures } from '../features/feature-list.ts';
import type { FileKind } from '../features/file-types.ts';
import { type DecodedText, decodeText } from './charset/decode.ts';
import { type DocumentKind, mediaTypeOf } from './charset/media-type.ts';
import { type PageContent, pageContent } from './html/html-scanner.ts';
import type { ExtractLimits } from './limits.ts';

/** A document as it came in. */
export interface RawDocument {
  readonly bytes: Uint8Array;
  /** The Content-Type as sent, or null: then the bytes say what they are. */
  readonly contentType: string | null;
}

/** Its text is valid UTF-8; it may be a view of the document's own bytes. */
export interface ExtractedText extends PageContent {
  /** The charset used, by its WHATWG name in lower case. */
  readonly charset: string;
  /** As what it was read. */
  readonly kind: DocumentKind | FileKind | 'features';
  /** Of features: what they are, as they were sent; their text is empty. */
  readonly features?: readonly string[];
}

/** What a text says of itself, beside its words: nothing. */
const UNTOLD = { title: null, language: null, main: null };

/**
 * The text of a page or a plain text, with what else a page says of itself; or features. For parts of a page see select.ts,
 * for other files extract-file.ts.
 *
 * @param mayGuess whether the charset may be guessed in this thread (charset/guess.ts)
 * @throws `body-too-large`, `unsupported-media-type` or `unsupported-charset`; GuessNeeded; of features as `readFeatures`
 */
export function extract(document: RawDocument, limits: ExtractLimits, mayGuess = true): ExtractedText {
  if (isFeatures(document.contentType)) {
    checkDocumentBytes(document.bytes, limits);
    return {
      ...UNTOLD,
      text: new Uint8Array(0),
      charset: 'utf-8',
      kind: 'features',
      features: readFeatures(document.bytes),
    };
  }
  const { kind, utf8, charset } = decodeDocument(document, limits, mayGuess);
  const content = kind === 'plain' ? { ...UNTOLD, text: utf8 } : pageContent(utf8, kind === 'xhtml');
  checkTextLength(content.text.length, limits);
  return { ...content, charset, kind };
}

/** The first half of the way, which parts of a page go as well: size, media type, charset. */
export function decodeDocument(
  document: RawDocument,
  limits: ExtractLimits,
  mayGuess = true,
): DecodedText & { kind: DocumentKind } {
  const { bytes, contentType } = document;
  checkDocumentBytes(bytes, limits);
  const { kind, charsetLabel } = mediaTypeOf(contentType, bytes);
  return { kind, ...decodeText(bytes, kind, charsetLabel, mayGuess) };
}

export function checkDocumentBytes(bytes: Uint8Array, { documentBytesMax }: ExtractLimits): void {
  if (bytes.length <= documentBytesMax) return;
  throw tooLarge(`The document has ${bytes.length} bytes`, 'documentBytesMax', documentBytesMax);
}

/** @param bytes of a text as UTF-8 */
export function checkTextLength(bytes: number, { textBytesMax }: ExtractLimits): void {
  if (bytes <= textBytesMax) return;
  throw tooLarge(`The text of the document has ${bytes} bytes as UTF-8`, 'textBytesMax', textBytesMax);
}

function tooLarge(what: string, name: string, value: number): ShingledError {
  return new ShingledError('body-too-large', `${what}, more than ${value}`, { limit: { name, value } });
}
