import { Worker } from 'node:worker_threads';
import { ShingledError } from '../../errors.ts';
import { Places } from '../../sharing/places.ts';
import { createWaiter } from '../../sharing/waiting.ts';
import type { CorpusMessage, CorpusOrder } from './corpus.worker.ts';
import type { CorpusAnswer, CorpusAsker, CorpusClusters, CorpusQuestion } from './port.ts';

const FILE = new URL(`./corpus.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** Told what becomes of the result: of the first one, and of those that take its place. */
export interface CorpusTold {
  /** So many documents. */
  onOpened(documents: number): void;
  /** One that cannot be read: the one before goes on answering. */
  onFailed(why: string): void;
  /** How long the thread was at work for a caller, ms. */
  onWorked?(caller: string, ms: number): void;
}

/**
 * Questions that the thread has. It shares its time among their callers, so there is to be a place for each of several
 * callers. A large question takes some MB of memory. All others wait here.
 */
const AT_HAND_MAX = 16;
/** Questions of one caller that wait: as many as of his requests are in hand at a time. */
const WAITING_MAX = 64;

/** After a thread has ended, so long until a question has another one begun. */
const RESTART_MS = 1000;

/**
 * A result of `shingled cluster` that is asked: a thread holds it, so that nobody waits while it is read. Where the thread has
 * ended, for want of memory maybe, what it had in hand is refused, and a later question has another one begun.
 *
 *   a ─┐
 *   a ─┼─ lines of callers, each by its deadline ── AT_HAND_MAX ── thread, in slices (shared-time.ts)
 *   b ─┘
 */
export class ServedCorpus implements CorpusClusters {
  private readonly folder: string;
  private readonly told: CorpusTold;
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, PromiseWithResolvers<CorpusAnswer>>();
  private readonly places = new Places({ size: AT_HAND_MAX, waitingMax: WAITING_MAX, refusal: tooManyWait });
  private nextId = 0;
  private ended: ShingledError | null = null;
  private endedAt = 0;
  private isClosed = false;

  private constructor(folder: string, told: CorpusTold) {
    this.folder = folder;
    this.told = told;
  }

  /** @throws ShingledError `invalid-config` where there is no result that can be read */
  static async open(folder: string, told: CorpusTold): Promise<ServedCorpus> {
    const corpus = new ServedCorpus(folder, told);
    try {
      await corpus.begin();
    } catch (error) {
      await corpus.close();
      throw error;
    }
    return corpus;
  }

  async ask(question: CorpusQuestion, { caller, deadline }: CorpusAsker): Promise<CorpusAnswer> {
    const place = await this.places.enter(caller, { until: deadline });
    const id = this.nextId++;
    try {
      return await deadline.race(this.send(id, question, caller));
    } finally {
      if (this.waiting.delete(id)) this.order([id, null]);
      this.places.leave(place);
    }
  }

  /** @throws (the promise) ShingledError `index-unreadable`; `internal` where the thread has ended */
  private send(id: number, question: CorpusQuestion, caller: string): Promise<CorpusAnswer> {
    if (this.worker === null) {
      if (this.isClosed || performance.now() - this.endedAt < RESTART_MS) return Promise.reject(this.ended);
      this.begin().catch((error: ShingledError) => {
        if (!this.isClosed) this.told.onFailed(error.message);
      });
    }
    const waiter = createWaiter<CorpusAnswer>();
    this.waiting.set(id, waiter);
    this.order([id, { caller, question }]);
    return waiter.promise;
  }

  private order(order: CorpusOrder): void {
    this.worker?.postMessage(order);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  /** Begins a thread, and waits until it has read the result. @throws ShingledError `invalid-config` where it cannot */
  private begin(): Promise<void> {
    // it needs nothing of the environment
    const worker = new Worker(FILE, { workerData: this.folder, env: {}, name: 'corpus' });
    worker.unref();
    this.worker = worker;
    const first = createWaiter<void>();
    let isFirst = true;
    worker.on('message', (message: CorpusMessage) => {
      if ('answer' in message) return this.give(message);
      if ('worked' in message) return this.told.onWorked?.(message.caller, message.worked);
      if ('fault' in message) return this.refuse(message.id, message.fault);
      if ('opened' in message) {
        this.told.onOpened(message.opened);
        if (isFirst) first.resolve();
      } else if (isFirst) first.reject(new ShingledError('invalid-config', `CLUSTERS_DIR: ${message.failed}`));
      else this.told.onFailed(message.failed);
      isFirst = false;
    });
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', (code) => {
      this.end(cause ?? new Error(`exit code ${code}`));
      if (isFirst) first.reject(this.ended);
      else if (!this.isClosed) this.told.onFailed(`Its thread has ended: ${String(cause ?? code)}`);
    });
    return first.promise;
  }

  private give({ id, answer }: Extract<CorpusMessage, { readonly answer: unknown }>): void {
    this.waiting.get(id)?.resolve(answer);
    this.waiting.delete(id);
  }

  private refuse(id: number, cause: unknown): void {
    const detail = 'A part of the clustered corpus cannot be read.';
    this.waiting.get(id)?.reject(new ShingledError('index-unreadable', detail, { cause }));
    this.waiting.delete(id);
  }

  private end(cause: unknown): void {
    this.worker = null;
    this.endedAt = performance.now();
    this.ended = new ShingledError('internal', 'The thread that holds the corpus has ended.', { cause });
    for (const { reject } of this.waiting.values()) reject(this.ended);
    this.waiting.clear();
  }
}

function tooManyWait(): ShingledError {
  return new ShingledError('overloaded', 'Too many questions of this caller about the clustered corpus are waiting.', {
    retryAfterS: 1,
  });
}
