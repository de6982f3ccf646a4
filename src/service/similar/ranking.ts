import { noRecall } from '../../core/query/recall.ts';
import type { ReadStore } from '../../store/port.ts';
import type { MatchOptions } from '../api.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import { estimateCopies } from './all-matches.ts';
import { gatherCandidates, rankCandidates } from './candidates.ts';
import type { CursorScope } from './cursor.ts';
import { KeptRankings, type Ranking } from './kept-rankings.ts';
import { mayBeNear } from './nearest.ts';

/*
 * All matches of a query in order, of which each page shows some. Of a thorough query they are kept from one page to the next
 * (kept-rankings.ts).
 */

/** Of each index that this thread reads. */
const keptBy = new WeakMap<ReadStore, KeptRankings>();

function rankingsOf(store: ReadStore): KeptRankings {
  const rankings = keptBy.get(store) ?? new KeptRankings();
  keptBy.set(store, rankings);
  return rankings;
}

/** @param scope of the list's cursors */
export async function rankMatches(
  context: QueryContext,
  query: Query,
  options: MatchOptions,
  scope: () => CursorScope,
): Promise<Ranking> {
  // passages are looked for by samples, which are not kept
  if (!options.thorough || options.passages) return rankAnew(context, query, options);
  const { store, deadline } = context;
  const rankings = rankingsOf(store);
  const { binding } = scope();
  // before the index is read: what comes in between is of a later edition, so that nothing old is taken for new
  const edition = await deadline.race(store.edition());
  const kept = options.cursor === null ? undefined : rankings.get(binding, edition);
  if (kept !== undefined) return kept;
  const ranking = await rankAnew(context, query, options);
  if (ranking.unjudged === 0 && !ranking.unreadable) rankings.keep(binding, edition, ranking);
  return ranking;
}

/** The list was shown to its end. */
export function letGo(store: ReadStore, { binding }: CursorScope): void {
  keptBy.get(store)?.drop(binding);
}

async function rankAnew(context: QueryContext, query: Query, options: MatchOptions): Promise<Ranking> {
  const gathered = await gatherCandidates(context, query, options);
  const { records, recall, complete, limits } = gathered;
  const judged = await rankCandidates(context, query, records, options);
  const { ranked, unjudged } = judged;
  return {
    ...{ ranked, unjudged, complete, limits, candidates: records.length },
    // what was not judged in time may be any match
    recall: unjudged === 0 ? recall : noRecall(recall),
    unreadable: limits.some(({ code }) => code === 'unreadable'),
    estimatedCopies: options.thorough ? await estimateCopies(context, query, gathered, judged, options) : null,
    isNear: mayBeNear(context, query, gathered),
  };
}
