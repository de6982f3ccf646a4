import { refusalOf, SUSPECT_LEAST } from '../../core/moved/shared-page.ts';
import { MUCH_CHANGED, SAME_DOCUMENT } from '../../core/moved/sureness.ts';
import { isSameHost, type Whereabouts, whereaboutsOf } from '../../core/moved/whereabouts.ts';
import type { Holder } from '../../store/port.ts';
import type { ContentWish, LimitReached, MatchOptions, SimilarAnswer } from '../api.ts';
import type { TimedContext } from '../context.ts';
import { meets } from '../document/pair.ts';
import type { Query } from '../document/query.ts';
import { DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import { gatherCandidates, rankCandidates } from '../similar/candidates.ts';
import { firstHolders, moreHolders, sharedBy } from './holder-pages.ts';
import { type LikePage, livePages } from './live-pages.ts';
import type { RefusedPage } from './moved-api.ts';

/*
 * The live pages that say the same as a content of an old URL, or nearly, and which of them are no documents:
 *
 *   content ─ its sources ─ took the place of many? ─ similar contents ─ the sources of each ─ home, or of many? ─ pages
 *                               └─ refused whole        └─ of many, together? refused whole
 *
 * Notices often name the URL that they stand for, so that each says something else: but they resemble one another.
 */

/** Contents whose sources are read, those first that resemble it most. */
const CONTENTS_READ = 64;

export interface LikePages {
  /** Why what is looked for is no document; null where it may be one. Then there are no pages. */
  readonly refusal: Omit<RefusedPage, 'url'> | null;
  /** Sources of the very content, the old URL among them. */
  readonly own: readonly Holder[];
  /** Whether it took the place of some documents, though of fewer than are refused. */
  readonly isSuspect: boolean;
  /** Those like it most first. */
  readonly pages: readonly LikePage[];
  readonly refused: readonly RefusedPage[];
  readonly recall: SimilarAnswer['recall'] | null;
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
}

/** What is looked for: what was changed much, too. */
const WIDE: MatchOptions = {
  ...DEFAULT_MATCH_OPTIONS,
  thresholds: { ...DEFAULT_MATCH_OPTIONS.thresholds, resemblance: MUCH_CHANGED },
};

const NOTHING = { pages: [], refused: [], recall: null, complete: true, limits: [] } as const;

/** The sources of a content of a URL, and why it is no document. */
export async function ownSources(context: TimedContext, where: Whereabouts, id: string) {
  const own = await moreHolders(context, { id }, await firstHolders(context, { id }));
  const shared = await sharedBy(context, [{ id, holders: own }]);
  const reason = refusalOf(shared);
  const isOfHome = !where.isHome && own.some((holder) => isLiveHome(holder, where));
  const refusal =
    reason !== null
      ? { reason, sharedBy: shared.count }
      : isOfHome
        ? ({ reason: 'home-page', sharedBy: null } as const)
        : null;
  return { own, refusal, isSuspect: shared.count >= SUSPECT_LEAST };
}

function isLiveHome({ url, state }: Holder, where: Whereabouts): boolean {
  if (state !== 'live') return false;
  const other = whereaboutsOf(url);
  return other.isHome && isSameHost(other, where);
}

/** @param where of the URL that had the content */
export async function likePages(
  context: TimedContext,
  where: Whereabouts,
  query: Query,
  content: ContentWish,
): Promise<LikePages> {
  const wide = { ...WIDE, content };
  const sources = await ownSources(context, where, query.id);
  if (sources.refusal !== null) return { ...NOTHING, ...sources };
  const gathered = await gatherCandidates(context, query, wide);
  const { ranked, unjudged } = await rankCandidates(context, query, gathered.records, wide);
  const read = ranked.slice(0, CONTENTS_READ);
  const first = await Promise.all(
    read.map(({ record }) => (record.id === query.id ? sources.own : firstHolders(context, record))),
  );
  const like = read.flatMap(({ deciding: { shares }, record: { id } }, i) =>
    shares.resemblance < SAME_DOCUMENT ? [] : [{ id, holders: first[i]! }],
  );
  const family = await sharedBy(context, like);
  const reason = refusalOf(family);
  if (reason !== null) return { ...NOTHING, ...sources, refusal: { reason, sharedBy: family.count } };
  const { pages, refused, cut } = await livePages(context, where, read, first);
  const limits = [...gathered.limits];
  if (unjudged > 0) limits.push({ code: 'deadline', affected: unjudged, of: gathered.records.length });
  const left = ranked
    .slice(CONTENTS_READ)
    .filter(({ deciding }) => meets(deciding.shares, DEFAULT_MATCH_OPTIONS.thresholds)).length;
  if (left + cut > 0) limits.push({ code: 'sources', affected: left + cut, of: left + read.length });
  return {
    ...sources,
    isSuspect: family.count >= SUSPECT_LEAST,
    pages,
    refused,
    recall: gathered.recall,
    complete: gathered.complete && unjudged === 0 && left + cut === 0,
    limits,
  };
}
