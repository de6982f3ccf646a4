import { estimateOverlap, likeliestOverlap } from '../core/estimate.ts';
import type { OverlapEvidence } from '../core/evidence.ts';
import { compareSamples } from '../core/sample-comparer.ts';
import { containmentOf, decide, printShare, resemblanceOf, roundShare } from '../core/shares.ts';
import type { Equivalence, EstimatedShare, ExactShare, Thresholds } from './api.ts';
import type { KnownDocument } from './query.ts';

/*
 * Two documents side by side: what they share, by one estimate of I = |A ∩ B|, and what that means for thresholds.
 * A is the query (of a match), the result (of a collapse); B is the match, the representative.
 */

/** Unrounded shares of the likeliest I: thresholds are met, and matches ordered, by these. */
export interface Pair {
  readonly evidence: OverlapEvidence;
  readonly resemblance: number;
  readonly aInB: number;
  readonly bInA: number;
}

/** The shares as they are printed. */
export interface PrintedPair<Share> {
  readonly resemblance: Share;
  readonly aInB: Share;
  readonly bInA: Share;
}

export function comparePair(a: KnownDocument, b: KnownDocument): Pair {
  return pairOf({
    ...compareSamples(a.sample, b.sample),
    shinglesA: a.shingleCount,
    shinglesB: b.shingleCount,
    equalSets: a.shingleDigest === b.shingleDigest,
  });
}

export function pairOf(evidence: OverlapEvidence): Pair {
  const overlap = likeliestOverlap(evidence);
  const { shinglesA, shinglesB } = evidence;
  return {
    evidence,
    resemblance: resemblanceOf(overlap, shinglesA, shinglesB),
    aInB: containmentOf(overlap, shinglesA),
    bInA: containmentOf(overlap, shinglesB),
  };
}

/** Whether any threshold is met by its estimate. `queryInMatch` asks for A in B, `matchInQuery` for B in A. */
export function meets({ resemblance, aInB, bInA }: Pair, thresholds: Thresholds): boolean {
  return (
    (thresholds.resemblance !== null && resemblance >= thresholds.resemblance) ||
    (thresholds.queryInMatch !== null && aInB >= thresholds.queryInMatch) ||
    (thresholds.matchInQuery !== null && bInA >= thresholds.matchInQuery)
  );
}

/** Whether the interval of a pair that meets no threshold reaches one all the same. */
export function reaches({ evidence }: Pair, thresholds: Thresholds): boolean {
  if (evidence.modulus === 1 || evidence.equalSets) return false;
  const { shinglesA, shinglesB } = evidence;
  const { high } = estimateOverlap(evidence);
  return meets(
    {
      evidence,
      resemblance: resemblanceOf(high, shinglesA, shinglesB),
      aInB: containmentOf(high, shinglesA),
      bInA: containmentOf(high, shinglesB),
    },
    thresholds,
  );
}

/** With their 95 % intervals. Dearer than the estimates: for pairs that are shown. */
export function printEstimated({ evidence }: Pair, thresholds: Thresholds): PrintedPair<EstimatedShare> {
  const { shinglesA, shinglesB } = evidence;
  const overlap = estimateOverlap(evidence);
  const print = (shareOf: (overlap: number) => number, threshold: number | null) =>
    printShare(shareOf(overlap.estimate), shareOf(overlap.low), shareOf(overlap.high), threshold);
  return {
    resemblance: print((i) => resemblanceOf(i, shinglesA, shinglesB), thresholds.resemblance),
    aInB: print((i) => containmentOf(i, shinglesA), thresholds.queryInMatch),
    bInA: print((i) => containmentOf(i, shinglesB), thresholds.matchInQuery),
  };
}

/** Exact shares where both documents are known whole, else estimates. */
export function printPair(pair: Pair, thresholds: Thresholds): PrintedPair<EstimatedShare | ExactShare> {
  if (pair.evidence.modulus > 1) return printEstimated(pair, thresholds);
  const print = (share: number, threshold: number | null): ExactShare => ({
    exact: roundShare(share),
    decision: threshold === null ? null : decide(share, share, threshold),
  });
  return {
    resemblance: print(pair.resemblance, thresholds.resemblance),
    aInB: print(pair.aInB, thresholds.queryInMatch),
    bInA: print(pair.bInA, thresholds.matchInQuery),
  };
}

/** How two documents are equal, each level implying the next; `identical` is for the caller to know. */
export function equivalenceOf(identical: boolean, a: KnownDocument, b: KnownDocument): Equivalence {
  if (a.lexicalDigest === b.lexicalDigest) return identical ? 'identical' : 'lexical';
  return a.shingleDigest === b.shingleDigest ? 'shingle' : 'none';
}
