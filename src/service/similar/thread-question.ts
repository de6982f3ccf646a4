import type { Question } from '../../queries/port.ts';
import { resumed } from '../../sharing/served.ts';
import type { DocumentReference, FetchWish, MatchOptions, WrittenSimilar } from '../api.ts';
import type { TimedContext } from '../context.ts';
import type { Obtained } from '../document/query.ts';
import { nameSource } from '../url.ts';

/*
 * A query as a question for a query thread: a small document in hand, or a URL that the index may know. Large documents have
 * threads and processes of their own, and past versions are asked for seldom.
 */

/** What is asked beside options and bytes. @param startedAt of the request, ms since 1970 */
export type SimilarQuestion = readonly [
  from: 'body' | 'fetch' | 'index',
  url: string | null,
  contentType: string | null,
  startedAt: number,
];

/** Options as JSON: most are the same object, which says the same each time. */
const written = new WeakMap<MatchOptions, string>();

function writtenOptions(options: MatchOptions): string {
  let json = written.get(options);
  if (json === undefined) {
    json = JSON.stringify(options);
    written.set(options, json);
  }
  return json;
}

type InHand = Exclude<Obtained, { readonly query: unknown }>;
type OfIndex = { readonly from: 'index'; readonly url: string };

/**
 * The normalised URL where the index is to be asked for it, and a thread may.
 *
 * @throws ShingledError `invalid-url`
 */
export function urlForThread(
  { queries, limits, crowd }: Pick<TimedContext, 'queries' | 'limits' | 'crowd'>,
  { url, body, select, remove, at, field = '' }: DocumentReference,
  fetch: FetchWish,
): string | null {
  // nobody is kept waiting by what this thread does then, and its answer comes sooner
  if (queries === undefined || !crowd.isThere) return null;
  if (url === null || body !== null || select !== null || remove !== null || at !== null || fetch === 'always')
    return null;
  return nameSource(url, `${field}url`, limits.urlBytesMax).url;
}

/** What a thread answers; null where it is not asked, or cannot say. In a place that the caller has taken. */
export async function askThread(
  context: TimedContext,
  asked: InHand | OfIndex,
  options: MatchOptions,
  startedAt: number,
): Promise<WrittenSimilar | null> {
  const { queries, crowd } = context;
  if (queries === undefined || !crowd.isThere) return null;
  const question = questionOf(context, asked, options, startedAt);
  if (question === null) return null;
  const answered = await queries.ask(question, context);
  resumed();
  return answered === null ? null : { json: answered.json, brief: answered.brief as WrittenSimilar['brief'] };
}

const latin1 = ({ buffer, byteOffset, length }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');

function questionOf(
  { documents }: TimedContext,
  asked: InHand | OfIndex,
  options: MatchOptions,
  startedAt: number,
): Question | null {
  const { from, url } = asked;
  const inHand = 'bytes' in asked ? asked.bytes : null;
  if (inHand !== null && !documents.isSmall(inHand)) return null;
  const since = performance.timeOrigin + startedAt;
  const { contentType = null } = inHand ?? {};
  const about: SimilarQuestion = [from, url, contentType, since];
  return {
    kind: 'similar',
    asked: writtenOptions(options),
    about,
    body: inHand === null ? null : latin1(inHand.bytes),
  };
}
