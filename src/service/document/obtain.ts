import type { KeptSample } from '../../core/sketch/narrow.ts';
import { ShingledError } from '../../errors.ts';
import { type Deadline, withDeadline } from '../../sharing/deadline.ts';
import type { Content, ReadStore, Version } from '../../store/port.ts';
import type { DocumentReference, FetchWish, VersionAnswer, VersionWish } from '../api.ts';
import type { TimedContext } from '../context.ts';
import { nameSource, type SourceName } from '../url.ts';
import { contentOf, describeVersion, type Obtained, type Query, unknownUrl } from './query.ts';

/*
 * From a reference to the document: by its body; by its URL from the index, where its record is; else by fetching.
 *
 *   fetch     the index knows the URL      it does not
 *   never     from the index               unknown-url
 *   auto      from the index               fetched, where it can be and the caller may; else unknown-url
 *   always    fetched                      fetched
 *
 * The index keeps no text: another choice of elements (select, remove) than a put made is only had by fetching. A past version
 * (at) is only had from the index.
 */

/** Versions that are read at a time where one is looked for by its content: of most URLs all, and of none for long. */
const VERSIONS_A_PART = 128;
const LISTED = 'GET /documents/versions lists them.';

/** Why a URL is to be fetched. It begins what is said of a fetch that fails. */
type FetchCause = 'unknown' | 'selected' | 'asked';

const FETCH_FAILED: { readonly [cause in FetchCause]: string } = {
  unknown: 'The URL is not in the index, and it could not be fetched.',
  selected: 'The index keeps no text to select from, and the URL could not be fetched.',
  asked: 'The URL could not be fetched, as was asked.',
};

/**
 * Finds a document in the index or fetches it: waiting, not computing, so it takes none of the places for queries.
 *
 * @throws ShingledError `invalid-url`, `invalid-request`, `unknown-url`, `unknown-version`, `forbidden`, `not-fetchable`,
 *   whatever fetching throws, and the deadline's error
 */
export async function obtainReference(
  context: TimedContext,
  reference: DocumentReference,
  fetch: FetchWish,
): Promise<Obtained> {
  const inHand = obtainBody(context, reference);
  if (inHand !== null) return inHand;
  const { select, remove, at, field = '' } = reference;
  const name = nameOf(context, reference);
  checkVersion(reference);
  if (name === null) {
    throw new ShingledError('invalid-request', 'A document is given by its text or by its URL.', {
      field: `${field}url`,
    });
  }
  if (at !== null) return { query: await pastFromIndex(context, name.url, at, field) };
  const cause = causeOf(reference, fetch);
  if (cause === 'unknown') {
    const stored = await context.deadline.race(fromIndex(context.store, name.url));
    if (stored !== null) return { query: stored };
  }
  checkFetch(name, cause, reference, fetch, context.mayFetch);
  const { bytes, contentType } = await fetchDocument(context, name.url, cause, field);
  return { from: 'fetch', url: name.url, bytes: { bytes, contentType, select, remove } };
}

/**
 * A document that came as its body: nothing is to be waited for. Null for all others.
 *
 * @throws ShingledError `invalid-url`, `invalid-request`
 */
export function obtainBody(context: Pick<TimedContext, 'limits'>, reference: DocumentReference): Obtained | null {
  const { body, select, remove } = reference;
  if (body === null) return null;
  const name = nameOf(context, reference);
  checkVersion(reference);
  return { from: 'body', url: name?.url ?? null, bytes: { ...body, select, remove } };
}

function nameOf({ limits }: Pick<TimedContext, 'limits'>, { url, field = '' }: DocumentReference): SourceName | null {
  return url === null ? null : nameSource(url, `${field}url`, limits.urlBytesMax);
}

/** @throws ShingledError `invalid-request` where a fetch is asked for that nothing would come of */
export function checkWish(fetch: FetchWish, references: readonly DocumentReference[]): void {
  if (fetch !== 'always' || references.some(({ body, at }) => body === null && at === null)) return;
  throw new ShingledError('invalid-request', 'Neither a body nor a past version is fetched: leave out fetch.', {
    field: 'fetch',
  });
}

function causeOf({ select, remove }: DocumentReference, fetch: FetchWish): FetchCause {
  if (fetch === 'always') return 'asked';
  return select === null && remove === null ? 'unknown' : 'selected';
}

/** A document of the index as a query, null where the URL is not there. */
export async function fromIndex(store: ReadStore, url: string): Promise<Query | null> {
  const source = await store.source(url);
  if (source === undefined) return null;
  const { source: current, record } = await contentOf(store, source, (id) => store.content(id));
  return asQuery(url, record, current.bytesDigest, null);
}

/** A version of a document of the index as a query. */
async function pastFromIndex(context: TimedContext, url: string, at: VersionWish, field: string): Promise<Query> {
  const { store, deadline } = context;
  if ((await deadline.race(store.source(url))) === undefined) {
    throw unknownUrl(`${field}url`, 'Versions are known of URLs that are in it.');
  }
  const readVersion = async () => keptVersion(await findVersion(context, url, at), at, `${field}at`);
  const version = await readVersion();
  const record = await deadline.race(store.content(version.contentId));
  // forgotten between two reads: then the version says so from now on
  if (record === undefined) {
    await readVersion();
    throw new ShingledError('index-unreadable', 'The content of this version cannot be read.');
  }
  return asQuery(url, record, version.bytesDigest, describeVersion(version));
}

/** The version that held at a moment, or the newest with a content. */
async function findVersion(
  { store, turns, deadline }: TimedContext,
  url: string,
  at: VersionWish,
): Promise<Version | undefined> {
  const limit = 'ms' in at ? 1 : VERSIONS_A_PART;
  let before = 'ms' in at ? at.ms + 1 : undefined;
  for (;;) {
    if (turns.spent()) await turns.next();
    const page = await deadline.race(store.versions(url, { limit, ...(before === undefined ? {} : { before }) }));
    if ('ms' in at) return page[0];
    const found = page.find(({ contentId }) => contentId === at.content);
    if (found !== undefined || page.length < limit) return found;
    before = page.at(-1)!.observedAt;
  }
}

/** Of a version that says that the URL was gone, the content is what was there before. */
function keptVersion(version: Version | undefined, at: VersionWish, field: string) {
  const refuse = (detail: string) => new ShingledError('unknown-version', detail, { field });
  if (version === undefined) {
    const what = 'ms' in at ? 'is as old as that' : 'has that content';
    throw refuse(`The URL is known, but no version of it ${what}; ${LISTED}`);
  }
  const { contentId, bytesDigest, contentKept } = version;
  if (contentId === null || bytesDigest === null) {
    throw refuse('The URL was gone then, and nothing is known of what it said before.');
  }
  if (!contentKept) throw refuse(`What that version said is forgotten; of others it is kept: ${LISTED}`);
  return { ...version, contentId, bytesDigest };
}

export function asQuery(
  url: string,
  content: Content<KeptSample>,
  bytesDigest: string,
  version: VersionAnswer | null,
): Query {
  return { ...content, from: 'index', url, bytesDigest, version, document: null };
}

function checkVersion({ url, body, select, remove, at, field = '' }: DocumentReference): void {
  if (at === null) return;
  const refuse = (detail: string, name: string) =>
    new ShingledError('invalid-request', detail, { field: `${field}${name}` });
  if (url === null || body !== null) throw refuse('A version is one of a url without a body.', 'at');
  if (select !== null || remove !== null) {
    throw refuse('The index keeps no text of a version to select from.', select === null ? 'remove' : 'select');
  }
}

function checkFetch(
  name: SourceName,
  cause: FetchCause,
  { select, field = '' }: DocumentReference,
  fetch: FetchWish,
  mayFetch: boolean,
): void {
  if (cause === 'unknown') {
    if (fetch === 'never') throw unknownUrl(`${field}url`, 'With fetch=never it is not fetched either.');
    if (!name.fetchable) throw unknownUrl(`${field}url`, 'It cannot be fetched: only http and https are.');
    if (!mayFetch) throw unknownUrl(`${field}url`, 'To have it fetched needs a key with the scope fetch.');
    return;
  }
  const chosen = `${field}${select === null ? 'remove' : 'select'}`;
  if (fetch === 'never') {
    const detail = 'The index keeps no text to select from: send the html, or let the URL be fetched.';
    throw new ShingledError('invalid-request', detail, { field: chosen });
  }
  if (!mayFetch) {
    const [detail, at] =
      cause === 'asked'
        ? ['Fetching needs a key with the scope fetch.', 'fetch']
        : ['The index keeps no text to select from, and fetching needs a key with the scope fetch.', chosen];
    throw new ShingledError('forbidden', detail, { field: at });
  }
  if (name.fetchable) return;
  throw new ShingledError('not-fetchable', 'Only http and https URLs can be fetched.', { field: `${field}url` });
}

async function fetchDocument(context: TimedContext, url: string, cause: FetchCause, field: string) {
  const { caller, requestId, fetcher, deadline } = context;
  const options = { purpose: 'look-up', caller, requestId, signal: deadline.signal } as const;
  try {
    const fetched = await deadline.race(fetcher.fetch(url, options));
    if (fetched.httpStatus !== 404 && fetched.httpStatus !== 410) return fetched;
    throw new ShingledError('fetch-status', `The server answered with status ${fetched.httpStatus}.`);
  } catch (error) {
    if (!(error instanceof ShingledError)) throw error;
    const { code, message, limit, retryAfterS, cause: reason } = error;
    throw new ShingledError(code, `${FETCH_FAILED[cause]} ${message}`, {
      field: `${field}url`,
      cause: reason,
      ...(limit === undefined ? {} : { limit }),
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
    });
  }
}

/** How long obtaining documents and answering may take where the caller does not say. */
export interface Patience {
  readonly obtainMs: number;
  readonly answerMs: number;
}

/**
 * Obtains documents, then answers: all by the deadline that the caller named. Where he named none, each has its own
 * time: that a page is slow to come is no reason to leave matches out.
 */
export async function obtainAndAnswer<Obtained, Answer>(
  deadlineMs: number | null,
  { obtainMs, answerMs }: Patience,
  caller: AbortSignal | undefined,
  obtain: (deadline: Deadline) => Promise<Obtained>,
  answer: (obtained: Obtained, deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  if (deadlineMs !== null) {
    return withDeadline(deadlineMs, caller, async (deadline) => answer(await obtain(deadline), deadline));
  }
  const obtained = await withDeadline(obtainMs, caller, obtain);
  return withDeadline(answerMs, caller, (deadline) => answer(obtained, deadline));
}
