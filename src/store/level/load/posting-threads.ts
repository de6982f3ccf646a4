import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ShingledError } from '../../../errors.ts';
import { createWaiter } from '../../../sharing/waiting.ts';
import type { PartRows, PartsSource, SegmentPart } from './posting-rows.ts';

/*
 * Rows of postings, made by threads ahead of whoever writes them:
 *
 *   parts ─┬─ thread 0:  0, 2, 4 …  ─┬─► rows of the parts, in their order
 *          └─ thread 1:  1, 3, 5 …  ─┘
 *
 * A thread has at most one part at work and one made, or at hand.
 */

/** What the thread says to a part. */
export type PartAnswer = { readonly made: PartRows } | { readonly failed: string };

/** More make rows faster than one thread writes them. */
const THREADS_MAX = 4;
const PARTS_A_THREAD = 2;
/** The same as the worker of segments: most of what it makes is columns, which are not on its heap. */
const YOUNG_GENERATION_MB = 12;
const WORKER_FILE = new URL(`./postings.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** One is done with them before another has started. */
const POSTINGS_A_THREAD = 2 ** 14;

/** So many are worth starting for so many postings. */
export const postingThreads = (postings: number): number =>
  Math.min(THREADS_MAX, availableParallelism(), 1 + Math.floor(postings / POSTINGS_A_THREAD));

export class PostingThreads {
  private readonly threads: readonly PartThread[];
  private readonly parts: Iterator<SegmentPart>;
  private readonly ahead: Promise<PartRows>[] = [];
  private next = 0;

  /** Begins to make the rows of the first parts. */
  constructor(source: PartsSource, parts: Iterable<SegmentPart>, count: number) {
    this.threads = Array.from({ length: count }, () => new PartThread(source));
    this.parts = parts[Symbol.iterator]();
    while (this.ahead.length < PARTS_A_THREAD * count && this.begin());
  }

  /** Rows of all parts, in their order. @throws Error where a thread cannot make them */
  async *rows(): AsyncGenerator<PartRows, void, undefined> {
    for (let first = this.ahead.shift(); first !== undefined; first = this.ahead.shift()) {
      const made = await first;
      this.begin();
      yield made;
    }
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  /** @returns whether there was one more part */
  private begin(): boolean {
    const part = this.parts.next();
    if (part.done === true) return false;
    const made = this.threads[this.next++ % this.threads.length]!.make(part.value);
    // met where it is awaited
    made.catch(() => undefined);
    this.ahead.push(made);
    return true;
  }
}

/** One thread: answers come in the order of parts. */
class PartThread {
  private readonly worker: Worker;
  private readonly waiting: PromiseWithResolvers<PartRows>[] = [];
  /** Why it has ended: it may have been at rest. */
  private ended: unknown;

  constructor(source: PartsSource) {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    // it needs nothing of the environment, API keys among it
    this.worker = new Worker(WORKER_FILE, { workerData: source, env: {}, name: 'postings', resourceLimits });
    this.worker.on('message', (answer: PartAnswer) => {
      const waiter = this.waiting.shift();
      if ('made' in answer) waiter?.resolve(answer.made);
      else waiter?.reject(new Error(`Postings were not sorted: ${answer.failed}`));
    });
    this.worker.on('error', (error: NodeJS.ErrnoException) => {
      // Node's own words for a thread that got too little memory, to begin or to go on
      this.fail(error.code?.startsWith('ERR_WORKER') === true ? endedBy(error.message, error) : error);
    });
    this.worker.on('exit', (code) => this.fail(endedBy(`exit code ${code}`)));
  }

  make(part: SegmentPart): Promise<PartRows> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    const waiter = createWaiter<PartRows>();
    this.waiting.push(waiter);
    this.worker.postMessage(part);
    return waiter.promise;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private fail(error: unknown): void {
    this.ended ??= error;
    for (const waiter of this.waiting.splice(0)) waiter.reject(this.ended);
  }
}

const endedBy = (why: string, cause?: unknown) =>
  new ShingledError('memory-short', `A thread that sorts postings has ended: ${why}.`, { cause });
