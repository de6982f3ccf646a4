import { Worker } from 'node:worker_threads';
import { createWaiter, rest } from '../../../sharing/waiting.ts';
import type { FileProblem } from '../files/verify.ts';
import type { Damage } from './damage.ts';
import type { PassData, PassNews } from './file-problems.worker.ts';

const WORKER_FILE = new URL(
  `./file-problems.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** How long it rests before files are tried again that could not be looked at. */
const RETRY_MS = 60_000;

export interface VerificationOptions {
  /** The folder of the database. */
  readonly location: string;
  readonly damage: Damage;
  /** Told once of each file that cannot be looked at for now. */
  onUnverified(problem: FileProblem): void;
  /** Told after each pass. */
  onPass?: (() => void) | undefined;
  /** {@link RETRY_MS} unless given. */
  readonly retryMs?: number | undefined;
}

/**
 * Looks through the files of a database in a thread of its own (files/verify.ts). It does so soon after opening, and again when
 * something was met that cannot be trusted, so that its file is named. What cannot be looked at for want of descriptors,
 * say, is tried again until it can.
 */
export class Verification {
  private readonly options: VerificationOptions;
  /** Files that were looked at. */
  private seen = new Set<string>();
  private readonly told = new Set<string>();
  private running = false;
  private isAsked = false;
  private stopped = false;
  private worker: Worker | undefined;

  constructor(options: VerificationOptions) {
    this.options = options;
  }

  /** Begins after a while, unless a pass is under way then, or it was stopped. */
  beginAfter(ms: number): void {
    void rest(ms).then(() => {
      if (!this.running) this.begin();
    });
  }

  /** Begins, or begins again after the pass under way. */
  begin(): void {
    this.isAsked = true;
    if (this.running) return;
    this.running = true;
    void this.run();
  }

  /** Nothing is told from now on. */
  stop(): void {
    this.stopped = true;
    void this.worker?.terminate();
  }

  private async run(): Promise<void> {
    for (let isWhole = true; !this.stopped && (this.isAsked || !isWhole); ) {
      if (this.isAsked) this.seen.clear();
      this.isAsked = false;
      isWhole = await this.pass();
      if (this.stopped) return;
      this.options.onPass?.();
      if (!isWhole) await rest(this.options.retryMs ?? RETRY_MS);
    }
    this.running = false;
  }

  /** @returns whether all could be looked at: not where the thread has ended before */
  private pass(): Promise<boolean> {
    const workerData: PassData = { location: this.options.location, seen: this.seen };
    // it needs nothing of the environment, API keys among it
    const worker = new Worker(WORKER_FILE, { workerData, env: {}, name: 'verification' });
    const { promise, resolve } = createWaiter<boolean>();
    let isWhole = true;
    let isOver = false;
    worker.unref();
    worker.on('message', (news: PassNews) => {
      if ('seen' in news) {
        this.seen = news.seen;
        isOver = true;
      } else if (!this.stopped) isWhole = this.note(news.found) && isWhole;
    });
    // its exit says the same
    worker.on('error', () => undefined);
    worker.on('exit', () => resolve(isOver && isWhole));
    this.worker = worker;
    return promise;
  }

  /** @returns whether the file was looked at */
  private note(found: FileProblem): boolean {
    const { damage, onUnverified } = this.options;
    const { file, problem, isDamage } = found;
    if (isDamage) damage.note(problem, file);
    else {
      if (!this.told.has(file)) onUnverified(found);
      this.told.add(file);
    }
    return isDamage;
  }
}
