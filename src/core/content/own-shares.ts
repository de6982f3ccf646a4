import { estimateOverlap, likeliestOverlap } from '../compare/estimate.ts';
import { mostFalse, type OverlapEvidence, type Tally, tally } from '../compare/evidence.ts';
import { MID_P } from '../compare/interval.ts';
import type { SampleOverlap } from '../compare/sample-comparer.ts';
import { containmentOf, resemblanceOf } from '../compare/shares.ts';
import type { OwnContent } from './own-content.ts';
import { sampledShareInterval } from './sampled-share.ts';

/*
 * What the own contents of two documents say of each other.
 *
 *   sizes       both known exactly: no template was taken off      core/compare/estimate.ts, as of whole documents
 *               else                                               shares of what was sampled:
 *
 *     A'  |-- x --|-- k --|           r = k / (x + k + y)     of the union, of which x + k + y values were sampled
 *     B'          |-- k --|-- y --|   c(A', B') = k / (x + k), c(B', A') = k / (y + k)
 *
 * A value that is own may agree with one of the template by chance, and is taken off too: intervals reach as far as that may
 * be so. There each share is one of a population of which a part was drawn (sampled-share.ts). The sizes of the contents are
 * estimated by the same values, so nothing more follows from them.
 */

export interface OwnShares<Share> {
  readonly resemblance: Share;
  readonly aInB: Share;
  readonly bInA: Share;
}

/** A share, 0..1, with its 95 % interval. */
export interface ShareInterval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

type OwnSize = Pick<OwnContent, 'shingleCount' | 'isExact' | 'takenByChance'>;

/** Two own contents, and what their samples share. */
export interface OwnEvidence {
  readonly a: OwnSize;
  readonly b: OwnSize;
  readonly counts: SampleOverlap;
  /** Whether both documents are one: then all shares are 1, whatever was taken off either. */
  readonly isSame: boolean;
}

/** The most likely shares, unrounded: thresholds are met, and matches ordered, by these. */
export function likeliestOwnShares(evidence: OwnEvidence): OwnShares<number> {
  if (evidence.isSame) return { resemblance: 1, aInB: 1, bInA: 1 };
  const overlap = overlapOf(evidence);
  if (overlap !== null) return sharesOf(likeliestOverlap(overlap), overlap);
  const { k, x, y } = sampledCounts(evidence);
  return { resemblance: part(k, x + k + y), aInB: part(k, x + k), bInA: part(k, y + k) };
}

/** The same with intervals, which cost some 10 µs. */
export function estimateOwnShares(evidence: OwnEvidence): OwnShares<ShareInterval> {
  if (evidence.isSame) return { resemblance: SAME, aInB: SAME, bInA: SAME };
  const overlap = overlapOf(evidence);
  if (overlap === null) return sampledShares(evidence);
  const { estimate, low, high } = estimateOverlap(overlap, MID_P);
  const [best, least, most] = [estimate, low, high].map((shared) => sharesOf(shared, overlap));
  const interval = (share: keyof OwnShares<number>) => ({
    ...{ estimate: best![share], low: least![share], high: most![share] },
  });
  return { resemblance: interval('resemblance'), aInB: interval('aInB'), bInA: interval('bInA') };
}

const SAME: ShareInterval = { estimate: 1, low: 1, high: 1 };

/** Where both sizes are exact: the evidence for I. */
function overlapOf({ a, b, counts }: OwnEvidence): OverlapEvidence | null {
  if (!a.isExact || !b.isExact || takenMost(a) + takenMost(b) > 0) return null;
  return { ...counts, shinglesA: a.shingleCount, shinglesB: b.shingleCount, equalSets: null };
}

function sharesOf(overlap: number, { shinglesA, shinglesB }: OverlapEvidence): OwnShares<number> {
  return {
    resemblance: resemblanceOf(overlap, shinglesA, shinglesB),
    aInB: containmentOf(overlap, shinglesA),
    bInA: containmentOf(overlap, shinglesB),
  };
}

/** How many values a template may have taken off by chance, as mostFalse has it. */
function takenMost({ shingleCount, takenByChance = 0 }: OwnSize): number {
  return takenByChance < TAKEN_LEAST ? 0 : mostFalse(shingleCount, Math.min(0.5, takenByChance / shingleCount));
}

/** With fewer expected an interval that takes no heed of them covers less often by no more than this. */
const TAKEN_LEAST = 5e-4;

/** Counts without the false matches that are expected. */
function sampledCounts({ a, b, counts }: OwnEvidence): Tally {
  return tally({
    ...counts,
    shinglesA: Math.max(a.shingleCount, counts.sampledA),
    shinglesB: Math.max(b.shingleCount, counts.sampledB),
    equalSets: null,
  });
}

function sampledShares(evidence: OwnEvidence): OwnShares<ShareInterval> {
  const { a, b, counts } = evidence;
  const { k, x, y, falseMatches } = sampledCounts(evidence);
  const least = falseMatches?.low ?? k;
  const most = Math.min((falseMatches?.counted ?? k) + takenMost(a) + takenMost(b), k + x, k + y);
  const share = (draws: number, drawsAtMost: number, population: number): ShareInterval => {
    const estimate = part(k, draws);
    const { low } = sampledShareInterval(least, draws, population);
    const { high } = sampledShareInterval(most, drawsAtMost, population);
    return { estimate, low: Math.min(low, estimate), high: Math.max(high, estimate) };
  };
  const sizeOf = (own: OwnEvidence['a'], sampled: number) =>
    own.isExact ? own.shingleCount : sampled * counts.modulus;
  const union = x + k + y;
  return {
    resemblance: share(union, union + k - most, union * counts.modulus),
    aInB: share(x + k, x + k, sizeOf(a, x + k)),
    bInA: share(y + k, y + k, sizeOf(b, y + k)),
  };
}

const part = (count: number, of: number) => (of === 0 ? 0 : count / of);
