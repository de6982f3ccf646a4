import type { Content, Holder } from '../../store/port.ts';
import { HOST_HOLDERS_MAX, hostOfMatch } from '../content/document-content.ts';
import type { QueryContext } from '../context.ts';
import { isoTime } from '../iso-time.ts';
import { SOURCE_BYTES } from '../similar/source-list.ts';
import type { ClusterMember } from './cluster-api.ts';

/*
 * The sources of a cluster's members: URLs that say a content now, or said it last before they were gone. A content that
 * all of its sources have moved on from is no member, as in a corpus.
 */

/** Most contents have one source, so the first page is small; every content has it, whatever is left. */
const FIRST_PAGE = 16;
const LATER_PAGE = 256;

export interface MemberSources extends Pick<ClusterMember, 'sources' | 'sourceCount'> {
  /** null: it has none. */
  readonly oldest: Holder | null;
  /** Whether not all were read, of those that are read of one content. */
  readonly cut: boolean;
  /** Whether the answer had no room for sources that were asked for. */
  readonly short: boolean;
  /** The host by whose template its content is told. */
  readonly templateHost: string | null;
}

/** What is left for all members together, after the first page of each is read, and its first source shown. */
export interface SourceBudget {
  /** Reads of sources. */
  left: number;
  /** Bytes of sources that the answer has room for, about. */
  bytes: number;
}

/** @throws the deadline's error */
export async function memberSources(
  { store, limits, turns, deadline }: QueryContext,
  { id, locator }: Content,
  shownMax: number,
  budget: SourceBudget,
): Promise<MemberSources> {
  const countAll = async () => {
    const { live, gone } = await deadline.race(store.holderCounts({ id, locator }, []));
    return live + gone;
  };
  const sources: Omit<ClusterMember['sources'][number], never>[] = [];
  let [read, limit] = [0, FIRST_PAGE];
  let oldest: Holder | null = null;
  let short = false;
  let after: string | undefined;
  let templateHost: string | null = null;
  for (;;) {
    const page = await deadline.race(
      store.holders({ id, locator }, after === undefined ? { limit } : { limit, after }),
    );
    if (after === undefined) templateHost = hostOfMatch(page.slice(0, HOST_HOLDERS_MAX));
    for (const holder of page) {
      if (holder.state === 'past') continue;
      if (read === limits.sourcesWantedMax)
        return { sources, sourceCount: await countAll(), oldest, cut: false, short, templateHost };
      read++;
      if (oldest === null || isOlder(holder, oldest)) oldest = holder;
      if (sources.length >= shownMax) continue;
      if (sources.length > 0 && budget.bytes <= 0) short = true;
      else {
        sources.push(shown(holder));
        budget.bytes -= SOURCE_BYTES + holder.url.length;
      }
    }
    if (page.length < limit) return { sources, sourceCount: read, oldest, cut: false, short, templateHost };
    after = page.at(-1)!.url;
    if (turns.spent()) await turns.next();
    limit = Math.min(LATER_PAGE, budget.left);
    if (limit <= 0) return { sources, sourceCount: await countAll(), oldest, cut: true, short, templateHost };
    budget.left -= limit;
  }
}

/** Which of two represents: the one seen first; of one time the one with the shorter URL; then the lesser URL. */
export function isOlder(one: Holder, other: Holder): boolean {
  if (one.firstSeen !== other.firstSeen) return one.firstSeen < other.firstSeen;
  if (one.url.length !== other.url.length) return one.url.length < other.url.length;
  return one.url < other.url;
}

const shown = ({ url, state, firstSeen, lastSeen }: Holder) => ({
  ...{ url, state },
  ...{ firstSeen: isoTime(firstSeen), lastSeen: isoTime(lastSeen) },
});
