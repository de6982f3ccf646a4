import { estimateOverlap } from '../../core/compare/estimate.ts';
import { resemblanceOf } from '../../core/compare/shares.ts';
import { type MoveEvidence, rivalsOf, SURENESSES, type Sureness, surenessOf } from '../../core/moved/sureness.ts';
import { isSameHost, isSameName, likenessOf, type Whereabouts, whereaboutsOf } from '../../core/moved/whereabouts.ts';
import type { Holder, Source } from '../../store/port.ts';
import type { TimedContext } from '../context.ts';
import { equivalenceOf, meets, type Pair, printEstimated } from '../document/pair.ts';
import { isShort, type KnownDocument, type Query } from '../document/query.ts';
import { isoTime } from '../iso-time.ts';
import { DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import type { RankedMatch } from '../similar/candidates.ts';
import { replacementOf } from './holder-pages.ts';
import type { LikePage } from './live-pages.ts';
import type { MovedCandidate, MovedHow, MovedState } from './moved-api.ts';
import { otherUrl } from './old-url.ts';

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

/** A page under the URL that it is found at in the end. */
interface Landing extends LikePage {
  readonly url: string;
  readonly via: string | null;
}

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
  return landings.flatMap((landing, i): Candidate | never[] => {
    const { holder, ranked, where, url, via, isSuspect } = landing;
    const rival = rivals[i]!;
    const isAfter = appearedAt(holder) > asked.until;
    const evidence: MoveEvidence = {
      isRedirect: url === asked.leadsTo,
      isEqual: ranked.pair.evidence.equalSets,
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
    if (sure === null) return [];
    const likeness = likenessOf(where, asked.where);
    return {
      url,
      how: howOf(evidence, asked.state),
      sure: leastSure(sure, asked.surest),
      likeness,
      ...ranked,
      holder,
      via,
      asked,
    };
  });
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

/** Pages by the URLs that they lead to, those left out that lead back or to what is gone. */
async function landingsOf(
  { store, deadline, limits }: TimedContext,
  { url, where, leadsTo }: Asked,
  pages: readonly LikePage[],
): Promise<readonly Landing[]> {
  const leading = pages.map(({ holder }) => otherUrl(holder.finalUrl, holder.url, limits.urlBytesMax));
  const targets = [...new Set(leading.filter((target) => target !== null && target !== url))] as string[];
  const sources = new Map<string, Source | undefined>();
  const read = await deadline.race(Promise.all(targets.map((target) => store.source(target))));
  for (const [i, target] of targets.entries()) sources.set(target, read[i]);
  const isKnown = pages.some(({ holder }) => holder.url === leadsTo);
  return pages.flatMap((page, i): Landing[] => {
    const target = leading[i]!;
    const isOwn = page.holder.url === url;
    // what it shows itself is shown where it leads
    if (target === url || (isOwn && (target === null || target !== leadsTo || isKnown))) return [];
    if (target === null) return [{ ...page, url: page.holder.url, via: null }];
    const there = whereaboutsOf(target);
    if (sources.get(target)?.state === 'gone' || (there.isHome && !where.isHome)) return [];
    return [{ ...page, url: target, via: isOwn ? null : page.holder.url, where: there }];
  });
}

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
