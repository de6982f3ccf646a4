import type { PrintedShare } from '../../core/compare/shares.ts';

/* What a result says, a line each. */

export interface ClusterLink {
  readonly a: string;
  readonly b: string;
  readonly likeness: number;
  /** Documents on the side of `a` and on that of `b`, were it not there. */
  readonly sides: readonly [number, number];
}

export interface ClusterLine {
  readonly threshold: number;
  readonly documents: number;
  /** Different texts. */
  readonly texts: number;
  readonly representative: string;
  readonly medoid: string;
  /** null where all documents have one set of shingles. */
  readonly weakest: ClusterLink | null;
  readonly bridges?: readonly ClusterLink[];
  readonly urls: readonly string[];
}

/** A share with its 95 % interval: low <= estimate <= high. */
export type PairShare = Omit<PrintedShare, 'decision'>;

export interface PairShares {
  readonly resemblance: PairShare;
  /** Of a in b, and of b in a. */
  readonly aInB: PairShare;
  readonly bInA: PairShare;
}

export interface PairLine extends PairShares {
  readonly a: string;
  readonly b: string;
}

/** A document that may go. */
export interface RemovalLine {
  readonly url: string;
  /** Which record of the inputs it is, from 0; blank lines are none. */
  readonly record: number;
  readonly keptUrl: string;
  readonly keptRecord: number;
  /** One text, one set of shingles, or as alike as is told. */
  readonly reason: 'same-text' | 'same-shingles' | 'near-copy';
  readonly resemblance: PairShare;
  /** Of it in the kept one, and of that in it. */
  readonly inKept: PairShare;
  readonly keptIn: PairShare;
}
