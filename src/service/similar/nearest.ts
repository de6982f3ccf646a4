import { falseDensityOf } from '../../core/compare/fingerprint-index.ts';
import { LeastCover } from '../../core/composition/least-cover.ts';
import { type NumberedFingerprints, numberSteps } from '../../core/composition/numbered.ts';
import { partShare } from '../../core/composition/part-share.ts';
import { countKeys, zerosOfModulus } from '../../core/query/look-up.ts';
import { inTime } from '../../sharing/deadline.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { MatchOptions, SharedTogether, Thresholds } from '../api.ts';
import { contentOfQuery } from '../content/document-content.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import { gatherCandidates, rankCandidates } from './candidates.ts';
import { type ShownMatch, showPage } from './page.ts';
import type { SourceFilter } from './source-filter.ts';

/*
 * What is told where nothing reaches a threshold: the documents in which most of the query stands. "Nothing is like this"
 * is true of an essay half of which was copied from two pages, and misleads its reader.
 *
 *   no match ── did anything meet so many look-ups? ── no: nothing is told, and nothing was read for it
 *                                                   └─ yes: the same look-ups again, with the least share as a threshold
 *
 * How much they have together follows from their records, which were read for that.
 *
 * Cost: a second, smaller query, where there is something to tell.
 */

/** Less of a text than this is a phrase that many have. */
const SHARE_LEAST = 0.1;
/** One look-up is met by chance, or by a phrase. */
const HITS_LEAST = 2;
const NEAREST_MAX = 10;
/** What a document adds to those before it, to be counted: as a part of `/composition` does by default. */
const ADDED_LEAST = 0.02;
/** Records that are read for them: some may be hidden by a filter. */
const RECORDS_READ = 32;

const A_PART: Thresholds = { resemblance: null, queryInMatch: SHARE_LEAST, matchInQuery: null };

/** Whether anything that a query has met may share so much of it that it is worth a second look. */
export function mayBeNear(
  { store }: QueryContext,
  query: Query,
  { records, passedOverHits, seen: { plan, shares } }: Awaited<ReturnType<typeof gatherCandidates>>,
): boolean {
  if (records.some(({ id }) => id !== query.id)) return true;
  // a long document has posted no others; half of what is expected of the least share, since hits are few
  const keys = countKeys(plan, shares).all[zerosOfModulus(store.description.indexModulusMax)]!;
  return passedOverHits >= Math.max(HITS_LEAST, (SHARE_LEAST / 2) * keys);
}

/** The documents that have most of the query, best first, though none is a match; those that the time allows. */
export async function nearestTo(
  context: QueryContext,
  query: Query,
  options: MatchOptions,
  filter: SourceFilter,
): Promise<readonly ShownMatch[]> {
  const near = { ...context, limits: { ...context.limits, candidatesMax: RECORDS_READ } };
  const wide: MatchOptions = {
    ...options,
    ...{ thresholds: A_PART, sort: 'queryInMatch', limit: NEAREST_MAX, cursor: null, undecided: 'exclude' },
    thorough: false,
  };
  const shown = await inTime(async () => {
    const { records } = await gatherCandidates(near, query, wide);
    const { ranked } = await rankCandidates(near, query, records, wide);
    return (await showPage(near, query, ranked, 0, wide, filter)).shown;
  }, context.deadline);
  return shown ?? [];
}

/**
 * How much of the query the nearest documents have together, and how few of them have it. They are taken by a greedy cover, as
 * long as the next one adds something worth naming.
 *
 * Documents are compared at the coarsest modulus of their records. Long documents have coarse records, and of a short query
 * hardly a shingle may be left at such a modulus. So for each modulus the documents whose records are no coarser are taken
 * together. What some of the documents have, all of them have, so the answer is the share with the highest lower bound. Each
 * interval covers 95 %; the choice among the few moduli takes a little from that.
 *
 * @param nearest one or more
 */
export async function sharedTogether(
  context: QueryContext,
  query: Query,
  { content: wish }: Pick<MatchOptions, 'content'>,
  nearest: readonly ShownMatch[],
): Promise<SharedTogether> {
  const content = wish === 'page' ? null : await contentOfQuery(context, query);
  const { sample, shingleCount } = content === null || content.unknown !== null ? query : content.own;
  const text = await inTurns(numberSteps(sample), context.turns);
  const records = nearest.map(({ ranked }) => ranked.record);
  const moduli = new Set(records.map((record) => Math.max(text.modulus, record.sample.modulus)));
  const together = [...moduli]
    .sort((a, b) => b - a)
    .map((modulus) => coveredAt(modulus, text, shingleCount, records))
    .reduce((best, next) => (next.share.low > best.share.low ? next : best));
  return { ...together, documents: Math.max(1, together.documents) };
}

/** How much of the query the documents whose records are no coarser than a modulus have together, compared at that modulus. */
function coveredAt(
  modulus: number,
  text: NumberedFingerprints,
  shingleCount: number,
  records: readonly ShownMatch['ranked']['record'][],
): SharedTogether {
  const coverers = records
    .filter((record) => record.sample.modulus <= modulus)
    .map((record) => ({
      id: record.id,
      shingleCount: record.shingleCount,
      covered: text.atModulus(text.numbersIn(record.sample), modulus),
      falseDensity: falseDensityOf(record.sample),
    }));
  const cover = new LeastCover(text.size, coverers);
  const sampled = text.countAt(modulus);
  let [documents, density] = [0, 0];
  for (let best = cover.best(); best !== null && isWorthNaming(best.gain, sampled); best = cover.best()) {
    cover.take(best.coverer);
    density += coverers[best.coverer]!.falseDensity;
    documents++;
  }
  return { documents, share: partShare(cover.coveredCount, sampled, shingleCount, density) };
}

const isWorthNaming = (gain: number, sampled: number) => gain >= Math.max(1, ADDED_LEAST * sampled);
