import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foundShare, type LeftOutPairs } from '../core/cluster/common/left-out.ts';
import { PIVOTS } from '../core/cluster/common/pivots.ts';
import { type Likeness, recallAt } from '../core/cluster/pair-floor.ts';
import { LIST_MAX } from '../core/cluster/shingle-lists.ts';
import { ShingledError } from '../errors.ts';
import { collectLeft } from '../sharing/garbage.ts';
import type { ThinPostings } from './corpus/node-table.ts';
import { CorpusWriter } from './corpus/sketched-corpus.ts';
import {
  readSketched,
  SKETCHED_FILES,
  type SketchedState,
  type SketchedSubject,
  STATE_FILE,
  writeSketched,
} from './corpus/sketched-state.ts';
import { linkOver, makeFolder, removeAll } from './durable-files.ts';
import { findEdges } from './pairs/find-edges.ts';
import type { PairBounds } from './pairs/pair-memory.ts';
import { PairThreads, pairThreads } from './pairs/pair-threads.ts';
import { Phases } from './phases.ts';
import type { ClusterNeeds, ClusterProgress, Corpus, RecordsTold } from './port.ts';
import { ClusterResources, heldBytes } from './resources.ts';
import {
  CONTENTS_VERSION,
  hasResult,
  RESULT_VERSION,
  type ResultSummary,
  writeSummary,
} from './result/result-folder.ts';
import { writeEdges } from './result/write-edges.ts';
import { failureOf } from './run-failures.ts';

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
 * goes on behind it, where the same is asked for. What it takes of the memory and the disk is told before, and held
 * (resources.ts).
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
  /** Threads that find pairs; if absent, one for each core, and fewer for a small corpus. */
  readonly threads?: number;
  /** Of the process, held; without it no bound. */
  readonly memoryBytes?: number;
  /** For tests: parts of finding pairs. */
  readonly bounds?: PairBounds;
  readonly signal?: AbortSignal;
  progress?(told: ClusterProgress): void;
  /** What it will take, told twice: before documents are read, as far as that is known, and when they were. */
  needs?(needs: ClusterNeeds): void;
}

/**
 * @returns what was written to the folder
 * @throws ShingledError `invalid-request` where a result is there already, or an unfinished one of something else;
 *   `storage-full`; `memory-short`; what reading the corpus throws; the reason of the signal
 */
export async function clusterCorpus(corpus: Corpus, options: ClusterOptions): Promise<ResultSummary> {
  const { folder } = options;
  if (hasResult(folder)) throw new ShingledError('invalid-request', `There is a result in ${folder} already.`);
  try {
    return await new ClusterRun(corpus, options).run();
  } catch (error) {
    // threads are ended in the middle of their work
    options.signal?.throwIfAborted();
    // what else was met, those who gave the options know
    throw error instanceof RangeError ? failureOf(error) : error;
  }
}

type FoundCorpus = Pick<SketchedState, 'counts' | 'reading' | 'bytes'> & {
  readonly nodes: number;
  readonly thin: ThinPostings | null;
};

class ClusterRun {
  private readonly corpus: Corpus;
  private readonly options: ClusterOptions;
  private readonly work: string;
  private readonly phases: Phases;
  private readonly resources: ClusterResources;

  constructor(corpus: Corpus, options: ClusterOptions) {
    this.corpus = corpus;
    this.options = options;
    this.work = join(options.folder, WORK_FOLDER);
    this.phases = new Phases(options);
    this.resources = new ClusterResources(options);
  }

  async run(): Promise<ResultSummary> {
    const { folder, signal } = this.options;
    const { corpus, edges, counts, ranges, leftOut } = await this.found();
    this.phases.enter('forest');
    signal?.throwIfAborted();
    collectLeft(corpus.bytes);
    this.resources.beforeForest(corpus.nodes, edges.count);
    this.options.progress?.({ phase: 'forest', done: edges.count, of: null });
    // synced with the files that follow
    for (const name of SKETCHED_FILES) linkOver(join(this.work, name), join(folder, name));
    const { forestEdges, files } = writeEdges(folder, edges, corpus.nodes);
    this.resources.beforeAnswers(corpus, edges.count, forestEdges);
    this.phases.end();
    const summary = this.summaryOf(
      corpus,
      { ...counts, forestEdges },
      { ...corpus.files, ...files },
      { ranges, leftOut },
    );
    writeSummary(folder, summary);
    removeAll(this.work);
    return summary;
  }

  /** What the result says of the corpus, and its edges: columns of nodes are needed no more, and gone. */
  private async found() {
    this.phases.enter('documents');
    const sketched = await this.sketched();
    const threads = this.options.threads ?? pairThreads(sketched.nodes.count);
    this.resources.afterDocuments(sketched, this.work, threads);
    const { nodes, ...rest } = sketched;
    const corpus = { ...rest, nodes: nodes.count, thin: nodes.thin, heldBytes: heldBytes(nodes) };
    return { corpus, ...(await this.edgesOf(sketched, threads)) };
  }

  /**
   * The corpus as an earlier run has left it, or as it is read now: from the disk, so that its columns are not larger than it.
   */
  private async sketched(): Promise<SketchedState> {
    const { work, corpus } = this;
    const subject = { fingerprint: corpus.fingerprint, by: this.options.by };
    const before = readSketched(work, subject);
    if (before !== null) return before;
    const nodes = await this.sketch(subject);
    // what was known of them is gone by now, since nothing of that call is left
    collectLeft(NODE_BYTES * nodes);
    const state = readSketched(work, subject, true);
    if (state !== null) return state;
    throw new ShingledError('result-damaged', `What was written to ${work} cannot be read back.`);
  }

  /** Reads the corpus into files. @returns how many nodes it has */
  private async sketch(subject: SketchedSubject): Promise<number> {
    const { work, corpus } = this;
    const { by, signal, progress } = this.options;
    removeAll(work);
    makeFolder(work);
    this.resources.beforeDocuments(corpus, work);
    const memory = this.resources.whileReading(corpus);
    const writer = await CorpusWriter.create({ folder: work, urlsPath: join(work, 'urls'), by, memory });
    try {
      const told: RecordsTold = (done, share) => progress?.({ phase: 'documents', done, of: null, share });
      const reading = await corpus.readInto(writer, told, signal);
      const sealed = await writer.seal();
      writeSketched(work, subject, sealed, reading);
      return sealed.nodes.count;
    } finally {
      await writer.close();
    }
  }

  private async edgesOf(sketched: SketchedState, count: number) {
    const { signal } = this.options;
    const threads = new PairThreads(count);
    const stop = () => void threads.close();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const progress = (told: ClusterProgress) => this.phases.tell(told);
      const memoryBytes = this.resources.pairBytes(sketched, count);
      return await findEdges(sketched, { ...this.options, progress, threads, memoryBytes });
    } finally {
      signal?.removeEventListener('abort', stop);
      await threads.close();
    }
  }

  private summaryOf(
    { nodes, thin, counts, reading, bytes }: FoundCorpus,
    found: Omit<ResultSummary['counts'], 'records' | 'documents' | 'texts' | 'nodes' | 'postings'>,
    files: ResultSummary['files'],
    { ranges, leftOut }: { readonly ranges: number; readonly leftOut?: LeftOutPairs | undefined },
  ): ResultSummary {
    const { by, floor, now } = this.options;
    const { contents } = reading;
    return {
      shingledClusters: contents === undefined ? RESULT_VERSION : CONTENTS_VERSION,
      ...{ createdAt: new Date(now()).toISOString(), inputs: this.corpus.names, by },
      ...{ content: contents?.by ?? 'page', ...(contents === undefined ? {} : { contents }), floor },
      counts: { records: reading.records, ...counts, nodes, ...found },
      leftOut: reading.leftOut,
      recall: STATED.filter((threshold) => threshold >= floor).map((threshold) => ({
        ...{ threshold, atLeast: recallAt(threshold, by, floor, thin) * foundShare(leftOut, threshold) },
      })),
      ...(leftOut === undefined ? {} : { leftOutPairs: leftOut }),
      ...(thin === null ? {} : { thinPostings: thin }),
      limits: { listNodesMax: LIST_MAX, pivots: PIVOTS },
      resources: { ...this.resources.told, temporaryBytes: bytes + this.resources.listBytes, ranges },
      ...{ phasesMs: this.phases.ms, files },
    };
  }
}

/** Memory that reading takes for a text and its document (corpus/sketched-corpus.ts), about. */
const NODE_BYTES = 124;

/** Whether a run that was ended has left in a folder what another one goes on with. */
export const hasSketched = (folder: string): boolean => existsSync(join(folder, WORK_FOLDER, STATE_FILE));
