import { Worker } from 'node:worker_threads';
import { type ErrorCode, ShingledError } from '../../../../errors.ts';
import { createWaiter } from '../../../../sharing/waiting.ts';
import type { LogGuard } from '../../outage/log-guard.ts';
import type { Job, Product } from './jobs.ts';

export interface JobFailure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What the worker thread says to a job. */
export type Answer = { readonly product: Product } | { readonly failed: JobFailure };

const WORKER_FILE = new URL(`./segment.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** Most of what it makes is columns, which are not on its heap. */
const YOUNG_GENERATION_MB = 12;

/** Whether a job has met a damaged row. */
export const isDamage = (error: unknown) => error instanceof ShingledError && error.code === 'index-unreadable';

/** The worker thread, seen from the main thread: started by the first job, started anew after it ended. One job at a time. */
export class SegmentWorker {
  private readonly location: string;
  private readonly log: LogGuard;
  private worker: Worker | undefined;
  private waiting: PromiseWithResolvers<Product> | undefined;

  /** @param location the folder of the database */
  constructor(location: string, log: LogGuard) {
    this.location = location;
    this.log = log;
  }

  /**
   * Once it is settled, the worker has no handle of the database.
   *
   * @throws ShingledError `index-unreadable` where a damaged row is met, `storage-full` where LevelDB refused a write,
   *   `overloaded` where the system had no file for it, or the thread has ended. Nothing was changed that counts:
   *   the job may be done again.
   */
  run(job: Job): Promise<Product> {
    this.waiting = createWaiter<Product>();
    this.worker ??= this.start();
    this.worker.ref();
    this.worker.postMessage(job);
    return this.waiting.promise;
  }

  /** Ends the thread, once no job is running. */
  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private start(): Worker {
    // it needs nothing of the environment, API keys among it
    const workerData = { location: this.location, log: this.log.shared };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    const worker = new Worker(WORKER_FILE, { workerData, env: {}, name: 'segments', resourceLimits });
    let cause: unknown;
    worker.on('message', (answer: Answer) => {
      worker.unref();
      if ('product' in answer) this.take()?.resolve(answer.product);
      else this.fail(answer.failed);
    });
    worker.on('error', (error) => {
      cause = error;
    });
    // not before: until then it has its handle of the database
    worker.on('exit', (code) => {
      if (this.worker === worker) this.worker = undefined;
      this.log.abandoned('segment');
      this.fail({
        code: 'overloaded',
        message: `The worker thread has ended: ${String(cause ?? `exit code ${code}`)}`,
      });
    });
    return worker;
  }

  private fail({ code, message }: JobFailure): void {
    const waiting = this.take();
    if (waiting === undefined) return;
    const error = new ShingledError(this.log.isRefused ? 'storage-full' : code, message);
    // it has told the other thread only by the guard that both share
    if (this.log.isRefused) this.log.refused('segment', error);
    waiting.reject(error);
  }

  private take(): PromiseWithResolvers<Product> | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }
}
