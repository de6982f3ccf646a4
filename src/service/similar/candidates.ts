import { STEP_VALUES } from '../../core/compare/fingerprint-index.ts';
import {
  overlapSteps,
  type SampleComparer,
  type SampleOverlap,
  sampleComparerSteps,
} from '../../core/compare/sample-comparer.ts';
import { createContentReach } from '../../core/content/content-reach.ts';
import { type LookUpPlan, planLookUpSteps } from '../../core/query/look-up.ts';
import { noRecall, statedRecall } from '../../core/query/recall.ts';
import { exactSample } from '../../core/sketch/narrow.ts';
import { inTime } from '../../sharing/deadline.ts';
import { inTurns, type Turns } from '../../sharing/turns.ts';
import type { CandidateSet, Content } from '../../store/port.ts';
import type { LimitReached, MatchOptions, Thresholds } from '../api.ts';
import { type ContentOutcome, type Deciding, decidingReach, decidingShares } from '../content/content-pair.ts';
import { contentOfQuery } from '../content/document-content.ts';
import { createContentTeller } from '../content/match-contents.ts';
import type { QueryContext } from '../context.ts';
import { meets, type Pair, sampledPair } from '../document/pair.ts';
import type { Query } from '../document/query.ts';
import { SERVICE_LIMIT_ROWS, type ServiceLimits } from '../limits.ts';
import { inOrder, type Position, positionOf } from './cursor.ts';

/*
 * A query -> candidates, the contents that may be matches -> matches in order. Candidates share enough looked-up
 * fingerprints with it, as the store finds them. Exact copies are found by their digests besides, whatever the look-ups say:
 * where every list is long and cut, an exact copy may have no posting among those read.
 *
 * Where thresholds go by contents, the query is looked up by the fingerprints of its content alone (service/content). So pages
 * of its own host, which share its frame, are not even met.
 */

/** By what a query is looked up. */
interface LookedUp {
  readonly shingleCount: number;
  readonly sample: Query['sample'];
  readonly thresholds: Thresholds;
  readonly ofParts: boolean;
}

const NOTHING: Thresholds = { resemblance: null, queryInMatch: null, matchInQuery: null };

async function lookedUpOf(
  context: QueryContext,
  query: Query,
  { thresholds, content: wish }: MatchOptions,
): Promise<LookedUp> {
  const { shingleCount, sample } = query;
  if (wish === 'page') return { shingleCount, sample, thresholds, ofParts: false };
  const { own, unknown } = await contentOfQuery(context, query);
  if (unknown === null) return { ...own, thresholds, ofParts: true };
  return { shingleCount, sample, thresholds: wish === 'auto' ? thresholds : NOTHING, ofParts: false };
}

/** @returns `complete`: false where a limit may have left out a match */
export async function gatherCandidates(context: QueryContext, query: Query, options: MatchOptions) {
  const { store, limits, turns, deadline } = context;
  const { undecided, thorough } = options;
  const { indexModulusMax } = store.description;
  const { lookUpsMax } = limits;
  const { shingleCount, sample, thresholds, ofParts } = await lookedUpOf(context, query, options);
  const known = { shingleCount, sample: exactSample(sample) };
  const made = await inTurns(planLookUpSteps(known, thresholds, { indexModulusMax, lookUpsMax }), turns);
  const plan: LookUpPlan = ofParts ? { ...made, ofParts } : made;
  const undecidedAt = undecided === 'include' ? sample.modulus : null;
  const { keys, keysWanted: _, ...lookUps } = plan;
  const { shingleDigest } = query;
  const set = await deadline.race(
    store.candidates({
      ...{ ...lookUps, keys, thresholds, undecidedAt, shingleDigest },
      ...(thorough ? thoroughReach(limits) : { candidatesMax: limits.candidatesMax }),
    }),
  );
  const records = set.candidates.map(({ record }) => record);
  if (set.twinsCut && !records.some(({ id }) => id === query.id)) {
    // so many have the shingles of the query that the one with its very words was not read with them
    const copy = await deadline.race(store.content(query.id));
    if (copy !== undefined) records.push(copy);
  }
  const { shares, passedOver, passedOverHits, cut, unreadable } = set;
  const stated = statedRecall(plan, thresholds, { indexModulusMax, shares, passedOver: passedOver > 0, cut });
  return {
    records,
    // what could not be read may have been any list, or the record of any match
    recall: unreadable === 0 ? stated.recall : noRecall(stated.recall),
    complete: stated.nothingLeftOut && unreadable === 0 && !set.twinsCut,
    limits: limitsReached(plan, set, thorough ? null : thoroughReach(limits).candidatesMax),
    /** The most look-ups that any content has met of those that share too little for a match. */
    passedOverHits,
    /** By what matches are estimated that were not found. */
    seen: { plan, shares, leftOut: cut?.leftOut ?? 0, drawn: set.drawn },
  };
}

/** Of candidates that are left out so many are judged, to tell of all: a share of them is off by .025 at the most (1 sigma). */
const DRAWN_MAX = 400;

/** Every copy, to a limit: of lists all that is kept, and so many records that a family of thousands is read. */
const thoroughReach = ({ candidatesMax, copiesMax, copiesValuesMax }: ServiceLimits) => ({
  ...{ candidatesMax: Math.max(candidatesMax, copiesMax), valuesMax: copiesValuesMax, isDeep: true },
  ...{ drawnMax: DRAWN_MAX, drawnValuesMax: copiesValuesMax / 8 },
});

/** @param thoroughMax the most that a thorough query reads; null if this is one */
function limitsReached(
  { keys, keysWanted }: LookUpPlan,
  set: CandidateSet,
  thoroughMax: number | null,
): LimitReached[] {
  const { candidates, found, cut, shares, unreadable } = set;
  const leftOut = cut?.leftOut ?? 0;
  const worth = candidates.length + leftOut;
  const limits: LimitReached[] = [
    { code: 'look-ups', affected: keysWanted - keys.length, of: keysWanted, ...raised('lookUpsMax', keysWanted) },
    { code: 'capped-lists', affected: shares.filter((share) => share > 0 && share < 1).length, of: keys.length },
    {
      ...{ code: 'candidates', affected: leftOut, of: found },
      // a thorough query has other limits
      ...(thoroughMax === null
        ? {}
        : { ...raised('candidatesMax', worth), thoroughReads: Math.min(worth, thoroughMax) }),
    },
    { code: 'unreadable', affected: unreadable, of: Math.max(found, unreadable) },
  ];
  return limits.filter(({ affected }) => affected > 0);
}

const SETTINGS = { candidatesMax: 'CANDIDATES_MAX', lookUpsMax: 'LOOK_UPS_MAX' } as const;

/** What a setting is to be raised to; nothing where it may not be so much. */
function raised(name: keyof typeof SETTINGS, to: number): Pick<LimitReached, 'raise'> {
  return to <= SERVICE_LIMIT_ROWS[name].maximum ? { raise: { setting: SETTINGS[name], to } } : {};
}

export interface RankedMatch {
  readonly record: Content;
  readonly pair: Pair;
  /** By which figures it is a match. */
  readonly deciding: Deciding;
  /** What was told of the contents for that; null where it was not asked. */
  readonly content: ContentOutcome | null;
  readonly position: Position;
}

/** Candidates whose hosts and templates are read at the same time. */
const AT_A_TIME = 16;

/**
 * @returns `unjudged`: how many candidates the deadline left out
 * @throws the deadline's error where it passed before the first candidate was judged
 */
export async function rankCandidates(
  context: QueryContext,
  query: Query,
  records: readonly Content[],
  options: MatchOptions,
) {
  const { turns, deadline } = context;
  const ranked: RankedMatch[] = [];
  if (records.length === 0) return { ranked, unjudged: 0 };
  const nextTurn = async () => {
    if (!turns.spent()) return;
    await turns.next();
    deadline.throwIfGivenUp();
  };
  await nextTurn();
  const compare = await inTurns(sampleComparerSteps(query.sample), turns);
  const filter = await contentFilter(context, query, options);
  /** Those whose contents may decide, so that their hosts are read. */
  const asked: { readonly record: Content; readonly pair: Pair }[] = [];
  const take = (record: Content, pair: Pair, content: ContentOutcome | null) => {
    const match = judge(pair, content, options);
    if (match === null) return;
    ranked.push({ ...match, record, position: positionOf(match.deciding.shares, options.sort, query, record) });
  };
  let judged = 0;
  for (const record of records) {
    await nextTurn();
    if (deadline.passed) break;
    const counts = await overlapOf(compare, record, turns);
    const pair = sampledPair(query, record, counts);
    judged++;
    if (filter === null) take(record, pair, null);
    else if (meets(pair, options.thresholds) || (await filter(record, counts))) asked.push({ record, pair });
  }
  const tellContent = createContentTeller(context, query);
  for (let from = 0; from < asked.length; from += AT_A_TIME) {
    await nextTurn();
    const some = asked.slice(from, from + AT_A_TIME);
    const told = await inTime(() => Promise.all(some.map(({ record }) => tellContent(record))), deadline);
    if (told === null) {
      judged -= asked.length - from;
      break;
    }
    for (const [i, { record, pair }] of some.entries()) take(record, pair, told[i]!);
  }
  if (judged === 0) throw deadline.error;
  ranked.sort((a, b) => inOrder(a.position, b.position));
  return { ranked, unjudged: records.length - judged };
}

/** What a sample and that of a candidate share; at once, unless the candidate is long. */
function overlapOf(compare: SampleComparer, { sample }: Content, turns: Turns): SampleOverlap | Promise<SampleOverlap> {
  return sample.values.length > STEP_VALUES ? inTurns(overlapSteps(compare, sample), turns) : compare(sample);
}

/** Whether the content of a candidate may meet a threshold, told before its host is read; null where contents do not decide. */
async function contentFilter(
  context: QueryContext,
  query: Query,
  { content: wish, thresholds, undecided }: MatchOptions,
) {
  if (wish === 'page') return null;
  const { own, unknown } = await contentOfQuery(context, query);
  if (unknown !== null) return null;
  // an interval may be as wide as can be
  if (undecided === 'include') return () => true;
  const { turns } = context;
  const { resemblance, queryInMatch: aInB, matchInQuery: bInA } = thresholds;
  const reaches = createContentReach(own, { resemblance, aInB, bInA });
  if (own.sample === query.sample) return (_: Content, counts: SampleOverlap) => reaches(counts);
  const compareOwn = await inTurns(sampleComparerSteps(own.sample), turns);
  return async (record: Content) => reaches(await overlapOf(compareOwn, record, turns));
}

/** A match, unless it meets no threshold. */
function judge(pair: Pair, content: ContentOutcome | null, { thresholds, content: wish, undecided }: MatchOptions) {
  const deciding = decidingShares(wish, pair, content);
  if (deciding === null) return null;
  const isMatch =
    meets(deciding.shares, thresholds) ||
    (undecided === 'include' && decidingReach(deciding, pair, content, thresholds));
  return isMatch ? { pair, deciding, content } : null;
}
