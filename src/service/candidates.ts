import { type LookUpPlan, planLookUp } from '../core/look-up.ts';
import { exactSample } from '../core/narrow.ts';
import { overlapNeeded, recallOfNeeded } from '../core/overlap-needed.ts';
import { type Recall, recall } from '../core/recall.ts';
import type { CandidateSet, FoundContent } from '../store/port.ts';
import type { LimitReached, MatchOptions, Thresholds } from './api.ts';
import type { ServiceContext } from './context.ts';
import { recallBeyondCut } from './cut-recall.ts';
import type { Deadline } from './deadline.ts';
import type { Query } from './query.ts';

/*
 * A query -> the contents that may be matches: those that share enough looked-up fingerprints with it, as the store finds
 * them, and the exact copies, found by their digests whatever the look-ups say (where every list is long and cut, an exact
 * copy may have no posting among those read).
 */

export interface Candidates {
  readonly records: readonly FoundContent[];
  readonly recall: Recall;
  /** Whether the limits that bit cost recall. */
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
}

/** An answer is complete while its limits take less than so much from the recall in every direction that was asked for. */
const RECALL_LOSS_MAX = 0.001;

export async function gatherCandidates(
  context: ServiceContext,
  query: Query,
  options: Pick<MatchOptions, 'thresholds' | 'undecided'>,
  deadline: Deadline,
): Promise<Candidates> {
  const { store, limits } = context;
  const { thresholds, undecided } = options;
  const { indexModulusMax, recordModulusMax } = store.description;
  const { lookUpsMax, candidatesMax } = limits;
  const known = { shingleCount: query.shingleCount, sample: exactSample(query.sample) };
  if (context.turns.spent()) await context.turns.next();
  const plan = planLookUp(known, thresholds, { indexModulusMax, lookUpsMax });
  const undecidedAt = undecided === 'include' ? query.sample.modulus : null;
  const { shingleDigest } = query;
  const set = await deadline.race(
    store.candidates({
      keys: plan.keys,
      candidatesMax,
      shingleDigest,
      overlapNeeded: (shares) =>
        overlapNeeded(plan, thresholds, { indexModulusMax, recordModulusMax, shares, undecidedAt }),
    }),
  );
  const records = set.candidates.map(({ record }) => record);
  if (set.twinsCut && !records.some(({ id }) => id === query.lexicalDigest)) {
    // so many have the shingles of the query that the one with its very words was not read with them
    const copy = await deadline.race(store.content(query.lexicalDigest));
    if (copy !== undefined) records.push(copy);
  }
  const stated = statedRecall(plan, thresholds, set, { indexModulusMax, shingleDigest });
  const everything = { indexModulusMax, lookUpsMax: Number.POSITIVE_INFINITY };
  const unlimited = plan.keysWanted > plan.keys.length ? planLookUp(known, thresholds, everything) : plan;
  const ideal = recall(unlimited, thresholds, { indexModulusMax, cappedShares: new Float64Array(0) });
  const lost = recallLost(ideal, stated);
  return {
    records,
    recall: stated,
    complete: lost <= RECALL_LOSS_MAX && set.unreadable === 0,
    limits: limitsReached(plan, set),
  };
}

function statedRecall(
  plan: LookUpPlan,
  thresholds: Thresholds,
  set: CandidateSet,
  { indexModulusMax, shingleDigest }: { readonly indexModulusMax: number; readonly shingleDigest: string },
): Recall {
  const { cappedShares, candidates, passedOver } = set;
  const ofLists = recall(plan, thresholds, { indexModulusMax, cappedShares });
  const ofRead = passedOver > 0 ? leastOf(ofLists, recallOfNeeded(plan, thresholds, indexModulusMax)) : ofLists;
  const last = candidates.at(-1);
  if (last === undefined || leftOut(set) <= 0) return ofRead;
  // twins come first, whatever they share: where only they were read, nothing is known of the others
  const overlapLast = last.record.shingleDigest === shingleDigest ? plan.keys.length : last.overlap;
  const beyond = recallBeyondCut(plan, thresholds, { indexModulusMax, overlapLast, cappedLists: cappedShares.length });
  return leastOf(ofRead, beyond);
}

/** Found and worth reading, but beyond candidatesMax. */
function leftOut({ found, passedOver, candidates, unreadable }: CandidateSet): number {
  return found - passedOver - candidates.length - unreadable;
}

function leastOf(a: Recall, b: Recall): Recall {
  const least = (x: number | null, y: number | null) => (x === null || y === null ? null : Math.min(x, y));
  return {
    resemblance: least(a.resemblance, b.resemblance),
    queryInMatch: least(a.queryInMatch, b.queryInMatch),
    matchInQuery: least(a.matchInQuery, b.matchInQuery),
  };
}

function recallLost(ideal: Recall, stated: Recall): number {
  return Math.max(
    (ideal.resemblance ?? 0) - (stated.resemblance ?? 0),
    (ideal.queryInMatch ?? 0) - (stated.queryInMatch ?? 0),
    (ideal.matchInQuery ?? 0) - (stated.matchInQuery ?? 0),
  );
}

function limitsReached({ keys, keysWanted }: LookUpPlan, set: CandidateSet): LimitReached[] {
  const { found, cappedShares, unreadable } = set;
  const limits: LimitReached[] = [
    { code: 'look-ups', affected: keysWanted - keys.length, of: keysWanted },
    { code: 'capped-lists', affected: cappedShares.length, of: keys.length },
    { code: 'candidates', affected: leftOut(set), of: found },
    { code: 'unreadable', affected: unreadable, of: Math.max(found, unreadable) },
  ];
  return limits.filter(({ affected }) => affected > 0);
}
