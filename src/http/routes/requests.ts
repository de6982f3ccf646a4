import { IsDateTime } from 'typebox/format';
import { ShingledError } from '../../errors.ts';
import { featuresBody } from '../../features/feature-list.ts';
import { htmlBody, textBody } from '../../features/sent-text.ts';
import { type JsonLimits, parseJson } from '../../json/json.ts';
import type {
  BulkOperation,
  CompareRequest,
  DocumentBody,
  DocumentReference,
  MatchOptions,
  PutRequest,
  Thresholds,
  Unless,
  VersionWish,
} from '../../service/api.ts';
import { DEFAULT_MATCH_OPTIONS } from '../../service/limits.ts';
import { type DocumentReferenceJson, MetaObject, orNull } from '../schemas/common.schema.ts';
import { COMPARE_THRESHOLDS, type CompareRequestJson } from '../schemas/compare.schema.ts';
import { type BulkLineJson, NO_THRESHOLDS, type UnlessJson } from '../schemas/documents.schema.ts';
import type { SimilarQueryValues, SimilarRequestJson } from '../schemas/similar.schema.ts';
import { compileCheck } from '../validation/validation.ts';
import { below, came } from '../validation/wishes.ts';

/* From validated JSON and query strings to what the service takes. Every default of an option is said here, once. */

/** @throws ShingledError `invalid-request` or `invalid-utf8`, naming the field below `field` */
export function referenceFrom(json: DocumentReferenceJson, field: string): DocumentReference {
  const body = bodyFrom(json, field);
  if (body === null && json.url === undefined) {
    throw new ShingledError(
      'invalid-request',
      `${field} has none of url, text, html, features and bytes: give it one.`,
      {
        field,
      },
    );
  }
  const { url = null, select = null, remove = null, at } = json;
  return { url, body, select, remove, at: versionFrom(at, below(field, 'at')), field: below(field, '') };
}

interface BodyFields {
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly bytes?: string | undefined;
  readonly contentType?: string | undefined;
}

/** The body in `text`, `html`, `features` or `bytes`, null where there is none of them. */
export function bodyFrom(json: BodyFields, field: string): DocumentBody | null {
  const { text, html, features, bytes, contentType } = json;
  const [, second] = (['text', 'html', 'features', 'bytes'] as const).filter((name) => json[name] !== undefined);
  if (second !== undefined) {
    throw new ShingledError('invalid-request', 'A document has one of text, html, features and bytes.', {
      field: below(field, second),
    });
  }
  if (bytes !== undefined) return { bytes: bytesFrom(bytes, field), contentType: contentType ?? null };
  if (contentType !== undefined) {
    throw new ShingledError('invalid-request', 'contentType says what bytes are, and goes with them only.', {
      field: below(field, 'contentType'),
    });
  }
  if (features !== undefined) return featuresBody(features, below(field, 'features'));
  const [name, body] = text !== undefined ? (['text', text] as const) : (['html', html] as const);
  if (body === undefined) return null;
  if (!body.isWellFormed()) {
    throw new ShingledError('invalid-utf8', 'The text has half a surrogate pair in it.', { field: below(field, name) });
  }
  return name === 'text' ? textBody(body) : htmlBody(body);
}

/** What base64 stands for; with the letters of URLs, too. */
function bytesFrom(base64: string, field: string): Uint8Array {
  const bytes = Buffer.from(base64, 'base64');
  // what is no letter of base64 was passed over
  const letters = base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
  if (bytes.length === Math.floor((letters * 3) / 4) && letters % 4 !== 1) return bytes;
  throw new ShingledError('invalid-request', 'The bytes are not base64, without white space.', {
    field: below(field, 'bytes'),
  });
}

/** What JSON asks for, alone or in a line. */
export function questionFrom({ document, ...options }: SimilarRequestJson) {
  return { reference: referenceFrom(document, 'document'), options: matchOptionsFrom(options) };
}

/** What JSON asks of two documents. @throws ShingledError `invalid-request` or `invalid-utf8` */
export function comparisonFrom({ a, b, thresholds, ...options }: CompareRequestJson): CompareRequest {
  return {
    ...{ a: referenceFrom(a, 'a'), b: referenceFrom(b, 'b'), thresholds: { ...COMPARE_THRESHOLDS, ...thresholds } },
    ...{ passages: false, fetch: 'auto', deadlineMs: null },
    ...options,
  };
}

type OptionsJson = Omit<SimilarRequestJson, 'document'>;

function matchOptionsFrom(json: OptionsJson): MatchOptions {
  const { thresholds, exclude, hosts = null, urlPrefix = null, meta = null, seenAfter, ...same } = json;
  return {
    ...DEFAULT_MATCH_OPTIONS,
    ...same,
    thresholds: { ...DEFAULT_MATCH_OPTIONS.thresholds, ...thresholds },
    exclude: { ...DEFAULT_MATCH_OPTIONS.exclude, ...exclude },
    only: { hosts, urlPrefix, meta, seenAfter: timeFrom(seenAfter ?? undefined, 'seenAfter') },
  };
}

type ThresholdsInQuery = { readonly [direction in keyof Thresholds]: number | 'off' | undefined };
type QueryOptions = Omit<SimilarQueryValues, 'url' | 'at'>;

/** Options of the query string in the shape of JSON. */
function optionsOfQuery(query: QueryOptions, limits: JsonLimits): OptionsJson {
  const { resemblance, queryInMatch, matchInQuery, excludeHosts = [], excludeUrls = [], meta, ...same } = query;
  const thresholds = thresholdsOfQuery({ resemblance, queryInMatch, matchInQuery });
  return { ...same, thresholds, exclude: { hosts: excludeHosts, urls: excludeUrls }, meta: metaFrom(meta, limits) };
}

/** What is asked by a query string; where that says nothing, the same object each time. */
export function matchOptionsOfQuery(query: QueryOptions, limits: JsonLimits): MatchOptions {
  for (const _ in query) return matchOptionsFrom(optionsOfQuery(query, limits));
  return DEFAULT_MATCH_OPTIONS;
}

/** Thresholds of the query string, those that are given, in the shape of JSON. */
export function thresholdsOfQuery(query: ThresholdsInQuery): {
  readonly [direction in keyof Thresholds]?: number | null;
} {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([direction, value]) => [direction, value === 'off' ? null : value]),
  );
}

const TIME = { type: 'string', format: 'date-time' };
const CONTENT_ID = /^[0-9a-f]{32}$/;

/** @throws ShingledError `invalid-request` for what is neither a time from 1970 on nor a content id */
export function versionFrom(text: string | undefined, field: string): VersionWish | null {
  if (text === undefined) return null;
  if (CONTENT_ID.test(text)) return { content: text };
  const ms = IsDateTime(text) ? Date.parse(text) : Number.NaN;
  if (ms >= 0) return { ms };
  const wish = 'a time from 1970 on, such as 2026-01-02T03:04:05Z, or the content id of a version, 32 of 0-9a-f';
  const detail = `${field} must be ${wish}; ${came(TIME, text)}.`;
  throw new ShingledError('invalid-request', detail, { field });
}

/** ms since 1970, null = now. @throws ShingledError `invalid-request` for a time before 1970 */
export function timeFrom(text: string | undefined, field: string): number | null {
  if (text === undefined) return null;
  const ms = Date.parse(text);
  if (ms >= 0) return ms;
  const detail = `${field} must be a time from 1970 on, such as 2026-01-02T03:04:05Z; ${came(TIME, text)}.`;
  throw new ShingledError('invalid-request', detail, { field });
}

/** The thresholds of `unless=similar`, null without it. */
export function unlessFrom({ unless, thresholds, content }: UnlessJson): Unless | null {
  if (unless !== undefined) return { ...NO_THRESHOLDS, ...thresholds, ...(content === undefined ? {} : { content }) };
  if (thresholds === undefined && content === undefined) return null;
  const detail =
    'Thresholds and content of a put go with unless=similar: it is skipped where something meets one of them.';
  throw new ShingledError('invalid-request', detail, { field: 'unless' });
}

/** @throws ShingledError `invalid-request` for fields that do not go with the `op` */
export function bulkOperationFrom(json: BulkLineJson): BulkOperation {
  const observedAt = timeFrom(json.observedAt, 'observedAt');
  const { op, url } = json;
  if (op === 'put') {
    refuseWith(json, op, ['as', 'asAt']);
    const body = bodyFrom(json, '');
    if (body === null) {
      throw new ShingledError('invalid-request', 'A put has a text, an html, features or bytes.', { field: 'text' });
    }
    const { select = null, remove = null, meta = null, similar = 0, finalUrl = null } = json;
    const answer = { httpStatus: documentStatus(json), finalUrl };
    return { op, url, body, select, remove, observedAt, meta, similar, unless: unlessFrom(json), ...answer };
  }
  refuseWith(json, op, [...OF_DOCUMENTS, 'similar', 'unless', 'thresholds', 'content', 'finalUrl']);
  if (op === 'same') {
    const { as } = json;
    if (as === undefined) {
      throw new ShingledError('invalid-request', 'as names the URL that says the same.', { field: 'as' });
    }
    return { op, url, as, asAt: timeFrom(json.asAt, 'asAt'), httpStatus: documentStatus(json), observedAt };
  }
  refuseWith(json, op, ['as', 'asAt']);
  if (op === 'gone') return { op, url, httpStatus: json.status ?? 410, observedAt };
  refuseWith(json, op, ['status', 'observedAt']);
  return { op, url };
}

const OF_DOCUMENTS = ['text', 'html', 'features', 'bytes', 'contentType', 'select', 'remove', 'meta'] as const;

/** null: not known. @throws ShingledError `invalid-request` for one that brings no document */
function documentStatus({ status }: BulkLineJson): number | null {
  if (status === undefined || status <= 299) return status ?? null;
  throw new ShingledError('invalid-request', 'A document comes with a status of 200 to 299.', { field: 'status' });
}

function refuseWith(json: BulkLineJson, op: string, names: readonly (keyof BulkLineJson)[]): void {
  const field = names.find((name) => json[name] !== undefined);
  if (field !== undefined) throw new ShingledError('invalid-request', `${field} does not go with ${op}.`, { field });
}

const check = compileCheck(orNull(MetaObject), 'meta');

/** `meta` of a query string, a JSON object as text. @throws ShingledError `invalid-json`, `invalid-request` */
export function metaFrom(text: string | undefined, limits: JsonLimits): PutRequest['meta'] {
  return text === undefined ? null : check(parsed(text, limits));
}

function parsed(text: string, limits: JsonLimits): unknown {
  try {
    return parseJson(Buffer.from(text), limits);
  } catch (error) {
    if (!(error instanceof ShingledError)) throw error;
    const detail = `meta must be an object as JSON text, such as {"crawl":"spring"}. ${error.message}`;
    throw new ShingledError(error.code, detail, { field: 'meta' });
  }
}
