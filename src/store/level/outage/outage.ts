import { ShingledError } from '../../../errors.ts';
import { Races } from '../../../sharing/waiting.ts';
import { storageFull } from './failures.ts';

/*
 * Whether the index is written, and how writing comes back after the disk has refused: docs/store.md draws the states.
 *
 *   state        plans          rows of the posting index    reads                 what goes on
 *   writing      acknowledged   written                      answered              nothing
 *   full         refused        wait                         answered              a look at the free space, again and again
 *   refused      refused        wait                         answered              a probe of the disk, again and again
 *   recovering   refused        wait                         wait, a second or so  everything is opened anew (recovery.ts)
 *   closed       refused        none                         refused               nothing
 *
 * After a failed write nobody knows what the log of LevelDB holds, whichever write it was and whatever the error.
 * LevelDB goes on behind a torn record, and the next opening loses what it took after it. So every failed write leads
 * to one state. It is left only when all that is in memory was made again from what is on disk:
 *
 *   kind         what failed                               nobody is told of it but       the disk may hold
 *   documents    a batch of plans                          its plans                      all of it, or nothing
 *   rows         the list of segments, shingle counts      a step that is done again      the new list, or the old one
 *   segment      a batch of the worker, or its thread died a step that is done again      a part: in no list, cleared
 *   clearing     deletions of a segment that is gone       a step that is done again      a part: still to be cleared
 *   flush        bringing the log into synced tables       what waited to be durable      what was there before
 *   mark         the high-water mark, in a file of its own nobody                         an older number
 *   compaction   what makes LevelDB write all files anew   the compaction                 all that counts
 *   opening      exchanging the handle                     the compaction                 all that counts
 */
export type WriteKind = 'documents' | 'rows' | 'segment' | 'clearing' | 'flush' | 'mark' | 'compaction' | 'opening';

export const STATES = ['writing', 'full', 'refused', 'recovering', 'closed'] as const;
export type State = (typeof STATES)[number];

/**
 * - short: less than the reserve is free; nothing was written
 * - room: there is enough again
 * - failed: a write failed
 * - tried: the disk took a probe
 * - recovered, unrecovered: how opening everything anew ended
 */
export const EVENTS = ['short', 'room', 'failed', 'tried', 'recovered', 'unrecovered', 'close'] as const;
export type Event = (typeof EVENTS)[number];

/** What each event makes of each state; where nothing is said, it stays. */
const CHANGES: { readonly [S in State]: { readonly [E in Event]?: State } } = {
  writing: { short: 'full', failed: 'refused', close: 'closed' },
  full: { room: 'writing', failed: 'refused', close: 'closed' },
  refused: { tried: 'recovering', close: 'closed' },
  recovering: { recovered: 'writing', unrecovered: 'refused', failed: 'refused', close: 'closed' },
  closed: {},
};

export const nextState = (state: State, event: Event): State => CHANGES[state][event] ?? state;

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

/** The one object that knows whether the index is written, and that brings writing back. */
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
    await recovery.checkRoom();
    if (this.state === 'full') {
      this.enter('room');
      return;
    }
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
