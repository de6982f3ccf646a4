import { ShingledError } from '../../errors.ts';

/*
 * The single writer. Requests are handed in from anywhere and wait in one queue; one loop takes what is waiting, has it
 * committed as one batch, and goes on: the more wait, the larger the batch, and one sync of the disk serves them all.
 *
 *   submit ─┐                         ┌─ commit(batch) ── resolved or rejected one by one
 *   submit ─┼─ queue (queueMax) ─ loop┤       while it runs, the next batch gathers
 *   submit ─┘                         └─ …
 *
 * Cost: no timer and no wait when nothing else is waiting, so a lone client pays one sync a write.
 */

/** A request on its way; `commit` settles it. */
export interface Pending<Request, Outcome> {
  readonly request: Request;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface Queued<Request, Outcome> extends Pending<Request, Outcome> {
  readonly since: number;
}

interface Waiting {
  admit(): void;
  refuse(error: unknown): void;
  readonly timer: NodeJS.Timeout;
}

export interface CommitterOptions<Request, Outcome> {
  /** Commits requests in order, as one batch, and settles each; it never rejects. Those it returns come first next time. */
  commit(batch: readonly Pending<Request, Outcome>[]): Promise<readonly Pending<Request, Outcome>[]>;
  readonly batchMax: number;
  readonly queueMax: number;
}

export class Committer<Request, Outcome> {
  private readonly options: CommitterOptions<Request, Outcome>;
  private queue: Queued<Request, Outcome>[] = [];
  private readonly waiting = new Set<Waiting>();
  private running: Promise<void> | undefined;
  private closed = false;

  constructor(options: CommitterOptions<Request, Outcome>) {
    this.options = options;
  }

  get queued(): number {
    return this.queue.length;
  }

  get queueAgeMs(): number {
    const oldest = this.queue[0];
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  /**
   * Hands in a request.
   *
   * @param roomWaitMs how long it may wait for room in a full queue, in order of arrival; 0 = not at all
   * @throws ShingledError `write-queue-full`, `draining` after close, or what commit rejects it with
   */
  submit(request: Request, roomWaitMs = 0): Promise<Outcome> {
    if (this.queue.length < this.options.queueMax || this.closed) return this.enqueue(request);
    return this.room(roomWaitMs).then(() => this.enqueue(request));
  }

  /** Refuses what comes from now on, and resolves when everything handed in before is settled. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { refuse } of this.waiting) refuse(new ShingledError('draining', 'The index is closing.'));
    await this.running;
  }

  private enqueue(request: Request): Promise<Outcome> {
    return new Promise<Outcome>((resolve, reject) => {
      if (this.closed) throw new ShingledError('draining', 'The index is closing.');
      this.queue.push({ request, resolve, reject, since: performance.now() });
      this.running ??= this.run();
    });
  }

  private async run(): Promise<void> {
    // the requests of one turn of the event loop go together
    await undefined;
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, this.options.batchMax);
      this.admitWaiting();
      const left = await this.options.commit(batch);
      this.queue.unshift(...(left as Queued<Request, Outcome>[]));
    }
    this.running = undefined;
  }

  private room(waitMs: number): Promise<void> {
    const { queueMax } = this.options;
    const full = () =>
      new ShingledError('write-queue-full', 'Too many writes are waiting for the disk.', {
        limit: { name: 'writeQueueMax', value: queueMax },
        retryAfterS: 1,
      });
    if (waitMs <= 0) return Promise.reject(full());
    return new Promise<void>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(waiting.timer);
        this.waiting.delete(waiting);
        act();
      };
      const waiting: Waiting = {
        admit: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
        timer: setTimeout(() => waiting.refuse(full()), waitMs),
      };
      this.waiting.add(waiting);
    });
  }

  private admitWaiting(): void {
    let room = this.options.queueMax - this.queue.length;
    for (const { admit } of this.waiting) {
      if (room-- <= 0) return;
      admit();
    }
  }
}
