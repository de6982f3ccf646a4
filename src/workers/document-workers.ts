import { Piscina } from 'piscina';
import { type UnicodeImage, unicodeImage } from '../kernel/unicode-image.ts';
import { type PipelineLimits, tooComplex, YOUNG_GENERATION_MB } from './limits.ts';
import type { DocumentInput, Outcome } from './port.ts';
import { type Answer, packTask, type Task, unpackAnswer, type WorkerSetup } from './protocol.ts';

/*
 * The worker threads. A task is one document, or several small ones: a batch. A worker may have one task at work and
 * the next one at hand, so that it never waits for the event loop. The dispatcher says who goes when, and how many.
 *
 * A worker that takes too long is ended and replaced, and its task is `document-too-complex`: so whoever gave it several
 * documents gives them again one by one. A task that only lay at hand there goes to another worker.
 * The clock of a task starts when its worker begins, not while it waits for one, and again after the worker has loaded what
 * it needs to guess charsets.
 */

interface WorkersOptions extends Pick<PipelineLimits, 'threads' | 'timeoutMs'> {
  /** JavaScript heap of a thread: enough for all that may be read there, since V8 may end the process where it is not. */
  readonly memoryMb: number;
  readonly setup: WorkerSetup;
}

/** What a thread is told when it starts. */
export interface ThreadSetup extends WorkerSetup {
  /** Half of its start, were it to make one; null where its kernel has none. */
  readonly unicode: UnicodeImage | null;
}

const WORKER_FILE = new URL(`./document.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** One at work, one at hand. */
const TASKS_A_WORKER = 2;
/** A larger buffer is not used again: to copy 4 million fingerprints out of it would hold the event loop for 20 ms. */
const SPARE_BYTES_MAX = 2 ** 20;

/** Looks at its clock in the time of a task; of two of them a task may gain. */
const LOOKS = 20;

export class DocumentWorkers {
  readonly #options: WorkersOptions;
  readonly #clocks: TaskClocks;
  readonly #spare: Carrier[] = [];
  #pool: Piscina<Task, Answer> | null = null;
  #hasWorked = false;
  #closed = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#clocks = new TaskClocks(options.timeoutMs);
  }

  /** Whether they have begun: to start them takes as long as an answer may, where the machine is busy. */
  get areReady(): boolean {
    return this.#hasWorked;
  }

  /** Resolves when they have begun. @throws what {@link process} throws */
  async begun(): Promise<void> {
    if (!this.areReady) await this.process([]);
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
    this.#clocks.add(carrier);
    try {
      const task = packTask(inputs, carrier.started, carrier.buffer);
      const how = { transferList: [task.buffer], signal: carrier.controller.signal };
      const answer = await this.#pool.run(task, how);
      this.#hasWorked = true;
      const isSpare = answer.buffer.byteLength <= SPARE_BYTES_MAX;
      const outcomes = unpackAnswer(answer, !isSpare && inputs.length === 1);
      this.#keep(carrier, isSpare ? answer.buffer : new ArrayBuffer(0));
      return outcomes;
    } catch (error) {
      if (carrier.isLate) throw tooComplex('timeoutMs', this.#options.timeoutMs);
      if (Atomics.load(carrier.started, 0) === 0 && !this.#closed) return null;
      throw error;
    } finally {
      this.#clocks.delete(carrier);
    }
  }

  /** Waits for what runs, no longer than one task may take; what waits is given up. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.close();
  }

  #keep(carrier: Carrier, buffer: ArrayBuffer): void {
    if (this.#spare.length >= TASKS_A_WORKER * this.#options.threads) return;
    carrier.buffer = buffer;
    carrier.started[0] = 0;
    this.#spare.push(carrier);
  }

  #start(): Piscina<Task, Answer> {
    const { threads, timeoutMs, memoryMb, setup } = this.#options;
    const workerData: ThreadSetup = { ...setup, unicode: setup.kernel === 'wasm' ? unicodeImage() : null };
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
      workerData,
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
class Carrier {
  /** One shared word: 0 until its worker has begun, and while it loads what guesses need. */
  readonly started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly controller = new AbortController();
  buffer = new ArrayBuffer(0);
  isLate = false;

  /** Called once, when its time is over. */
  readonly end = () => {
    this.isLate = true;
    this.controller.abort();
  };
}

type Clocked = Pick<Carrier, 'started' | 'end'>;

/**
 * The clocks of tasks in workers. Each starts when a worker has begun, which it says in a word of shared memory.
 *
 * A timer looks at all of them together, LOOKS times in the time of a task. So a task may have up to a tenth more than
 * its time, and never less. Were each beginning told by a message, the event loop would wake once more for every task.
 * Where all cores are at work, waking is what it waits for longest.
 */
export class TaskClocks {
  readonly #timeoutMs: number;
  /** When each was first seen to have begun; 0 where it was not. */
  readonly #begunAt = new Map<Clocked, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(task: Clocked): void {
    this.#begunAt.set(task, 0);
    this.#timer ??= setInterval(() => this.#look(), this.#timeoutMs / LOOKS);
  }

  delete(task: Clocked): void {
    this.#begunAt.delete(task);
    if (this.#begunAt.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = performance.now();
    for (const [task, begunAt] of this.#begunAt) {
      if (Atomics.load(task.started, 0) === 0) this.#begunAt.set(task, 0);
      else if (begunAt === 0) this.#begunAt.set(task, now);
      else if (now - begunAt >= this.#timeoutMs) {
        this.delete(task);
        task.end();
      }
    }
  }
}
