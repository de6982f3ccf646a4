import { Worker } from 'node:worker_threads';
import { errorOf, type PlainError, ShingledError } from '../../errors.ts';
import { Bell } from '../../sharing/waiting.ts';
import type { CorpusContent } from '../port.ts';
import { type NodeOfText, type NodeSetup, NodeWriter, type SealedNodes } from './node-writer.ts';
import { BATCH_DOUBLES, putText, type TextDoubles, textDoubles } from './text-batch.ts';

/*
 * Texts of a corpus on their way to their nodes (node-writer.ts), which another thread finds and writes while more are read:
 *
 *   add ─► batch of texts ─► thread ─► nodes, records, postings
 *             ▲ used again      │
 *             └─────────────────┘
 *
 * Few texts are written by whoever brings them: starting a thread takes as long as some ten thousand.
 * Cost: 1 ns a value to copy; memory for some 15 batches and the longest texts of a group, and the thread.
 */

/** Doubles that are kept, but for one batch, before a thread is worth its start. */
const KEPT_DOUBLES = 8 * BATCH_DOUBLES;
/** Doubles that a thread may have before it. */
const AHEAD_DOUBLES = 6 * BATCH_DOUBLES;
const WORKER_FILE = new URL(`./nodes.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** What the thread is told: texts; that these were all, and to say which nodes they have; and then to seal them. */
export type NodeTask = { readonly batch: TextDoubles; readonly used: number } | 'texts' | 'seal';
/** What it answers, to each; bytes: of memory. */
export type NodeAnswer =
  | { readonly batch: TextDoubles; readonly bytes: number }
  | { readonly nodeOfText: NodeOfText }
  | { readonly sealed: SealedNodes }
  | { readonly failed: PlainError };

export class NodeThread {
  /** Of memory that nodes take, as was told last. */
  bytes = 0;
  private readonly setup: NodeSetup;
  private readonly spare: TextDoubles[] = [];
  /** Full ones, while there is no thread. */
  private readonly kept: { readonly batch: TextDoubles; readonly used: number }[] = [];
  private keptDoubles = 0;
  private batch: TextDoubles = new Float64Array(BATCH_DOUBLES);
  private used = 0;
  private worker: Worker | undefined;
  private underWayDoubles = 0;
  private readonly answered = new Bell();
  private nodeOfText: NodeOfText | undefined;
  private sealed: SealedNodes | undefined;
  /** Where there is no thread: what has the texts that were kept. */
  private here: NodeWriter | undefined;
  private failure: unknown;

  constructor(setup: NodeSetup) {
    this.setup = setup;
  }

  /** The next text, which is copied. */
  add(content: CorpusContent): void {
    const doubles = textDoubles(content);
    if (this.used + doubles > this.batch.length) this.next(doubles);
    this.used = putText(this.batch, this.used, content);
  }

  /** There is room for more. To be awaited after each group of texts. @throws as {@link seal} does */
  async room(): Promise<void> {
    while (this.underWayDoubles > AHEAD_DOUBLES && this.failure === undefined) await this.answered.next();
    this.check();
  }

  /**
   * Everything was added. Once.
   *
   * @returns the node of each text
   * @throws ShingledError `storage-full`, `memory-short`; `invalid-request` for more texts than can be told apart
   */
  async texts(): Promise<NodeOfText> {
    this.next(0);
    if (this.worker !== undefined) return this.asked('texts', () => this.nodeOfText);
    this.here = await NodeWriter.create(this.setup);
    for (const { batch, used } of this.kept) this.here.add(batch, used);
    return this.here.takeNodeOfText();
  }

  /** All of it is on the disk then. Once, after {@link texts}. @throws as {@link texts} does */
  async seal(): Promise<SealedNodes> {
    return this.here?.seal() ?? this.asked('seal', () => this.sealed);
  }

  /** Nothing is open any more. */
  async close(): Promise<void> {
    const { worker, here } = this;
    this.worker = undefined;
    await Promise.all([worker?.terminate(), here?.close()]);
  }

  private async asked<T>(task: NodeTask, answer: () => T | undefined): Promise<T> {
    this.worker?.postMessage(task);
    for (let given = answer(); ; given = answer()) {
      if (given !== undefined) return given;
      this.check();
      await this.answered.next();
    }
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** The batch is full. @param doubles for which the next one has room */
  private next(doubles: number): void {
    if (this.used > 0) {
      this.kept.push({ batch: this.batch, used: this.used });
      this.keptDoubles += this.batch.length;
    }
    const isOrdinary = doubles <= BATCH_DOUBLES;
    this.batch = (isOrdinary ? this.spare.pop() : undefined) ?? new Float64Array(Math.max(doubles, BATCH_DOUBLES));
    this.used = 0;
    if (this.keptDoubles > KEPT_DOUBLES) this.worker ??= this.start();
    const { worker } = this;
    if (worker === undefined) return;
    for (const task of this.kept) {
      this.underWayDoubles += task.batch.length;
      worker.postMessage(task satisfies NodeTask, [task.batch.buffer]);
    }
    this.kept.length = 0;
    this.keptDoubles = 0;
  }

  private start(): Worker {
    // it needs nothing of the environment
    const worker = new Worker(WORKER_FILE, { workerData: this.setup, env: {}, name: 'nodes' });
    worker.on('message', (answer: NodeAnswer) => {
      if ('batch' in answer) this.take(answer);
      else if ('nodeOfText' in answer) this.nodeOfText = answer.nodeOfText;
      else if ('sealed' in answer) this.sealed = answer.sealed;
      else this.failure ??= errorOf(answer.failed);
      this.answered.ring();
    });
    worker.on('error', (cause) => this.end(cause.message, cause));
    worker.on('exit', (code) => this.end(`exit code ${code}`));
    return worker;
  }

  private take({ batch, bytes }: { readonly batch: TextDoubles; readonly bytes: number }): void {
    this.bytes = bytes;
    this.underWayDoubles -= batch.length;
    if (batch.length === BATCH_DOUBLES) this.spare.push(batch);
    // a large one goes at once: a collector that counts objects would leave hundreds
    else batch.buffer.transfer(0);
  }

  /** Nothing but want of memory ends a thread that catches what its work throws. */
  private end(why: string, cause?: unknown): void {
    this.failure ??= new ShingledError('memory-short', `A thread that writes nodes has ended: ${why}.`, { cause });
    this.answered.ring();
  }
}
