import type { Deadline } from '../../sharing/deadline.ts';
import type { Content, Holder, Meta } from '../../store/port.ts';
import type { MatchOptions, MatchSource } from '../api.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import { isoTime } from '../iso-time.ts';
import { hostOf } from '../url.ts';
import type { RankedMatch } from './candidates.ts';
import { passes, type SourceFilter } from './source-filter.ts';

/*
 * Matches in order -> one page of them with their sources. A match all of whose sources are filtered out is passed over,
 * and the next one is shown instead. One match more than the page holds is looked for, so that there is a cursor exactly
 * where there is something to come.
 *
 * Sources come in the order of the index (reversed host, then URL), filtered, and counted to a limit. Where that is asked
 * for, one a host. A content may have a hundred thousand; reading stops at the count's limit, when the answer's budget of
 * reads is used up, or when nobody waits for it any more.
 *
 * A thorough query hides none: where the budget is used up, its page ends before the match that has no room, and the next one
 * begins there, with a budget of its own.
 */

/** Matches whose sources are read at the same time; where hosts are shown once, what one shows decides what the next may. */
const AT_A_TIME = 16;
/** Holders are read in pages: most contents have one, so the first is small; every match has it, whatever is left. */
const FIRST_PAGE = 16;
const LATER_PAGE = 256;

/** The same of a thorough query, whose pages are long: rows of so many are read together. */
const MORE_AT_A_TIME = 64;

export interface ShownMatch {
  readonly ranked: RankedMatch;
  readonly list: SourceList;
}

/**
 * @param from the matches before this one are on earlier pages
 * @returns `more`: whether another page follows. `told`: what was read of matches, those that are not shown among them. `read`: matches whose sources were read. `cut`: those of them whose sources
 *   were not all read that were asked for. `unreached`: matches of this page that the deadline kept out
 * @throws the deadline's error where it passed before the first match could be shown
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
  const { limit, thorough } = options;
  let readSources = createSourceReader(context, query, options, filter);
  const shown: ShownMatch[] = [];
  const told: ShownMatch[] = [];
  const atATime = filter.groupByHost ? 1 : thorough ? MORE_AT_A_TIME : AT_A_TIME;
  // what earlier pages have shown decides which hosts are new
  const first = filter.groupByHost ? 0 : from;
  let next = first;
  let cut = 0;
  while (next < ranked.length && shown.length <= limit) {
    if (turns.spent()) await turns.next();
    const some = ranked.slice(next, next + Math.min(atATime, limit + 1 - shown.length));
    let lists = await inTime(() => Promise.all(some.map(({ record }) => readSources(record))), deadline);
    const spentAt = thorough && !filter.groupByHost ? (lists?.findIndex((list) => list.cut) ?? -1) : -1;
    if (spentAt >= 0) {
      readSources = createSourceReader(context, query, options, filter);
      lists =
        spentAt > 0
          ? lists!.slice(0, spentAt)
          : await inTime(async () => [await readSources(some[0]!.record)], deadline);
    }
    if (lists === null) {
      if (shown.length === 0) throw deadline.error;
      const unreached = Math.min(ranked.length - next, limit - shown.length);
      return { shown, told, more: true, read: next - first, cut, unreached };
    }
    for (const [index, list] of lists.entries()) {
      if (list.cut) cut++;
      const match = { ranked: some[index]!, list };
      told.push(match);
      if (next >= from && list.sources.length > 0) shown.push(match);
    }
    next += lists.length;
    if (spentAt >= 0 && shown.length > 0) {
      return { shown: shown.slice(0, limit), told, more: next < ranked.length, read: next - first, cut, unreached: 0 };
    }
  }
  return { shown: shown.slice(0, limit), told, more: shown.length > limit, read: next - first, cut, unreached: 0 };
}

/** What `work` gives, null where the deadline passes first. */
export async function inTime<T>(work: () => Promise<T>, deadline: Deadline): Promise<T | null> {
  try {
    return deadline.passed ? null : await deadline.race(work());
  } catch (error) {
    deadline.throwIfGivenUp();
    if (deadline.passed) return null;
    throw error;
  }
}

/** What may be shown of a match's sources. */
export type SourceList = Readonly<ReturnType<typeof emptyList>>;

function emptyList() {
  return {
    sources: [] as MatchSource[],
    sourceCount: 0,
    /** Of the first source that has one. */
    title: null as string | null,
    meta: null as Meta | null,
    /** Whether any source that was counted holds the very bytes of the query. */
    identical: false,
    /** Of a thorough query, whatever was shown before: what each host has. */
    hosts: new Map<string | null, HostTally>(),
    /** Whether the budget ended before all was read that was asked for. */
    cut: false,
  };
}

/** How many sources of a match one host has, and when the first and the last sighting was, ms since 1970. */
export interface HostTally {
  sourceCount: number;
  firstSeen: number;
  lastSeen: number;
}

/** What is asked of sources. */
interface SourceWish extends Pick<MatchOptions, 'sourcesPerMatch'> {
  /** Whether all are counted, and by host. */
  readonly thorough?: boolean;
  /** Reads for all matches together, those of an answer where not given. */
  readonly readMax?: number;
}

/** Reads the sources of one answer's matches. */
export function createSourceReader(
  { store, limits, turns, deadline }: QueryContext,
  { bytesDigest }: Query,
  { sourcesPerMatch, thorough = false, readMax = limits.sourcesReadMax }: SourceWish,
  filter: SourceFilter,
) {
  /** Reads that are left for all matches together. */
  let left = readMax;
  // beyond that count, the budget ends what a thorough query reads, which is told
  const countMax = thorough ? Number.POSITIVE_INFINITY : limits.sourceCountMax;
  /** Where one a host is asked for: the hosts that need not be shown any more. */
  const hostsSeen = new Set<string>();

  /** @returns whether another one is wanted */
  function add(holder: Holder, list: ReturnType<typeof emptyList>): boolean {
    // parsing a URL costs more than all the rest
    const host = filter.needsHost || thorough ? hostOf(holder.url) : null;
    if (!passes(filter, holder, host)) return true;
    if (thorough) tally(list.hosts, host, holder);
    const identical = holder.bytesDigest === bytesDigest;
    list.identical ||= identical;
    // a name has no host and stands for itself
    if (filter.groupByHost && host !== null) {
      if (hostsSeen.has(host)) return true;
      hostsSeen.add(host);
    }
    list.sourceCount++;
    list.title ??= holder.title;
    list.meta ??= holder.meta;
    if (list.sources.length < sourcesPerMatch) list.sources.push(toMatchSource(holder, identical));
    return list.sourceCount < countMax;
  }

  /** @throws the deadline's error where it passed before the next page was read */
  return async ({ id, locator }: Content): Promise<SourceList> => {
    const list = emptyList();
    let after: string | undefined;
    let limit = FIRST_PAGE;
    for (;;) {
      // taken before and given back after: other matches read at the same time
      left -= limit;
      const page = await store.holders({ id, locator }, after === undefined ? { limit } : { limit, after });
      left += limit - page.length;
      for (const holder of page) if (!add(holder, list)) return list;
      if (page.length < limit) return list;
      after = page.at(-1)!.url;
      if (turns.spent()) await turns.next();
      // whoever races against it hears nothing of this reading any more
      if (deadline.passed) throw deadline.error;
      // read after the wait for a turn: others have taken from the budget meanwhile
      limit = Math.min(LATER_PAGE, left);
      if (limit <= 0) return { ...list, cut: true };
    }
  };
}

function tally(hosts: Map<string | null, HostTally>, host: string | null, { firstSeen, lastSeen }: Holder): void {
  const known = hosts.get(host);
  if (known === undefined) {
    hosts.set(host, { sourceCount: 1, firstSeen, lastSeen });
    return;
  }
  known.sourceCount++;
  known.firstSeen = Math.min(known.firstSeen, firstSeen);
  known.lastSeen = Math.max(known.lastSeen, lastSeen);
}

/** @param identical whether it holds the very bytes of the query */
export function toMatchSource({ url, state, firstSeen, lastSeen }: Holder, identical: boolean): MatchSource {
  return {
    url,
    state,
    identical,
    firstSeen: isoTime(firstSeen),
    lastSeen: isoTime(lastSeen),
  };
}
