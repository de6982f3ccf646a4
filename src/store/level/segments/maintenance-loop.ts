import { ShingledError } from '../../../errors.ts';
import { endsWithin } from '../../../sharing/deadline.ts';
import { forAll } from '../../../sharing/served.ts';
import { Bell, keepingProcess } from '../../../sharing/waiting.ts';
import type { Maintenance } from './maintenance.ts';

/** Of a merge, while somebody asks: its rest after a step, in times of that. So queries have half of the time alone. */
const REST = 1;
/** Longer steps are those of a machine that has other things to do. */
const REST_MS_MAX = 3000;

export interface LoopOptions {
  readonly idleMs: number;
  readonly retryMs: number;
  onFailure(error: unknown): void;
}

/**
 * Runs the steps of the maintenance one after the other, and again a while later when one failed. Segments that are gone
 * are cleared beside them, so that no flush waits for that.
 */
export class MaintenanceLoop {
  private readonly maintenance: Maintenance;
  private readonly options: LoopOptions;
  private running: Promise<void> | undefined;
  private clearing: Promise<void> | undefined;
  private readonly suspendedBy = new Set<object>();
  private isClosed = false;
  private retry: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private addedSince = false;
  /** How often somebody has asked for postings. */
  private questions = 0;
  /** So that what is woken while the last step ends is not slept through. */
  private wakes = 0;
  /** Rings when a step has ended, with its failure if it failed. */
  private readonly ended = new Bell<unknown>();
  /** Rings when a merge is to rest no longer. */
  private readonly urgent = new Bell();

  constructor(maintenance: Maintenance, options: LoopOptions) {
    this.maintenance = maintenance;
    this.options = options;
  }

  get closed(): boolean {
    return this.isClosed;
  }

  /** The index was opened: what is due is done, and more where nothing comes. */
  begin(): void {
    this.wake();
    this.idle ??= this.whenIdle();
  }

  /** There may be something to do. */
  wake(): void {
    if (this.suspended || this.isClosed || this.retry !== undefined) return;
    this.wakes++;
    this.urgent.ring();
    forAll(() => {
      this.running ??= this.run();
      this.clearing ??= this.clear();
    });
  }

  /** Something was added: the index is not idle. */
  added(): void {
    this.addedSince = true;
    this.maintenance.idle = false;
    this.idle ??= this.whenIdle();
  }

  /** Somebody asks for postings. */
  asked(): void {
    this.questions++;
  }

  /** Resolves when a step has ended, to its failure if it failed. One that is tried again later is waited for too. */
  step(): Promise<unknown> {
    return keepingProcess(this.ended.next());
  }

  /** @throws what the first failed step threw */
  async compact(): Promise<void> {
    this.maintenance.beginCompaction();
    this.wake();
    while (!this.isClosed && this.maintenance.compacting) {
      const failure = await this.step();
      if (failure !== undefined) throw failure;
    }
    if (this.isClosed) throw new ShingledError('draining', 'The index is closing.');
  }

  private get suspended(): boolean {
    return this.suspendedBy.size > 0;
  }

  /** @param by who alone can {@link resume} it: several may want it suspended at a time */
  async suspend(by: object): Promise<void> {
    this.suspendedBy.add(by);
    this.stopTimers();
    this.urgent.ring();
    await this.running;
    await this.clearing;
    this.maintenance.abandonMerge();
  }

  resume(by: object): void {
    this.suspendedBy.delete(by);
    if (this.suspended || this.isClosed) return;
    if (!this.maintenance.idle) this.idle ??= this.whenIdle();
    this.wake();
  }

  /** Ends after the step that runs, and the last ones. Never throws. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stopTimers();
    this.urgent.ring();
    await this.running;
    await this.clearing;
    try {
      await this.maintenance.finish(!this.suspended);
    } catch (error) {
      this.options.onFailure(error);
    }
    this.ended.ring(undefined);
  }

  private async run(): Promise<void> {
    // however often it is woken in one go, it runs once, after that
    await undefined;
    const step = async () => {
      const next = this.maintenance.next();
      if (next === undefined) return false;
      const { questions } = this;
      const beganAt = performance.now();
      await next();
      if (this.questions > questions) await this.restAfter(performance.now() - beganAt);
      return true;
    };
    await this.untilDone(step, () => (this.running = undefined));
  }

  /** Gives queries time for themselves: one that is asked while a step runs shares the cores with it, and with LevelDB. */
  private async restAfter(stepMs: number): Promise<void> {
    if (!this.maintenance.mayRest || this.suspended || this.isClosed) return;
    await endsWithin(Math.min(REST_MS_MAX, REST * stepMs), this.urgent.next());
  }

  private async clear(): Promise<void> {
    await undefined;
    await this.untilDone(
      () => this.maintenance.clearOne(),
      () => (this.clearing = undefined),
    );
  }

  /** @param ended called once there is nothing more to do, before anything else runs */
  private async untilDone(step: () => Promise<boolean>, ended: () => void): Promise<void> {
    try {
      for (let seen = this.wakes; !this.suspended && !this.isClosed; seen = this.wakes) {
        if (await step()) {
          this.ended.ring(undefined);
          // a merge that was listed has left segments to clear
          this.wake();
        } else if (this.wakes === seen) break;
      }
    } catch (error) {
      this.options.onFailure(error);
      this.ended.ring(error);
      this.retry ??= setTimeout(() => {
        this.retry = undefined;
        this.wake();
      }, this.options.retryMs).unref();
    }
    ended();
    this.ended.ring(undefined);
  }

  private whenIdle(): NodeJS.Timeout {
    return setTimeout(() => {
      const isBusy = this.addedSince;
      this.addedSince = false;
      this.idle = isBusy ? this.whenIdle() : undefined;
      this.maintenance.idle = !isBusy;
      if (!isBusy) this.wake();
    }, this.options.idleMs).unref();
  }

  private stopTimers(): void {
    clearTimeout(this.retry);
    clearTimeout(this.idle);
    this.retry = undefined;
    this.idle = undefined;
  }
}
