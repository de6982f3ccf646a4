import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createWaiter } from '../../sharing/waiting.ts';
import type { Answer, Job, Products } from './pair-jobs.ts';

const WORKER_FILE = new URL(`./pairs.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** The threads that find pairs. Each does one job at a time. */
export class PairThreads {
  private readonly workers: readonly Worker[];

  /** @param count so many threads */
  constructor(count = availableParallelism()) {
    // they need nothing of the environment
    this.workers = Array.from({ length: count }, () => new Worker(WORKER_FILE, { env: {}, name: 'pairs' }));
  }

  get count(): number {
    return this.workers.length;
  }

  /** Gives each thread a job. @param job of the thread with this number @returns what each made of it */
  all<K extends Job['kind']>(job: (thread: number) => Extract<Job, { kind: K }>): Promise<Products[K][]> {
    return Promise.all(this.workers.map((worker, thread) => run<K>(worker, job(thread))));
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

function run<K extends Job['kind']>(worker: Worker, job: Extract<Job, { kind: K }>): Promise<Products[K]> {
  const { promise, resolve, reject } = createWaiter<Products[K]>();
  const ended = (code: number) => reject(new Error(`A thread that finds pairs has ended with ${code}.`));
  worker.once('exit', ended);
  worker.once('error', reject);
  worker.once('message', (answer: Answer) => {
    worker.off('exit', ended);
    worker.off('error', reject);
    if ('failed' in answer) reject(new Error(answer.failed));
    else resolve(answer.product as Products[K]);
  });
  worker.postMessage(job);
  return promise;
}
