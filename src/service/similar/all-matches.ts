import { estimatedMatches } from '../../core/query/estimated-matches.ts';
import { inTime } from '../../sharing/deadline.ts';
import type { HostCopies, MatchOptions } from '../api.ts';
import { printDeciding } from '../content/content-pair.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import { isoTime } from '../iso-time.ts';
import { type gatherCandidates, type RankedMatch, rankCandidates } from './candidates.ts';
import type { ShownMatch, showPage } from './page.ts';
import type { SourceFilter } from './source-filter.ts';
import { createSourceReader, type HostTally } from './source-list.ts';

/*
 * What a thorough query says of all its matches together, beside the pages of them: which hosts have them, and how many there
 * are about where not all were found. Source: Broder 1997, §6, "widely distributed information", whose holders are to be told.
 *
 *   matches in order   [ earlier pages | last page ]      sources of the last page were read for it,
 *                        read again     was read          those of earlier ones are read again, to a limit
 *
 * Cost: a row of each source of the earlier pages, some 10 µs.
 */

/** Matches of earlier pages whose sources are read at the same time. */
const AT_A_TIME = 64;
/** So many candidates, the last that were judged, tell of those that the deadline left out: what comes later shares no more. */
const LAST_JUDGED = 1000;

/**
 * The hosts of all matches, told with the last page.
 *
 * @param from the matches before this one are on earlier pages
 * @returns `cut`: matches of earlier pages whose sources were not all read; `unreached`: those that the deadline kept out
 */
export async function hostsOfMatches(
  context: QueryContext,
  query: Query,
  ranked: readonly RankedMatch[],
  { from, told }: { readonly from: number } & Pick<Awaited<ReturnType<typeof showPage>>, 'told'>,
  options: MatchOptions,
  filter: SourceFilter,
) {
  const hosts = new Map<string | null, HostCopiesSoFar>();
  // where hosts are shown once, the page has read all
  const earlier = filter.groupByHost ? 0 : from;
  const { hostSourcesMax: readMax } = context.limits;
  const readSources = createSourceReader(context, query, { sourcesPerMatch: 0, thorough: true, readMax }, filter);
  let [next, cut, matchCount] = [0, 0, 0];
  const add = ({ ranked: match, list }: ShownMatch) => {
    if (list.hosts.size > 0) matchCount++;
    for (const [host, tally] of list.hosts) addTally(hosts, host, match, tally);
  };
  while (next < earlier) {
    if (context.turns.spent()) await context.turns.next();
    const some = ranked.slice(next, Math.min(earlier, next + AT_A_TIME));
    const lists = await inTime(() => Promise.all(some.map(({ record }) => readSources(record))), context.deadline);
    if (lists === null) break;
    for (const [index, list] of lists.entries()) {
      if (list.cut) cut++;
      add({ ranked: some[index]!, list });
    }
    next += some.length;
  }
  for (const match of told) add(match);
  const printed: HostCopies[] = [];
  for (const [host, copies] of hosts) {
    if (context.turns.spent()) await context.turns.next();
    printed.push(printHost(host, copies, options));
  }
  return { hosts: printed, matchCount, earlier, cut, unreached: earlier - next };
}

interface HostCopiesSoFar extends HostTally {
  readonly best: RankedMatch;
  matches: number;
}

function addTally(
  hosts: Map<string | null, HostCopiesSoFar>,
  host: string | null,
  best: RankedMatch,
  { sourceCount, firstSeen, lastSeen }: HostTally,
): void {
  const known = hosts.get(host);
  if (known === undefined) {
    hosts.set(host, { best, matches: 1, sourceCount, firstSeen, lastSeen });
    return;
  }
  known.matches++;
  known.sourceCount += sourceCount;
  known.firstSeen = Math.min(known.firstSeen, firstSeen);
  known.lastSeen = Math.max(known.lastSeen, lastSeen);
}

function printHost(host: string | null, copies: HostCopiesSoFar, { thresholds }: MatchOptions): HostCopies {
  const { best, matches, sourceCount, firstSeen, lastSeen } = copies;
  const { resemblance, aInB } = printDeciding(best, thresholds);
  return {
    ...{ host, matches, sourceCount, resemblance, queryInMatch: aInB },
    ...{ firstSeen: isoTime(firstSeen), lastSeen: isoTime(lastSeen) },
  };
}

type Gathered = Pick<Awaited<ReturnType<typeof gatherCandidates>>, 'records' | 'seen'>;
type Ranked = Awaited<ReturnType<typeof rankCandidates>>;

/** How many contents meet a threshold, about; null where all were found that the look-ups can meet. */
export async function estimateCopies(
  context: QueryContext,
  query: Query,
  { records, seen: { plan, shares, leftOut, drawn } }: Gathered,
  { ranked, unjudged }: Ranked,
  options: MatchOptions,
): Promise<number | null> {
  if (leftOut + unjudged === 0 && shares.every((share) => share === 1)) return null;
  const found = foundMatches(ranked);
  const others = await inTime(() => rankCandidates(context, query, drawn, options), context.deadline);
  const drawnJudged = others === null ? 0 : drawn.length - others.unjudged;
  const last = new Set(records.slice(0, records.length - unjudged).slice(-LAST_JUDGED));
  const amongLast = foundMatches(ranked.filter(({ record }) => last.has(record)));
  const ofLast = drawnJudged === 0 ? leftOut + unjudged : unjudged;
  return estimatedMatches(found, plan, shares, context.store.description.indexModulusMax, [
    { matches: foundMatches(others?.ranked ?? []), standFor: drawnJudged === 0 ? 0 : leftOut / drawnJudged },
    { matches: amongLast, standFor: ofLast / Math.max(1, last.size) },
  ]);
}

const foundMatches = (ranked: readonly RankedMatch[]) =>
  ranked.map(({ record, deciding }) => ({ shingleCount: record.shingleCount, queryInMatch: deciding.shares.aInB }));
