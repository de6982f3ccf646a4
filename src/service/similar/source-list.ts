import type { Content, Holder, Meta } from '../../store/port.ts';
import type { MatchOptions, MatchSource } from '../api.ts';
import { HOST_HOLDERS_MAX, hostOfMatch } from '../content/document-content.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import { isoTime } from '../iso-time.ts';
import { hostOf } from '../url.ts';
import { passes, type SourceFilter } from './source-filter.ts';

/*
 * The sources of one answer's matches.
 *
 * Sources come in the order of the index (reversed host, then URL), filtered. Where that is asked for, one a host. A content
 * may have a hundred thousand: reading stops at a limit, when the answer's budget of reads is used up, or when nobody waits for
 * it any more. How many there are the index knows, unless a filter has to see each of them.
 */

/** Holders are read in pages: most contents have one, so the first is small; every match has it, whatever is left. It tells the host, too. */
const FIRST_PAGE = HOST_HOLDERS_MAX;
const LATER_PAGE = 256;

/** What may be shown of a match's sources. */
export type SourceList = Readonly<ReturnType<typeof emptyList>>;

function emptyList() {
  return {
    sources: [] as MatchSource[],
    sourceCount: 0,
    /** Whether there are others that are not counted, or may be. */
    more: false,
    /** Of the first source that has one. */
    title: null as string | null,
    meta: null as Meta | null,
    /** Whether any source that was read holds the very bytes of the query. */
    identical: false,
    /** Of a thorough query, whatever was shown before: what each host has. */
    hosts: new Map<string | null, HostTally>(),
    /** Whether the budget ended before all was read that was asked for. */
    cut: false,
    /** Whether the answer had no room for sources that were asked for. */
    short: false,
    /** The host by whose template the content of the match is told, whatever is shown. */
    templateHost: null as string | null,
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
  /** Bytes that the sources of all matches together may take of the answer, about: each match shows one whatever is left. */
  readonly bytesMax?: number;
}

/** A source of an answer beside its URL. */
export const SOURCE_BYTES = 140;

/** Reads the sources of one answer's matches. */
export function createSourceReader(
  { store, limits, turns, deadline }: QueryContext,
  { bytesDigest }: Query,
  {
    sourcesPerMatch,
    thorough = false,
    readMax = limits.sourcesReadMax,
    bytesMax = Number.POSITIVE_INFINITY,
  }: SourceWish,
  filter: SourceFilter,
) {
  /** Reads and bytes that are left for all matches together. */
  let left = readMax;
  let bytesLeft = bytesMax;
  // the budget alone ends what a thorough query reads, which is told
  const wantedMax = thorough ? Number.POSITIVE_INFINITY : limits.sourcesWantedMax;
  /** Where one a host is asked for: the hosts that need not be shown any more. */
  const hostsSeen = new Set<string>();

  /** Where one a host is asked for: whether one of this host was shown before. A name has no host and stands for itself. */
  const hidden = (host: string | null) => filter.groupByHost && host !== null && hostsSeen.has(host);

  /** @returns whether another one is wanted, if only to know that there is one */
  function add(holder: Holder, list: ReturnType<typeof emptyList>): boolean {
    // parsing a URL costs more than all the rest
    const host = filter.needsHost || thorough ? hostOf(holder.url) : null;
    if (!passes(filter, holder, host)) return true;
    if (thorough) tally(list.hosts, host, holder);
    if (list.sourceCount === wantedMax && !hidden(host)) return false;
    const identical = holder.bytesDigest === bytesDigest;
    list.identical ||= identical;
    if (hidden(host)) return true;
    if (filter.groupByHost && host !== null) hostsSeen.add(host);
    list.sourceCount++;
    list.title ??= holder.title;
    list.meta ??= holder.meta;
    if (list.sources.length >= sourcesPerMatch) return true;
    if (list.sources.length > 0 && bytesLeft <= 0) list.short = true;
    else {
      list.sources.push(toMatchSource(holder, identical));
      bytesLeft -= SOURCE_BYTES + holder.url.length;
    }
    return true;
  }

  /** The same list with the number of all sources, where that takes no look at each. */
  async function counted({ id, locator }: Content, list: ReturnType<typeof emptyList>): Promise<SourceList> {
    if (!filter.isOfStates) return { ...list, more: true };
    const { live, gone, past } = await store.holderCounts({ id, locator }, [...filter.urls]);
    const all = Object.entries({ live, gone, past });
    const sum = all.reduce((total, [state, count]) => total + (filter.states.has(state) ? count : 0), 0);
    // some may have gone since they were read
    return { ...list, more: false, sourceCount: Math.max(sum, list.sourceCount) };
  }

  /** @throws the deadline's error where it passed before the next page was read */
  return async (content: Content): Promise<SourceList> => {
    const { id, locator } = content;
    const list = emptyList();
    let after: string | undefined;
    let limit = FIRST_PAGE;
    for (;;) {
      // taken before and given back after: other matches read at the same time
      left -= limit;
      const page = await store.holders({ id, locator }, after === undefined ? { limit } : { limit, after });
      left += limit - page.length;
      if (after === undefined) list.templateHost = hostOfMatch(page);
      for (const holder of page) if (!add(holder, list)) return counted(content, list);
      if (page.length < limit) return list;
      after = page.at(-1)!.url;
      if (turns.spent()) await turns.next();
      // whoever races against it hears nothing of this reading any more
      if (deadline.passed) throw deadline.error;
      // read after the wait for a turn: others have taken from the budget meanwhile
      limit = Math.min(LATER_PAGE, left);
      if (limit <= 0) return { ...(await counted(content, list)), cut: true };
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
