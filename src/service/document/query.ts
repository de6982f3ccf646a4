import type { WholeSet } from '../../core/sketch/distinct.ts';
import { type ComparedSample, type KeptSample, wholeSample } from '../../core/sketch/narrow.ts';
import { ShingledError } from '../../errors.ts';
import {
  type ContentHead,
  type ContentId,
  lexicalDigestOf,
  type MarkedPart,
  type ReadStore,
  type Source,
  type Version,
} from '../../store/port.ts';
import type { DocumentInput, DocumentPipeline, ProcessedDocument } from '../../workers/port.ts';
import type { ContentDescription, QueryDescription, VersionAnswer } from '../api.ts';
import type { QueryContext } from '../context.ts';
import { kindOf } from './feature-sets.ts';

/*
 * What is known of a document. One in hand (body, fetch) is known whole. One from the index is known by its record's
 * sample, of which only the part that look-ups need is known to the last bit (core/sketch/narrow.ts).
 */

/** A document shorter than this many shingles says little by its resemblance. */
const SHORT_SHINGLES = 20;

/** Whether resemblance says little of a document. */
export const isShort = ({ shingleCount }: { readonly shingleCount: number }): boolean => shingleCount < SHORT_SHINGLES;

/** A document as it is compared with others: a content of the index, too. */
export interface KnownDocument {
  readonly id: ContentId;
  /** With a bit for each value of the sample. */
  readonly main: MarkedPart | 'not-read' | null;
  readonly shingleDigest: string;
  readonly shingleCount: number;
  readonly sample: ComparedSample;
  /** All of it, where it is in hand, was to be compared with another one in hand, and is not too long. */
  readonly whole?: WholeSet | null;
}

/** Whether two documents say the same words in the same order, or have the same features. */
export const hasSameWords = (a: Pick<ContentHead, 'id' | 'main'>, b: Pick<ContentHead, 'id' | 'main'>): boolean =>
  a.id === b.id || lexicalDigestOf(a) === lexicalDigestOf(b);

/** What the index would know of a document in hand: its content, with bits for the values of its sample. */
export function identityOf({ contentDigest, lexicalDigest, sketch }: ProcessedDocument) {
  const main: MarkedPart | null = sketch.main && {
    ...{ shingleCount: sketch.main.shingleCount, lexicalDigest, bits: sketch.main.bits },
  };
  return { id: contentDigest, main };
}

export interface Query extends KnownDocument {
  readonly sample: KeptSample;
  readonly from: 'body' | 'index' | 'fetch';
  /** The normalised URL, null where only a body was given. */
  readonly url: string | null;
  readonly tokenCount: number;
  readonly bytesDigest: string;
  /** Of a document of the index the version, where one was asked for. */
  readonly version: VersionAnswer | null;
  /** All that was read, where the document is in hand. */
  readonly document: ProcessedDocument | null;
}

/** A document on its way to be a query: known already, or bytes to be read. */
export type Obtained =
  | { readonly query: Query }
  | { readonly from: 'body' | 'fetch'; readonly url: string | null; readonly bytes: Omit<DocumentInput, ReadOption> };

type ReadOption = 'keepText' | 'modulusMax' | 'wholeMax';

/** @throws ShingledError whatever reading throws, and the deadline's error */
export async function readObtained(
  { documents, turns, caller, deadline }: QueryContext,
  obtained: Obtained,
  options: Pick<DocumentInput, ReadOption>,
): Promise<Query> {
  if ('query' in obtained) return obtained.query;
  // small documents are read on the event loop
  if (turns.spent()) await turns.next();
  const input = { ...obtained.bytes, ...options };
  const document = await deadline.race(documents.process(input, { caller, signal: deadline.signal }));
  return fromDocument(obtained.from, obtained.url, document);
}

/**
 * Reads a document for which a process may have to be started first, as part of obtaining it: that is not what answering waits
 * for. Any other one stays as it is.
 *
 * @throws ShingledError as {@link readObtained}
 */
export async function readApart(
  context: QueryContext & { readonly documents: Pick<DocumentPipeline, 'isReadApart'> },
  obtained: Obtained,
  options: Pick<DocumentInput, ReadOption>,
): Promise<Obtained> {
  if ('query' in obtained || !context.documents.isReadApart(obtained.bytes)) return obtained;
  return { query: await readObtained(context, obtained, options) };
}

export function describeQuery(query: Query, fingerprintId: string): QueryDescription {
  return {
    from: query.from,
    url: query.url,
    ...kindOf(query),
    tokens: query.tokenCount,
    shingles: query.shingleCount,
    short: isShort(query),
    fingerprintId,
    ...(query.version === null ? {} : { version: query.version }),
  };
}

export type DescribedContent = Pick<ContentHead, 'id' | 'tokenCount' | 'shingleCount' | 'main' | 'createdAt'>;

export function describeContent(content: DescribedContent): ContentDescription {
  const { id, tokenCount, shingleCount, createdAt } = content;
  return {
    id,
    ...kindOf({ tokenCount }),
    tokens: tokenCount,
    shingles: shingleCount,
    short: isShort({ shingleCount }),
    ...describeMain(content),
    createdAt: new Date(createdAt).toISOString(),
  };
}

function describeMain({
  main,
  shingleCount,
}: Pick<ContentHead, 'main' | 'shingleCount'>): Pick<ContentDescription, 'main' | 'mainShingles'> {
  if (main === 'not-read') return { main, mainShingles: null };
  return main === null
    ? { main: 'whole', mainShingles: shingleCount }
    : { main: 'read', mainShingles: main.shingleCount };
}

export function describeVersion({ observedAt, state, httpStatus, contentId, contentKept }: Version): VersionAnswer {
  return {
    observedAt: new Date(observedAt).toISOString(),
    state,
    httpStatus,
    content: contentKept || contentId === null ? contentId : 'forgotten',
  };
}

/** A document in hand as a query. */
export function fromDocument(from: 'body' | 'fetch', url: string | null, document: ProcessedDocument): Query {
  const { bytesDigest, shingleDigest, sketch } = document;
  const { tokenCount, shingleCount, whole } = sketch;
  const sample = wholeSample(sketch.sample);
  const known = { ...identityOf(document), tokenCount, shingleCount, sample, whole, bytesDigest, shingleDigest };
  return { from, url, ...known, version: null, document };
}

/**
 * The record of a source's content, or its head. A source may move on to another content between two reads:
 * then a second look decides.
 *
 * @param read gives the record, or the head, of a content
 * @throws ShingledError `unknown-url` where it was forgotten meanwhile, `index-unreadable` where the record is not there
 */
export async function contentOf<T extends ContentHead>(
  store: Pick<ReadStore, 'source'>,
  source: Source,
  read: (id: string) => Promise<T | undefined>,
): Promise<{ source: Source; record: T }> {
  const record = await read(source.contentId);
  if (record !== undefined) return { source, record };
  const again = await store.source(source.url);
  if (again === undefined) throw unknownUrl('url');
  const second = again.contentId === source.contentId ? undefined : await read(again.contentId);
  if (second === undefined) throw new ShingledError('index-unreadable', 'The content of this URL cannot be read.');
  return { source: again, record: second };
}

/** @param more a sentence on what became of the way out, where there is one */
export function unknownUrl(field: string, more?: string): ShingledError {
  const detail = 'The URL is not in the index.';
  return new ShingledError('unknown-url', more === undefined ? detail : `${detail} ${more}`, { field });
}
