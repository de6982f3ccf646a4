import { inTime } from '../../sharing/deadline.ts';
import type { MatchOptions } from '../api.ts';
import type { ContentOutcome } from '../content/content-pair.ts';
import type { ContentTeller } from '../content/match-contents.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import type { RankedMatch } from './candidates.ts';
import { isWithoutSample } from './kept-rankings.ts';
import type { SourceFilter } from './source-filter.ts';
import { createSourceReader, SOURCE_BYTES, type SourceList } from './source-list.ts';

/*
 * Matches in order -> one page of them with their sources. A match all of whose sources are filtered out is passed over,
 * and the next one is shown instead. One match more than the page holds is looked for, so that there is a cursor exactly
 * where there is something to come.
 *
 * A page ends, too, before the match with which the answer would have too many bytes.
 *
 * A thorough query hides none. Where its reads are used up, a page ends before the match that has no room. The next page
 * begins there, with reads of its own. So a page may be empty: a filter hides all that was read for it.
 */

/** Matches whose sources are read at the same time; where hosts are shown once, what one shows decides what the next may. */
const AT_A_TIME = 16;
/** The same of a thorough query, whose pages are long: rows of so many are read together. */
const MORE_AT_A_TIME = 64;

export interface ShownMatch {
  readonly ranked: RankedMatch;
  readonly list: SourceList;
}

/**
 * @param from the matches before this one are on earlier pages
 * @returns `more`: whether another page follows, `after` which match. `told`: matches whose sources were read, those that are
 *   not shown among them; `read`: how many. `cut`: those of them whose sources were not all read that were asked for.
 *   `unreached`: matches of this page that the deadline kept out
 * @throws the deadline's error where it passed before the first match could be shown, or none was read of a thorough query
 */
export async function showPage(
  context: QueryContext,
  query: Query,
  ranked: readonly RankedMatch[],
  from: number,
  options: MatchOptions,
  filter: SourceFilter,
) {
  const { turns, deadline } = context;
  const { answerBytesMax } = context.limits;
  const { limit, thorough } = options;
  const readSources = createSourceReader(context, query, options, filter);
  const shown: ShownMatch[] = [];
  const told: ShownMatch[] = [];
  const atATime = filter.groupByHost ? 1 : thorough ? MORE_AT_A_TIME : AT_A_TIME;
  // what earlier pages have shown decides which hosts are new
  const first = filter.groupByHost ? 0 : from;
  let next = first;
  let [cut, bytes] = [0, 0];
  const upToHere = (more: boolean, unreached: number) => {
    const after = (shown.length > limit ? shown[limit - 1] : told.at(-1))?.ranked;
    return { shown: shown.slice(0, limit), told, more, after, read: next - first, cut, unreached };
  };
  while (next < ranked.length && shown.length <= limit) {
    if (turns.spent()) await turns.next();
    const some = ranked.slice(next, next + Math.min(atATime, limit + 1 - shown.length));
    let lists = await inTime(() => Promise.all(some.map(({ record }) => readSources(record))), deadline);
    const spentAt = thorough && !filter.groupByHost ? (lists?.findIndex((list) => list.cut) ?? -1) : -1;
    if (spentAt > 0) lists = lists!.slice(0, spentAt);
    if (spentAt === 0) {
      // others have had a part of its reads
      const readAlone = createSourceReader(context, query, options, filter);
      lists = await inTime(async () => [await readAlone(some[0]!.record)], deadline);
    }
    if (lists === null) {
      if (shown.length === 0 && (!thorough || next <= from)) throw deadline.error;
      return upToHere(true, Math.min(ranked.length - next, limit - shown.length));
    }
    for (const [index, list] of lists.entries()) {
      const isShown = next + index >= from && list.sources.length > 0;
      if (isShown) bytes += bytesOf(list);
      if (bytes > answerBytesMax && shown.length > 0) {
        next += index;
        return upToHere(true, 0);
      }
      if (list.cut) cut++;
      const match = { ranked: some[index]!, list };
      told.push(match);
      if (isShown) shown.push(match);
    }
    next += lists.length;
    if (spentAt >= 0) return upToHere(next < ranked.length || shown.length > limit, 0);
  }
  return upToHere(shown.length > limit, 0);
}

/** A match of an answer beside its texts and its sources. */
const MATCH_BYTES = 900;

function bytesOf({ sources, title, meta }: SourceList): number {
  const texts = (title?.length ?? 0) + (meta === null ? 0 : JSON.stringify(meta).length);
  return sources.reduce((sum, { url }) => sum + SOURCE_BYTES + url.length, MATCH_BYTES + texts);
}

/** What the contents of shown matches say: where that was not asked before, it is told now, as far as the time allows. */
export async function contentsOf(
  { store, deadline }: QueryContext,
  shown: readonly ShownMatch[],
  tell: ContentTeller,
): Promise<readonly ContentOutcome[]> {
  const one = async ({ ranked: { record, content }, list }: ShownMatch): Promise<ContentOutcome> => {
    if (content !== null) return content;
    const whole = isWithoutSample(record) ? await deadline.race(store.content(record.id)) : record;
    // forgotten a moment ago
    return whole === undefined ? 'not-read' : tell(whole, list.templateHost);
  };
  const told: ContentOutcome[] = [];
  while (told.length < shown.length) {
    const some = shown.slice(told.length, told.length + MORE_AT_A_TIME);
    told.push(...((await inTime(() => Promise.all(some.map(one)), deadline)) ?? some.map(() => 'deadline' as const)));
  }
  return told;
}
