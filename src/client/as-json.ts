import { SENT_HTML, SENT_TEXT } from '../features/sent-text.ts';
import type {
  BulkOperation,
  CompareRequest,
  DocumentBody,
  DocumentReference,
  MatchOptions,
  PutRequest,
  Selection,
} from '../service/api.ts';
import type { ClusterRequest } from '../service/clusters/cluster-api.ts';
import type { CompositionOptions } from '../service/composition/composition-shapes.ts';
import type { MovedRequest } from '../service/moved/moved-api.ts';

/* What the service is asked, as JSON and as query strings say it: the way back of what http reads. */

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LESS_THAN = 0x3c;
const PAGE_IN_UTF8 = /^text\/html; ?charset=utf-8$/i;

type BodyJson =
  | { readonly text: string }
  | { readonly html: string }
  | { readonly bytes: string; readonly contentType?: string };

/**
 * A document as `text` or `html` where that comes to the same bytes of the same kind, else as its `bytes`. What was sent as a
 * text does, and so does what begins as a page: nobody takes it for a file of another kind.
 */
function bodyOf({ bytes, contentType }: DocumentBody): BodyJson {
  const isPage = contentType === SENT_HTML || (bytes[0] === LESS_THAN && PAGE_IN_UTF8.test(contentType ?? ''));
  if (isPage || contentType === SENT_TEXT) {
    try {
      const text = utf8.decode(bytes);
      return isPage ? { html: text } : { text };
    } catch {
      // not what it says: as it is
    }
  }
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { bytes: base64, ...(contentType === null ? {} : { contentType }) };
}

/** Fields that are null are left out: that is their default. */
function given<V>(fields: Readonly<Record<string, V>>): Record<string, NonNullable<V>> {
  const there = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(there) as Record<string, NonNullable<V>>;
}

const timeText = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** A line of POST /documents. */
export function bulkLineOf(operation: BulkOperation): string {
  if (operation.op === 'delete') return JSON.stringify(operation);
  const { op, url } = operation;
  const observedAt = timeText(operation.observedAt);
  const { httpStatus: status = null } = operation;
  if (op === 'gone') return JSON.stringify(given({ op, url, status, observedAt }));
  if (op === 'same') {
    const { as, asAt } = operation;
    return JSON.stringify(given({ op, url, as, asAt: timeText(asAt), status, observedAt }));
  }
  const { finalUrl = null, body, select, remove, meta, similar, unless } = operation;
  const { content, ...thresholds } = unless ?? {};
  const conditional = unless === null ? {} : { unless: 'similar', ...given({ content }), thresholds };
  const document = body === null ? {} : bodyOf(body);
  const answered = { status, finalUrl };
  const wished = given({ ...answered, select, remove, observedAt, meta, similar: similar === 0 ? null : similar });
  return JSON.stringify({ op, url, ...document, ...wished, ...conditional });
}

/** The query string of PUT /documents. */
export function putQueryOf({ url, body, select, remove, observedAt, meta, similar, unless }: PutRequest) {
  return {
    ...{ url, select, remove, similar: similar === 0 ? null : similar },
    fetch: body === null ? true : null,
    observedAt: timeText(observedAt),
    meta: meta === null ? null : JSON.stringify(meta),
    ...(unless === null ? {} : { unless: 'similar', ...given(unless) }),
  };
}

/** A document as JSON names it: its `text`, `html` or `bytes`, or its URL. */
function referenceOf({ url, body, select, remove, at }: DocumentReference): Record<string, unknown> {
  const version = at === null ? null : 'ms' in at ? timeText(at.ms) : at.content;
  return { ...given({ url, select, remove, at: version }), ...(body === null ? {} : bodyOf(body)) };
}

/** The body of POST /compare. */
export function comparisonOf({ a, b, deadlineMs, ...options }: CompareRequest) {
  return { a: referenceOf(a), b: referenceOf(b), ...options, ...given({ deadlineMs }) };
}

/** The body of POST /composition. */
export function compositionOf(
  reference: DocumentReference,
  { only, deadlineMs, content, ...same }: CompositionOptions,
) {
  const { hosts, urlPrefix, meta, seenAfter } = only;
  const narrowed = { deadlineMs, hosts, urlPrefix, meta, seenAfter: timeText(seenAfter) };
  return { document: referenceOf(reference), ...same, ...given(narrowed), ...beyond({ content }) };
}

/** What services of before did not know: left out where it is the default. */
const beyond = ({
  thorough = false,
  content,
}: Partial<Pick<MatchOptions, 'thorough'>> & Pick<MatchOptions, 'content'>) => ({
  ...(thorough ? { thorough } : {}),
  ...(content === 'page' ? {} : { content }),
});

/** The body of POST /similar. */
export function questionOf(reference: DocumentReference, options: MatchOptions) {
  const { only, cursor, groupBy, deadlineMs, thorough, content, ...same } = options;
  const { hosts, urlPrefix, meta, seenAfter } = only;
  const narrowed = { cursor, groupBy, deadlineMs, hosts, urlPrefix, meta, seenAfter: timeText(seenAfter) };
  return { document: referenceOf(reference), ...same, ...given(narrowed), ...beyond({ thorough, content }) };
}

/** The query string of POST /similar, where its body is the document as it is. */
export function similarQueryOf(
  { url, select, remove }: DocumentReference,
  options: MatchOptions,
): Readonly<Record<string, string | number | boolean>> {
  const { thresholds, limit, cursor, sort, sourcesPerMatch, passages, undecided, thorough, content, only, deadlineMs } =
    options;
  const off = Object.entries(thresholds).map(([direction, share]) => [direction, share ?? 'off'] as const);
  const { hosts, urlPrefix } = only;
  return {
    ...given<string | number | null>({
      url,
      select,
      remove,
      cursor,
      hosts: hosts?.join() ?? null,
      urlPrefix,
      deadlineMs,
    }),
    ...Object.fromEntries(off),
    ...{ limit, sort, sourcesPerMatch, passages, undecided, ...beyond({ thorough, content }) },
  };
}

/** The query string of what is asked of a selection. */
export function selectionQueryOf(selection: Selection): Readonly<Record<string, string | boolean>> {
  const { observedFrom = null, observedTo = null, meta, ...same } = selection;
  const times = { observedFrom: timeText(observedFrom), observedTo: timeText(observedTo) };
  return given<string | boolean | null | undefined>({ ...same, ...times, meta: meta && JSON.stringify(meta) });
}

/** What GET /moved takes, and a line of POST /moved. */
export const movedQueryOf = ({ url, limit, always, content, deadlineMs }: MovedRequest) =>
  given({ url, limit, always, deadlineMs, ...beyond({ content }) });

/** What GET /clusters takes. */
export const clusterQueryOf = ({ content, ...same }: ClusterRequest) => given({ ...same, ...beyond({ content }) });
