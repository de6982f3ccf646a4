import { join } from 'node:path';
import { orderEdges } from '../core/cluster/order-edges.ts';
import { type Likeness, recallAt } from '../core/cluster/pair-floor.ts';
import { PIVOTS } from '../core/cluster/pivots.ts';
import { LIST_MAX } from '../core/cluster/shingle-lists.ts';
import { spanningForest } from '../core/cluster/spanning-forest.ts';
import { ShingledError } from '../errors.ts';
import { CorpusWriter, type SketchedCorpus } from './corpus/sketched-corpus.ts';
import { readSketched, type SketchedState, writeSketched } from './corpus/sketched-state.ts';
import { linkOver, makeFolder, removeAll } from './durable-files.ts';
import { type FoundEdges, findEdges } from './pairs/find-edges.ts';
import { PairThreads } from './pairs/pair-threads.ts';
import type { ClusterPhase, ClusterProgress, Corpus } from './port.ts';
import { writeColumns } from './result/columns-file.ts';
import { hasResult, RESULT_VERSION, type ResultSummary, writeSummary } from './result/result-folder.ts';

/*
 * A corpus to a result (Broder 1997, §4.1): the table of contents of the pipeline.
 *
 *   documents   each read and sketched once: nodes, their records and postings           corpus/, kept when all are read
 *   lists       postings sorted: which nodes share a shingle                              pairs/
 *   pairs       how many each pair does, row by row: those that share enough
 *   records     these pairs compared: edges
 *   forest      edges in order, and their maximum spanning forest: any threshold follows from it
 *
 * All is written beside the result, which is there once it is whole. Reading takes most of the time. So a run that was ended
 * goes on behind it, where the same is asked for.
 */

/** Thresholds for which the recall is stated. */
const STATED = [0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1];
/** What is left of a run that has not ended. */
const WORK_FOLDER = 'unfinished';

export interface ClusterOptions {
  /** Of the result: made where it is absent. */
  readonly folder: string;
  readonly by: Likeness;
  /** Pairs below are not told apart, above 0 and up to 1. */
  readonly floor: number;
  /** ms since 1970. */
  readonly now: () => number;
  /** Threads that find pairs: one a core unless told. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  progress?(told: ClusterProgress): void;
}

/**
 * @returns what was written to the folder
 * @throws ShingledError `invalid-request` where a result is there already, or an unfinished one of something else;
 *   `storage-full`; what reading the corpus throws; the reason of the signal
 */
export async function clusterCorpus(corpus: Corpus, options: ClusterOptions): Promise<ResultSummary> {
  const { folder, by, floor, now } = options;
  if (hasResult(folder)) throw new ShingledError('invalid-request', `There is a result in ${folder} already.`);
  const phases = new Phases(options);
  const work = join(folder, WORK_FOLDER);
  const { sketched, reading } = await phases.run('documents', () => sketchedFor(corpus, work, options));
  const threads = new PairThreads(options.threads);
  const stop = () => void threads.close();
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    const told = { progress: (progress: ClusterProgress) => phases.enter(progress.phase) };
    const { edges, counts } = await findEdges(sketched, { ...options, ...told, threads });
    phases.enter('forest');
    options.signal?.throwIfAborted();
    const { documents, nodes } = sketched;
    const written = writeEdges(folder, edges, nodes.count);
    const files = { ...writeSketchedParts(folder, sketched), ...written.files };
    phases.end();
    const summary: ResultSummary = {
      ...{
        shingledClusters: RESULT_VERSION,
        createdAt: new Date(now()).toISOString(),
        inputs: corpus.names,
        by,
        floor,
      },
      counts: {
        ...{ records: reading.records, documents: documents.count, texts: documents.contentCount, nodes: nodes.count },
        ...{ postings: sketched.postingCount, ...counts, forestEdges: written.forestEdges },
      },
      leftOut: reading.leftOut,
      recall: STATED.filter((threshold) => threshold >= floor).map((threshold) => ({
        ...{ threshold, atLeast: recallAt(threshold, by, floor) },
      })),
      ...{ limits: { listNodesMax: LIST_MAX, pivots: PIVOTS }, phasesMs: phases.ms, files },
    };
    writeSummary(folder, summary);
    removeAll(work);
    return summary;
  } catch (error) {
    // the threads were ended in the middle of their work
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', stop);
    await threads.close();
  }
}

/** The corpus as an earlier run has left it, or as it is read now. */
async function sketchedFor(corpus: Corpus, work: string, options: ClusterOptions): Promise<SketchedState> {
  const { by, signal, progress } = options;
  const subject = { fingerprint: corpus.fingerprint, by };
  const before = readSketched(work, subject);
  if (before !== null) return before;
  removeAll(work);
  makeFolder(work);
  const writer = await CorpusWriter.create({ folder: work, urlsPath: join(work, 'urls'), by });
  const told = (records: number) => progress?.({ phase: 'documents', done: records, of: null });
  const reading = await corpus.readInto(writer, told, signal);
  return writeSketched(work, subject, { sketched: await writer.seal(), reading });
}

/** The files of the result that are of the corpus alone. */
function writeSketchedParts(folder: string, { nodes, documents }: SketchedCorpus) {
  const { shingleCounts, recordLogs, recordBits, sampled } = nodes;
  const { contents, records, dates, urlStarts, urlsPath, urlsSha256 } = documents;
  linkOver(urlsPath, join(folder, 'urls'));
  return {
    nodes: writeColumns(join(folder, 'nodes'), { shingleCounts, recordLogs, recordBits, sampled }),
    documents: writeColumns(join(folder, 'documents'), { nodes: documents.nodes, contents, records, dates, urlStarts }),
    urls: { bytes: urlStarts[documents.count]!, sha256: urlsSha256 },
  };
}

function writeEdges(folder: string, { a, b, shared, weight }: FoundEdges, nodes: number) {
  const count = a.length;
  const order = orderEdges({ count, a, b, weight });
  const inOrder = <T extends Uint32Array | Float64Array>(column: T, sorted: T): T => {
    for (let i = 0; i < count; i++) sorted[i] = column[order[i]!]!;
    return sorted;
  };
  const sorted = {
    ...{ a: inOrder(a, new Uint32Array(count)), b: inOrder(b, new Uint32Array(count)) },
    ...{ shared: inOrder(shared, new Uint32Array(count)), weight: inOrder(weight, new Float64Array(count)) },
  };
  const edges = spanningForest(nodes, { count, a: sorted.a, b: sorted.b, weight: sorted.weight });
  return {
    forestEdges: edges.length,
    files: {
      edges: writeColumns(join(folder, 'edges'), sorted),
      forest: writeColumns(join(folder, 'forest'), { edges }),
    },
  };
}

/** How long each phase took. */
class Phases {
  readonly ms: Record<string, number> = {};
  private readonly options: ClusterOptions;
  private phase: ClusterPhase | null = null;
  private since = 0;

  constructor(options: ClusterOptions) {
    this.options = options;
  }

  async run<T>(phase: ClusterPhase, work: () => Promise<T>): Promise<T> {
    this.enter(phase);
    const result = await work();
    this.end();
    return result;
  }

  enter(phase: ClusterPhase): void {
    this.end();
    this.phase = phase;
    this.since = performance.now();
    this.options.progress?.({ phase, done: 0, of: null });
  }

  end(): void {
    if (this.phase !== null) this.ms[this.phase] = Math.round(performance.now() - this.since);
    this.phase = null;
  }
}
