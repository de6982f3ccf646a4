import { type ChildProcess, fork } from 'node:child_process';
import type { PlainError } from '../errors.ts';
import { createWaiter } from '../sharing/waiting.ts';
import { PROCESS_MB_BESIDE, YOUNG_GENERATION_MB } from './limits.ts';
import type { DocumentInput, ProcessedDocument } from './port.ts';
import type { WorkerSetup } from './protocol.ts';

/*
 * One process in which parts of pages are chosen and PDF files read, seen from the service. It is given one document after
 * the other. What takes too long it ends by itself (parser.process.ts) and lives on, or it is ended with it. V8 ends it where
 * its heap is full, its own watch where the rest of its memory is (memory-watch.worker.ts). That one document is told so.
 */

/** What the process is told: how to work, then one document at a time. */
export type Told = Setup | ProcessTask;

export interface Setup {
  readonly setup: WorkerSetup;
  /** MiB that the whole process may have in memory while it reads a PDF file. */
  readonly processMbMax: number;
}

export interface ProcessTask {
  readonly input: DocumentInput;
  readonly timeoutMs: number;
}

/** What it says: once that it is ready; of a page that it has begun, and how it ended. */
export type Said = { readonly ready: true } | { readonly begun: true } | Ending;

/**
 * `late`: not done in its time; `died`: nor was the process; `parted`: it made way for others; `failed` is null for what nobody
 * foresaw.
 */
export type Ending =
  | { readonly document: ProcessedDocument }
  | { readonly failed: PlainError }
  | { readonly ended: 'late' | 'died' | 'parted' };

const ENTRY = new URL(`./parser.process${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** A process that has not begun by then never will: it takes 0.2 s where the machine has time. */
const START_TIMEOUT_MS = 30_000;
/** How much longer than its time a page may take before the process is ended: V8 may be at its heap and not look. */
const GRACE_MS = 2_000;
const LAST_WORDS_MAX = 500;

interface Waiting extends PromiseWithResolvers<Ending> {
  readonly timeoutMs: number;
  hasBegun: boolean;
  endsAs: 'late' | 'died' | 'parted';
  timer: NodeJS.Timeout;
}

export class ParserProcess {
  readonly #child: ChildProcess;
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;
  /** Resolves when it waits for its first page, or has ended before that. */
  readonly ready: Promise<void>;
  readonly #setReady: () => void;
  #waiting: Waiting | null = null;
  #lastWords = '';
  #isAlive = true;

  constructor(setup: WorkerSetup, memoryMb: number) {
    this.#child = fork(ENTRY, {
      // one thread for the heap too: what a page may take of the machine is bounded by its time
      execArgv: [
        `--max-old-space-size=${memoryMb}`,
        `--max-semi-space-size=${YOUNG_GENERATION_MB}`,
        '--single-threaded-gc',
      ],
      // what is in the environment, API keys among it, is no business of a process that parses what strangers write
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.on('message', (said: Said) => this.#hear(said));
    this.#child.stderr!.setEncoding('utf8').on('data', (words: string) => {
      this.#lastWords = (this.#lastWords + words).slice(-LAST_WORDS_MAX);
    });
    const { promise, resolve } = createWaiter<void>();
    this.ended = promise;
    const readiness = createWaiter<void>();
    this.ready = readiness.promise;
    this.#setReady = readiness.resolve;
    const end = (error: Error) => {
      this.#isAlive = false;
      this.#giveUp(error);
      this.#setReady();
      resolve();
    };
    this.#child.once('error', end);
    this.#child.once('close', (code, signal) =>
      end(new Error(`The process for parsing ended with ${signal ?? code}. ${this.#lastWords.trim()}`)),
    );
    this.#tell({ setup, processMbMax: memoryMb + PROCESS_MB_BESIDE });
    this.#rest();
  }

  /** Whether it may be given another page. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /**
   * Gives it a page; not before the last one has ended.
   *
   * @throws Error where it ends before it has begun with the page: that is no fault of the page
   */
  run(task: ProcessTask): Promise<Ending> {
    const timer = this.#endAfter(START_TIMEOUT_MS);
    const waiting: Waiting = {
      ...createWaiter<Ending>(),
      endsAs: 'died',
      timeoutMs: task.timeoutMs,
      hasBegun: false,
      timer,
    };
    this.#waiting = waiting;
    this.#child.ref();
    this.#child.channel?.ref();
    this.#tell(task);
    return waiting.promise;
  }

  /** Ends it with the page that it has begun, if any, which may begin again elsewhere. @returns whether it has */
  part(): boolean {
    if (this.#waiting?.hasBegun !== true) return false;
    this.#waiting.endsAs = 'parted';
    this.end();
    return true;
  }

  /** Ends it; the process that asks stays until it has ended, for somebody may wait for that. */
  end(): void {
    this.#isAlive = false;
    this.#child.ref();
    (this.#child.stderr as unknown as { ref?(): void }).ref?.();
    this.#child.kill('SIGKILL');
  }

  #hear(said: Said): void {
    if ('ready' in said) {
      this.#setReady();
      return;
    }
    const waiting = this.#waiting;
    if (waiting === null) return;
    clearTimeout(waiting.timer);
    if ('begun' in said) {
      waiting.hasBegun = true;
      waiting.timer = this.#endAfter(waiting.timeoutMs + GRACE_MS);
      return;
    }
    this.#waiting = null;
    this.#rest();
    waiting.resolve(said);
  }

  #giveUp(error: Error): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    clearTimeout(waiting.timer);
    if (waiting.hasBegun) waiting.resolve({ ended: waiting.endsAs });
    else waiting.reject(error);
  }

  #endAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#waiting !== null) this.#waiting.endsAs = 'late';
      this.end();
    }, ms);
  }

  #tell(told: Told): void {
    // where it has ended, that is heard by its end
    this.#child.send(told, () => {});
  }

  /** While it has nothing to do nobody is hindered from ending by it. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    (this.#child.stderr as unknown as { unref?(): void }).unref?.();
  }
}
