import { statfsSync } from 'node:fs';
import type { Likeness } from '../core/cluster/pair-floor.ts';
import { ShingledError } from '../errors.ts';
import { CHUNK_ENTRIES, TOPS } from '../spill/posting-spill.ts';
import { ENTRY_BYTES } from '../spill/spilled-chunks.ts';
import { hasRecords } from './corpus/node-table.ts';
import type { SketchedState } from './corpus/sketched-state.ts';
import { refusedBy } from './durable-files.ts';
import { freeMemoryBytes } from './machine-memory.ts';
import { EDGE_BYTES, leastLoadBytes, listBytes, megabytes, pairsEnoughBytes, tooLittle } from './pairs/pair-memory.ts';
import type { ClusterNeeds, Corpus } from './port.ts';
import { type AnsweredCorpus, answerBytes } from './result/answer-bytes.ts';

/*
 * What a run takes of the memory and of the disk: told before, refused where it is not there, and held.
 *
 *   documents   60 to 120 bytes a different text, 10 to 24 a document; what reading takes (corpus/sketched-corpus.ts)
 *   lists       8 to 27 bytes a node from here on; and what sorting takes                 (pairs/pair-memory.ts)
 *   pairs       a range of rows, as many as fit
 *   forest      44 bytes an edge, 4 a node                                                (result/write-edges.ts)
 *   answers     columns of the result, and a cut of its forest                            (result/cluster-answers.ts)
 *
 *   disk        records, postings, columns; then lists, 4 bytes a posting at the most
 */

/** Node with our code, and garbage before it is collected. */
const BASE_BYTES = 112 * 2 ** 20;
/** A thread that writes nodes or finds pairs, without what it is given. */
const THREAD_BYTES = 48 * 2 ** 20;
const FOREST_EDGE_BYTES = 44;
const FOREST_NODE_BYTES = 4;
/** Of a byte of input, what is written of it at the most: texts of some hundred bytes are mostly postings. */
const WRITTEN_SHARE = 1.5;
/** Postings are written in chunks, of each 256th of all shingles one at the least. */
const CHUNK_BYTES = ENTRY_BYTES * CHUNK_ENTRIES;

interface ResourceOptions {
  readonly by: Likeness;
  readonly memoryBytes?: number;
  needs?(needs: ClusterNeeds): void;
}

export class ClusterResources {
  /** What was told last. */
  told: Pick<ClusterNeeds, 'memoryBytesMax' | 'memoryBytes'> = { memoryBytesMax: null, memoryBytes: null };
  /** Of files with lists, at the most. */
  listBytes = 0;
  private readonly options: ResourceOptions;
  private readonly bytesMax: number;

  constructor(options: ResourceOptions) {
    this.options = options;
    this.bytesMax = options.memoryBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Tells what is known of it. @param folder of temporary files */
  beforeDocuments({ inputBytes }: Corpus, folder: string): void {
    const temporaryBytes = inputBytes === null ? null : TOPS * CHUNK_BYTES + Math.ceil(WRITTEN_SHARE * inputBytes);
    this.tell({ phase: 'documents', memoryBytes: null, temporaryBytes, freeBytes: freeBytes(folder) });
  }

  /** What may be taken while documents are read, and what is beside their columns. @throws ShingledError `memory-short` */
  whileReading({ readingBytes }: Corpus): { readonly bytesMax: number; readonly besideBytes: number } {
    const besideBytes = BASE_BYTES + THREAD_BYTES + readingBytes;
    if (besideBytes >= this.bytesMax) throw tooLittle('Reading documents', besideBytes, this.bytesMax);
    return { bytesMax: this.bytesMax, besideBytes };
  }

  /** Tells what the rest will take of a corpus as most are, by what was read. @throws ShingledError `storage-full` */
  afterDocuments(state: SketchedState, folder: string, threads: number): void {
    const { postings, counts, nodes } = state;
    const load = { nodes: nodes.count, threads, hasRecords: hasRecords(nodes) };
    this.listBytes = 4 * counts.postings;
    const taken = this.takenWith(state, threads);
    const pairs = leastLoadBytes(load) + pairsEnoughBytes(load) + 2 * EDGE_BYTES * nodes.count;
    const most = taken + Math.max(listBytes(postings, load), pairs + 4 * counts.postings + 4 * nodes.count);
    const free = freeBytes(folder);
    const told = { temporaryBytes: state.bytes + this.listBytes, freeBytes: free };
    this.tell({ phase: 'lists', memoryBytes: Math.min(most, this.bytesMax), ...told });
    if (free >= this.listBytes) return;
    const detail = `Lists of shingles take up to ${megabytes(this.listBytes)} in ${folder}, and ${megabytes(free)} are free. What was read is kept.`;
    throw new ShingledError('storage-full', detail);
  }

  /** What finding pairs may take. @throws ShingledError `memory-short` */
  pairBytes(state: SketchedState, threads: number): number {
    const taken = this.takenWith(state, threads);
    const load = { nodes: state.nodes.count, threads, hasRecords: hasRecords(state.nodes) };
    const least = taken + Math.max(listBytes(state.postings, load), leastLoadBytes(load));
    if (least > this.bytesMax) throw tooLittle('Finding pairs', least, this.bytesMax);
    // what is taken is free no longer
    const free = taken + freeMemoryBytes();
    if (least > free) throw tooLittle('Finding pairs, on a machine that others use,', least, free);
    return this.bytesMax - taken;
  }

  /** @throws ShingledError `memory-short` */
  beforeForest(nodes: number, edges: number): void {
    this.hold(`A forest of ${edges} pairs`, FOREST_EDGE_BYTES * edges + FOREST_NODE_BYTES * nodes);
  }

  /** A result that could not be opened within the memory is none. @throws ShingledError `memory-short` */
  beforeAnswers(corpus: Omit<AnsweredCorpus, 'edges' | 'forestEdges'>, edges: number, forestEdges: number): void {
    this.hold(`Answering from ${edges} pairs`, answerBytes({ ...corpus, edges, forestEdges }));
  }

  private hold(what: string, bytes: number): void {
    if (BASE_BYTES + bytes > this.bytesMax) throw tooLittle(what, BASE_BYTES + bytes, this.bytesMax);
  }

  private takenWith({ nodes }: SketchedState, threads: number): number {
    return BASE_BYTES + threads * THREAD_BYTES + heldBytes(nodes);
  }

  private tell(needs: Omit<ClusterNeeds, 'memoryBytesMax'>): void {
    const memoryBytesMax = Number.isFinite(this.bytesMax) ? this.bytesMax : null;
    this.told = { memoryBytesMax, memoryBytes: needs.memoryBytes };
    this.options.needs?.({ ...needs, memoryBytesMax });
  }
}

/** Columns of the nodes. */
export function heldBytes(nodes: SketchedState['nodes']): number {
  const { shingleCounts, postedLogs, recordLogs, recordBits, sampled, recordStarts } = nodes;
  const columns = [shingleCounts, postedLogs, recordLogs, recordBits, sampled, recordStarts];
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (cause) {
    throw refusedBy(folder, cause);
  }
}
