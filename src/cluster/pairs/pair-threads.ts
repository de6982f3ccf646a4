import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { errorOf, ShingledError } from '../../errors.ts';
import { createWaiter } from '../../sharing/waiting.ts';
import type { Answer, Job, Products } from './pair-jobs.ts';

const WORKER_FILE = new URL(`./pairs.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** A thread finds the pairs of this many nodes before a second thread has started. */
const NODES_A_THREAD = 500;

/** How many threads are worth starting for a number of nodes: 1 to the number of cores. */
export const pairThreads = (nodes: number): number =>
  Math.min(availableParallelism(), 1 + Math.floor(nodes / NODES_A_THREAD));

/** The threads that find pairs. Each does one job at a time. */
export class PairThreads {
  readonly count: number;
  private readonly workers: readonly Worker[];

  /** @param count so many threads */
  constructor(count: number) {
    this.count = count;
    // they need nothing of the environment
    this.workers = Array.from({ length: count }, () => new Worker(WORKER_FILE, { env: {}, name: 'pairs' }));
    // one may end between two jobs; the next one says so
    for (const worker of this.workers) worker.on('error', () => undefined);
  }

  /**
   * Gives each thread a job.
   *
   * @param job of the thread with this number
   * @returns what each made of it
   * @throws ShingledError `memory-short` where a thread had too little, or was ended; what it met itself
   */
  all<K extends Job['kind']>(job: (thread: number) => Extract<Job, { kind: K }>): Promise<Products[K][]> {
    return Promise.all(this.workers.map((worker, thread) => run<K>(worker, job(thread))));
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

function run<K extends Job['kind']>(worker: Worker, job: Extract<Job, { kind: K }>): Promise<Products[K]> {
  const { promise, resolve, reject } = createWaiter<Products[K]>();
  if (worker.threadId < 0) return Promise.reject(ended('before its work'));
  const failed = (cause: unknown) => reject(ended(cause instanceof Error ? cause.message : String(cause), cause));
  const gone = (code: number) => failed(`exit code ${code}`);
  worker.once('exit', gone);
  worker.once('error', failed);
  worker.once('message', (answer: Answer) => {
    worker.off('exit', gone);
    worker.off('error', failed);
    if ('failed' in answer) reject(errorOf(answer.failed));
    else resolve(answer.product as Products[K]);
  });
  worker.postMessage(job);
  return promise;
}

/** Nothing but want of memory ends a thread that catches what its work throws. */
const ended = (why: string, cause?: unknown) =>
  new ShingledError('memory-short', `A thread that finds pairs has ended: ${why}. What was read is kept.`, { cause });
