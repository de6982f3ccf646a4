import { Piscina } from 'piscina';
import { Deadlines, type Timed } from './deadlines.ts';
import type { PipelineLimits } from './limits.ts';
import type { DocumentInput } from './port.ts';
import { type Answer, type Outcome, packTask, type Task, unpackAnswer, type WorkerSetup } from './protocol.ts';
import { tooComplex } from './refusals.ts';

/*
 * The worker threads. A task is one document, or several small ones: a batch. A worker may have one task at work and
 * the next one at hand, so that it never waits for the event loop. The dispatcher says who goes when, and how many.
 *
 * A worker that takes too long is ended and replaced, and its task is `document-too-complex`: so whoever gave it several
 * documents gives them again one by one. A task that only lay at hand there goes to another worker.
 * The clock of a task starts when its worker begins, not while it waits for one.
 */

interface WorkerLimits extends Pick<PipelineLimits, 'threads' | 'timeoutMs'> {
  /** JavaScript heap of a thread: enough for all that may be read there, since V8 may end the process where it is not. */
  readonly memoryMb: number;
}

const WORKER_FILE = new URL(`./document.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** What survives a collection of the young generation counts for the heap all at once: with V8's own 48 MB, too much does. */
const YOUNG_GENERATION_MB = 16;

/** One at work, one at hand. */
const TASKS_A_WORKER = 2;
/** A larger buffer is not used again: to copy 4 million fingerprints out of it would hold the event loop for 20 ms. */
const SPARE_BYTES_MAX = 2 ** 20;

export class DocumentWorkers {
  readonly #limits: WorkerLimits;
  readonly #setup: WorkerSetup;
  readonly #deadlines: Deadlines;
  readonly #spare: Carrier[] = [];
  #pool: Piscina<Task, Answer> | null = null;
  #closed = false;

  constructor(options: WorkerLimits & WorkerSetup) {
    this.#limits = options;
    this.#deadlines = new Deadlines(options.timeoutMs);
    this.#setup = { identity: options.identity, limits: options.limits, kernel: options.kernel };
  }

  /**
   * Processes documents without selectors in a worker, one after the other; the first task starts the workers. Bytes are
   * copied, never taken.
   *
   * @returns what becomes of each document, in their order
   * @throws `document-too-complex` where the task as a whole takes more than the limits; what the worker throws that is no
   *   ShingledError; piscina's error where the pool is closed
   */
  async process(inputs: readonly DocumentInput[]): Promise<Outcome[]> {
    const first = await this.#attempt(inputs);
    return first ?? (await this.#attempt(inputs)) ?? Promise.reject(new Error('Two workers ended before they began'));
  }

  /** @returns null where the worker ended before it had begun with the task */
  async #attempt(inputs: readonly DocumentInput[]): Promise<Outcome[] | null> {
    this.#pool ??= this.#start();
    const carrier = this.#spare.pop() ?? new Carrier();
    this.#deadlines.add(carrier);
    try {
      const task = packTask(inputs, carrier.started, carrier.buffer);
      const how = { transferList: [task.buffer], signal: carrier.controller.signal };
      const answer = await this.#pool.run(task, how);
      const isSpare = answer.buffer.byteLength <= SPARE_BYTES_MAX;
      const outcomes = unpackAnswer(answer, !isSpare && inputs.length === 1);
      this.#keep(carrier, isSpare ? answer.buffer : new ArrayBuffer(0));
      return outcomes;
    } catch (error) {
      if (carrier.isLate) throw tooComplex('timeoutMs', this.#limits.timeoutMs);
      if (Atomics.load(carrier.started, 0) === 0 && !this.#closed) return null;
      throw error;
    } finally {
      this.#deadlines.delete(carrier);
    }
  }

  /** Waits for what runs, no longer than one task may take; what waits is given up. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.close();
  }

  #keep(carrier: Carrier, buffer: ArrayBuffer): void {
    if (this.#spare.length >= TASKS_A_WORKER * this.#limits.threads) return;
    carrier.buffer = buffer;
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
      loadBalancer: (_task, workers) =>
        workers.find(({ currentUsage }) => currentUsage === 0) ??
        workers.find(({ currentUsage }) => currentUsage < TASKS_A_WORKER) ??
        null,
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
