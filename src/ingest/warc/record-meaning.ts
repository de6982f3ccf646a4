import type { Buffer } from 'node:buffer';
import { fileKindOfType } from '../../features/file-types.ts';
import type { BulkOperation } from '../../service/api.ts';
import type { RefusedReason } from '../port.ts';
import { decodedBody } from './content-coding.ts';
import { noteOf } from './crawler-notes.ts';
import type { EarlierRecords } from './earlier-records.ts';
import { parseHttp } from './http-message.ts';
import { type RecordHead, targetOf, urlOfField } from './record-head.ts';
import { BLOCK_BYTES_MAX } from './records.ts';
import { endOfWarcTime, warcTime } from './warc-time.ts';

/*
 * What a record says to an index:
 *
 *   response      2xx                  put, what a browser would have of its body
 *                 404, 410             gone
 *   resource      any                  put, unless a crawler wrote it of itself: crawler-notes.ts
 *   conversion    text of WET          put
 *   revisit       as response, 304     same: what the record had that it names
 *   anything else                      no document
 *
 * It was seen at WARC-Date. Where that is no time, as in ClueWeb09, it has none of its own, and is taken as any document
 * without one.
 *
 * Which record a revisit is of is never guessed. It is the first of these that it says:
 *
 *   WARC-Refers-To-Target-URI, -Date    the last one at that URL by then
 *   WARC-Refers-To                      the one of that id, read before in this run
 *   WARC-Payload-Digest                 the one of that digest, read before in this run
 *   304                                 the last one at its own URL
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
  readonly observedAt: number | null;
}

export interface MeaningContext {
  /** Of the run: what it says of a record is noted in it. */
  readonly earlier: EarlierRecords;
  /** Whether documents were seen at the dates of their records; else they have none. */
  readonly isDated: boolean;
}

export function meaningOf(head: RecordHead, block: Buffer, context: MeaningContext): Meaning {
  const meaning = meaningIn(head, block, context);
  const type = typeOf(head.fields);
  if (type === 'response' || type === 'resource') {
    const isDocument = 'operation' in meaning && meaning.operation.op === 'put';
    const date = context.isDated ? (head.fields.get('warc-date') ?? null) : null;
    context.earlier.note(head, isDocument ? { url: meaning.operation.url, date } : null);
  }
  return meaning;
}

function meaningIn(head: RecordHead, block: Buffer, { earlier, isDated }: MeaningContext): Meaning {
  const { fields } = head;
  const url = targetOf(head);
  const refused = (reason: RefusedReason, detail: string): Meaning => ({ refused: reason, detail, url });
  const type = typeOf(fields);
  if (!DOCUMENT_TYPES.has(type)) return refused('no-document', type === '' ? 'a record without a type' : `a ${type}`);
  if (fields.has('warc-segment-number')) return refused('no-document', 'a part of a record');
  if (url === null) return refused('no-url', 'the record has no WARC-Target-URI');
  const note = noteOf(url);
  if (note !== null) return refused('no-document', note);
  const seen = { url, observedAt: isDated ? timeOfDate(fields.get('warc-date') ?? '') : null };
  if (type === 'revisit') return meaningOfRevisit(head, seen, block, earlier);
  if (type === 'response' && /^application\/http\b/i.test(fields.get('content-type') ?? 'application/http')) {
    return meaningOfAnswer(seen, block);
  }
  if (type === 'response') return refused('no-document', 'an answer of something else than HTTP');
  return put(seen, fields.get('content-type') ?? null, block, null);
}

/** The most that a clock may be ahead; no index takes a later time. */
const AHEAD_MS_MAX = 24 * 3_600_000;

/** null of a clock that is wrong, too. */
function timeOfDate(date: string): number | null {
  const time = warcTime(date);
  return time !== null && time > Date.now() + AHEAD_MS_MAX ? null : time;
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

function meaningOfRevisit(head: RecordHead, seen: Sighting, block: Buffer, earlier: EarlierRecords): Meaning {
  const { fields } = head;
  const { url, observedAt } = seen;
  // its block is the head of the answer, or nothing
  const message = parseHttp(block);
  const status = message?.status ?? null;
  const isUnchanged = status === 304 || /not-modified/i.test(fields.get('warc-profile') ?? '');
  if (message !== null && status !== null && !isUnchanged) {
    const noDocument = withoutDocument(seen, status, message.header('content-type')[0] ?? null);
    if (noDocument !== null) return noDocument;
  }
  const known = earlier.of(head);
  if (known === null) return { refused: 'no-document', detail: 'a revisit of a record that is no document', url };
  const named = fields.get('warc-refers-to-target-uri');
  const isNamed = named !== undefined && named !== '';
  if (!isNamed && known === undefined && !isUnchanged) {
    const id = fields.get('warc-refers-to') ?? fields.get('warc-payload-digest');
    const ofWhat =
      id === undefined ? 'that names no record' : `of a record that was not read before: ${id.slice(0, 100)}`;
    return { refused: 'no-document', detail: `a revisit ${ofWhat}`, url };
  }
  const as = isNamed ? urlOfField(named) : (known?.url ?? url);
  const date = isNamed ? fields.get('warc-refers-to-date') : known?.date;
  const operation = { op: 'same', url, as, asAt: endOfWarcTime(date ?? ''), observedAt } as const;
  return { operation: { ...operation, httpStatus: status === 304 ? null : status } };
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
  if (bytes.length === 0) return { refused: 'no-document', detail: 'an empty body', url };
  const body = { bytes, contentType };
  const written = { meta: null, similar: 0, unless: null, select: null, remove: null } as const;
  return { operation: { op: 'put', url, body, observedAt, httpStatus, finalUrl: null, ...written } };
}
