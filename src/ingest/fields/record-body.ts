import { Buffer } from 'node:buffer';
import type { DocumentBody } from '../../service/api.ts';
import { type FieldNames, type Fields, firstOf, HTML_NAMES, type Path, pathOf, TEXT_NAMES } from './field-names.ts';
import { shown } from './shown.ts';

/*
 * What a record says: its text or its HTML. Text comes before HTML where a record has both and nobody says which: it is
 * what its maker took from the page. A field that nobody named may hold either, and is looked at.
 */

/** As a page begins. */
const PAGE = /^\s{0,100}<(?:!doctype\s+html|html[\s>])/i;

export interface BodyReader {
  readonly paths: readonly Path[];
  readonly of: (record: Fields) => DocumentBody | NoBody;
}

interface NoBody {
  readonly refused: 'no-text' | 'bad-field';
  readonly detail: string;
}

type Kind = 'plain' | 'html' | 'either';

export function bodyReader({ text, html }: FieldNames): BodyReader {
  const isTold = text !== undefined || html !== undefined;
  const texts = (isTold ? [text] : TEXT_NAMES).filter((name) => name !== undefined).map(pathOf);
  const pages = (isTold ? [html] : HTML_NAMES).filter((name) => name !== undefined).map(pathOf);
  const paths = [...texts, ...pages];
  const missing = isTold
    ? `${paths.map(({ name }) => name).join(' and ')} ${paths.length === 1 ? 'is' : 'are'} missing or empty.`
    : 'No field is known to hold its text or HTML, or it is empty: name one.';
  return {
    paths,
    of: (record) => {
      const found = firstOf(paths, record);
      if (found === null) return { refused: 'no-text', detail: missing };
      const { path, value } = found;
      const kind = pages.includes(path) ? 'html' : isTold ? 'plain' : 'either';
      return bodyOf(value, kind) ?? { refused: 'bad-field', detail: `${path.name} is no text: it is ${shown(value)}.` };
    },
  };
}

function bodyOf(value: unknown, kind: Kind): DocumentBody | null {
  if (value instanceof Uint8Array) {
    const isPage =
      kind === 'html' || (kind === 'either' && PAGE.test(Buffer.from(value.subarray(0, 200)).toString('latin1')));
    return { bytes: value, contentType: `text/${isPage ? 'html' : 'plain'}` };
  }
  const isParagraphs = Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
  const text: unknown = isParagraphs ? value.join('\n\n') : value;
  if (typeof text !== 'string' || !text.isWellFormed()) return null;
  const isPage = kind === 'html' || (kind === 'either' && PAGE.test(text));
  return { bytes: Buffer.from(text), contentType: isPage ? HTML : PLAIN };
}

const HTML = 'text/html; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
