import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { FoundLists, ListCounts, ShingleLists } from '../../core/cluster/shingle-lists.ts';
import type { SpillLayout } from '../../spill/posting-spill.ts';
import type { NodeTable } from '../corpus/sketched-corpus.ts';

/*
 * What the threads are told, and what they say. Each job is given to all of them, and each takes parts of it until none is
 * left: `next` is a ticket that they share.
 */

interface Shared {
  /** The next part that nobody has taken. */
  readonly next: Int32Array;
}

/** The lists of the postings: a part is a 256th of all shingles. */
export interface GroupJob extends Shared {
  readonly kind: 'group';
  readonly postings: SpillLayout;
  readonly nodes: number;
}

export interface Grouped {
  readonly found: FoundLists;
  /** Entries of each node in plain lists. */
  readonly entries: Uint32Array;
  readonly counts: ListCounts;
}

/** The common lists of one thread, with their pivots. */
export interface PivotJob {
  readonly kind: 'pivot';
  readonly found: FoundLists;
  readonly entries: Uint32Array;
  /** Common shingles of each node, by thread. */
  readonly commonOf: readonly Uint32Array[];
  readonly nodes: NodeTable;
}

/** Lists of one thread, for counting. */
export interface ListedPart {
  readonly lists: ShingleLists;
  /** Entries of each node. */
  readonly entries: Uint32Array;
}

/** The entries of one thread's lists, to where they belong. */
export interface EnterJob {
  readonly kind: 'enter';
  readonly lists: ShingleLists;
  readonly starts: Uint32Array;
  /** Entries of each node in the lists of the threads before it. */
  readonly before: readonly Uint32Array[];
  readonly entries: Uint32Array;
}

/** Pairs that share enough postings: a part is a thousand rows. */
export interface CountJob extends Shared {
  readonly kind: 'count';
  readonly parts: readonly ListedPart[];
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  readonly nodes: NodeTable;
  readonly by: Likeness;
  readonly floor: number;
}

export interface Counted {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly increments: number;
  /** Pairs that share a posting. */
  readonly pairs: number;
}

/** Pairs compared by their records: part i is of pairs ends[i - 1] .. ends[i] - 1. */
export interface VerifyJob extends Shared {
  readonly kind: 'verify';
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly ends: Uint32Array;
  readonly nodes: NodeTable;
  readonly by: Likeness;
  readonly floor: number;
}

/** Those at the floor or above. */
export interface Verified {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** Values of the records that both have, at the coarser modulus. */
  readonly shared: Uint32Array;
  readonly weight: Float64Array;
}

export type Job = GroupJob | PivotJob | EnterJob | CountJob | VerifyJob;

export interface Products {
  readonly group: Grouped;
  readonly pivot: ListedPart;
  readonly enter: null;
  readonly count: Counted;
  readonly verify: Verified;
}

export type Answer = { readonly product: Products[Job['kind']] } | { readonly failed: string };
