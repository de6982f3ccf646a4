import { printPart } from '../../core/composition/part-share.ts';
import { printRecall } from '../../core/query/recall.ts';
import { writtenJsonSteps } from '../../json/written-json.ts';
import { type Deadline, withDeadline } from '../../sharing/deadline.ts';
import { inTurns } from '../../sharing/turns.ts';
import type {
  DocumentReference,
  LimitReached,
  Match,
  MatchOptions,
  Passage,
  SimilarAnswer,
  WrittenSimilar,
} from '../api.ts';
import { type ContentOutcome, printContent } from '../content/content-pair.ts';
import { contentOfQuery } from '../content/document-content.ts';
import { createContentTeller } from '../content/match-contents.ts';
import { elapsedMs, type QueryContext, type ServiceContext } from '../context.ts';
import { refuseOfFeatures } from '../document/feature-sets.ts';
import { checkWish, obtainAndAnswer, obtainBody, obtainReference } from '../document/obtain.ts';
import { equivalenceOf, printEstimated } from '../document/pair.ts';
import { describeQuery, type Obtained, type Query, readApart, readObtained } from '../document/query.ts';
import { ANSWER_MS, DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import { checkMatchOptions } from '../options.ts';
import { AnswerTemplates } from '../templates.ts';
import { hostsOfMatches } from './all-matches.ts';
import type { RankedMatch } from './candidates.ts';
import { decodePosition, encodePosition, inOrder, openCursor, sealCursor, similarCursorScope } from './cursor.ts';
import { passagesOf } from './match-passages.ts';
import { nearestTo, sharedTogether } from './nearest.ts';
import { contentsOf, type ShownMatch, showPage } from './page.ts';
import { letGo, rankMatches } from './ranking.ts';
import { sourceFilter } from './source-filter.ts';
import { askThread, urlForThread } from './thread-question.ts';

/*
 * On-the-fly resemblance (Broder 1997, §4.2 and §6): which known URLs say the same as a document, contain it, or are
 * contained in it.
 *
 *   reference ─ resolve ─ query ─ gather ─ candidates ─ rank ─ matches ─ show ─ page with its sources ─ passages ─ answer
 *
 * A query thread does all of this, where there is one and it can; else this one does.
 * Each stage says which limit bit it; the answer adds them up. Stores nothing.
 */

/** @param patience whether to wait for room among the queries however many wait already */
export async function similar(
  context: ServiceContext,
  reference: DocumentReference,
  options: MatchOptions,
  patience: 'refuse' | 'wait',
  signal?: AbortSignal,
): Promise<WrittenSimilar> {
  const startedAt = performance.now();
  // lines of a batch come by one connection, and are many
  context.crowd.note(patience === 'wait' ? undefined : context.connection);
  checkMatchOptions(options, context.limits);
  checkWish(options.fetch, [reference]);
  refuseOfFeatures([reference], { passages: options.passages ? 'passages' : null });
  const patiences = { obtainMs: context.limits.deadlineMsMax, answerMs: ANSWER_MS };
  const cost = options.thorough ? context.limits.copiesPlaces : 1;
  const inPlace = <T>(deadline: Deadline, work: () => Promise<T>) =>
    context.places.run(context.caller, { until: deadline, patient: patience === 'wait', cost }, work);
  const obtainHere = async (deadline: Deadline): Promise<Obtained> => {
    const timed = { ...context, deadline };
    return readApart(timed, await obtainReference(timed, reference, options.fetch), readOf(options));
  };
  const obtain = async (deadline: Deadline): Promise<Obtained | { written: WrittenSimilar }> => {
    const url = urlForThread(context, reference, options.fetch);
    if (url === null) return obtainHere(deadline);
    const ask = (until: Deadline) =>
      inPlace(until, () => askThread({ ...context, deadline: until }, { from: 'index', url }, options, startedAt));
    const written = await (options.deadlineMs === null ? withDeadline(ANSWER_MS, signal, ask) : ask(deadline));
    return written === null ? obtainHere(deadline) : { written };
  };
  const answer = (obtained: Obtained | { written: WrittenSimilar }, deadline: Deadline): Promise<WrittenSimilar> => {
    if ('written' in obtained) return Promise.resolve(obtained.written);
    return inPlace(deadline, async () => {
      const timed = { ...context, deadline };
      const asked = 'query' in obtained ? null : askThread(timed, obtained, options, startedAt);
      return (await asked) ?? writeSimilar(timed, obtained, options, startedAt);
    });
  };
  const inHand = obtainBody(context, reference);
  if (inHand !== null && ('query' in inHand || !context.documents.isReadApart(inHand.bytes))) {
    return withDeadline(options.deadlineMs ?? ANSWER_MS, signal, (deadline) => answer(inHand, deadline));
  }
  return obtainAndAnswer(options.deadlineMs, patiences, signal, obtain, answer);
}

const readOf = ({ passages }: MatchOptions) => ({ keepText: passages, modulusMax: 1, wholeMax: 0 });

/** Answers on this thread. @param startedAt of the request (performance.now()) */
export async function writeSimilar(
  context: QueryContext,
  obtained: Obtained,
  options: MatchOptions,
  startedAt: number,
): Promise<WrittenSimilar> {
  const query = await readObtained(context, obtained, readOf(options));
  const found = await findMatches(context, query, options, true);
  const description = describeQuery(query, context.identity.fingerprintId);
  const answer: SimilarAnswer = { query: description, ...found, elapsedMs: elapsedMs(startedAt) };
  const json = await inTurns(writtenJsonSteps(answer), context.turns);
  return { json, brief: { matches: found.matches.length, limits: found.limits } };
}

/** What is asked for of a document that is written: its neighbours, in brief. */
export const SIMILAR_OF_PUT: MatchOptions = { ...DEFAULT_MATCH_OPTIONS, sourcesPerMatch: 3 };

/**
 * What is similar to a query, in a place that the caller has taken.
 *
 * @param withNearest whether to name, where there is no match, the documents that come nearest
 */
export async function findMatches(
  within: QueryContext,
  query: Query,
  options: MatchOptions,
  withNearest = false,
): Promise<Omit<SimilarAnswer, 'query' | 'elapsedMs'>> {
  const templates = new AnswerTemplates(within.templates);
  const context: QueryContext = { ...within, templates };
  const { cursorKey } = context.identity;
  const filter = await sourceFilter(context, options, query.url);
  const scope = () => similarCursorScope(query, options);
  const after =
    options.cursor === null ? null : decodePosition(openCursor(cursorKey, scope(), options.cursor), query.id);
  const ranking = await rankMatches(context, query, options, scope);
  const { ranked, unjudged, estimatedCopies } = ranking;
  const isLater = ({ position }: RankedMatch) => after === null || inOrder(position, after) > 0;
  const found = ranked.findIndex(isLater);
  const from = found < 0 ? ranked.length : found;
  const page = await showPage(context, query, ranked, from, options, filter);
  const passages = options.passages ? await passagesOf(context, query, page.shown) : null;
  const isLastPage = !page.more && page.unreached === 0;
  const copies =
    options.thorough && isLastPage
      ? await hostsOfMatches(context, query, ranked, { from, told: page.told }, options, filter)
      : null;
  if (options.thorough && !page.more) letGo(context.store, scope());
  const isNothing = options.cursor === null && page.shown.length === 0 && !page.more;
  const near = withNearest && isNothing && ranking.isNear ? await nearestTo(context, query, options, filter) : [];
  const tell = createContentTeller(context, query);
  let untold = 0;
  const print = async (some: readonly ShownMatch[], passagesOfEach: readonly (readonly Passage[] | null)[] | null) => {
    const printed: Match[] = [];
    const contents = await contentsOf(context, some, tell);
    untold += contents.filter((content) => content === 'deadline').length;
    for (const [index, match] of some.entries()) {
      // an interval costs tens of microseconds
      if (context.turns.spent()) await context.turns.next();
      printed.push(printMatch(query, match, contents[index]!, options, passagesOfEach?.[index] ?? null));
    }
    return printed;
  };
  const printNearest = async (near: readonly ShownMatch[]) => {
    const { documents, share } = await sharedTogether(context, query, options, near);
    return { nearest: await print(near, null), nearestTogether: { documents, share: printPart(share) } };
  };
  const matches = await print(page.shown, passages?.found ?? null);
  const nearest = near.length === 0 ? {} : await printNearest(near);
  const { cut: cutBefore = 0, unreached: unreachedBefore = 0, earlier = 0 } = copies ?? {};
  const late = unjudged > 0 ? unjudged : page.unreached + (passages?.unreached ?? 0) + unreachedBefore;
  const lateOf = unjudged > 0 ? ranking.candidates : ranked.length - from + earlier;
  const cut = page.cut + cutBefore;
  const uncounted = page.shown.filter(({ list }) => list.more && !list.cut).length;
  const limits: LimitReached[] = [
    ...ranking.limits,
    late > 0
      ? { code: 'deadline', affected: late, of: lateOf }
      : { code: 'deadline', affected: untold, of: page.shown.length + near.length },
    { code: 'sources', affected: cut, of: page.read + earlier },
    { code: 'source-counts', affected: uncounted, of: page.shown.length },
    ...(passages?.limits ?? []),
    ...templates.limits,
  ];
  const unknown = options.content === 'main' ? (await contentOfQuery(context, query)).unknown : null;
  return {
    matches,
    cursor: page.more ? sealCursor(cursorKey, scope(), encodePosition(page.after!.position, query.id)) : null,
    recall: printRecall(ranking.recall),
    complete: ranking.complete && late === 0 && cut === 0 && (options.content === 'page' || !templates.isCut),
    limits: limits.filter(({ affected }) => affected > 0),
    ...(unknown === null ? {} : { contentUnknown: unknown }),
    ...nearest,
    ...(estimatedCopies === null ? {} : { estimatedCopies }),
    ...(copies === null ? {} : { matchCount: copies.matchCount, hosts: copies.hosts }),
  };
}

function printMatch(
  query: Query,
  { ranked, list }: ShownMatch,
  content: ContentOutcome,
  { thresholds, content: wish }: MatchOptions,
  passages: readonly Passage[] | null,
): Match {
  const { record, pair, deciding } = ranked;
  const { resemblance, aInB, bInA } = printEstimated(pair, thresholds);
  return {
    equivalence: equivalenceOf(list.identical, query, record),
    resemblance,
    queryInMatch: aInB,
    matchInQuery: bInA,
    shingles: record.shingleCount,
    ...printContent(content, thresholds),
    ...(wish === 'page' ? {} : { decidedBy: deciding.by }),
    title: list.title,
    meta: list.meta,
    sources: list.sources,
    sourceCount: list.sourceCount,
    ...(list.more ? { moreSources: true } : {}),
    ...(passages === null ? {} : { passages }),
  };
}
