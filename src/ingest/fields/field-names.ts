import { ShingledError } from '../../errors.ts';

/*
 * Which field of a record is what, where nobody says so. The names are those of data sets that people have: C4, FineWeb,
 * RedPajama, OSCAR, CulturaX, Dolma, news-please, dumps of Elasticsearch and MongoDB, answers of SearXNG, JSON feeds, our own
 * lines. The first that a record has counts.
 */

/** Which fields hold what. A path goes into objects by dots: `metadata.url`; a field whose own name has dots comes first. */
export interface FieldNames {
  readonly url?: string;
  /** With neither this nor `html` told, both are looked for. */
  readonly text?: string;
  readonly html?: string;
  /** Never looked for where not told: other data sets mean other things by it. */
  readonly features?: string;
  /** false: none, the document was seen now. */
  readonly date?: string | false;
  /** What is kept beside a document; `*`: every field that is nothing else. Where not told, `meta` if it is an object. */
  readonly meta?: readonly string[];
}

export const URL_NAMES = [
  ...['url', 'uri', 'link', 'source_url', 'page_url', 'original_url', 'permalink', 'external_url'],
  ...['warc_headers.warc-target-uri', 'WARC-Target-URI', 'metadata.url', 'meta.url'],
];
/** Names within their data set, but for those that are URLs: taken behind a prefix. */
export const ID_NAMES = ['id', '_id', 'uuid', 'doc_id', 'docid', 'document_id', 'warc_headers.warc-record-id'];

export const TEXT_NAMES = [
  ...['text', 'content', 'body', 'raw_content', 'page_content', 'raw_text', 'full_text', 'plain_text', 'maintext'],
  ...['article', 'content_text'],
];
export const HTML_NAMES = ['html', 'raw_html', 'html_content', 'content_html', 'body_html'];

export const DATE_NAMES = [
  ...['observedAt', 'observed_at', 'crawl_date', 'crawled_at', 'crawl_timestamp', 'date_crawled', 'date_download'],
  ...[
    'fetched_at',
    'fetch_time',
    'retrieved_at',
    'warc_headers.warc-date',
    'WARC-Date',
    'timestamp',
    '@timestamp',
    'date',
  ],
  ...['last_modified', 'lastModified', 'date_modified', 'updated_at', 'updated', 'metadata.date', 'date_published'],
  ...['date_publish', 'publishedDate', 'published', 'created'],
];

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Reads one path of records. */
export interface Path {
  readonly name: string;
  /** The field at the top that the path goes through. */
  readonly top: string;
  /** undefined where a record has no such field. */
  readonly of: (record: Fields) => unknown;
}

/** @throws ShingledError `invalid-request` for a path with an empty part */
export function pathOf(name: string): Path {
  const parts = name.split('.');
  if (parts.includes('')) {
    throw new ShingledError('invalid-request', `"${name}" is no name of a field: something is missing beside a dot.`, {
      field: name,
    });
  }
  const [top] = parts as [string, ...string[]];
  if (parts.length === 1) return { name, top, of: (record) => own(record, name) };
  const of = (record: Fields) => {
    const whole = own(record, name);
    if (whole !== undefined) return whole;
    let value: unknown = record;
    for (const part of parts) value = isFields(value) ? own(value, part) : undefined;
    return value;
  };
  return { name, top, of };
}

function own(record: Fields, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The first path of some at which a record has something: not null, and no empty text. */
export function firstOf(
  paths: readonly Path[],
  record: Fields,
): { readonly path: Path; readonly value: unknown } | null {
  for (const path of paths) {
    const value = path.of(record);
    if (value !== undefined && value !== null && value !== '') return { path, value };
  }
  return null;
}

/** The path that was told, or else all that are known. */
export function pathsOf(told: string | undefined, known: readonly string[]): Path[] {
  return (told === undefined ? known : [told]).map(pathOf);
}
