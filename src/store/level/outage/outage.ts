import { ShingledError } from '../../../errors.ts';
import { Races } from '../../../sharing/waiting.ts';
import { storageFull } from './failures.ts';
import { type Event, nextState, type State, type WriteKind } from './transitions.ts';

/** How everything that writes is stopped, and comes back. */
export interface Recovery {
  /** Nothing is begun from now on that writes by itself. */
  pause(): void;
  /** It may begin again. */
  resume(): void;
  /** @throws while less than the reserve is free */
  checkRoom(): Promise<void>;
  /** @throws while the disk does not take what opening the database writes */
  probe(): Promise<void>;
  /**
   * Makes all that is in memory anew from what is on disk, and writes a batch. It must not wait for anything that waits for
   * writing to go on. @throws where that fails: it is tried again
   */
  recover(): Promise<void>;
}

/** For the log. */
export type OutageNews =
  | { readonly what: 'stopped'; readonly kind: WriteKind | 'reserve'; readonly cause: unknown }
  | { readonly what: 'not recovered'; readonly cause: unknown }
  | { readonly what: 'resumed'; readonly stoppedMs: number };

/** How often a disk that has refused a write is tried again: soon after there is room. */
export const DISK_RETRY_MS = 1000;

export interface OutageOptions {
  /** {@link DISK_RETRY_MS}, but in tests. */
  readonly retryMs: number;
  onNews?(news: OutageNews): void;
}

/** Reads wait while everything is opened anew: for one part in five of the time at most. */
const REST = 4;

/** The one object that knows whether the index is written (transitions.ts), and that brings writing back. */
export class Outage {
  private readonly options: OutageOptions;
  private state: State = 'writing';
  private cause: unknown;
  private stoppedAt = 0;
  private stopCount = 0;
  private readonly races = new Races();
  private recovery: Recovery | undefined;
  private attempt: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private restMs = 0;
  private said = '';
  private ended = false;

  constructor(options: OutageOptions) {
    this.options = options;
  }

  get now(): State {
    return this.state;
  }

  get writable(): boolean {
    return this.state === 'writing';
  }

  /** How often writing has stopped: what was made ready before must not be written after it. */
  get stops(): number {
    return this.stopCount;
  }

  /** Until then a failure ends whoever met it: there is nothing to go back to. */
  arm(recovery: Recovery): void {
    this.recovery = recovery;
    if (!this.writable) this.stop();
  }

  /** @throws ShingledError `storage-full` unless writing goes on, `draining` after close */
  check(): void {
    if (!this.writable) throw this.refusal();
  }

  refusal(): ShingledError {
    if (this.state === 'closed') return new ShingledError('draining', 'The index is closed.');
    if (this.state === 'full' && this.cause instanceof ShingledError) return this.cause;
    return storageFull('The disk has refused a write.', { cause: this.cause });
  }

  /** The result of `work`, or the refusal where writing stops before. */
  async unlessStopped<T>(work: Promise<T>): Promise<T> {
    this.check();
    return this.races.run(work);
  }

  /** Less than the reserve is free: nothing was written, so the log is whole. */
  short(cause: ShingledError): void {
    this.enter('short', { what: 'stopped', kind: 'reserve', cause });
  }

  /** A write failed, of whichever kind and with whatever error. */
  failed(kind: WriteKind, cause: unknown): void {
    this.enter('failed', { what: 'stopped', kind, cause });
  }

  /** Resolves when nothing is being opened anew. */
  async settled(): Promise<void> {
    await this.attempt;
  }

  /** Tries a disk that refuses no more. What is being written goes on. */
  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.attempt;
  }

  close(): void {
    this.enter('close');
  }

  private enter(event: Event, news?: OutageNews): void {
    const before = this.state;
    this.state = nextState(before, event);
    if (this.state === before) return;
    if (news?.what === 'stopped') {
      this.cause = news.cause;
      this.options.onNews?.(news);
    }
    if (before === 'writing') this.stop();
    else if (this.writable) this.resume();
  }

  private stop(): void {
    this.stopCount++;
    this.stoppedAt = performance.now();
    this.recovery?.pause();
    this.races.stop(this.refusal());
    this.tryLater();
  }

  private resume(): void {
    this.said = '';
    this.recovery?.resume();
    this.options.onNews?.({ what: 'resumed', stoppedMs: Math.round(performance.now() - this.stoppedAt) });
  }

  private tryLater(): void {
    clearTimeout(this.timer);
    const { recovery } = this;
    if (this.ended || this.writable || recovery === undefined) return;
    this.timer = setTimeout(
      () => {
        this.attempt = this.try(recovery)
          .catch((cause: unknown) => this.sayOnce(cause))
          .finally(() => {
            this.attempt = undefined;
            this.tryLater();
          });
      },
      Math.max(this.options.retryMs, this.restMs),
    ).unref();
  }

  private async try(recovery: Recovery): Promise<void> {
    this.restMs = 0;
    if (this.state === 'full') {
      await recovery.checkRoom();
      this.enter('room');
      return;
    }
    await recovery.checkRoom();
    await recovery.probe();
    const beganAt = performance.now();
    this.enter('tried');
    try {
      await recovery.recover();
      this.enter('recovered');
    } catch (error) {
      this.enter('unrecovered');
      throw error;
    } finally {
      this.restMs = REST * (performance.now() - beganAt);
    }
  }

  private sayOnce(cause: unknown): void {
    const text = String(cause);
    if (text === this.said) return;
    this.said = text;
    this.options.onNews?.({ what: 'not recovered', cause });
  }
}
