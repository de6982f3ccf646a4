import { sharedBytes } from '../../core/memory/growing-column.ts';
import { POSTED_BITS } from '../../core/query/posted-key.ts';
import type { NarrowColumn } from '../result/held-columns.ts';

/** Moduli at which the values of a record are counted: own, twice, four times. */
export const SAMPLED_MODULI = 3;

/** In the bits of a record: those of its values. */
const BITS = 0x3f;
/** … Set where the node is a part of its text, and where n is an estimate by the sample. */
export const PART = 0x80;
export const PART_ESTIMATED = 0x40;

/** Bits of the values of a record. @param marked with {@link PART}, {@link PART_ESTIMATED} */
export const bitsOfRecord = (marked: number): number => marked & BITS;

/** The bits of a record with another number of bits for its values. */
export const withBits = (marked: number, bits: number): number => (marked & ~BITS) | bits;

/** Postings of nodes that are fewer than n asks for, since a part of a text is known by what its record had. */
export interface ThinPostings {
  /** The fewest postings that are expected of one of them. */
  readonly unitsLeast: number;
  readonly modulusMost: number;
}

/** What is known of the nodes of a corpus. Plain data, which threads are given in memory that they share. */
export interface NodeTable {
  readonly count: number;
  /** n of each. */
  readonly shingleCounts: NarrowColumn;
  /** log2 of the modulus of its postings. */
  readonly postedLogs: Uint8Array;
  /** log2 of the modulus of its record. */
  readonly recordLogs: Uint8Array;
  /** Bits of the values of its record ({@link bitsOfRecord}), and {@link PART}, {@link PART_ESTIMATED}. */
  readonly recordBits: Uint8Array;
  /** SAMPLED_MODULI for each: values of its record that are 0 mod its modulus, twice that, four times that. */
  readonly sampled: NarrowColumn;
  /** Where its record is in the file; count + 1 of them. Empty where the node {@link isPosted}. */
  readonly recordStarts: NarrowColumn;
  readonly recordsPath: string;
  /** null: each has as many postings as n asks for. */
  readonly thin: ThinPostings | null;
}

/** Whether all values of its record are posted, as far as postings have them: so it has no record. It has up to 63 shingles. */
export function isPosted(nodes: Pick<NodeTable, 'postedLogs' | 'recordLogs' | 'recordBits'>, node: number): boolean {
  const { postedLogs, recordLogs, recordBits } = nodes;
  return postedLogs[node] === recordLogs[node] && bitsOfRecord(recordBits[node]!) === POSTED_BITS;
}

/** Set in the mark of a node that {@link isPosted}. */
export const POSTED = 0x80;

/** Of each node in one byte, in memory that threads share: log2 of the modulus of its postings, and {@link POSTED}. */
export function postingMarks(nodes: NodeTable): Uint8Array {
  const marks = sharedBytes(nodes.count);
  for (let node = 0; node < nodes.count; node++)
    marks[node] = nodes.postedLogs[node]! | (isPosted(nodes, node) ? POSTED : 0);
  return marks;
}

/** Whether any node has a record. */
export const hasRecords = ({ recordStarts, count }: Pick<NodeTable, 'recordStarts' | 'count'>) =>
  recordStarts[count]! > 0;
