import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Worker, WorkerOptions } from 'node:worker_threads';

const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
/** What is imported changes with what is exported. */
const { Worker: Original } = threads;
const FILE = new URL('./ending-thread.ts', import.meta.url);

export interface Ends {
  /** Of jobs of this kind; of any where it is empty. */
  readonly kind: string;
  /** So many threads end. */
  readonly times: number;
  /** At most so long after a thread was given its job. */
  readonly afterMsMax: number;
}

export interface EndingWorkers {
  /** So many are still to end. */
  left(): number;
  /** So many are to end from now on. */
  more(times: number): void;
  /** No thread is started any more that will. */
  stop(): void;
}

/**
 * From now on threads that are started end by themselves in the midst of their jobs, as when they run out of memory. Not by
 * terminate(), which stops a thread in the midst of native code as well: that would end the process.
 */
export function endWorkers({ kind, times, afterMsMax }: Ends): EndingWorkers {
  const left = new Int32Array(new SharedArrayBuffer(4));
  left[0] = times;
  const put = (worker: typeof Worker) => {
    threads.Worker = worker;
    syncBuiltinESMExports();
  };
  put(
    class extends Original {
      constructor(file: string | URL, options: WorkerOptions = {}) {
        const given = options.workerData as object;
        super(FILE, { ...options, workerData: { ...given, file: String(file), ends: { left, kind, afterMsMax } } });
      }
    },
  );
  return {
    left: () => Atomics.load(left, 0),
    more: (count) => void Atomics.store(left, 0, count),
    stop: () => put(Original),
  };
}
