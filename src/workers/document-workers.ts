import { Piscina } from 'piscina';
import { ShingledError } from '../errors.ts';
import { Deadlines, type Timed } from './deadlines.ts';
import type { PipelineLimits } from './limits.ts';
import type { DocumentInput } from './port.ts';
import { type Answer, type Outcome, packTask, type Task, unpackAnswer, type WorkerSetup } from './protocol.ts';

/*
 * The worker threads, and a queue of tasks before them. A task is one document, or several small ones: a batch.
 *
 *   batches alone     a worker may have one at work and the next one at hand: it never waits for the event loop
 *   a document too    no worker is given a second task, since a document may take as long as it is let
 *
 * A worker that takes too long or needs too much memory is ended and replaced, and its task is `document-too-complex`: so
 * whoever gave it several documents gives them again one by one. A batch that only lay at hand there goes to another worker.
 * The clock of a task starts when its worker begins, not while it waits for one.
 */

type WorkerLimits = Pick<PipelineLimits, 'threads' | 'timeoutMs' | 'memoryMb'>;

const WORKER_FILE = new URL(`./document.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * What survives a collection of the young generation goes over to the heap that memoryMb limits, all at once; with V8's own
 * 48 MB of it the limit was passed by so much at a time that the process ended, not the worker.
 */
const YOUNG_GENERATION_MB = 16;

/** One at work, one at hand. */
const TASKS_A_WORKER = 2;
const SPARE_BYTES_MAX = 2 ** 20;

export class DocumentWorkers {
  readonly #limits: WorkerLimits;
  readonly #setup: WorkerSetup;
  readonly #deadlines: Deadlines;
  readonly #spare: Carrier[] = [];
  #pool: Piscina<Task, Answer> | null = null;
  /** Tasks of one document, waiting or at work. */
  #single = 0;

  constructor(options: WorkerLimits & WorkerSetup) {
    this.#limits = options;
    this.#deadlines = new Deadlines(options.timeoutMs);
    this.#setup = { identity: options.identity, limits: options.limits, kernel: options.kernel };
  }

  /** Tasks that wait for a worker. */
  get queued(): number {
    return this.#pool?.queueSize ?? 0;
  }

  /**
   * Processes documents in a worker, one after the other; the first task starts the workers. Bytes are copied, never taken.
   *
   * @param inputs one document, or several that are small and have no selectors
   * @returns what becomes of each document, in their order
   * @throws `document-too-complex` where the task as a whole takes more than the limits; what the worker throws that is no
   *   ShingledError; the signal's reason or piscina's error where the signal was aborted or the pool closed
   */
  async process(inputs: readonly DocumentInput[], signal?: AbortSignal): Promise<Outcome[]> {
    signal?.throwIfAborted();
    if (inputs.length > 1) return this.#attempt(inputs, signal, true);
    this.#single++;
    try {
      return await this.#attempt(inputs, signal, false);
    } finally {
      this.#single--;
    }
  }

  /** @param again whether a task that its worker had not begun when it ended goes to another one */
  async #attempt(
    inputs: readonly DocumentInput[],
    signal: AbortSignal | undefined,
    again: boolean,
  ): Promise<Outcome[]> {
    this.#pool ??= this.#start();
    const carrier = this.#spare.pop() ?? new Carrier();
    const giveUp = () => carrier.controller.abort();
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#deadlines.add(carrier);
    try {
      const task = packTask(inputs, carrier.started, carrier.buffer);
      const how = { transferList: [task.buffer], signal: carrier.controller.signal };
      const answer = await this.#pool.run(task, how);
      const outcomes = unpackAnswer(answer);
      this.#keep(carrier, answer.buffer);
      return outcomes;
    } catch (error) {
      if (carrier.isLate) throw this.#tooComplex('timeoutMs', 'ms');
      const begun = Atomics.load(carrier.started, 0) !== 0;
      if (again && !begun && !carrier.controller.signal.aborted) {
        return await this.#attempt(inputs, signal, false);
      }
      if (isOutOfMemory(error)) throw this.#tooComplex('memoryMb', 'MB of memory');
      throw error;
    } finally {
      this.#deadlines.delete(carrier);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Waits for what runs, no longer than one task may take; what waits is given up. */
  async close(): Promise<void> {
    await this.#pool?.close();
  }

  #keep(carrier: Carrier, buffer: ArrayBuffer): void {
    if (this.#spare.length >= TASKS_A_WORKER * this.#limits.threads || carrier.controller.signal.aborted) return;
    carrier.buffer = buffer.byteLength <= SPARE_BYTES_MAX ? buffer : new ArrayBuffer(0);
    carrier.started[0] = 0;
    this.#spare.push(carrier);
  }

  #start(): Piscina<Task, Answer> {
    const { threads, timeoutMs, memoryMb } = this.#limits;
    const pool = new Piscina<Task, Answer>({
      filename: WORKER_FILE.href,
      name: 'processTask',
      // as many at least as at most: with fewer, piscina does not replace an ended worker that tasks wait for
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: TASKS_A_WORKER,
      loadBalancer: (_task, workers) => {
        const free = workers.find(({ currentUsage }) => currentUsage === 0);
        if (free !== undefined || this.#single > 0) return free ?? null;
        return workers.find(({ isRunningAbortableTask: hasOneTask }) => hasOneTask) ?? null;
      },
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      workerData: this.#setup,
      // what is in the environment, API keys among it, is no business of a thread that parses what strangers write
      env: {},
      closeTimeout: timeoutMs,
      recordTiming: false,
    });
    // a worker that ends while it is idle is replaced; nobody waits for it, so there is nobody to tell
    pool.on('error', () => {});
    return pool;
  }

  #tooComplex(name: 'timeoutMs' | 'memoryMb', unit: string): ShingledError {
    const value = this.#limits[name];
    return new ShingledError('document-too-complex', `The document takes more than ${value} ${unit} to process`, {
      limit: { name, value },
    });
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/**
 * What goes with a task and comes back with its answer, to go with the next one: making it takes longer than a sketch. Where
 * a task ends in any other way, it is left to whatever its worker may still do with it.
 */
class Carrier implements Timed {
  readonly started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly controller = new AbortController();
  buffer = new ArrayBuffer(0);
  isLate = false;

  readonly end = () => {
    this.isLate = true;
    this.controller.abort();
  };
}
