import { noRecall, printRecall } from '../../core/query/recall.ts';
import type { Access, DocumentReference, Match, MatchOptions, Passage, SimilarAnswer } from '../api.ts';
import { elapsedMs, type ServiceContext } from '../context.ts';
import { type Deadline, obtainAndAnswer } from '../deadline.ts';
import { checkWish, obtainReference } from '../document/obtain.ts';
import { equivalenceOf, printEstimated } from '../document/pair.ts';
import { describeQuery, type Query, readObtained } from '../document/query.ts';
import { ANSWER_MS, DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import { checkMatchOptions } from '../options.ts';
import { inPlace } from '../place.ts';
import { gatherCandidates } from './candidates.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { passagesOf } from './match-passages.ts';
import { type ShownMatch, showPage } from './page.ts';
import {
  decodePosition,
  encodePosition,
  inOrder,
  type RankedMatch,
  rankCandidates,
  similarCursorScope,
} from './ranking.ts';
import { sourceFilter } from './source-filter.ts';

/*
 * On-the-fly resemblance (Broder 1997, §4.2 and §6): which known URLs say the same as a document, contain it, or are
 * contained in it.
 *
 *   reference ─ resolve ─ query ─ gather ─ candidates ─ rank ─ matches ─ show ─ page with its sources ─ passages ─ answer
 *
 * Each stage says which limit bit it; the answer adds them up. Stores nothing.
 */

/** What an answer says beside the query. */
export type FoundMatches = Pick<SimilarAnswer, 'matches' | 'cursor' | 'recall' | 'complete' | 'limits'>;

/** @param patience whether to wait for room among the queries however many wait already */
export async function similar(
  context: ServiceContext,
  reference: DocumentReference,
  options: MatchOptions,
  access: Access,
  patience: 'refuse' | 'wait',
  signal?: AbortSignal,
): Promise<SimilarAnswer> {
  const startedAt = performance.now();
  checkMatchOptions(options, context.limits);
  checkWish(options.fetch, [reference]);
  const patiences = { obtainMs: context.limits.deadlineMsMax, answerMs: ANSWER_MS };
  const obtain = (deadline: Deadline) =>
    obtainReference(context, reference, reference.field ?? '', {
      fetch: options.fetch,
      mayFetch: access.mayFetch,
      deadline,
    });
  return obtainAndAnswer(options.deadlineMs, patiences, signal, obtain, (obtained, deadline) => {
    const answer = async (): Promise<SimilarAnswer> => {
      const read = { keepText: options.passages, modulusMax: 1, wholeMax: 0 };
      const query = await readObtained(context, obtained, read, deadline);
      const found = await findMatches(context, query, options, deadline);
      const description = describeQuery(query, context.identity.fingerprintId);
      return { query: description, ...found, elapsedMs: elapsedMs(startedAt) };
    };
    return inPlace(context, answer, { until: deadline, isPatient: patience === 'wait' });
  });
}

/** What is asked for of a document that is written: its neighbours, in brief. */
export const SIMILAR_OF_PUT: MatchOptions = { ...DEFAULT_MATCH_OPTIONS, sourcesPerMatch: 3 };

/** What is similar to a query, in a place that the caller has taken. */
export async function findMatches(
  context: ServiceContext,
  query: Query,
  options: MatchOptions,
  deadline: Deadline,
): Promise<FoundMatches> {
  const { cursorKey } = context.identity;
  const filter = await sourceFilter(options, query.url, context.limits, context.turns);
  const scope = () => similarCursorScope(query, options);
  const after = options.cursor === null ? null : decodePosition(openCursor(cursorKey, scope(), options.cursor));
  const candidates = await gatherCandidates(context, query, options, deadline);
  const { ranked, unjudged } = await rankCandidates(query, candidates.records, options, context.turns, deadline);
  const isLater = ({ position }: RankedMatch) => after === null || inOrder(position, after, query.id) > 0;
  const from = ranked.findIndex(isLater);
  const rest = from < 0 ? [] : ranked.slice(from);
  const before = from < 0 ? ranked : ranked.slice(0, from);
  const page = await showPage(context, query, { before, rest }, options, filter, deadline);
  const passages = options.passages ? await passagesOf(context, query, page.shown, deadline) : null;
  const matches: Match[] = [];
  for (const [index, match] of page.shown.entries()) {
    // an interval costs tens of microseconds
    if (context.turns.spent()) await context.turns.next();
    matches.push(printMatch(query, match, options, passages?.found[index] ?? null));
  }
  const limits = [...candidates.limits];
  const late = unjudged > 0 ? unjudged : page.unreached + (passages?.unreached ?? 0);
  const of = unjudged > 0 ? candidates.records.length : rest.length;
  if (late > 0) limits.push({ code: 'deadline', affected: late, of });
  if (page.cut > 0) limits.push({ code: 'sources', affected: page.cut, of: page.read });
  if (passages !== null) limits.push(...passages.limits);
  return {
    matches,
    cursor: page.more ? sealCursor(cursorKey, scope(), encodePosition(page.shown.at(-1)!.ranked.position)) : null,
    // what was not judged in time may be any match
    recall: printRecall(unjudged === 0 ? candidates.recall : noRecall(candidates.recall)),
    complete: candidates.complete && late === 0 && page.cut === 0,
    limits,
  };
}

function printMatch(
  query: Query,
  { ranked, list }: ShownMatch,
  { thresholds }: MatchOptions,
  passages: readonly Passage[] | null,
): Match {
  const { record, pair } = ranked;
  const { resemblance, aInB, bInA } = printEstimated(pair, thresholds);
  return {
    equivalence: equivalenceOf(list.identical, query, record),
    resemblance,
    queryInMatch: aInB,
    matchInQuery: bInA,
    shingles: record.shingleCount,
    title: list.title,
    meta: list.meta,
    sources: list.sources,
    sourceCount: list.sourceCount,
    ...(passages === null ? {} : { passages }),
  };
}
