import { type LookUpPlan, planLookUp } from '../core/look-up.ts';
import { type Recall, recall } from '../core/recall.ts';
import type { CandidateSet, ContentId, ContentRecord, Store } from '../store/port.ts';
import type { LimitReached, Thresholds } from './api.ts';
import type { ServiceContext } from './context.ts';
import { recallBeyondCut } from './cut-recall.ts';
import type { Deadline } from './deadline.ts';
import type { Query } from './query.ts';

/*
 * A query -> the contents that may be matches: those that share looked-up fingerprints with it, as the store finds them,
 * and the exact copies, found by their digests whatever the look-ups say (where every list is long and cut, an exact copy
 * may have no posting among those read).
 */

export interface Candidates {
  readonly records: readonly ContentRecord[];
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
  thresholds: Thresholds,
  deadline: Deadline,
): Promise<Candidates> {
  const { store, limits } = context;
  const { indexModulusMax } = store.description;
  const { lookUpsMax, candidatesMax } = limits;
  const plan = planLookUp(query, thresholds, { indexModulusMax, lookUpsMax });
  const [set, copies] = await deadline.race(
    Promise.all([store.candidates({ keys: plan.keys, candidatesMax }), copyIds(store, query, candidatesMax)]),
  );
  const records = set.candidates.map(({ record }) => record);
  const known = new Set(records.map(({ id }) => id));
  const missing = await deadline.race(
    Promise.all(copies.filter((id) => !known.has(id)).map((id) => store.content(id))),
  );
  for (const record of missing) if (record !== undefined) records.push(record);
  const stated = statedRecall(plan, thresholds, set, indexModulusMax);
  const everything = { indexModulusMax, lookUpsMax: Number.POSITIVE_INFINITY };
  const unlimited = plan.keysWanted > plan.keys.length ? planLookUp(query, thresholds, everything) : plan;
  const nothingCapped = { indexModulusMax, cappedShares: new Float64Array(0) };
  const lost = recallLost(recall(unlimited, thresholds, nothingCapped), stated);
  return {
    records,
    recall: stated,
    complete: lost <= RECALL_LOSS_MAX && set.unreadable === 0,
    limits: limitsReached(plan, set),
  };
}

/** The contents with the same words or the same shingles, at most `most`. */
async function copyIds(store: Store, query: Query, most: number): Promise<readonly ContentId[]> {
  const sameShingles = await store.contentsByShingleDigest(query.shingleDigest);
  const others = sameShingles.filter((id) => id !== query.lexicalDigest);
  return [query.lexicalDigest, ...others].slice(0, most);
}

function statedRecall(plan: LookUpPlan, thresholds: Thresholds, set: CandidateSet, indexModulusMax: number): Recall {
  const { cappedShares, candidates, found } = set;
  const ofLists = recall(plan, thresholds, { indexModulusMax, cappedShares });
  const last = candidates.at(-1);
  if (last === undefined || found <= candidates.length) return ofLists;
  const beyond = recallBeyondCut(plan, thresholds, {
    indexModulusMax,
    overlapLast: last.overlap,
    cappedLists: cappedShares.length,
  });
  const least = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.min(a, b));
  return {
    resemblance: least(ofLists.resemblance, beyond.resemblance),
    queryInMatch: least(ofLists.queryInMatch, beyond.queryInMatch),
    matchInQuery: least(ofLists.matchInQuery, beyond.matchInQuery),
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
  const { candidates, found, cappedShares, unreadable } = set;
  const limits: LimitReached[] = [
    { code: 'look-ups', affected: keysWanted - keys.length, of: keysWanted },
    { code: 'capped-lists', affected: cappedShares.length, of: keys.length },
    { code: 'candidates', affected: found - candidates.length - unreadable, of: found },
    { code: 'unreadable', affected: unreadable, of: Math.max(found, unreadable) },
  ];
  return limits.filter(({ affected }) => affected > 0);
}
