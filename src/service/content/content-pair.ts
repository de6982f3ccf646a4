import { createSampleComparer, type SampleComparer, sampleComparerSteps } from '../../core/compare/sample-comparer.ts';
import { printShare } from '../../core/compare/shares.ts';
import {
  estimateOwnShares,
  likeliestOwnShares,
  type OwnEvidence,
  type OwnShares,
} from '../../core/content/own-shares.ts';
import { inTurns, type Turns } from '../../sharing/turns.ts';
import type {
  ComparedContents,
  ContentFigures,
  ContentShares,
  ContentUnknown,
  ContentWish,
  EstimatedShare,
  Thresholds,
} from '../api.ts';
import { meets, type Pair, printEstimated, reaches, type Shares } from '../document/pair.ts';
import { type DocumentContent, describeOwn, isWholePage } from './document-content.ts';

/*
 * The contents of two documents side by side, and the rule by which thresholds go: one for every call.
 *
 *   content    the figures that count
 *   page       the page's
 *   main       the content's; where all of both documents is their content, the page's are just these;
 *              nothing counts where either has no content
 *   auto       the content's where both have one, else the page's
 */

/** Unrounded shares of two contents. */
export interface ContentPair extends OwnShares<number> {
  readonly evidence: OwnEvidence;
  readonly a: DocumentContent;
  readonly b: DocumentContent;
}

/** What two contents say of each other, or why they say nothing that the pages do not. */
export type ContentOutcome = ContentPair | ContentUnknown;

export const isKnownContent = (outcome: ContentOutcome | null): outcome is ContentPair =>
  outcome !== null && typeof outcome !== 'string';

/** Compares one content (A) with others (B). */
export async function createContentComparer(
  a: DocumentContent,
  turns: Turns,
): Promise<(b: DocumentContent) => ContentOutcome> {
  return contentComparerBy(a, await inTurns(sampleComparerSteps(a.own.sample), turns));
}

/** The same at once, for contents that are not too long. */
export const contentComparer = (a: DocumentContent): ((b: DocumentContent) => ContentOutcome) =>
  contentComparerBy(a, createSampleComparer(a.own.sample));

function contentComparerBy(a: DocumentContent, compare: SampleComparer): (b: DocumentContent) => ContentOutcome {
  return (b) => {
    const unknown = unknownOf(a, b);
    if (unknown !== null) return unknown;
    // the same words of which the same is main are one content, whichever host was looked at
    const evidence = { a: a.own, b: b.own, counts: compare(b.own.sample), isSame: a.id === b.id };
    return { ...likeliestOwnShares(evidence), evidence, a, b };
  };
}

function unknownOf(a: DocumentContent, b: DocumentContent): ContentUnknown | null {
  if (a.unknown === 'not-read' || b.unknown === 'not-read') return 'not-read';
  return a.unknown ?? b.unknown ?? ([a, b].every(isWholePage) ? 'whole' : null);
}

/** Which figures count. */
export interface Deciding {
  readonly by: 'page' | 'content';
  readonly shares: Shares<number>;
}

/** The figures that count of two documents; null where none do, so that no threshold is met. */
export function decidingShares(wish: ContentWish, page: Pair, content: ContentOutcome | null): Deciding | null {
  if (wish !== 'page' && isKnownContent(content)) return { by: 'content', shares: content };
  return wish === 'main' && content !== 'whole' ? null : { by: 'page', shares: page };
}

/** Whether the interval of figures that meet no threshold reaches one all the same. */
export function decidingReach({ by }: Deciding, page: Pair, content: ContentOutcome | null, thresholds: Thresholds) {
  if (by === 'page' || !isKnownContent(content)) return reaches(page, thresholds);
  const { resemblance, aInB, bInA } = estimateOwnShares(content.evidence);
  return meets({ resemblance: resemblance.high, aInB: aInB.high, bInA: bInA.high }, thresholds);
}

/** With their 95 % intervals, which cost some 10 µs. */
export function printContentShares({ evidence }: ContentPair, thresholds: Thresholds): Shares<EstimatedShare> {
  const shares = estimateOwnShares(evidence);
  const print = (share: keyof typeof shares, threshold: number | null) => {
    const { estimate, low, high } = shares[share];
    return printShare(estimate, low, high, threshold);
  };
  return {
    resemblance: print('resemblance', thresholds.resemblance),
    aInB: print('aInB', thresholds.queryInMatch),
    bInA: print('bInA', thresholds.matchInQuery),
  };
}

/** The figures that count, printed. */
export function printDeciding(
  { deciding, pair, content }: { deciding: Deciding; pair: Pair; content: ContentOutcome | null },
  thresholds: Thresholds,
): Shares<EstimatedShare> {
  const isByContent = deciding.by === 'content' && isKnownContent(content);
  return isByContent ? printContentShares(content, thresholds) : printEstimated(pair, thresholds);
}

/** What is told of the contents of a query and its match beside the figures of the pages. */
export function printContent(outcome: ContentOutcome, thresholds: Thresholds): ContentFigures<ContentShares> {
  if (!isKnownContent(outcome)) return { content: null, contentUnknown: outcome };
  const { resemblance, aInB, bInA } = printContentShares(outcome, thresholds);
  const { a, b } = outcome;
  return {
    content: {
      ...{ resemblance, queryInMatch: aInB, matchInQuery: bInA, shingles: b.own.shingleCount },
      ...{ query: describeOwn(a), match: describeOwn(b) },
    },
  };
}

/** The same of two documents side by side. */
export function printCompared(outcome: ContentOutcome, thresholds: Thresholds): ContentFigures<ComparedContents> {
  if (!isKnownContent(outcome)) return { content: null, contentUnknown: outcome };
  const [a, b] = [outcome.a, outcome.b].map((one) => ({ ...describeOwn(one), shingles: one.own.shingleCount }));
  return { content: { ...printContentShares(outcome, thresholds), a: a!, b: b! } };
}
