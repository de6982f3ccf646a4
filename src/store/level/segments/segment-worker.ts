import { Worker } from 'node:worker_threads';
import { ShingledError } from '../../../errors.ts';
import type { LogGuard } from '../log-guard.ts';
import type { Job, Product } from './jobs.ts';

/** What the worker thread says to a job. */
export type Answer =
  | { readonly product: Product }
  | { readonly failed: { readonly unreadable: boolean; readonly message: string } };

interface Waiting {
  resolve(product: Product): void;
  reject(error: unknown): void;
}

const WORKER_FILE = new URL(`./segment.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** Whether a job has met a damaged row. */
export const isDamage = (error: unknown) => error instanceof ShingledError && error.code === 'index-unreadable';

/** The worker thread, seen from the main thread: started by the first job, started anew after it ended. One job at a time. */
export class SegmentWorker {
  private readonly location: string;
  private readonly log: LogGuard;
  private worker: Worker | undefined;
  private waiting: Waiting | undefined;

  /** @param location the folder of the database */
  constructor(location: string, log: LogGuard) {
    this.location = location;
    this.log = log;
  }

  /**
   * @throws ShingledError `index-unreadable` where a damaged row is met, else `storage-full`: LevelDB refused, or the
   *   thread ended. Nothing was changed that counts: the job may be done again.
   */
  run(job: Job): Promise<Product> {
    return new Promise<Product>((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker ??= this.start();
      this.worker.ref();
      this.worker.postMessage(job);
    });
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
    const worker = new Worker(WORKER_FILE, { workerData, env: {}, name: 'segments' });
    worker.on('message', (answer: Answer) => {
      worker.unref();
      this.settle(answer);
    });
    const ended = (cause: unknown) => {
      if (this.worker === worker) {
        this.worker = undefined;
        // nobody knows what has become of what it wrote
        this.log.refused();
      }
      this.settle({ failed: { unreadable: false, message: `The worker thread has ended: ${String(cause)}` } });
    };
    worker.on('error', ended);
    worker.on('exit', ended);
    return worker;
  }

  private settle(answer: Answer): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting === undefined) return;
    if ('product' in answer) waiting.resolve(answer.product);
    else {
      const { unreadable, message } = answer.failed;
      waiting.reject(new ShingledError(unreadable ? 'index-unreadable' : 'storage-full', message));
    }
  }
}
