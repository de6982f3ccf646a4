import type { Sureness } from '../../core/moved/sureness.ts';
import { whereaboutsOf } from '../../core/moved/whereabouts.ts';
import { printRecall } from '../../core/query/recall.ts';
import { withDeadline } from '../../sharing/deadline.ts';
import type { Direction, LimitReached } from '../api.ts';
import { elapsedMs, type ServiceContext, type TimedContext } from '../context.ts';
import { isShort, type Query } from '../document/query.ts';
import { isoTime } from '../iso-time.ts';
import { ANSWER_MS } from '../limits.ts';
import { checkDeadline, checkPageLimit } from '../options.ts';
import { nameSource, type SourceName } from '../url.ts';
import { type LikePages, likePages } from './like-pages.ts';
import type { MovedAnswer, MovedCandidate, MovedRequest, RefusedPage } from './moved-api.ts';
import { type Candidate, candidatesOf, inOrder, printCandidate } from './moved-candidates.ts';
import { type OldUrl, readOldUrl } from './old-url.ts';
import { redirectOf } from './redirect-target.ts';
import { contentReader, isSameDocument, type ReadContent, shownBy } from './shown-contents.ts';

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
  context: TimedContext,
  name: SourceName,
  { limit, always }: MovedRequest,
  startedAt: number,
): Promise<MovedAnswer> {
  const shown = await shownBy(context, name.url);
  const read = contentReader(context, name.url);
  const old = await readOldUrl(context, shown, read, always);
  const found = await findPages(context, name.url, old, read);
  const prefix = context.timegatePrefix ?? null;
  const { candidates, refused, leftOut } = await shownWithin(context, found, limit);
  return {
    url: name.url,
    state: old.state,
    lastSeen: isoTime(shown.source.lastSeen),
    candidates,
    refused,
    contentsForgotten: shown.forgotten + found.forgotten,
    timegate: prefix !== null && name.fetchable ? `${prefix}${name.url}` : null,
    recall: printRecall(found.recall),
    complete: found.complete && leftOut.length === 0,
    limits: [...found.limits, ...leftOut],
    elapsedMs: elapsedMs(startedAt),
  };
}

/** A candidate of an answer beside its texts, and a page that is refused. */
const CANDIDATE_BYTES = 500;
const REFUSED_BYTES = 60;

/** Candidates, then refused pages: as many as were asked for and as the answer has room for, and at least one. */
async function shownWithin(
  { limits, turns, deadline }: TimedContext,
  found: { readonly candidates: readonly Candidate[]; readonly refused: readonly RefusedPage[] },
  limit: number,
) {
  let bytesLeft = limits.answerBytesMax;
  const mayShow = (bytes: number) => {
    const isFirst = bytesLeft === limits.answerBytesMax;
    bytesLeft -= bytes;
    return isFirst || bytesLeft >= 0;
  };
  const wanted = inOrder(found.candidates).slice(0, limit);
  const candidates: MovedCandidate[] = [];
  for (const one of wanted) {
    // intervals cost tens of microseconds
    if (turns.spent()) await turns.next();
    deadline.throwIfGivenUp();
    const { url, via, holder } = one;
    if (!mayShow(CANDIDATE_BYTES + url.length + (via?.length ?? 0) + (holder?.title?.length ?? 0))) break;
    candidates.push(printCandidate(one));
  }
  const pages = onceEach(found.refused).slice(0, limit);
  const end = pages.findIndex(({ url }) => !mayShow(REFUSED_BYTES + url.length));
  const refused = end < 0 ? pages : pages.slice(0, end);
  const [of, shown] = [wanted.length + pages.length, candidates.length + refused.length];
  const leftOut: LimitReached[] = shown === of ? [] : [{ code: 'answer-bytes', affected: of - shown, of }];
  return { candidates, refused, leftOut };
}

async function findPages(
  context: TimedContext,
  url: string,
  { state, leadsTo, wanted, refused: before }: OldUrl,
  read: ReadContent,
) {
  const where = whereaboutsOf(url);
  const candidates: Candidate[] = [];
  const refused: RefusedPage[] = [];
  const all: LikePages[] = [];
  let forgotten = 0;
  let unasked = Math.max(0, wanted.length - ASKED_MAX);
  let document: Query | null = null;
  for (const content of wanted.slice(0, ASKED_MAX)) {
    const query = await read(content);
    if (query === null) {
      forgotten++;
      continue;
    }
    // an older document of this URL may be another one than whoever asks means
    const isOther: boolean = document !== null && !(await isSameDocument(context, query, document));
    const found = await likePages(context, where, query);
    all.push(found);
    if (found.refusal !== null) {
      refused.push({ url, ...found.refusal });
      continue;
    }
    refused.push(...found.refused);
    const surest: Sureness = isOther || found.isSuspect ? 'possible' : 'certain';
    const until = found.own.find((holder) => holder.url === url)?.lastSeen ?? content.until;
    const asked = { url, where, state, leadsTo: content === wanted[0] ? leadsTo : null, query, until, surest };
    candidates.push(...(await candidatesOf(context, asked, found.pages)));
    const redirect = await redirectOf(context, asked, found.pages, candidates);
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
  return { candidates, refused: left, forgotten, recall, limits, complete: complete && unasked === 0 };
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

function onceEach(refused: readonly RefusedPage[]): readonly RefusedPage[] {
  const seen = new Set<string>();
  return refused.filter(({ url }) => !seen.has(url) && seen.add(url));
}
