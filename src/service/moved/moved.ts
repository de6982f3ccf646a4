import type { ToldOwnContent } from '../../core/content/told-content.ts';
import type { Sureness } from '../../core/moved/sureness.ts';
import { whereaboutsOf } from '../../core/moved/whereabouts.ts';
import { printRecall } from '../../core/query/recall.ts';
import { inTime, withDeadline } from '../../sharing/deadline.ts';
import type { ContentWish, Direction, LimitReached } from '../api.ts';
import { type ContentOutcome, isKnownContent } from '../content/content-pair.ts';
import { contentOfQuery } from '../content/document-content.ts';
import { type ContentTeller, contentsBetween, createContentTeller } from '../content/match-contents.ts';
import { elapsedMs, type ServiceContext, type TimedContext } from '../context.ts';
import { isShort, type Query } from '../document/query.ts';
import { isoTime } from '../iso-time.ts';
import { ANSWER_MS } from '../limits.ts';
import { checkDeadline, checkPageLimit } from '../options.ts';
import { AnswerTemplates } from '../templates.ts';
import { nameSource, type SourceName } from '../url.ts';
import { type LikePages, likePages } from './like-pages.ts';
import type { MovedAnswer, MovedCandidate, MovedRequest, RefusedPage } from './moved-api.ts';
import { type Candidate, candidatesOf, inOrder, printCandidate } from './moved-candidates.ts';
import { type OldUrl, readOldUrl } from './old-url.ts';
import { redirectOf } from './redirect-target.ts';
import { contentReader, isLookedFor, isSameDocument, type ReadContent, shownBy } from './shown-contents.ts';

/*
 * Lost and found (Broder 1997, §6): where the document of a URL that is dead, or shows something else, lives now.
 *
 *   URL ─ what it showed ─ what became of it ─ each content, the newest first ─ pages like it ─ candidates ─ answer
 *                                                 └─ a notice is skipped: the one before it is asked
 *
 * The next content is only asked where those before it have led to nothing sure. Stores nothing.
 */

/** Contents that are looked for: as many as a source has by default. */
const ASKED_MAX = 4;

/** @param patience whether to wait for room among the queries however many wait already */
export async function moved(
  context: ServiceContext,
  request: MovedRequest,
  patience: 'refuse' | 'wait',
  signal?: AbortSignal,
): Promise<MovedAnswer> {
  const startedAt = performance.now();
  checkPageLimit(request.limit, context.limits);
  checkDeadline(request.deadlineMs, context.limits);
  const name = nameSource(request.url, 'url', context.limits.urlBytesMax);
  return withDeadline(request.deadlineMs ?? ANSWER_MS, signal, (deadline) =>
    context.places.run(context.caller, { until: deadline, patient: patience === 'wait' }, () =>
      findMoved({ ...context, deadline }, name, request, startedAt),
    ),
  );
}

async function findMoved(
  within: TimedContext,
  name: SourceName,
  { limit, always, content }: MovedRequest,
  startedAt: number,
): Promise<MovedAnswer> {
  const templates = new AnswerTemplates(within.templates);
  const context: TimedContext = { ...within, templates };
  const shown = await shownBy(context, name.url);
  const read = contentReader(context, name.url);
  const old = await readOldUrl(context, shown, read, { always, content });
  const found = await findPages(context, name.url, old, read, content);
  const prefix = context.timegatePrefix ?? null;
  const { candidates, refused, isCut, leftOut } = await shownWithin(context, found, limit);
  return {
    url: name.url,
    state: old.state,
    lastSeen: isoTime(shown.source.lastSeen),
    candidates,
    refused,
    contentsForgotten: shown.forgotten + found.forgotten,
    timegate: prefix !== null && name.fetchable ? `${prefix}${name.url}` : null,
    recall: printRecall(found.recall),
    complete: found.complete && !isCut && (content === 'page' || !templates.isCut),
    limits: onceEachCode([...found.limits, ...leftOut, ...templates.limits]),
    ...(found.unknown === null ? {} : { contentUnknown: found.unknown }),
    elapsedMs: elapsedMs(startedAt),
  };
}

/** A candidate of an answer beside its texts, the figures of its content, and a page that is refused. */
const CANDIDATE_BYTES = 500;
const CONTENT_BYTES = 400;
const REFUSED_BYTES = 60;

/** Candidates, then refused pages: as many as were asked for and as the answer has room for, and at least one. */
async function shownWithin(
  context: TimedContext,
  found: { readonly candidates: readonly Candidate[]; readonly refused: readonly RefusedPage[] },
  limit: number,
) {
  const { limits, turns, deadline } = context;
  let bytesLeft = limits.answerBytesMax;
  const mayShow = (bytes: number) => {
    const isFirst = bytesLeft === limits.answerBytesMax;
    bytesLeft -= bytes;
    return isFirst || bytesLeft >= 0;
  };
  const wanted = inOrder(found.candidates).slice(0, limit);
  const candidates: MovedCandidate[] = [];
  const tell = candidateTeller(context);
  let untold = 0;
  for (const one of wanted) {
    // intervals cost tens of microseconds
    if (turns.spent()) await turns.next();
    deadline.throwIfGivenUp();
    const { url, via, holder } = one;
    if (!mayShow(CANDIDATE_BYTES + url.length + (via?.length ?? 0) + (holder?.title?.length ?? 0))) break;
    const content = one.content ?? (await inTime(() => tell(one), deadline)) ?? 'deadline';
    if (content === 'deadline') untold++;
    // so the last candidate may exceed the bound by the figures of its content
    if (isKnownContent(content)) bytesLeft -= CONTENT_BYTES;
    candidates.push(printCandidate(one, content));
  }
  const pages = onceEach(found.refused).slice(0, limit);
  const end = pages.findIndex(({ url }) => !mayShow(REFUSED_BYTES + url.length));
  const refused = end < 0 ? pages : pages.slice(0, end);
  const [of, shown] = [wanted.length + pages.length, candidates.length + refused.length];
  const leftOut: LimitReached[] = [
    { code: 'answer-bytes', affected: of - shown, of },
    { code: 'deadline', affected: untold, of: candidates.length },
  ];
  return { candidates, refused, isCut: shown < of, leftOut: leftOut.filter(({ affected }) => affected > 0) };
}

/** Tells the content of candidates beside what they were found for. */
function candidateTeller(context: TimedContext): (candidate: Candidate) => Promise<ContentOutcome> {
  const tellers = new Map<Query, ContentTeller>();
  return async ({ record, holder, asked: { query } }) => {
    // what is only led to is not known itself: it was seen to say what was looked for
    if (holder === null) return contentsBetween(context, query, query);
    const tell = tellers.get(query) ?? createContentTeller(context, query);
    tellers.set(query, tell);
    return tell(record);
  };
}

async function findPages(
  context: TimedContext,
  url: string,
  { state, leadsTo, wanted, refused: before }: OldUrl,
  read: ReadContent,
  wish: ContentWish,
) {
  const where = whereaboutsOf(url);
  const candidates: Candidate[] = [];
  const refused: RefusedPage[] = [];
  const all: LikePages[] = [];
  const queries: Query[] = [];
  const unknown: ToldOwnContent['unknown'][] = [];
  let forgotten = 0;
  let unasked = Math.max(0, wanted.length - ASKED_MAX);
  let document: Query | null = null;
  for (const content of wanted.slice(0, ASKED_MAX)) {
    const query = await read(content);
    if (query === null) {
      forgotten++;
      continue;
    }
    if (await isLookedFor(context, query, queries, wish)) continue;
    queries.push(query);
    // an older document of this URL may be another one than whoever asks means
    const isOther: boolean = document !== null && !(await isSameDocument(context, query, document, wish));
    const found = await likePages(context, where, query, wish);
    all.push(found);
    if (wish === 'main') unknown.push((await contentOfQuery(context, query)).unknown);
    if (found.refusal !== null) {
      refused.push({ url, ...found.refusal });
      continue;
    }
    refused.push(...found.refused);
    const surest: Sureness = isOther || found.isSuspect ? 'possible' : 'certain';
    const until = found.own.find((holder) => holder.url === url)?.lastSeen ?? content.until;
    const asked = { url, where, state, leadsTo: content === wanted[0] ? leadsTo : null, query, until };
    candidates.push(...(await candidatesOf(context, { ...asked, surest, content: wish }, found.pages)));
    const redirect = await redirectOf(context, { ...asked, surest, content: wish }, found.pages, candidates);
    candidates.push(...redirect.candidates);
    refused.push(...redirect.refused);
    if (candidates.some(({ sure }) => sure !== 'possible')) {
      unasked = 0;
      break;
    }
    if (!found.isSuspect && !isShort(query)) document ??= query;
  }
  const offered = new Set(candidates.map((candidate) => candidate.url));
  const left = [...before, ...refused].filter((page) => !offered.has(page.url));
  const { recall, limits, complete } = together(all);
  if (unasked > 0) limits.push({ code: 'contents', affected: unasked, of: wanted.length });
  const isUnknown = unknown.every((one) => one !== null);
  return {
    ...{ candidates, refused: left, forgotten, recall, limits, complete: complete && unasked === 0 },
    unknown: isUnknown ? (unknown[0] ?? null) : null,
  };
}

/** What may be missing from all that was looked for. */
function together(all: readonly LikePages[]) {
  const recall = { resemblance: null, queryInMatch: null, matchInQuery: null } as {
    -readonly [direction in Direction]: number | null;
  };
  const limits = new Map<LimitReached['code'], LimitReached>();
  for (const found of all) {
    for (const direction of ['resemblance', 'queryInMatch'] as const) {
      const chance = found.recall?.[direction] ?? null;
      if (chance !== null) recall[direction] = Math.min(chance, recall[direction] ?? 1);
    }
    for (const { code, affected, of } of found.limits) {
      const before = limits.get(code);
      limits.set(code, { code, affected: affected + (before?.affected ?? 0), of: of + (before?.of ?? 0) });
    }
  }
  return { recall, complete: all.every(({ complete }) => complete), limits: [...limits.values()] };
}

/** A deadline is said once: first of what it left out, else of what is only not told. */
const onceEachCode = (limits: readonly LimitReached[]) =>
  limits.filter(({ code }, i) => limits.findIndex((limit) => limit.code === code) === i);

function onceEach(refused: readonly RefusedPage[]): readonly RefusedPage[] {
  const seen = new Set<string>();
  return refused.filter(({ url }) => !seen.has(url) && seen.add(url));
}
