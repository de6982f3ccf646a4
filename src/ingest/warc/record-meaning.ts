import type { Buffer } from 'node:buffer';
import { fileKindOfType } from '../../features/file-types.ts';
import type { BulkOperation } from '../../service/api.ts';
import type { RefusedReason } from '../port.ts';
import { decodedBody } from './content-coding.ts';
import { parseHttp } from './http-message.ts';
import type { RecordHead } from './record-head.ts';
import { BLOCK_BYTES_MAX, targetOf } from './records.ts';
import { endOfWarcTime, warcTime } from './warc-time.ts';

/*
 * What a record says to an index:
 *
 *   response      2xx                  put, what a browser would have of its body
 *                 404, 410             gone
 *   resource      any                  put
 *   conversion    text of WET          put
 *   revisit       as response, 304     same: the content of the URL that it names, else of its own URL, as it was then
 *   anything else                      no document
 *
 * It was seen at WARC-Date.
 */

export type Meaning =
  | { readonly operation: BulkOperation }
  | { readonly refused: RefusedReason; readonly detail: string; readonly url: string | null };

/** Beside what the index does not read at all: parts of a page that are text by their type. */
const NO_DOCUMENT_TYPE =
  /^(?:image|audio|video|font|model)\/|^text\/(?:css|(?:x-)?(?:java|ecma)script)\b|^application\/(?!(?:xhtml\+xml|xml|octet-stream|unknown|[\w.+-]+\+xml)[\t ]*(?:;|,|$))/i;

const DOCUMENT_TYPES = new Set(['response', 'resource', 'conversion', 'revisit']);

/** Whether the record may be one of a document: else its block is of no use. */
export const isOfDocument = ({ fields }: RecordHead) => DOCUMENT_TYPES.has(typeOf(fields));

const typeOf = (fields: RecordHead['fields']) => (fields.get('warc-type') ?? '').toLowerCase();

interface Sighting {
  readonly url: string;
  readonly observedAt: number;
}

export function meaningOf(head: RecordHead, block: Buffer): Meaning {
  const { fields } = head;
  const url = targetOf(head);
  const refused = (reason: RefusedReason, detail: string): Meaning => ({ refused: reason, detail, url });
  const type = typeOf(fields);
  if (!DOCUMENT_TYPES.has(type)) return refused('no-document', type === '' ? 'a record without a type' : `a ${type}`);
  if (fields.has('warc-segment-number')) return refused('no-document', 'a part of a record');
  if (url === null) return refused('no-url', 'the record has no WARC-Target-URI');
  const observedAt = warcTime(fields.get('warc-date') ?? '');
  if (observedAt === null) return refused('bad-field', 'the record has no WARC-Date that is a time');
  const seen = { url, observedAt };
  if (type === 'revisit') return meaningOfRevisit(fields, seen, block);
  if (type === 'response' && /^application\/http\b/i.test(fields.get('content-type') ?? 'application/http')) {
    return meaningOfAnswer(seen, block);
  }
  if (type === 'response') return refused('no-document', 'an answer of something else than HTTP');
  return put(seen, fields.get('content-type') ?? null, block, null);
}

function meaningOfAnswer(seen: Sighting, block: Buffer): Meaning {
  const { url } = seen;
  const message = parseHttp(block);
  if (message === null) return { refused: 'no-document', detail: 'an answer without a status', url };
  const { status } = message;
  const contentType = message.header('content-type')[0] ?? null;
  const noDocument = withoutDocument(seen, status, contentType);
  if (noDocument !== null) return noDocument;
  const body = decodedBody(message, BLOCK_BYTES_MAX);
  switch (body.is) {
    case 'decoded':
      return put(seen, contentType, body.bytes, status);
    case 'too-large':
      return { refused: 'too-large', detail: `its body unpacks to more than ${BLOCK_BYTES_MAX} bytes`, url };
    case 'damaged':
      return { refused: 'damaged', detail: body.problem, url };
  }
}

function meaningOfRevisit(fields: RecordHead['fields'], seen: Sighting, block: Buffer): Meaning {
  const { url, observedAt } = seen;
  // its block is the head of the answer, or nothing
  const message = parseHttp(block);
  const status = message?.status ?? null;
  if (message !== null && status !== null && status !== 304) {
    const noDocument = withoutDocument(seen, status, message.header('content-type')[0] ?? null);
    if (noDocument !== null) return noDocument;
  }
  const as = fields.get('warc-refers-to-target-uri')?.replace(/^<(.*)>$/, '$1') ?? url;
  const asAt = endOfWarcTime(fields.get('warc-refers-to-date') ?? '');
  return { operation: { op: 'same', url, as, asAt, observedAt, httpStatus: status === 304 ? null : status } };
}

/** What an answer means that brings no document, null where it may bring one. */
function withoutDocument({ url, observedAt }: Sighting, status: number, contentType: string | null): Meaning | null {
  if (status === 404 || status === 410) return { operation: { op: 'gone', url, httpStatus: status, observedAt } };
  if (status < 200 || status > 299 || status === 204 || status === 205 || status === 206) {
    return { refused: 'no-document', detail: `an answer with status ${status}`, url };
  }
  return unusable(contentType, url);
}

function unusable(contentType: string | null, url: string): Meaning | null {
  const type = contentType?.trim() ?? '';
  if (!NO_DOCUMENT_TYPE.test(type) || fileKindOfType(type) !== null) return null;
  return { refused: 'unusable-type', detail: type.slice(0, 100), url };
}

function put(
  { url, observedAt }: Sighting,
  contentType: string | null,
  bytes: Buffer,
  httpStatus: number | null,
): Meaning {
  const noDocument = unusable(contentType, url);
  if (noDocument !== null) return noDocument;
  const body = { bytes, contentType };
  const written = { meta: null, similar: 0, unless: null, select: null, remove: null } as const;
  return { operation: { op: 'put', url, body, observedAt, httpStatus, finalUrl: null, ...written } };
}
