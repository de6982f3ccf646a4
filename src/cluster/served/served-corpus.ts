import { Worker } from 'node:worker_threads';
import { ShingledError } from '../../errors.ts';
import { createWaiter } from '../../sharing/waiting.ts';
import type { CorpusMessage } from './corpus.worker.ts';
import type { CorpusAnswer, CorpusClusters, CorpusQuestion } from './port.ts';

const FILE = new URL(`./corpus.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** Told what becomes of the result: of the first one, and of those that take its place. */
export interface CorpusTold {
  /** So many documents. */
  onOpened(documents: number): void;
  /** One that cannot be read: the one before goes on answering. */
  onFailed(why: string): void;
}

/** A result of `shingled cluster` that is asked: a thread holds it, so that nobody waits while it is read. */
export class ServedCorpus implements CorpusClusters {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, PromiseWithResolvers<CorpusAnswer>>();
  private nextId = 0;
  private ended: ShingledError | null = null;

  private constructor(worker: Worker) {
    this.worker = worker;
  }

  /** @throws ShingledError `invalid-config` where there is no result that can be read */
  static async open(folder: string, told: CorpusTold): Promise<ServedCorpus> {
    // it needs nothing of the environment
    const worker = new Worker(FILE, { workerData: folder, env: {}, name: 'corpus' });
    worker.unref();
    const corpus = new ServedCorpus(worker);
    const first = createWaiter<void>();
    let isFirst = true;
    worker.on('message', (message: CorpusMessage) => {
      if ('id' in message) return corpus.give(message.id, message.answer);
      if ('opened' in message) {
        told.onOpened(message.opened);
        if (isFirst) first.resolve();
      } else if (isFirst) first.reject(new ShingledError('invalid-config', `CLUSTERS_DIR: ${message.failed}`));
      else told.onFailed(message.failed);
      isFirst = false;
    });
    worker.on('error', (error) => corpus.end(error));
    worker.on('exit', (code) => {
      corpus.end(new Error(`exit code ${code}`));
      first.reject(corpus.ended);
    });
    try {
      await first.promise;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return corpus;
  }

  /** @throws (the promise) ShingledError `internal` where the thread has ended */
  ask(question: CorpusQuestion): Promise<CorpusAnswer> {
    if (this.ended !== null) return Promise.reject(this.ended);
    const id = this.nextId++;
    const waiter = createWaiter<CorpusAnswer>();
    this.waiting.set(id, waiter);
    this.worker.postMessage([id, question]);
    return waiter.promise;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private give(id: number, answer: CorpusAnswer): void {
    this.waiting.get(id)?.resolve(answer);
    this.waiting.delete(id);
  }

  private end(cause: unknown): void {
    this.ended ??= new ShingledError('internal', 'The thread that holds the corpus has ended.', { cause });
    for (const { reject } of this.waiting.values()) reject(this.ended);
    this.waiting.clear();
  }
}
