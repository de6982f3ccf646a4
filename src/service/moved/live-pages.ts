import { refusalOf, SUSPECT_LEAST } from '../../core/moved/shared-page.ts';
import { isSameHost, isSameName, likenessOf, type Whereabouts, whereaboutsOf } from '../../core/moved/whereabouts.ts';
import type { Holder } from '../../store/port.ts';
import type { TimedContext } from '../context.ts';
import { meets } from '../document/pair.ts';
import { DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import type { RankedMatch } from '../similar/candidates.ts';
import { FIRST_HOLDERS, HOLDERS_MAX, moreHolders, sharedBy } from './holder-pages.ts';
import type { RefusedPage } from './moved-api.ts';

/** A live page whose content is like the one that is looked for. */
export interface LikePage {
  readonly holder: Holder;
  readonly where: Whereabouts;
  readonly ranked: RankedMatch;
  /** Whether its content took the place of other documents elsewhere, too. */
  readonly isSuspect: boolean;
}

/** Sources that are read for one content of the old URL, all that is like it together: some 20 ms. */
const SOURCES_READ_MAX = 4096;
/** Pages that are weighed against one another, and of one content those most like the old URL by their names. */
const PAGES_MAX = 512;
const PAGES_A_CONTENT = 64;

/**
 * The live sources of contents that are like the one of an old URL, less those that show no document.
 *
 * @param first the first sources of each
 * @returns `cut`: contents whose sources were not all looked at
 */
export async function livePages(
  context: TimedContext,
  where: Whereabouts,
  read: readonly RankedMatch[],
  first: readonly (readonly Holder[])[],
) {
  const pages: LikePage[] = [];
  const refused: RefusedPage[] = [];
  let left = SOURCES_READ_MAX;
  let cut = 0;
  for (const [i, ranked] of read.entries()) {
    if (context.turns.spent()) await context.turns.next();
    const few = first[i]!;
    const mayBeMore = few.length === FIRST_HOLDERS;
    const isCut = mayBeMore && left <= 0;
    const holders = mayBeMore && !isCut ? await moreHolders(context, ranked.record, few) : few;
    left -= holders.length;
    const live = holders.filter(({ state }) => state === 'live');
    const isWhole = !isCut && holders.length < HOLDERS_MAX;
    if (live.length === 0) {
      if (!isWhole) cut++;
      continue;
    }
    const shared = await sharedBy(context, [{ id: ranked.record.id, holders }]);
    const isLike = meets(ranked.deciding.shares, DEFAULT_MATCH_OPTIONS.thresholds);
    const reason = refusalOf(shared);
    if (reason !== null) {
      if (isLike) refused.push({ url: live[0]!.url, reason, sharedBy: shared.count });
      continue;
    }
    const placed = nearest(live, where, Math.min(PAGES_A_CONTENT, PAGES_MAX - pages.length));
    if (!isWhole || placed.length < live.length) cut++;
    for (const { holder, there } of placed) {
      // a project that got a host of its own lies on its first page, word for word
      const isOwnHost = isSameHost(there, where) || !ranked.pair.evidence.equalSets;
      const isHome = there.isHome && !where.isHome && isOwnHost;
      if (!isHome) pages.push({ holder, where: there, ranked, isSuspect: shared.count >= SUSPECT_LEAST });
      else if (isLike) refused.push({ url: holder.url, reason: 'home-page', sharedBy: null });
    }
  }
  return { pages, refused, cut };
}

/** Of many those on the host of the old URL, under its name, and otherwise most like it. */
function nearest(live: readonly Holder[], where: Whereabouts, most: number) {
  const placed = live.map((holder) => ({ holder, there: whereaboutsOf(holder.url) }));
  if (placed.length <= most) return placed;
  const rank = ({ there }: { readonly there: Whereabouts }) =>
    2 * Number(isSameHost(there, where)) + Number(isSameName(there, where)) + likenessOf(there, where) / 2;
  return placed
    .map((page) => ({ page, near: rank(page) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, most)
    .map(({ page }) => page);
}
