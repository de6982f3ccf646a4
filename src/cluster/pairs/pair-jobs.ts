import type { CommonRows } from '../../core/cluster/common/common-rows.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { AddedLists, RangeMemory, RowSlice } from '../../core/cluster/ranges/range-lists.ts';
import type { RowSurvey } from '../../core/cluster/ranges/row-ranges.ts';
import type { CommonList, ListCounts } from '../../core/cluster/shingle-lists.ts';
import type { PlainError } from '../../errors.ts';
import type { SpillLayout } from '../../spill/spilled-chunks.ts';
import type { NodeTable, postingMarks } from '../corpus/node-table.ts';
import type { CommonState, RankedList } from './common/common-state.ts';
import type { RecoveredValues } from './records/recovered-values.ts';

/*
 * What the threads are told, and what they say. Each job is given to all of them, and each takes parts of it until none is
 * left: `next` is a ticket that they share.
 */

/** Of which pairs are found. */
export interface PairCorpus {
  readonly nodes: NodeTable;
  readonly postings: SpillLayout;
}

interface Shared {
  /** The next part that nobody has taken. */
  readonly next: Int32Array;
}

/** The lists of the postings: a part is a 256th of all shingles. */
export interface GroupJob extends Shared {
  readonly kind: 'group';
  readonly postings: SpillLayout;
  /** Lists of more nodes are common. */
  readonly listMax: number;
  /** Common shingles of each node, to be counted by all threads. */
  readonly commonOf: Uint32Array;
  /** Where the lists that this thread finds are written; what is there goes. */
  readonly listsPath: string;
}

/** Lists in a file: those of a 256th of all shingles. */
export interface WrittenLists {
  readonly path: string;
  /** Bytes from its beginning. */
  readonly at: number;
  readonly words: number;
  /** The first 8 bits of these shingles. */
  readonly top: number;
  readonly common: readonly CommonList[];
}

/** Common shingles of each node: one part, of one thread. */
export interface CommonJob extends Shared {
  readonly kind: 'common';
  /** By rank. */
  readonly lists: readonly RankedList[];
  readonly rows: CommonRows;
}

/** What each node has, as a number: a part is a 256th of all shingles. */
export interface HashJob extends Shared {
  readonly kind: 'hash';
  readonly postings: SpillLayout;
  readonly hashes: Uint32Array;
}

/** Which nodes are pivots: a part is a list. */
export interface PivotsJob extends Shared {
  readonly kind: 'pivots';
  /** By rank. */
  readonly lists: readonly RankedList[];
  readonly common: CommonState;
  readonly nodes: NodeTable;
}

/** Pairs of some nodes that share enough common shingles, however they were counted: a part is one of these nodes. */
export interface SampleJob extends Shared {
  readonly kind: 'sample';
  readonly sampled: Uint32Array;
  readonly common: CommonState;
  readonly nodes: NodeTable;
  readonly by: Likeness;
  readonly floor: number;
}

export interface SomePairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

export interface Grouped {
  readonly written: readonly WrittenLists[];
  readonly survey: RowSurvey;
  readonly commonSurvey: RowSurvey;
  readonly counts: ListCounts;
}

/** The lists of a range of rows into memory: a part is one of `written`. */
export interface GatherJob extends Shared {
  readonly kind: 'gather';
  readonly written: readonly WrittenLists[];
  /** Of their common ones. */
  readonly ranks: readonly Uint32Array[];
  readonly common: CommonState;
  readonly nodes: NodeTable;
  readonly memory: RangeMemory;
}

interface EntriesJob extends Shared {
  /** By all threads. */
  readonly added: readonly AddedLists[];
  readonly memory: RangeMemory;
  readonly slices: RowSlice['slices'];
}

/** How many entries each row has of what was gathered: a part is a slice of the rows. */
export interface TallyJob extends EntriesJob {
  readonly kind: 'tally';
}

/** These entries to where they belong: a part is a slice of the rows. */
export interface EnterJob extends EntriesJob {
  readonly kind: 'enter';
}

/** Rows that are counted by one ticket. */
export const TICKET_ROWS = 512;

/** Pairs that share enough postings: a part is some hundred rows of a range. */
export interface CountJob extends Shared {
  readonly kind: 'count';
  readonly memory: RangeMemory;
  /** Of all nodes. */
  readonly marks: ReturnType<typeof postingMarks>;
  readonly nodes: NodeTable;
  readonly by: Likeness;
  readonly floor: number;
  /** With so many pairs no other part is taken: parts may be left. */
  readonly pairsMax: number;
  readonly common: CommonRows;
}

/** Pairs to be compared by their records, and what else was found. */
export interface Counted extends SomePairs {
  /** Edges of which the counts say all. */
  readonly edges: Verified;
  /** Pairs of both kinds; of the second also those below the floor. */
  readonly candidates: number;
  /** Whether it has stopped since it has so many. */
  readonly isFull: boolean;
  readonly increments: number;
  /** Pairs that share a posting. */
  readonly pairs: number;
}

/** Values of nodes that have no record, from the postings: a part is a 256th of all shingles. */
export interface RecoverJob extends Shared {
  readonly kind: 'recover';
  readonly postings: SpillLayout;
  readonly recovered: RecoveredValues;
}

/** Pairs compared by their records: part i is of pairs ends[i - 1] .. ends[i] - 1, from ≤ i < to. */
export interface VerifyJob extends Shared {
  readonly kind: 'verify';
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly ends: Uint32Array;
  readonly parts: { readonly from: number; readonly to: number };
  readonly nodes: NodeTable;
  /** Of nodes of these parts that have no record. */
  readonly recovered: RecoveredValues;
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

export type Job =
  | GroupJob
  | CommonJob
  | HashJob
  | PivotsJob
  | GatherJob
  | TallyJob
  | EnterJob
  | CountJob
  | RecoverJob
  | VerifyJob
  | SampleJob;

export interface Products {
  readonly group: Grouped;
  readonly common: null;
  readonly hash: null;
  readonly pivots: null;
  readonly gather: AddedLists;
  readonly tally: null;
  readonly enter: null;
  readonly count: Counted;
  readonly recover: null;
  readonly verify: Verified;
  readonly sample: SomePairs;
}

export type Answer = { readonly product: Products[Job['kind']] } | { readonly failed: PlainError };
