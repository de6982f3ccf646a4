import type { Deadline } from '../../sharing/deadline.ts';
import type { Turns } from '../../sharing/turns.ts';
import type { ContentRef, Holder, Meta, Store } from '../../store/port.ts';
import type { MatchSource } from '../api.ts';
import { hostOf } from '../url.ts';
import { needsHost, passes, type SourceFilter } from './source-filter.ts';

/*
 * The sources of a content that an answer may show: in the order of the index (reversed host, then URL), filtered, and
 * counted to a limit. Where that is asked for, one a host. A content may have a hundred thousand; reading stops at the
 * count's limit, when the answer's budget of reads is used up, or when nobody waits for it any more.
 */

/** Holders are read in pages: most contents have one, so the first is small; every match has it, whatever is left. */
const FIRST_PAGE = 16;
const LATER_PAGE = 256;

/** Reads that are left for one answer, all its matches together. */
export interface ReadBudget {
  left: number;
}

/** How one answer reads on: in its turns, while there is time. */
export interface ReadPace {
  readonly turns: Turns;
  readonly deadline: Deadline;
}

export interface SourceQuery {
  /** How many sources are listed, at most. */
  readonly listed: number;
  /** How many are counted, at most. */
  readonly countMax: number;
  /** The query's bytes, to say which sources are identical; null where there is no query. */
  readonly bytesDigest: string | null;
}

export interface SourceList {
  readonly sources: readonly MatchSource[];
  readonly sourceCount: number;
  /** Of the first source that has one. */
  readonly title: string | null;
  readonly meta: Meta | null;
  /** Whether any source that was counted holds the very bytes of the query. */
  readonly identical: boolean;
  /** Whether the budget ended before all was read that was asked for. */
  readonly cut: boolean;
}

/**
 * @param pace null for a list that is short: its budget alone ends it
 * @param hostsSeen where one a host is asked for: the hosts that need not be shown any more; those shown are added
 * @throws the deadline's error where it passed before the next page was read
 */
export async function readSources(
  store: Store,
  of: ContentRef,
  filter: SourceFilter,
  query: SourceQuery,
  budget: ReadBudget,
  pace: ReadPace | null,
  hostsSeen = new Set<string>(),
): Promise<SourceList> {
  const list = new ListBuilder(filter, query, hostsSeen);
  let after: string | undefined;
  let limit = FIRST_PAGE;
  for (;;) {
    // taken before and given back after: other matches read at the same time
    budget.left -= limit;
    const page = await store.holders(of, after === undefined ? { limit } : { limit, after });
    budget.left += limit - page.length;
    for (const holder of page) if (!list.add(holder)) return list.done(false);
    if (page.length < limit) return list.done(false);
    after = page.at(-1)!.url;
    if (pace?.turns.spent() === true) await pace.turns.next();
    // whoever races against it hears nothing of this reading any more
    if (pace?.deadline.passed === true) throw pace.deadline.error;
    // read after the wait for a turn: others have taken from the budget meanwhile
    limit = Math.min(LATER_PAGE, budget.left);
    if (limit <= 0) return list.done(true);
  }
}

class ListBuilder {
  private readonly filter: SourceFilter;
  private readonly query: SourceQuery;
  private readonly hostsSeen: Set<string>;
  private readonly needsHost: boolean;
  private readonly sources: MatchSource[] = [];
  private sourceCount = 0;
  private identical = false;
  private title: string | null = null;
  private meta: Meta | null = null;

  constructor(filter: SourceFilter, query: SourceQuery, hostsSeen: Set<string>) {
    this.filter = filter;
    this.query = query;
    this.hostsSeen = hostsSeen;
    this.needsHost = needsHost(filter);
  }

  /** @returns whether another one is wanted */
  add(holder: Holder): boolean {
    const { filter, query } = this;
    // parsing a URL costs more than all the rest
    const host = this.needsHost ? hostOf(holder.url) : null;
    if (!passes(filter, holder, host)) return true;
    const identical = holder.bytesDigest === query.bytesDigest;
    this.identical ||= identical;
    // a name has no host and stands for itself
    if (filter.groupByHost && host !== null) {
      if (this.hostsSeen.has(host)) return true;
      this.hostsSeen.add(host);
    }
    this.sourceCount++;
    this.title ??= holder.title;
    this.meta ??= holder.meta;
    if (this.sources.length < query.listed) this.sources.push(toMatchSource(holder, identical));
    return this.sourceCount < query.countMax;
  }

  done(cut: boolean): SourceList {
    const { sources, sourceCount, title, meta, identical } = this;
    return { sources, sourceCount, title, meta, identical, cut };
  }
}

export function toMatchSource(holder: Holder, identical: boolean): MatchSource {
  return {
    url: holder.url,
    state: holder.state,
    identical,
    firstSeen: new Date(holder.firstSeen).toISOString(),
    lastSeen: new Date(holder.lastSeen).toISOString(),
  };
}
