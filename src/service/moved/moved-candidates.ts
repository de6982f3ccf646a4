import { estimateOverlap } from '../../core/compare/estimate.ts';
import { resemblanceOf } from '../../core/compare/shares.ts';
import { estimateOwnShares } from '../../core/content/own-shares.ts';
import { type MoveEvidence, rivalsOf, SURENESSES, type Sureness, surenessOf } from '../../core/moved/sureness.ts';
import { isSameHost, isSameName, likenessOf, type Whereabouts } from '../../core/moved/whereabouts.ts';
import type { ContentId, Holder } from '../../store/port.ts';
import type { ContentWish } from '../api.ts';
import {
  type ContentOutcome,
  contentComparer,
  type Deciding,
  decidingShares,
  isKnownContent,
  printContent,
} from '../content/content-pair.ts';
import type { TimedContext } from '../context.ts';
import { equivalenceOf, meets, type Pair, printEstimated } from '../document/pair.ts';
import { isShort, type KnownDocument, type Query } from '../document/query.ts';
import { isoTime } from '../iso-time.ts';
import { DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import type { RankedMatch } from '../similar/candidates.ts';
import { replacementOf } from './holder-pages.ts';
import { landingsOf } from './landings.ts';
import type { LikePage } from './live-pages.ts';
import type { MovedCandidate, MovedHow, MovedState } from './moved-api.ts';
import { contentReader, isSameDocument, SAME_CONTENT } from './shown-contents.ts';

/* Live pages that are like a content of the old URL -> candidates, each with how and how sure. */

export interface Asked {
  readonly url: string;
  readonly where: Whereabouts;
  readonly state: MovedState;
  /** Where the old URL was seen to lead. */
  readonly leadsTo: string | null;
  readonly query: Query;
  /** When the old URL was last seen with what is asked about. */
  readonly until: number;
  /** Nothing is surer than this. */
  readonly surest: Sureness;
  readonly content: ContentWish;
}

export interface Candidate {
  readonly url: string;
  readonly how: MovedHow;
  readonly sure: Sureness;
  readonly likeness: number;
  /** What it shows, beside what is looked for. */
  readonly record: KnownDocument;
  readonly pair: Pair;
  /** The figures that count; null of a page that is not like what is looked for, but where the old URL leads. */
  readonly deciding: Deciding | null;
  /** What was told of the contents for that; null where it was not asked. */
  readonly content: ContentOutcome | null;
  /** null where the index knows only that something leads there. */
  readonly holder: Holder | null;
  readonly via: string | null;
  readonly asked: Asked;
}

const { thresholds: THRESHOLDS } = DEFAULT_MATCH_OPTIONS;

export async function candidatesOf(
  context: TimedContext,
  asked: Asked,
  pages: readonly LikePage[],
): Promise<readonly Candidate[]> {
  const landings = await landingsOf(context, asked, pages);
  const saidBy = await groupsOf(
    context,
    landings.map(({ ranked }) => ranked),
  );
  const rivals = landings.map(({ ranked, where }) => ({
    content: saidBy.get(ranked.record.id) ?? ranked.record.id,
    resemblance: ranked.deciding.shares.resemblance,
    host: where.host,
    isSameHost: isSameHost(where, asked.where),
    isSameName: isSameName(where, asked.where),
  }));
  const candidates: Candidate[] = [];
  for (const [i, landing] of landings.entries()) {
    // an interval costs tens of microseconds, and so does a look at all rivals
    if (context.turns.spent()) await context.turns.next();
    context.deadline.throwIfGivenUp();
    const { holder, ranked, where, url, via, isRedirect, isSuspect } = landing;
    const rival = rivals[i]!;
    const isAfter = (await appearedAt(context, landing, asked.content)) > asked.until;
    const evidence: MoveEvidence = {
      isRedirect,
      isEqual: ranked.pair.evidence.equalSets === true || isSameContent(ranked),
      resemblanceLow: lowOf(ranked),
      isLike: meets(ranked.deciding.shares, THRESHOLDS),
      isShort: isShort(asked.query),
      isAfter,
      isSameHost: rival.isSameHost,
      isSameName: rival.isSameName,
      rivals: rivalsOf(rival, rivals),
      isSuspect,
    };
    const sure = surenessOf(evidence);
    if (sure === null) continue;
    const likeness = likenessOf(where, asked.where);
    candidates.push({
      url,
      how: howOf(evidence, asked.state),
      sure: leastSure(sure, asked.surest),
      likeness,
      ...ranked,
      holder,
      via,
      asked,
    });
  }
  return candidates;
}

/** When a page was first seen to be the document that it is: what was edited since was so before. */
async function appearedAt(context: TimedContext, { holder, ranked }: LikePage, wish: ContentWish): Promise<number> {
  if (replacementOf(holder) === null) return holder.knownSince;
  const { change } = holder;
  if (wish === 'page' || change === null) return holder.firstSeen;
  const read = contentReader(context, holder.url);
  const [before, present] = await Promise.all([
    read({ id: change.from, bytesDigest: '', until: change.since }),
    read({ id: ranked.record.id, bytesDigest: holder.bytesDigest, until: holder.lastSeen }),
  ]);
  const isSame = before !== null && present !== null && (await isSameDocument(context, before, present, wish));
  return isSame ? holder.knownSince : holder.firstSeen;
}

/** Whether contents are the same in all that is known of them, and enough is. */
function isSameContent({ deciding, content }: RankedMatch): boolean {
  if (deciding.by === 'page' || !isKnownContent(content)) return false;
  const { estimate, low } = estimateOwnShares(content.evidence).resemblance;
  return estimate === 1 && low >= SAME_CONTENT;
}

/**
 * By contents, which pages say the same under another frame: no rivals of one another. Each content is held against the first
 * of each group, some 10 µs each time.
 *
 * @returns of the record of each page one that stands for its group; none where pages count
 */
async function groupsOf(
  { turns }: TimedContext,
  pages: readonly RankedMatch[],
): Promise<ReadonlyMap<ContentId, ContentId>> {
  const groups = new Map<ContentId, ContentId>();
  const firsts: { readonly id: ContentId; readonly compare: ReturnType<typeof contentComparer> }[] = [];
  for (const { record, deciding, content } of pages) {
    if (deciding.by === 'page' || !isKnownContent(content) || groups.has(record.id)) continue;
    if (turns.spent()) await turns.next();
    const first = firsts.find(({ compare }) => {
      const outcome = compare(content.b);
      return isKnownContent(outcome) && outcome.resemblance >= SAME_CONTENT;
    });
    groups.set(record.id, first?.id ?? record.id);
    if (first === undefined) firsts.push({ id: record.id, compare: contentComparer(content.b) });
  }
  return groups;
}

function lowOf({ pair, deciding, content }: RankedMatch): number {
  if (deciding.by === 'content' && isKnownContent(content)) return estimateOwnShares(content.evidence).resemblance.low;
  const { evidence } = pair;
  return resemblanceOf(estimateOverlap(evidence).low, evidence.shinglesA, evidence.shinglesB);
}

function howOf({ isRedirect, isAfter, isSameHost: isHere }: MoveEvidence, state: MovedState): MovedHow {
  if (isRedirect) return 'redirect';
  // what is still there has not moved
  if (!isAfter || state === 'live' || state === 'redirected') return 'copy';
  return isHere ? 'within-host' : 'other-host';
}

const leastSure = (a: Sureness, b: Sureness) => (SURENESSES.indexOf(a) < SURENESSES.indexOf(b) ? b : a);

/** The surest first; of each URL only the first. */
export function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  const sorted = [...candidates].sort(
    (a, b) =>
      SURENESSES.indexOf(a.sure) - SURENESSES.indexOf(b.sure) ||
      Number(b.how === 'redirect') - Number(a.how === 'redirect') ||
      Number(a.how === 'copy') - Number(b.how === 'copy') ||
      likenessOfPage(b) - likenessOfPage(a) ||
      b.likeness - a.likeness ||
      Number(a.via !== null) - Number(b.via !== null) ||
      firstSeenAt(a) - firstSeenAt(b) ||
      (a.url < b.url ? -1 : 1),
  );
  const seen = new Set<string>();
  return sorted.filter(({ url }) => !seen.has(url) && seen.add(url));
}

const likenessOfPage = ({ deciding, pair }: Candidate) => (deciding?.shares ?? pair).resemblance;

/** What is only known to be led to is no older than the rest. */
const firstSeenAt = ({ holder }: Candidate) => holder?.firstSeen ?? Number.MAX_SAFE_INTEGER;

/** @param content what is told of it */
export function printCandidate(
  { url, how, sure, record, pair, holder, via, asked }: Candidate,
  content: ContentOutcome,
): MovedCandidate {
  const { query, content: wish } = asked;
  const { resemblance, aInB } = printEstimated(pair, THRESHOLDS);
  return {
    url,
    how,
    sure,
    equivalence: equivalenceOf(holder === null || holder.bytesDigest === query.bytesDigest, query, record),
    resemblance,
    queryInMatch: aInB,
    ...printContent(content, THRESHOLDS),
    ...(wish === 'page' ? {} : { decidedBy: decidingShares(wish, pair, content)?.by ?? null }),
    firstSeen: holder && isoTime(holder.firstSeen),
    lastSeen: holder && isoTime(holder.lastSeen),
    title: holder?.title ?? null,
    via,
    shownUntil: isoTime(asked.until),
  };
}
