import { estimateOverlap } from '../../core/compare/estimate.ts';
import { resemblanceOf } from '../../core/compare/shares.ts';
import { type MoveEvidence, rivalsOf, SURENESSES, type Sureness, surenessOf } from '../../core/moved/sureness.ts';
import { isSameHost, isSameName, likenessOf, type Whereabouts } from '../../core/moved/whereabouts.ts';
import type { Holder } from '../../store/port.ts';
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
}

export interface Candidate {
  readonly url: string;
  readonly how: MovedHow;
  readonly sure: Sureness;
  readonly likeness: number;
  /** What it shows, beside what is looked for. */
  readonly record: KnownDocument;
  readonly pair: Pair;
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
  const rivals = landings.map(({ ranked, where }) => ({
    content: ranked.record.id,
    resemblance: ranked.pair.resemblance,
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
    const isAfter = appearedAt(holder) > asked.until;
    const evidence: MoveEvidence = {
      isRedirect,
      isEqual: ranked.pair.evidence.equalSets === true,
      resemblanceLow: lowOf(ranked),
      isLike: meets(ranked.pair, THRESHOLDS),
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
function appearedAt(holder: Holder): number {
  return replacementOf(holder) === null ? holder.knownSince : holder.firstSeen;
}

function lowOf({ pair }: RankedMatch): number {
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
      b.pair.resemblance - a.pair.resemblance ||
      b.likeness - a.likeness ||
      Number(a.via !== null) - Number(b.via !== null) ||
      firstSeenAt(a) - firstSeenAt(b) ||
      (a.url < b.url ? -1 : 1),
  );
  const seen = new Set<string>();
  return sorted.filter(({ url }) => !seen.has(url) && seen.add(url));
}

/** What is only known to be led to is no older than the rest. */
const firstSeenAt = ({ holder }: Candidate) => holder?.firstSeen ?? Number.MAX_SAFE_INTEGER;

export function printCandidate({ url, how, sure, record, pair, holder, via, asked }: Candidate): MovedCandidate {
  const { query } = asked;
  const { resemblance, aInB } = printEstimated(pair, THRESHOLDS);
  return {
    url,
    how,
    sure,
    equivalence: equivalenceOf(holder === null || holder.bytesDigest === query.bytesDigest, query, record),
    resemblance,
    queryInMatch: aInB,
    firstSeen: holder && isoTime(holder.firstSeen),
    lastSeen: holder && isoTime(holder.lastSeen),
    title: holder?.title ?? null,
    via,
    shownUntil: isoTime(asked.until),
  };
}
