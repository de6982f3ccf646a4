import { estimateOverlap, likeliestOverlap } from '../../core/compare/estimate.ts';
import type { OverlapEvidence } from '../../core/compare/evidence.ts';
import {
  createSampleComparer,
  type SampleComparer,
  type SampleOverlap,
  sampleOverlapSteps,
} from '../../core/compare/sample-comparer.ts';
import { containmentOf, decide, printShare, resemblanceOf, roundShare } from '../../core/compare/shares.ts';
import { createWholeComparer } from '../../core/compare/whole-set.ts';
import { inTurns, type Turns } from '../../sharing/turns.ts';
import type { Equivalence, EstimatedShare, ExactShare, PairShare, Thresholds } from '../api.ts';
import { hasSameWords, type KnownDocument } from './query.ts';

/*
 * Two documents side by side: what they share, by one estimate of I = |A ∩ B|, and what that means for thresholds.
 * A is the query (of a match), the representative (of a collapse); B is the match, the result.
 *
 *   both known whole (in hand, WHOLE_SHINGLES_MAX)   I, by all 64 bits of every fingerprint   core/compare/whole-set.ts
 *   else                                             I, by the samples of both                core/compare/sample-comparer.ts
 *
 * Figures are called exact only where all shingles of both were compared, and a false match is unlikely. A false match
 * is two shingles that differ and agree in the bits that are compared. The chance of one must be less than 10^-6 among
 * all pairs that the answer rests on. So the figures of two bodies are always exact. Those of a short document of the
 * index (up to 63 shingles, kept to 40 bits) are, beside another such document or a page. Those of a longer one never
 * are.
 */

/**
 * Up to so many shingles a document in hand is compared with others in hand to the last bit (ReadOptions.wholeMax).
 * They take 8 bytes each, so that a page of a hundred such documents takes 16 MB.
 */
export const WHOLE_SHINGLES_MAX = 20_000;

export type Shares<Share> = Readonly<Record<PairShare, Share>>;

/** Unrounded shares of the likeliest I: thresholds are met, and matches ordered, by these. */
export interface Pair extends Shares<number> {
  readonly evidence: OverlapEvidence;
}

export function comparePair(a: KnownDocument, b: KnownDocument): Pair {
  return createPairComparer(a)(b);
}

/** The same in turns of the event loop, for two documents of any size. */
export async function comparePairInTurns(a: KnownDocument, b: KnownDocument, turns: Turns): Promise<Pair> {
  if (a.whole && b.whole) return comparePair(a, b);
  return sampledPair(a, b, await inTurns(sampleOverlapSteps(a.sample, b.sample), turns));
}

/**
 * Compares one document (A) with others (B), each as exactly as both are known.
 *
 * @returns a function that keeps what it looks up in of A for as long as it lives
 */
export function createPairComparer(a: KnownDocument): (b: KnownDocument) => Pair {
  let compareWhole: ReturnType<typeof createWholeComparer> | null = null;
  let compareSample: SampleComparer | null = null;
  return (b) => {
    if (a.whole && b.whole) {
      compareWhole ??= createWholeComparer(a.whole);
      return pairOf({ ...compareWhole(b.whole), equalSets: a.shingleDigest === b.shingleDigest });
    }
    compareSample ??= createSampleComparer(a.sample);
    return sampledPair(a, b, compareSample(b.sample));
  };
}

type SizedDocument = Pick<KnownDocument, 'shingleCount' | 'shingleDigest'>;

/** Two documents by what their samples share. */
export function sampledPair(a: SizedDocument, b: SizedDocument, counts: SampleOverlap): Pair {
  const equalSets = a.shingleDigest === b.shingleDigest;
  return pairOf({ ...counts, shinglesA: a.shingleCount, shinglesB: b.shingleCount, equalSets });
}

export function pairOf(evidence: OverlapEvidence): Pair {
  // not spread: a list of results makes half a million of them
  const { resemblance, aInB, bInA } = sharesOf(likeliestOverlap(evidence), evidence);
  return { evidence, resemblance, aInB, bInA };
}

function sharesOf(overlap: number, { shinglesA, shinglesB }: OverlapEvidence): Shares<number> {
  return {
    resemblance: resemblanceOf(overlap, shinglesA, shinglesB),
    aInB: containmentOf(overlap, shinglesA),
    bInA: containmentOf(overlap, shinglesB),
  };
}

/** Whether any threshold is met by its estimate. `queryInMatch` asks for A in B, `matchInQuery` for B in A. */
export function meets({ resemblance, aInB, bInA }: Shares<number>, thresholds: Thresholds): boolean {
  return (
    (thresholds.resemblance !== null && resemblance >= thresholds.resemblance) ||
    (thresholds.queryInMatch !== null && aInB >= thresholds.queryInMatch) ||
    (thresholds.matchInQuery !== null && bInA >= thresholds.matchInQuery)
  );
}

/** Whether the interval of a pair that meets no threshold reaches one all the same. */
export function reaches({ evidence }: Pair, thresholds: Thresholds): boolean {
  return meets(sharesOf(estimateOverlap(evidence).high, evidence), thresholds);
}

/** With their 95 % intervals. Dearer than the estimates: for pairs that are shown. */
export function printEstimated({ evidence }: Pair, thresholds: Thresholds): Shares<EstimatedShare> {
  const { estimate, low, high } = estimateOverlap(evidence);
  const of = (overlap: number) => sharesOf(overlap, evidence);
  const [best, least, most] = [of(estimate), of(low), of(high)];
  return printEach(thresholds, (share, threshold) => printShare(best[share], least[share], most[share], threshold));
}

function printEach<Share>(
  { resemblance, queryInMatch, matchInQuery }: Thresholds,
  print: (share: PairShare, threshold: number | null) => Share,
): Shares<Share> {
  return {
    resemblance: print('resemblance', resemblance),
    aInB: print('aInB', queryInMatch),
    bInA: print('bInA', matchInQuery),
  };
}

/** How many false matches are expected between two documents, at the most: also the chance that there is one. */
export function falseMatchesOf({ evidence }: Pair): number {
  return evidence.equalSets ? 0 : evidence.sampledB * evidence.falseDensity;
}

/** So many false matches are expected, at the most, among all the pairs that an answer with exact figures rests on. */
const FALSE_MATCHES_MOST = 1e-6;

/**
 * Exact shares where all shingles of both were compared, and nothing agreed by chance; else estimates.
 *
 * @param falseMatches the sum of {@link falseMatchesOf} over all pairs that the answer rests on
 */
export function printPair(
  pair: Pair,
  thresholds: Thresholds,
  falseMatches: number,
): Shares<EstimatedShare | ExactShare> {
  const isKnown = pair.evidence.modulus === 1 || pair.evidence.equalSets;
  if (!isKnown || falseMatches >= FALSE_MATCHES_MOST) return printEstimated(pair, thresholds);
  return printEach(thresholds, (share, threshold) => ({
    exact: roundShare(pair[share]),
    decision: threshold === null ? null : decide(pair[share], pair[share], threshold),
  }));
}

/** How two documents are equal, each level implying the next; `identical` is for the caller to know. */
export function equivalenceOf(identical: boolean, a: KnownDocument, b: KnownDocument): Equivalence {
  if (hasSameWords(a, b)) return identical ? 'identical' : 'lexical';
  return a.shingleDigest === b.shingleDigest ? 'shingle' : 'none';
}
