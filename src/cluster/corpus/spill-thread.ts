import { Worker } from 'node:worker_threads';
import { errorOf, type PlainError, ShingledError } from '../../errors.ts';
import { Bell } from '../../sharing/waiting.ts';
import { PostingSpill } from '../../spill/posting-spill.ts';
import type { SpillLayout } from '../../spill/spilled-chunks.ts';

/*
 * Postings of a corpus on their way to a spill (spill/posting-spill.ts), which another thread fills while texts are told apart:
 *
 *   add ─► batch  | number count fingerprint* | number count … |  ─► thread ─► spill
 *             ▲ used again                                          │
 *             └─────────────────────────────────────────────────────┘
 *
 * Few postings are spilled by whoever brings them: starting a thread takes as long as spilling some hundred thousand.
 * Cost: 4 ns a posting to copy; some 15 batches of memory, and the thread.
 */

/** Batches that are kept before a thread is worth its start. */
const KEPT = 8;
/** Batches that a thread may have before it. */
const AHEAD = 6;
export const BATCH_DOUBLES = 32 * 1024;
/** Number and count, before the fingerprints. */
const HEAD = 2;
const WORKER_FILE = new URL(`./spill.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

type Doubles = Float64Array<ArrayBuffer>;

/** What the thread is told: postings, or that these were all. */
export type SpillTask = { readonly batch: Doubles; readonly used: number } | 'seal';
/** What it answers, to each. */
export type SpillAnswer =
  | { readonly batch: Doubles }
  | { readonly layout: SpillLayout }
  | { readonly failed: PlainError };

export interface SpillSetup {
  /** Where nothing is. */
  readonly path: string;
  readonly chunkEntries: number;
}

export class SpillThread {
  private readonly setup: SpillSetup;
  private readonly spare: Doubles[] = [];
  /** Full ones, while there is no thread. */
  private readonly kept: Doubles[] = [];
  /** How much of each is used. */
  private readonly keptUsed: number[] = [];
  private batch: Doubles = new Float64Array(BATCH_DOUBLES);
  private used = 0;
  private worker: Worker | undefined;
  private underWay = 0;
  private readonly answered = new Bell();
  private layout: SpillLayout | undefined;
  private failure: unknown;

  constructor(setup: SpillSetup) {
    this.setup = setup;
  }

  /** @param fingerprints below 2^40, which are copied */
  add(number: number, fingerprints: Float64Array): void {
    for (let from = 0; from < fingerprints.length; ) {
      if (this.used + HEAD >= BATCH_DOUBLES) this.next();
      const { batch, used } = this;
      const to = Math.min(fingerprints.length, from + BATCH_DOUBLES - used - HEAD);
      batch[used] = number;
      batch[used + 1] = to - from;
      // a view takes longer to make than few values to copy
      for (let i = from, at = used + HEAD; i < to; i++) batch[at++] = fingerprints[i]!;
      this.used += HEAD + to - from;
      from = to;
    }
  }

  /** There is room for more. To be asked every few thousand numbers. @throws ShingledError `storage-full`, `memory-short` */
  async room(): Promise<void> {
    while (this.underWay > AHEAD && this.failure === undefined) await this.answered.next();
    this.check();
  }

  /** Everything was added, and all of it is on the disk. Once. @throws ShingledError `storage-full`, `memory-short` */
  async seal(): Promise<SpillLayout> {
    this.next();
    if (this.worker === undefined) return this.sealHere();
    this.worker.postMessage('seal' satisfies SpillTask);
    while (this.layout === undefined) {
      this.check();
      await this.answered.next();
    }
    return this.layout;
  }

  /** Nothing is open any more. */
  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** The batch is full. */
  private next(): void {
    if (this.used === 0) return;
    this.kept.push(this.batch);
    this.keptUsed.push(this.used);
    this.batch = this.spare.pop() ?? new Float64Array(BATCH_DOUBLES);
    this.used = 0;
    if (this.kept.length > KEPT) this.worker ??= this.start();
    const { worker } = this;
    if (worker === undefined) return;
    for (const [i, batch] of this.kept.entries()) {
      worker.postMessage({ batch, used: this.keptUsed[i]! } satisfies SpillTask, [batch.buffer]);
      this.underWay++;
    }
    this.kept.length = 0;
    this.keptUsed.length = 0;
  }

  private async sealHere(): Promise<SpillLayout> {
    const { path, chunkEntries } = this.setup;
    const spill = await PostingSpill.create(path, chunkEntries, true);
    try {
      for (const [i, batch] of this.kept.entries()) spillBatch(spill, batch, this.keptUsed[i]!);
      return await spill.seal();
    } finally {
      await spill.close();
    }
  }

  private start(): Worker {
    // it needs nothing of the environment
    const worker = new Worker(WORKER_FILE, { workerData: this.setup, env: {}, name: 'spill' });
    worker.on('message', (answer: SpillAnswer) => {
      this.underWay--;
      if ('batch' in answer) this.spare.push(answer.batch);
      else if ('layout' in answer) this.layout = answer.layout;
      else this.failure ??= errorOf(answer.failed);
      this.answered.ring();
    });
    worker.on('error', (cause) => this.end(cause.message, cause));
    worker.on('exit', (code) => this.end(`exit code ${code}`));
    return worker;
  }

  /** Nothing but want of memory ends a thread that catches what its work throws. */
  private end(why: string, cause?: unknown): void {
    this.failure ??= new ShingledError('memory-short', `A thread that writes postings has ended: ${why}.`, { cause });
    this.answered.ring();
  }
}

/** @param batch as {@link SpillThread.add} fills it */
export function spillBatch(spill: PostingSpill, batch: Float64Array, used: number): void {
  for (let at = 0; at < used; ) {
    const number = batch[at]!;
    const end = at + HEAD + batch[at + 1]!;
    for (let i = at + HEAD; i < end; i++) spill.addOne(number, batch[i]!);
    at = end;
  }
}
