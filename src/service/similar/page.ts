import type { Content } from '../../store/port.ts';
import type { MatchOptions } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import type { Deadline } from '../deadline.ts';
import type { Query } from '../document/query.ts';
import type { RankedMatch } from './ranking.ts';
import type { SourceFilter } from './source-filter.ts';
import { type ReadBudget, readSources, type SourceList } from './sources.ts';

/*
 * Matches in order -> one page of them with their sources. A match all of whose sources are filtered out is passed over,
 * and the next one is shown instead. One match more than the page holds is looked for, so that there is a cursor exactly
 * where there is something to come.
 */

/** Matches whose sources are read at the same time; where hosts are shown once, what one shows decides what the next may. */
const AT_A_TIME = 16;

export interface ShownMatch {
  readonly ranked: RankedMatch;
  readonly list: SourceList;
}

export interface Page {
  readonly shown: readonly ShownMatch[];
  /** Whether another page follows. */
  readonly more: boolean;
  /** Matches whose sources were read, and those of them whose sources were not all read that were asked for. */
  readonly read: number;
  readonly cut: number;
  /** Matches of this page that the deadline kept out. */
  readonly unreached: number;
}

/** @throws the deadline's error where it passed before the first match could be shown */
export async function showPage(
  context: ServiceContext,
  query: Query,
  { before, rest }: { readonly before: readonly RankedMatch[]; readonly rest: readonly RankedMatch[] },
  options: MatchOptions,
  filter: SourceFilter,
  deadline: Deadline,
): Promise<Page> {
  const { store, limits, turns } = context;
  const { limit } = options;
  const budget: ReadBudget = { left: limits.sourcesReadMax };
  const { bytesDigest } = query;
  const sourceQuery = { listed: options.sourcesPerMatch, countMax: limits.sourceCountMax, bytesDigest };
  const shown: ShownMatch[] = [];
  const hostsSeen = new Set<string>();
  const atATime = filter.groupByHost ? 1 : AT_A_TIME;
  const pace = { turns, deadline };
  const sourcesOf = ({ id, locator }: Content) =>
    readSources(store, { id, locator }, filter, sourceQuery, budget, pace, hostsSeen);
  const matches = filter.groupByHost ? [...before, ...rest] : rest;
  const from = matches.length - rest.length;
  let read = 0;
  let cut = 0;
  while (read < matches.length && shown.length <= limit) {
    if (turns.spent()) await turns.next();
    const some = matches.slice(read, read + Math.min(atATime, limit + 1 - shown.length));
    const lists = await inTime(() => Promise.all(some.map(({ record }) => sourcesOf(record))), deadline);
    if (lists === null) {
      if (shown.length === 0) throw deadline.error;
      return { shown, more: true, read, cut, unreached: Math.min(matches.length - read, limit - shown.length) };
    }
    for (const [index, list] of lists.entries()) {
      if (list.cut) cut++;
      if (read >= from && list.sources.length > 0) shown.push({ ranked: some[index]!, list });
    }
    read += some.length;
  }
  return { shown: shown.slice(0, limit), more: shown.length > limit, read, cut, unreached: 0 };
}

/** What `work` gives, null where the deadline passes first. */
async function inTime<T>(work: () => Promise<T>, deadline: Deadline): Promise<T | null> {
  try {
    return deadline.passed ? null : await deadline.race(work());
  } catch (error) {
    deadline.throwIfGivenUp();
    if (deadline.passed) return null;
    throw error;
  }
}
