import { Buffer } from 'node:buffer';
import { ShingledError } from '../../errors.ts';
import { FEATURES_JSON, featuresBody } from '../../features/feature-list.ts';
import { htmlBody, textBody } from '../../features/sent-text.ts';
import { checkJsonBounds } from '../../json/json.ts';
import type { DocumentBody } from '../../service/api.ts';
import { type FieldNames, type Fields, firstOf, HTML_NAMES, type Path, pathOf, TEXT_NAMES } from './field-names.ts';
import { fieldsShown, shown } from './shown.ts';

/*
 * What a record says: its text, its HTML or its features. Text comes before HTML where a record has both and nobody says
 * which: it is what its maker took from the page. A field that nobody named may hold either, and is looked at.
 *
 * Features are a list of strings; in a file whose cells are texts, such a list as JSON: ["red","size 42"].
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

export function bodyReader({ text, html, features }: FieldNames): BodyReader {
  const isTold = text !== undefined || html !== undefined || features !== undefined;
  const texts = (isTold ? [text] : TEXT_NAMES).filter((name) => name !== undefined).map(pathOf);
  const pages = (isTold ? [html] : HTML_NAMES).filter((name) => name !== undefined).map(pathOf);
  const sets = features === undefined ? [] : [pathOf(features)];
  const paths = [...texts, ...pages, ...sets];
  const missing = isTold
    ? `${paths.map(({ name }) => name).join(' and ')} ${paths.length === 1 ? 'is' : 'are'} missing or empty.`
    : 'No field is known to hold its text or HTML, or it is empty.';
  const advice = isTold ? '' : ': name one with --text-field or --html-field';
  return {
    paths,
    of: (record) => {
      const found = firstOf(paths, record);
      if (found === null) return { refused: 'no-text', detail: `${missing} ${fieldsShown(record)}${advice}.` };
      const { path, value } = found;
      if (sets.includes(path)) return featuresOf(value, path.name);
      const kind = pages.includes(path) ? 'html' : isTold ? 'plain' : 'either';
      return bodyOf(value, kind) ?? { refused: 'bad-field', detail: `${path.name} is no text: it is ${shown(value)}.` };
    },
  };
}

/** A list of strings, or a text that is one as JSON. */
function featuresOf(value: unknown, name: string): DocumentBody | NoBody {
  const list = typeof value === 'string' ? listIn(value) : value;
  if (!Array.isArray(list) || !list.every((feature) => typeof feature === 'string')) {
    return { refused: 'bad-field', detail: `${name} is no list of strings: it is ${shown(value)}.` };
  }
  try {
    return featuresBody(list, name);
  } catch (error) {
    if (!(error instanceof ShingledError)) throw error;
    return { refused: 'bad-field', detail: `${name}: ${error.message}` };
  }
}

function listIn(json: string): unknown {
  try {
    checkJsonBounds(Buffer.from(json), FEATURES_JSON);
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function bodyOf(value: unknown, kind: Kind): DocumentBody | null {
  if (value instanceof Uint8Array) {
    const isPage =
      kind === 'html' || (kind === 'either' && PAGE.test(Buffer.from(value.subarray(0, 200)).toString('latin1')));
    return { bytes: value, contentType: `text/${isPage ? 'html' : 'plain'}` };
  }
  const isParagraphs = Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
  const joined: unknown = isParagraphs ? value.join('\n\n') : value;
  if (typeof joined !== 'string') return null;
  // half a surrogate pair is U+FFFD, as where bytes are decoded
  const text = joined.toWellFormed();
  const isPage = kind === 'html' || (kind === 'either' && PAGE.test(text));
  return isPage ? htmlBody(text) : textBody(text);
}
