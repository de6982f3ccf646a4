import { type LookUpPlan, planLookUpSteps } from '../../core/query/look-up.ts';
import { noRecall, type Recall, statedRecall } from '../../core/query/recall.ts';
import { exactSample } from '../../core/sketch/narrow.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { CandidateSet, Content } from '../../store/port.ts';
import type { LimitReached, MatchOptions } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import type { Deadline } from '../deadline.ts';
import type { Query } from '../document/query.ts';

/*
 * A query -> the contents that may be matches. They share enough looked-up fingerprints with it, as the store finds
 * them. Exact copies are found by their digests besides, whatever the look-ups say: where every list is long and cut,
 * an exact copy may have no posting among those read.
 */

export interface Candidates {
  readonly records: readonly Content[];
  readonly recall: Recall;
  /** False where a limit may have left out a match. */
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
}

export async function gatherCandidates(
  context: ServiceContext,
  query: Query,
  options: Pick<MatchOptions, 'thresholds' | 'undecided'>,
  deadline: Deadline,
): Promise<Candidates> {
  const { store, limits } = context;
  const { thresholds, undecided } = options;
  const { indexModulusMax } = store.description;
  const { lookUpsMax, candidatesMax } = limits;
  const known = { shingleCount: query.shingleCount, sample: exactSample(query.sample) };
  const plan = await inTurns(planLookUpSteps(known, thresholds, { indexModulusMax, lookUpsMax }), context.turns);
  const undecidedAt = undecided === 'include' ? query.sample.modulus : null;
  const { keys, modulus } = plan;
  const { shingleCount, shingleDigest } = query;
  const set = await deadline.race(
    store.candidates({ keys, modulus, shingleCount, thresholds, undecidedAt, candidatesMax, shingleDigest }),
  );
  const records = set.candidates.map(({ record }) => record);
  if (set.twinsCut && !records.some(({ id }) => id === query.id)) {
    // so many have the shingles of the query that the one with its very words was not read with them
    const copy = await deadline.race(store.content(query.id));
    if (copy !== undefined) records.push(copy);
  }
  const { shares, passedOver, cut, unreadable } = set;
  const stated = statedRecall(plan, thresholds, { indexModulusMax, shares, passedOver: passedOver > 0, cut });
  return {
    records,
    // what could not be read may have been any list, or the record of any match
    recall: unreadable === 0 ? stated.recall : noRecall(stated.recall),
    complete: stated.nothingLeftOut && unreadable === 0 && !set.twinsCut,
    limits: limitsReached(plan, set),
  };
}

function limitsReached({ keys, keysWanted }: LookUpPlan, set: CandidateSet): LimitReached[] {
  const { found, cut, shares, unreadable } = set;
  const limits: LimitReached[] = [
    { code: 'look-ups', affected: keysWanted - keys.length, of: keysWanted },
    { code: 'capped-lists', affected: shares.filter((share) => share > 0 && share < 1).length, of: keys.length },
    { code: 'candidates', affected: cut?.leftOut ?? 0, of: found },
    { code: 'unreadable', affected: unreadable, of: Math.max(found, unreadable) },
  ];
  return limits.filter(({ affected }) => affected > 0);
}
