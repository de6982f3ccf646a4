import { Piscina } from 'piscina';
import { ShingledError } from '../errors.ts';
import type { PipelineLimits } from './limits.ts';
import type { DocumentInput } from './port.ts';
import { type Answer, type Outcome, packTask, type Task, unpackAnswer, type WorkerSetup } from './protocol.ts';

/*
 * The worker threads: a queue of tasks before a few of them, each with one task at a time; a task is one document or
 * several.
 *
 * A worker that takes too long or needs too much memory is ended and replaced, and its task is `document-too-complex`: so
 * whoever gave it several documents gives them again one by one. The clock of a task starts when its worker begins, not
 * while it waits for one.
 */

type WorkerLimits = Pick<PipelineLimits, 'threads' | 'timeoutMs' | 'memoryMb'>;

const WORKER_FILE = new URL(`./document.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * What survives a collection of the young generation goes over to the heap that memoryMb limits, all at once; with V8's own
 * 48 MB of it the limit was passed by so much at a time that the process ended, not the worker.
 */
const YOUNG_GENERATION_MB = 16;

export class DocumentWorkers {
  readonly #limits: WorkerLimits;
  readonly #setup: WorkerSetup;
  #pool: Piscina<Task, Answer> | null = null;

  constructor(options: WorkerLimits & WorkerSetup) {
    this.#limits = options;
    this.#setup = { identity: options.identity, limits: options.limits, kernel: options.kernel };
  }

  /** Tasks that wait for a worker. */
  get queued(): number {
    return this.#pool?.queueSize ?? 0;
  }

  /**
   * Processes documents in a worker, one after the other; the first task starts the workers. Bytes are copied, never taken.
   *
   * @returns what becomes of each document, in their order
   * @throws `document-too-complex` where the task as a whole takes more than the limits; what the worker throws that is no
   *   ShingledError; piscina's error where the signal was aborted or the pool closed
   */
  async process(inputs: readonly DocumentInput[], signal?: AbortSignal): Promise<Outcome[]> {
    const started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const deadline = new Deadline(started, this.#limits.timeoutMs);
    this.#pool ??= this.#start();
    try {
      const task = packTask(inputs, started);
      const given = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
      return unpackAnswer(await this.#pool.run(task, { transferList: [task.bytes.buffer], signal: given }));
    } catch (error) {
      if (deadline.signal.aborted) throw this.#tooComplex('timeoutMs', 'ms');
      if (isOutOfMemory(error)) throw this.#tooComplex('memoryMb', 'MB of memory');
      throw error;
    } finally {
      deadline.end();
    }
  }

  /** Waits for what runs, no longer than one task may take; what waits is given up. */
  async close(): Promise<void> {
    await this.#pool?.close();
  }

  #start(): Piscina<Task, Answer> {
    const { threads, timeoutMs, memoryMb } = this.#limits;
    const pool = new Piscina<Task, Answer>({
      filename: WORKER_FILE.href,
      name: 'processTask',
      // as many at least as at most: with fewer, piscina does not replace an ended worker that tasks wait for
      minThreads: threads,
      maxThreads: threads,
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

/** Aborts its signal some time after a worker has begun. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #started: Int32Array;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(started: Int32Array, timeoutMs: number) {
    this.#started = started;
    void Promise.resolve(Atomics.waitAsync(started, 0, 0).value).then(() => {
      if (!this.#ended) this.#timer = setTimeout(() => this.#controller.abort(), timeoutMs);
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    // the wait of a document that never began would never end
    Atomics.notify(this.#started, 0);
  }
}
