import {
  leastBytes,
  type RowRange,
  type RowSurvey,
  rangeBytes,
  rangesWithin,
} from '../../core/cluster/ranges/row-ranges.ts';
import { ShingledError } from '../../errors.ts';
import type { SpillLayout } from '../../spill/spilled-chunks.ts';
import { RECORDS_BYTES } from './records/kept-records.ts';

/*
 * What finding pairs takes of the memory, beside what is known of the nodes:
 *
 *   lists   16 bytes a posting of the largest 256th, in each thread; 4 a node
 *   pairs   4 bytes a posting of a common shingle; a range of rows (core/cluster/ranges/); some pairs before they are compared
 *   edges   20 bytes each, from the first on to the last
 *
 * Half of what is free is for a range, unless all rows take less. A sixth is for pairs, a twelfth for values that are found in
 * the postings. The rest is for edges: nobody knows how many there will be.
 */

/** A pair that is counted, put in order, and becomes an edge: 8, 16 and 20, of which columns that grow by half leave copies. */
const PAIR_BYTES = 128;
/**
 * Pairs that a thread finds before they are compared, at the least: putting them in order costs something a node. Where there
 * are no records the counts say all, and pairs are kept as they come.
 */
const pairsLeast = ({ nodes, hasRecords }: PairLoad) => Math.max(2 ** 14, hasRecords ? Math.ceil(nodes / 64) : 0);
/** More of them at a time gain nothing. */
export const pairsEnoughBytes = ({ nodes, hasRecords }: PairLoad) =>
  hasRecords ? Math.max(2 ** 24, 2 * PAIR_BYTES * nodes) : Math.max(2 ** 26, 8 * nodes);
/** Decoded records, and what V8 needs to tell them apart. */
const THREAD_RECORDS_BYTES = 2 * RECORDS_BYTES;
const RANGE_SHARE = 1 / 2;
/** More than any machine has. */
const UNBOUND = 2 ** 50;
const PAIRS_SHARE = 1 / 6;
const RECOVERED_SHARE = 1 / 12;
const VALUE_BYTES = 8;
/** Values that are found in the postings at a time, at the least; the last part of some pairs may ask for as many more. */
const RECOVERED_LEAST = 2 ** 19;
export const EDGE_BYTES = 20;

export interface PairMemory {
  readonly ranges: readonly RowRange[];
  /** With so many pairs a thread takes no more rows before they are compared. */
  readonly pairsMax: number;
  readonly edgesMax: number;
  /** Values of nodes without records that are held at a time. */
  readonly recoveredMax: number;
  /** What all of it takes, without the edges. */
  readonly bytes: number;
}

export interface PairLoad {
  readonly nodes: number;
  readonly threads: number;
  /** Whether some are not posted whole, so that pairs are compared by their records. */
  readonly hasRecords: boolean;
  /** Of rows of common shingles; none are known before there are lists. */
  readonly rowWords?: number;
  /** Nodes of which a hash is held. */
  readonly hashes?: number;
}

/** Bytes that finding lists takes. */
export function listBytes({ counts }: SpillLayout, { nodes, threads }: Pick<PairLoad, 'nodes' | 'threads'>): number {
  return 4 * nodes + threads * (16 * Math.max(...counts) + THREAD_RECORDS_BYTES);
}

/** Bounds that tests set, so that few documents come in many parts. */
export interface PairBounds {
  readonly rangeBytes?: number;
  readonly pairs?: number;
  /** Pairs that are compared where common lists are counted whole. */
  readonly candidates?: number;
  /** Of nodes of a list that is not common. */
  readonly listMax?: number;
}

/** @param bytesMax for all of it @returns null where that is too little: {@link leastPairBytes} */
export function sharePairMemory(
  survey: RowSurvey,
  load: PairLoad,
  bytesMax: number,
  bounds?: PairBounds,
): PairMemory | null {
  const fixed = fixedBytes(load);
  const free = Math.min(bytesMax, UNBOUND) - fixed;
  const leastPairs = load.threads * pairsLeast(load) * PAIR_BYTES;
  const least = leastBytes(survey, load.nodes);
  if (free < leastPairs + least) return null;
  const share = Math.min(Math.max(RANGE_SHARE * free, least), free - leastPairs);
  const rangeMax = Math.max(least, Math.min(share, bounds?.rangeBytes ?? share));
  const ranges = rangesWithin(survey, load.nodes, rangeMax);
  if (ranges === null) return null;
  const most = ranges.reduce((bytes, range) => Math.max(bytes, rangeBytes(range)), 0);
  const pairBytes = Math.max(leastPairs, Math.min(PAIRS_SHARE * free, free - most, pairsEnoughBytes(load)));
  const left = free - most - pairBytes;
  const recoveredEnough = load.hasRecords ? VALUE_BYTES * Math.max(RECOVERED_LEAST, 8 * load.nodes) : 0;
  const recoveredMore = Math.max(0, Math.min(left, RECOVERED_SHARE * free, recoveredEnough));
  const recoveredMax = RECOVERED_LEAST + Math.floor(recoveredMore / VALUE_BYTES);
  const edgesMax = Math.max(0, Math.floor((left - recoveredMore) / EDGE_BYTES));
  const pairsMax = bounds?.pairs ?? Math.floor(pairBytes / PAIR_BYTES / load.threads);
  return { ranges, pairsMax, edgesMax, recoveredMax, bytes: fixed + most + pairBytes + recoveredMore };
}

/** Less than this is too little, even without edges. */
export function leastPairBytes(survey: RowSurvey, load: PairLoad): number {
  return leastLoadBytes(load) + leastBytes(survey, load.nodes);
}

/** Less than this is too little, whatever the lists are. */
export const leastLoadBytes = (load: PairLoad) => fixedBytes(load) + load.threads * pairsLeast(load) * PAIR_BYTES;

/**
 * Common shingles, where their rows begin, and marks. Where there are records, these, the two columns by which pairs are put
 * in order, and values that are found in the postings.
 */
function fixedBytes({ nodes, threads, hasRecords, rowWords = 0, hashes = 0 }: PairLoad): number {
  const counting = 9 * nodes + 4 * rowWords + 4 * hashes;
  if (!hasRecords) return counting;
  return counting + 12 * nodes + 2 * VALUE_BYTES * RECOVERED_LEAST + threads * THREAD_RECORDS_BYTES;
}

/** @param what the memory is for */
export function tooLittle(what: string, least: number, bytesMax: number): ShingledError {
  const detail = `${what} needs ${megabytes(least)} of memory at the least, and may take ${megabytes(Math.max(0, bytesMax))}. The same command goes on with a larger --memory.`;
  return new ShingledError('memory-short', detail, { field: 'memory' });
}

export const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`;
