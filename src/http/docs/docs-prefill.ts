import { FEATURES_TYPE } from '../../features/feature-list.ts';

/*
 * What the page at /docs has filled in for each call. Together this is a first walk that works as it stands on an empty
 * index, from the top of the page to its end. What the document says of optional parameters would be filled in too, all
 * at once.
 */

export type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;
export type JsonObject = { [key: string]: Json };

const FOX = 'The quick brown fox jumps over the lazy dog, and the lazy dog sleeps on in the warm sun.';
const EDITED = 'The quick brown fox jumps over the lazy dog, and the lazy dog sleeps on in the cool shade.';
const [FOX_URL, COPY_URL, OLD_URL] = ['https://a.example/fox', 'https://b.example/copy', 'https://c.example/old'];

const FEATURES = ['color:red', 'size:42'];

const HTML = 'text/html';
const NDJSON = 'application/x-ndjson';
const NDJSON_UNQUOTED = 'application/x-NDJSON';
const lines = (...values: Json[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const asItIs = (text: string) => ({ [HTML]: `<p>${text}</p>`, 'text/plain': text });

interface Prefill {
  /** For the parameters that a call needs. */
  readonly url?: string;
  readonly bodies?: Readonly<Record<string, Json>>;
}

/** By operation, in the order in which the page has those of one tag. */
const PREFILLED: Readonly<Record<string, Prefill>> = {
  putDocument: {
    url: FOX_URL,
    bodies: { 'application/json': { text: FOX, meta: { crawl: 'spring' } }, ...asItIs(FOX) },
  },
  bulk: {
    bodies: {
      [NDJSON]: lines(
        { op: 'put', url: COPY_URL, html: `<p>${EDITED}</p>` },
        { op: 'put', url: OLD_URL, text: FOX, observedAt: '2026-01-02T03:04:05Z' },
        { op: 'gone', url: OLD_URL, status: 410 },
      ),
    },
  },
  getDocument: { url: FOX_URL },
  getVersions: { url: FOX_URL },
  deleteDocument: { url: OLD_URL },
  similarToUrl: { url: FOX_URL },
  similar: {
    bodies: {
      'application/json': { document: { text: EDITED }, passages: true },
      ...asItIs(EDITED),
    },
  },
  similarBatch: {
    bodies: { [NDJSON]: lines({ document: { text: EDITED } }, { document: { url: FOX_URL }, limit: 3 }) },
  },
  composition: { bodies: { 'application/json': { document: { text: EDITED } }, ...asItIs(EDITED) } },
  cluster: { url: FOX_URL },
  compare: { bodies: { 'application/json': { a: { text: EDITED }, b: { url: FOX_URL }, passages: true } } },
  collapse: {
    bodies: {
      'application/json': {
        results: [
          { url: FOX_URL, id: 1 },
          { url: COPY_URL, id: 2 },
          { text: EDITED, id: 3 },
        ],
      },
    },
  },
  moved: { url: FOX_URL },
  movedList: { bodies: { 'application/json': { urls: [FOX_URL, COPY_URL] } } },
  movedBatch: { bodies: { [NDJSON]: lines({ url: FOX_URL }, { url: COPY_URL, limit: 3 }) } },
  backup: { bodies: { 'application/json': { name: 'monday' } } },
};

const ORDER = Object.keys(PREFILLED);
const FIRST_TAG = 'documents';

/** The OpenAPI document as the page shows it: in the order of the walk, and with an example of an error once only. */
export function prefilled(document: JsonObject): JsonObject {
  const { paths, tags } = structuredClone({ paths: document['paths'], tags: document['tags'] }) as {
    paths: Record<string, Record<string, JsonObject>>;
    tags: { name: string }[];
  };
  const walk = Object.entries(paths).map(([path, operations]) => {
    const sorted = Object.entries(operations).sort(([, a], [, b]) => rankOf(a) - rankOf(b));
    for (const [, operation] of sorted) fill(operation);
    return [path, Object.fromEntries(sorted)] as const;
  });
  const first = ([, operations]: (typeof walk)[number]) => Math.min(...Object.values(operations).map(rankOf));
  return {
    ...document,
    tags: tags.toSorted((a, b) => Number(b.name === FIRST_TAG) - Number(a.name === FIRST_TAG)),
    paths: Object.fromEntries(walk.toSorted((a, b) => first(a) - first(b))),
  };
}

function rankOf(operation: JsonObject): number {
  const at = ORDER.indexOf(String(operation['operationId']));
  return at < 0 ? ORDER.length : at;
}

function fill(operation: JsonObject): void {
  const { url, bodies = {} } = PREFILLED[String(operation['operationId'])] ?? {};
  for (const parameter of (operation['parameters'] ?? []) as JsonObject[]) {
    delete parameter['example'];
    if (parameter['required'] === true && url !== undefined) parameter['example'] = url;
  }
  const { content = {} } = (operation['requestBody'] ?? {}) as { content?: Record<string, JsonObject> };
  for (const [type, example] of Object.entries(bodies)) {
    const { schema } = content[type]!;
    // with `contentMediaType` the page would ask for a file
    content[type] = { schema: type.startsWith('text/') ? { type: 'string' } : schema!, example };
  }
  if (content[FEATURES_TYPE] !== undefined) {
    // a text would be asked for as a file, too, and be sent in quotes
    content[FEATURES_TYPE] = { schema: { type: 'array', items: { type: 'string' } }, example: FEATURES };
  }
  if (content[NDJSON] !== undefined) {
    // the page would put quotes around all that is called json, and its name may be written so, too
    content[NDJSON_UNQUOTED] = content[NDJSON];
    delete content[NDJSON];
  }
  for (const [status, response] of Object.entries(operation['responses'] as Record<string, JsonObject>)) {
    if (/^[45]/.test(status) && 'application/problem+json' in ((response['content'] ?? {}) as JsonObject)) {
      delete response['content'];
    }
  }
}
