import { STEP_VALUES } from '../../core/compare/fingerprint-index.ts';
import { overlapSteps, sampleComparerSteps } from '../../core/compare/sample-comparer.ts';
import { type LookUpPlan, planLookUpSteps } from '../../core/query/look-up.ts';
import { noRecall, statedRecall } from '../../core/query/recall.ts';
import { exactSample } from '../../core/sketch/narrow.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { CandidateSet, Content } from '../../store/port.ts';
import type { LimitReached, MatchOptions } from '../api.ts';
import type { QueryContext } from '../context.ts';
import { meets, type Pair, reaches, sampledPair } from '../document/pair.ts';
import type { Query } from '../document/query.ts';
import { SERVICE_LIMIT_ROWS, type ServiceLimits } from '../limits.ts';
import { inOrder, type Position, positionOf } from './cursor.ts';

/*
 * A query -> candidates, the contents that may be matches -> matches in order. Candidates share enough looked-up
 * fingerprints with it, as the store finds them. Exact copies are found by their digests besides, whatever the look-ups say:
 * where every list is long and cut, an exact copy may have no posting among those read.
 */

/** @returns `complete`: false where a limit may have left out a match */
export async function gatherCandidates(
  { store, limits, turns, deadline }: QueryContext,
  query: Query,
  { thresholds, undecided, thorough }: MatchOptions,
) {
  const { indexModulusMax } = store.description;
  const { lookUpsMax } = limits;
  const known = { shingleCount: query.shingleCount, sample: exactSample(query.sample) };
  const plan = await inTurns(planLookUpSteps(known, thresholds, { indexModulusMax, lookUpsMax }), turns);
  const undecidedAt = undecided === 'include' ? query.sample.modulus : null;
  const { keys, modulus } = plan;
  const { shingleCount, shingleDigest } = query;
  const set = await deadline.race(
    store.candidates({
      ...{ keys, modulus, shingleCount, thresholds, undecidedAt, shingleDigest },
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
  readonly position: Position;
}

/**
 * @returns `unjudged`: how many candidates the deadline left out
 * @throws the deadline's error where it passed before the first candidate was judged
 */
export async function rankCandidates(
  { turns, deadline }: Pick<QueryContext, 'turns' | 'deadline'>,
  query: Query,
  records: readonly Content[],
  { thresholds, undecided, sort }: MatchOptions,
) {
  const ranked: RankedMatch[] = [];
  if (records.length === 0) return { ranked, unjudged: 0 };
  if (turns.spent()) await turns.next();
  const compare = await inTurns(sampleComparerSteps(query.sample), turns);
  let judged = 0;
  for (const record of records) {
    if (turns.spent()) {
      await turns.next();
      deadline.throwIfGivenUp();
    }
    if (deadline.passed) break;
    const { sample } = record;
    const isLong = sample.values.length > STEP_VALUES;
    const counts = isLong ? await inTurns(overlapSteps(compare, sample), turns) : compare(sample);
    const pair = sampledPair(query, record, counts);
    if (meets(pair, thresholds) || (undecided === 'include' && reaches(pair, thresholds))) {
      ranked.push({ record, pair, position: positionOf(pair, sort, query, record) });
    }
    judged++;
  }
  if (judged === 0) throw deadline.error;
  ranked.sort((a, b) => inOrder(a.position, b.position));
  return { ranked, unjudged: records.length - judged };
}
