import { type LookUpPlan, planLookUpSteps } from '../../core/query/look-up.ts';
import { statedRecall } from '../../core/query/recall.ts';
import type { Sample } from '../../core/sketch/modulus.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { CandidateSet, Content } from '../../store/port.ts';
import type { LimitReached } from '../api.ts';
import type { QueryContext } from '../context.ts';
import type { ExplainedText } from './explained-text.ts';

/*
 * Look-ups for "made of". Short contents may be anywhere in a long text. So as many are looked up as `matchInQuery`
 * asks for, and of a quotation's surroundings all of them. A content is wanted that shares some number of the text's shingles,
 * whatever else either has: that is `queryInMatch` at the share that this number is.
 */

/** What is looked up: a text, or a part of it. */
export interface LookedUpText {
  readonly shingleCount: number;
  /** Where twins are wanted, too. */
  readonly shingleDigest: string | null;
  /** I: how many of its shingles a content has that is to be found, 1 or more. */
  readonly shared: number;
}

/** What became of all look-ups of one answer. */
export interface LookUpTally {
  /** The least chance of any. */
  recall: number;
  complete: boolean;
  readonly limits: Map<LimitReached['code'], { affected: number; of: number }>;
}

export const newTally = (): LookUpTally => ({ recall: 1, complete: true, limits: new Map() });

export const limitsOf = ({ limits }: LookUpTally): LimitReached[] =>
  [...limits].map(([code, counts]) => ({ code, ...counts })).filter(({ affected }) => affected > 0);

/** All keys that an index may have posted of contents of any size, short ones too; `isDense`: all that there are. */
export async function planKeys(
  { store, limits: { lookUpsMax }, turns }: QueryContext,
  known: Pick<ExplainedText, 'by' | 'shingleCount'> & { readonly sample: Sample },
  isDense: boolean,
): Promise<LookUpPlan> {
  const indexModulusMax = isDense ? 1 : store.description.indexModulusMax;
  const wanted = { resemblance: null, queryInMatch: null, matchInQuery: 1 };
  const plan = await inTurns(planLookUpSteps(known, wanted, { indexModulusMax, lookUpsMax }), turns);
  return known.by === 'page' ? plan : { ...plan, ofParts: true };
}

/** @returns the records that share most; `isCut`: where there are more that may be wanted */
export async function lookUp(
  { store, limits: { candidatesMax }, deadline }: QueryContext,
  plan: LookUpPlan,
  { shingleCount, shingleDigest, shared }: LookedUpText,
  tally: LookUpTally,
): Promise<{ readonly records: readonly Content[]; readonly isCut: boolean; note(): void }> {
  const { keys, modulus, ofParts = false } = plan;
  const thresholds = { resemblance: null, queryInMatch: Math.min(1, shared / shingleCount), matchInQuery: null };
  const asked = { keys, modulus, ofParts, shingleCount, thresholds, undecidedAt: null, candidatesMax, shingleDigest };
  const set = await deadline.race(store.candidates(asked));
  const { indexModulusMax } = store.description;
  const { shares, passedOver, cut, unreadable } = set;
  const conditions = { indexModulusMax, shares, passedOver: passedOver > 0, cut };
  const stated = statedRecall({ ...plan, shingleCount }, thresholds, conditions);
  return {
    records: set.candidates.map(({ record }) => record),
    isCut: cut !== null,
    // of look-ups that are made again, for what is left, only the last count
    note() {
      tally.recall = Math.min(tally.recall, unreadable === 0 ? stated.recall.queryInMatch! : 0);
      tally.complete &&= stated.nothingLeftOut && unreadable === 0 && !set.twinsCut;
      addLimits(plan, set, tally);
    },
  };
}

function addLimits({ keys, keysWanted }: LookUpPlan, set: CandidateSet, { limits }: LookUpTally): void {
  const { found, cut, shares, unreadable } = set;
  const add = (code: LimitReached['code'], affected: number, of: number) => {
    const before = limits.get(code) ?? { affected: 0, of: 0 };
    limits.set(code, { affected: before.affected + affected, of: before.of + of });
  };
  add('look-ups', keysWanted - keys.length, keysWanted);
  add('capped-lists', shares.filter((share) => share > 0 && share < 1).length, keys.length);
  add('candidates', cut?.leftOut ?? 0, found);
  add('unreadable', unreadable, Math.max(found, unreadable));
}
