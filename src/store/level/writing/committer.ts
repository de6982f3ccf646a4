import { ShingledError } from '../../../errors.ts';
import { type Deadline, withDeadline } from '../../../sharing/deadline.ts';
import { FairLine } from '../../../sharing/line.ts';
import { type Place, Places } from '../../../sharing/places.ts';
import { forAll } from '../../../sharing/served.ts';
import { createWaiter } from '../../../sharing/waiting.ts';

/*
 * The single writer. Requests come from anywhere and wait, each caller's in a line of his own. One loop takes of what
 * is waiting, one of each caller after the other, has it committed as one batch, and goes on. The more wait, the larger
 * the batch, and one sync of the disk serves them all.
 *
 *   submit ─┐                           ┌─ commit(batch) ── resolved or rejected one by one
 *   submit ─┼─ places (queueMax) ─ loop ┤       while it runs, the next batch gathers
 *   submit ─┘                           └─ …
 *
 * A batch of many is resolved while the one before is being written. One of a few gathers until the disk is free: begun
 * sooner it would be smaller, and whoever comes a moment later would wait for one sync more.
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
  readonly caller: string;
  readonly place: Place;
  readonly since: number;
}

export interface CommitterOptions<Request, Outcome> {
  /** Commits requests in order, as one batch, and settles each; it never rejects. Those it returns come first next time. */
  commit(batch: readonly Pending<Request, Outcome>[]): Promise<readonly Pending<Request, Outcome>[]>;
  /** Resolves when no batch is being written. */
  idle(): Promise<void>;
  readonly batchMax: number;
  /** Requests that wait, half of them of one caller at most. */
  readonly queueMax: number;
}

export interface SubmitOptions {
  readonly caller: string;
  /** How long a request may wait for room, ms; 0 = not at all. */
  readonly roomWaitMs?: number;
}

/** To resolve so many takes long enough to be worth doing while the disk is at work. */
const AHEAD_LEAST = 32;

export class Committer<Request, Outcome> {
  private readonly options: CommitterOptions<Request, Outcome>;
  private readonly places: Places;
  private readonly line = new FairLine<Queued<Request, Outcome>>();
  /** What the last batch had no room for. */
  private left: readonly Queued<Request, Outcome>[] = [];
  private running: Promise<void> | undefined;
  /** Ends the gathering of a batch. */
  private gathered: (() => void) | undefined;
  private closed = false;

  constructor(options: CommitterOptions<Request, Outcome>) {
    this.options = options;
    this.places = new Places({ size: options.queueMax, waitingMax: 0, refusal: () => this.full() });
  }

  get queued(): number {
    return this.left.length + this.line.length;
  }

  get queueAgeMs(): number {
    const oldest = [...this.left.slice(0, 1), ...this.line.heads()].map(({ since }) => since);
    return oldest.length === 0 ? 0 : performance.now() - Math.min(...oldest);
  }

  /**
   * Hands in a request.
   *
   * @throws ShingledError `write-queue-full`, `draining` after close, or what commit rejects it with
   */
  submit(request: Request, { caller, roomWaitMs = 0 }: SubmitOptions): Promise<Outcome> {
    if (this.closed) return Promise.reject(closing());
    const place = this.places.enterNow(caller);
    if (place !== null) return this.add(request, place);
    return this.room(caller, roomWaitMs).then((later) => this.add(request, later));
  }

  private add(request: Request, place: Place): Promise<Outcome> {
    if (this.closed) return Promise.reject(closing());
    const { promise, resolve, reject } = createWaiter<Outcome>();
    this.line.push({ request, caller: place.caller, place, resolve, reject, since: performance.now() });
    this.running ??= forAll(() => this.run());
    if (this.isEnough) this.gathered?.();
    return promise;
  }

  /** Refuses what comes from now on, and resolves when everything handed in before is settled. */
  async close(): Promise<void> {
    this.closed = true;
    this.places.refuse(closing());
    await this.running;
  }

  private async run(): Promise<void> {
    // the requests of one iteration of the event loop go together
    await undefined;
    while (this.queued > 0) {
      if (!this.isEnough) await this.gather();
      const batch = [...this.left];
      while (batch.length < this.options.batchMax && this.line.length > 0) batch.push(this.line.shift()!);
      for (const { place } of batch.slice(this.left.length)) this.places.leave(place);
      this.left = (await this.options.commit(batch)) as readonly Queued<Request, Outcome>[];
    }
    this.running = undefined;
  }

  /** Waits until there are many, or nothing else is being written. */
  private async gather(): Promise<void> {
    const { promise, resolve } = createWaiter<void>();
    this.gathered = resolve;
    void this.options.idle().then(resolve);
    await promise;
    this.gathered = undefined;
  }

  private get isEnough(): boolean {
    return this.queued >= Math.min(AHEAD_LEAST, this.options.batchMax);
  }

  private async room(caller: string, waitMs: number): Promise<Place> {
    if (waitMs <= 0) throw this.full();
    const wait = (until: Deadline) => this.places.enter(caller, { until, patient: true });
    return withDeadline(waitMs, undefined, wait, () => this.full());
  }

  private full(): ShingledError {
    return new ShingledError('write-queue-full', 'Too many writes are waiting for the disk.', {
      limit: { name: 'writeQueueMax', value: this.options.queueMax },
      retryAfterS: 1,
    });
  }
}

function closing(): ShingledError {
  return new ShingledError('draining', 'The index is closing.');
}
