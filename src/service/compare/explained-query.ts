import { roundShare } from '../../core/compare/shares.ts';
import { type LookUpPlan, planLookUpSteps } from '../../core/query/look-up.ts';
import { overlapNeeded } from '../../core/query/overlap-needed.ts';
import { postedKey, postedKeys } from '../../core/query/posted-key.ts';
import { coarsenSteps, indexModulusFor } from '../../core/sketch/modulus.ts';
import { exactSample } from '../../core/sketch/narrow.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { CompareRequest, Thresholds } from '../api.ts';
import type { Explanation, ExplanationStep, QueryOutcome, QueryStep } from '../comparison-api.ts';
import type { TimedContext } from '../context.ts';
import { isFeatureSet, unitsOf } from '../document/feature-sets.ts';
import { comparePair, meets, type Pair } from '../document/pair.ts';
import type { Query } from '../document/query.ts';
import { DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import { gatherCandidates, rankCandidates } from '../similar/candidates.ts';

/*
 * Why a query by a finds b, or does not.
 *
 *   look-up     the shingles that a looks up, and those that b has posted: has b enough of them to be read?
 *   lists       the posting lists of those that both have: is b in them, as far as they are read?
 *   threshold   do they share enough?
 */

type QuerySteps = Pick<Explanation, 'lostAt' | 'asked' | 'byDefault'> & {
  readonly steps: readonly ExplanationStep<QueryStep>[];
};

export async function stepsOfQuery(
  context: TimedContext,
  a: Query,
  b: Query,
  pair: Pair,
  shares: CompareRequest['thresholds'],
): Promise<QuerySteps> {
  const thresholds = { resemblance: shares.resemblance, queryInMatch: shares.aInB, matchInQuery: shares.bInA };
  const indexed = await isIndexed(context, b);
  const { candidate: _, ...byDefault } = await outcomeOf(context, a, b, DEFAULT_MATCH_OPTIONS.thresholds, indexed);
  if (Object.values(thresholds).every((share) => share === null)) {
    const detail = 'No threshold was given, so no query was made.';
    const none = (['look-up', 'lists', 'threshold'] as const).map((step) => ({
      step,
      same: null,
      a: {},
      b: {},
      detail,
    }));
    return { steps: none, lostAt: null, asked: null, byDefault };
  }
  const { candidate, ...asked } = await outcomeOf(context, a, b, thresholds, indexed);
  const lookUp = await lookUpStep(context, a, b, thresholds);
  const steps = [
    lookUp.step,
    await listsStep(context, a, b, { shared: lookUp.shared, plan: lookUp.plan, indexed, candidate }),
    thresholdStep(pair, shares, thresholds),
  ];
  const lost = asked.found ? null : (steps.find(({ same }) => same === false)?.step ?? 'threshold');
  return { steps, lostAt: lost, asked, byDefault };
}

async function isIndexed({ store, deadline }: TimedContext, b: Query): Promise<boolean> {
  return b.from === 'index' || (await deadline.race(store.contentHead(b.id))) !== undefined;
}

/** @returns `candidate`: whether the record of b was read */
async function outcomeOf(
  context: TimedContext,
  a: Query,
  b: Query,
  thresholds: Thresholds,
  indexed: boolean,
): Promise<QueryOutcome & { readonly candidate: boolean }> {
  const options = { ...DEFAULT_MATCH_OPTIONS, thresholds };
  const { records, complete } = await gatherCandidates(context, a, options);
  const { ranked, unjudged } = await rankCandidates(context, a, records, options);
  const at = ranked.findIndex(({ record }) => record.id === b.id);
  const record = records.find(({ id }) => id === b.id);
  const outcome = {
    found: at >= 0,
    matches: ranked.length,
    complete: complete && unjudged === 0,
    candidate: record !== undefined,
  };
  if (at >= 0) {
    const page = at < DEFAULT_MATCH_OPTIONS.limit ? '' : `, beyond a first page of ${DEFAULT_MATCH_OPTIONS.limit}`;
    const others = ranked.some(({ record: { id } }) => id === a.id && id !== b.id) ? ', of which a itself is one' : '';
    return { ...outcome, rank: at + 1, detail: `b is match ${at + 1} of ${ranked.length}${others}${page}.` };
  }
  const detail = !indexed
    ? 'b is not in the index.'
    : record === undefined
      ? `b is not among those whose records were read: ${records.length}.`
      : `By what the index keeps of it b meets no threshold: ${sharesText(comparePair(a, record), thresholds)}.`;
  return { ...outcome, rank: null, detail };
}

/** The keys of a query by a that b has posted. */
async function lookUpStep(
  { store, limits, turns }: TimedContext,
  a: Query,
  b: Query,
  thresholds: Thresholds,
): Promise<{ step: ExplanationStep<QueryStep>; plan: LookUpPlan; shared: Float64Array }> {
  const { indexModulusMax, recordModulusMax } = store.description;
  const { lookUpsMax } = limits;
  const known = { shingleCount: a.shingleCount, sample: exactSample(a.sample) };
  const plan = await inTurns(planLookUpSteps(known, thresholds, { indexModulusMax, lookUpsMax }), turns);
  const postedAt = indexModulusFor(b.shingleCount, indexModulusMax);
  const { fingerprints } = await inTurns(coarsenSteps(exactSample(b.sample), postedAt), turns);
  const posted = postedKeys(fingerprints).sort();
  const shared = plan.keys.filter((key) => isIn(posted, postedKey(key)));
  const shares = new Float64Array(plan.keys.length).fill(1);
  const conditions = { indexModulusMax, recordModulusMax, shares, undecidedAt: null };
  const needed = overlapNeeded(plan, thresholds, conditions).of(b.shingleCount);
  const isTwin = a.shingleDigest === b.shingleDigest;
  const [unitsA, unitsB] = [unitsOf(a, a), isFeatureSet(a) === isFeatureSet(b) ? '' : ` ${unitsOf(b, b)}`];
  const figures = `a looks up ${plan.keys.length} of its ${a.shingleCount} ${unitsA}, b has posted ${posted.length} of its ${b.shingleCount}${unitsB}: ${shared.length} are in both`;
  const why = isTwin
    ? `They have the same ${unitsA}, and are found by their digest`
    : needed === Number.POSITIVE_INFINITY
      ? 'No document of the size of b can meet a threshold'
      : `${Math.max(1, needed)} are needed`;
  const step: ExplanationStep<QueryStep> = {
    step: 'look-up',
    same: isTwin || (needed !== Number.POSITIVE_INFINITY && shared.length >= Math.max(1, needed)),
    a: { lookedUp: plan.keys.length, modulus: plan.modulus },
    b: { posted: posted.length, modulus: postedAt },
    detail: `${figures}. ${why}.`,
  };
  return { step, plan, shared };
}

/** @param sorted ascending */
function isIn(sorted: Float64Array, key: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! < key) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === key;
}

/** So little is asked for that whatever shares one key is read. */
const NEXT_TO_NOTHING: Thresholds = { resemblance: 1e-9, queryInMatch: null, matchInQuery: null };

/** Of the lists that both documents are about: how many were cut, and in how many of them b stands. */
async function listsStep(
  { store, limits, deadline }: TimedContext,
  a: Query,
  b: Query,
  found: { plan: LookUpPlan; shared: Float64Array; indexed: boolean; candidate: boolean },
): Promise<ExplanationStep<QueryStep>> {
  const { plan, shared, indexed, candidate } = found;
  const told = { step: 'lists', same: candidate, a: {}, b: { indexed } } as const;
  if (!indexed) return { ...told, detail: 'b is not in the index: no list has it.' };
  if (shared.length === 0) return { ...told, detail: 'There is no list that both are in.' };
  const {
    candidates,
    shares,
    found: sharing,
  } = await deadline.race(
    store.candidates({
      ...{ keys: shared, modulus: plan.modulus, shingleCount: a.shingleCount, thresholds: NEXT_TO_NOTHING },
      ...{ undecidedAt: null, candidatesMax: limits.candidatesMax, shingleDigest: null },
    }),
  );
  const cut = shares.filter((share) => share < 1).length;
  const own = candidates.find(({ record }) => record.id === b.id);
  const stands =
    own === undefined
      ? 'b is not among those read of them'
      : `b stands in ${own.overlap + own.cappedOverlap} of them as they were read`;
  const read = candidate ? 'Its record was read' : 'Its record was not read';
  return {
    ...told,
    detail: `Of ${shared.length} lists that both are in ${cut} were cut; documents in any of them: ${sharing}; ${stands}. ${read}.`,
  };
}

function thresholdStep(
  pair: Pair,
  shares: CompareRequest['thresholds'],
  thresholds: Thresholds,
): ExplanationStep<QueryStep> {
  const compared = (['resemblance', 'aInB', 'bInA'] as const).flatMap((share) => {
    const threshold = shares[share];
    if (threshold === null) return [];
    return [`${share} ${roundShare(pair[share])} is ${pair[share] >= threshold ? 'not below' : 'below'} ${threshold}`];
  });
  return { step: 'threshold', same: meets(pair, thresholds), a: {}, b: {}, detail: `${compared.join('; ')}.` };
}

/** Of a query by a: shares in the names of matches. */
function sharesText({ resemblance, aInB, bInA }: Pair, thresholds: Thresholds): string {
  const shares = { resemblance, queryInMatch: aInB, matchInQuery: bInA };
  return Object.entries(shares)
    .filter(([name]) => thresholds[name as keyof Thresholds] !== null)
    .map(([name, share]) => `${name} ${roundShare(share)} is below ${thresholds[name as keyof Thresholds]}`)
    .join('; ');
}
