import { Worker } from 'node:worker_threads';
import { endsWithin } from '../sharing/deadline.ts';
import { Bell, createWaiter, Latch, rest } from '../sharing/waiting.ts';
import { type AnswerMessage, type Cancelled, CLOSE, type QuestionMessage, READY } from './messages.ts';
import type { Answered, Asker, QueryPool, Question } from './port.ts';

/*
 * The query threads, seen from the event loop.
 *
 *   question ── the thread with fewest in hand ── answer       or nothing, and the event loop answers:
 *                                                              it could not, it has ended, all are busy with questions of
 *                                                              others while nobody waits for the loop
 *
 * A thread that ends is replaced, and what it had in hand is given back. One that says nothing for HANG_MS after a
 * deadline has passed is ended.
 */

/** Behind this many questions of others in a thread, the event loop answers sooner if it is free. */
const OTHERS_MAX = 3;
/** Long after a deadline, everything in a thread has had its turn. */
const HANG_MS = 2000;
/** A thread that has ended before it was ready, for want of memory maybe, is started again after so long. */
const RESTART_MS = 1000;
/** To close a handle takes milliseconds. */
const CLOSE_MS = 2000;

export interface QueryThreadsOptions {
  readonly count: number;
  /** What a thread runs, and what it is given as its first data. */
  readonly file: URL;
  readonly workerData: () => object;
  /** JavaScript heap of a thread, MB. */
  readonly memoryMb: number;
  readonly youngMemoryMb: number;
  /** Called before each question is handed over: threads are told what is new. */
  readonly beforeQuestion: () => void;
  /** Whether nobody waits for the event loop. */
  readonly isFree: () => boolean;
  /** Told how long a thread was at work for a caller, ms. */
  readonly onWorked: (caller: string, ms: number) => void;
  /** Told why a thread has ended that was not to. */
  readonly onEnded: (why: string) => void;
}

interface Waiting {
  readonly caller: string;
  readonly give: (answer: Answered | null) => void;
}

/** What threads that had one place, one after the other, have done. */
interface Done {
  answered: number;
  givenBack: number;
}

interface Thread {
  readonly worker: Worker;
  /** Which of them it is. */
  readonly number: number;
  readonly waiting: Map<number, Waiting>;
  readonly exited: Latch;
  isReady: boolean;
  hasAnswered: boolean;
}

export class QueryThreads implements QueryPool {
  private readonly options: QueryThreadsOptions;
  private readonly threads = new Set<Thread>();
  private readonly done: readonly Done[];
  private readonly changed = new Bell();
  private stopped: 'no' | 'suspended' | 'closed' = 'no';
  private nextId = 0;

  constructor(options: QueryThreadsOptions) {
    this.options = options;
    this.done = Array.from({ length: options.count }, () => ({ answered: 0, givenBack: 0 }));
    this.fill();
  }

  /** Threads that answer. */
  get ready(): number {
    return [...this.threads].filter(({ isReady }) => isReady).length;
  }

  /** Questions in hand, and how many were answered or given back, a thread each. */
  get load(): readonly (Readonly<Done> & { readonly inHand: number })[] {
    const inHand = new Map([...this.threads].map(({ number, waiting }) => [number, waiting.size]));
    return this.done.map((done, number) => ({ ...done, inHand: inHand.get(number) ?? 0 }));
  }

  ask({ kind, asked, about, body }: Question, { caller, deadline }: Asker): Promise<Answered | null> | null {
    const thread = this.freest();
    if (thread === undefined) return null;
    if (othersIn(thread, caller) >= OTHERS_MAX && this.options.isFree()) return null;
    this.options.beforeQuestion();
    const id = this.nextId++;
    const { promise, resolve } = createWaiter<Answered | null>();
    thread.waiting.set(id, { caller, give: resolve });
    const message: QuestionMessage = [id, kind, asked, about, body, caller, Math.max(0, deadline.leftMs)];
    thread.worker.postMessage(message);
    return deadline.race(promise).catch((error: unknown) => {
      this.giveUp(thread, id);
      throw error;
    });
  }

  /** To all threads, also to those that have just begun. */
  tell(what: object): void {
    for (const { worker } of this.threads) worker.postMessage(what);
  }

  /** Ends all threads; what they have in hand is given back. */
  async suspend(): Promise<void> {
    if (this.stopped === 'no') this.stopped = 'suspended';
    await Promise.all([...this.threads].map((thread) => this.end(thread)));
  }

  resume(): void {
    if (this.stopped !== 'suspended') return;
    this.stopped = 'no';
    this.fill();
  }

  async close(): Promise<void> {
    this.stopped = 'closed';
    await this.suspend();
  }

  /** Resolves when all threads are ready. */
  async whenReady(): Promise<void> {
    while (this.stopped === 'no' && this.ready < this.options.count) await this.changed.next();
  }

  private freest(): Thread | undefined {
    let freest: Thread | undefined;
    for (const thread of this.threads) {
      if (thread.isReady && (freest === undefined || thread.waiting.size < freest.waiting.size)) freest = thread;
    }
    return freest;
  }

  private fill(): void {
    const taken = new Set([...this.threads].map(({ number }) => number));
    for (let number = 0; number < this.options.count && this.stopped === 'no'; number++) {
      if (!taken.has(number)) this.start(number);
    }
  }

  private start(number: number): void {
    const { file, workerData, memoryMb, youngMemoryMb } = this.options;
    const worker = new Worker(file, {
      workerData: workerData(),
      name: 'queries',
      // what is in the environment, API keys among it, is no business of a thread that reads what strangers write
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMemoryMb },
    });
    const states = { isReady: false, hasAnswered: false };
    const thread: Thread = { worker, number, waiting: new Map(), exited: new Latch(), ...states };
    this.threads.add(thread);
    worker.unref();
    let cause: unknown;
    worker.on('message', (message: AnswerMessage | typeof READY) => {
      if (message !== READY) return this.take(thread, message);
      thread.isReady = true;
      this.changed.ring();
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', (code) => this.exited(thread, String(cause ?? `exit code ${code}`)));
  }

  private take(thread: Thread, [id, json, brief, worked]: AnswerMessage): void {
    for (const [caller, ms] of worked) this.options.onWorked(caller, ms);
    const waiting = thread.waiting.get(id);
    if (waiting === undefined) return;
    thread.waiting.delete(id);
    thread.hasAnswered = true;
    const done = this.done[thread.number]!;
    if (json === null) done.givenBack++;
    else done.answered++;
    waiting.give(json === null ? null : { json: typeof json === 'string' ? json : bufferOf(json), brief });
  }

  /** Nobody waits for the answer any more. The thread is to say something all the same. */
  private giveUp(thread: Thread, id: number): void {
    if (!thread.waiting.has(id)) return;
    thread.worker.postMessage({ cancelled: id } satisfies Cancelled);
    void rest(HANG_MS).then(() => {
      if (thread.waiting.has(id)) void thread.worker.terminate();
    });
  }

  private async end({ worker, exited }: Thread): Promise<void> {
    worker.postMessage(CLOSE);
    const { ahead } = exited;
    if (ahead === null || (await endsWithin(CLOSE_MS, ahead))) return;
    await worker.terminate();
  }

  private exited(thread: Thread, why: string): void {
    this.threads.delete(thread);
    thread.isReady = false;
    for (const { give } of thread.waiting.values()) give(null);
    this.done[thread.number]!.givenBack += thread.waiting.size;
    thread.waiting.clear();
    thread.exited.happen();
    if (this.stopped !== 'no') return;
    this.options.onEnded(why);
    void rest(thread.hasAnswered ? 0 : RESTART_MS).then(() => this.fill());
  }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) => Buffer.from(buffer, byteOffset, length);

function othersIn({ waiting }: Thread, caller: string): number {
  let others = 0;
  for (const question of waiting.values()) if (question.caller !== caller) others++;
  return others;
}
