import { likeliestOverlap } from '../../core/compare/estimate.ts';
import type { CompareRequest } from '../api.ts';
import type { Explanation, ExplanationStep, ReadingStep } from '../comparison-api.ts';
import type { TimedContext } from '../context.ts';
import { isFeatureSet, unitsOf } from '../document/feature-sets.ts';
import type { Pair } from '../document/pair.ts';
import { hasSameWords, type Query } from '../document/query.ts';
import { stepsOfQuery } from './explained-query.ts';
import { type ExplainedDocument, stepsOfReading } from './explained-reading.ts';
import { wordPartings, words } from './why-not.ts';

/*
 * Where two documents part, step by step, and why a query by the one finds the other, or does not.
 *
 *   bytes ─ decoding ─ text ─ tokens ─ shingles ─ sampling │ look-up ─ lists ─ threshold
 *   are they the same so far?                              │ does a query by a get past this step to b?
 *
 * The query is made in truth: as it was asked, and with the options that POST /similar has where nothing is said.
 */

/** @param isExact whether the pair's figures are */
export async function explain(
  context: TimedContext,
  a: ExplainedDocument,
  b: ExplainedDocument,
  pair: Pair,
  thresholds: CompareRequest['thresholds'],
  isExact: boolean,
): Promise<Explanation> {
  const alike = [
    ...(await stepsOfReading(context, a, b)),
    await tokensStep(context, a.query, b.query),
    shinglesStep(a.query, b.query, pair, isExact),
    samplingStep(a.query, b.query, pair),
  ];
  const { steps, ...outcomes } = await stepsOfQuery(context, a.query, b.query, pair, thresholds);
  const parting = alike.find(({ same }) => same === false) ?? null;
  return { steps: [...alike, ...steps], partAt: parting?.step ?? null, ...outcomes };
}

const NO_WORDS = 'Features have no words.';

async function tokensStep(context: TimedContext, a: Query, b: Query): Promise<ExplanationStep<ReadingStep>> {
  const figures = { a: { tokens: a.tokenCount }, b: { tokens: b.tokenCount } };
  if (isFeatureSet(a) || isFeatureSet(b)) {
    const same = isFeatureSet(a) && isFeatureSet(b) ? (a.id === b.id ? true : null) : false;
    const [set, text, tokenCount] = isFeatureSet(a) ? ['a', 'b', b.tokenCount] : ['b', 'a', a.tokenCount];
    const detail = same === false ? `${set} is a set of features, ${text} has ${words(tokenCount)}.` : NO_WORDS;
    return { step: 'tokens', same, ...figures, detail };
  }
  if (hasSameWords(a, b))
    return { step: 'tokens', same: true, ...figures, detail: `Both have the same ${words(a.tokenCount)}.` };
  const { word, examples } = await wordPartings(context, a, b);
  const counted = `a has ${words(a.tokenCount)}, b has ${words(b.tokenCount)}.`;
  const at = word === null ? 'Their words are not the same' : `They part at word ${word}`;
  return {
    step: 'tokens',
    same: false,
    ...figures,
    detail: `${at}: ${counted}`,
    ...(examples.length > 0 ? { examples } : {}),
  };
}

function shinglesStep(a: Query, b: Query, pair: Pair, isExact: boolean): ExplanationStep<ReadingStep> {
  const figures = { a: { shingles: a.shingleCount }, b: { shingles: b.shingleCount } };
  const units = unitsOf(a, b);
  if (a.shingleDigest === b.shingleDigest) {
    return { step: 'shingles', same: true, ...figures, detail: `Both have the same ${a.shingleCount} ${units}.` };
  }
  const inBoth = likeliestOverlap(pair.evidence);
  const counted = `${inBoth} in both, ${a.shingleCount - inBoth} only in a, ${b.shingleCount - inBoth} only in b`;
  return {
    step: 'shingles',
    same: false,
    ...figures,
    detail: `Of their ${units} ${isExact ? '' : 'about '}${counted}.`,
  };
}

/** By which of their shingles they were compared here. */
function samplingStep(a: Query, b: Query, { evidence }: Pair): ExplanationStep<ReadingStep> {
  const { modulus, sampledA, sampledB, shared } = evidence;
  const units = unitsOf(a, b);
  const of = modulus === 1 ? `all their ${units}` : `one in ${modulus} of their ${units}`;
  return {
    step: 'sampling',
    same: evidence.equalSets || (shared === sampledA && shared === sampledB),
    a: { modulus: a.sample.modulus, sampled: sampledA },
    b: { modulus: b.sample.modulus, sampled: sampledB },
    detail: `They were compared by ${of}: ${sampledA} of a, ${sampledB} of b, ${shared} in both.`,
  };
}
