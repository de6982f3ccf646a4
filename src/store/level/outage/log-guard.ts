import type { ShingledError } from '../../../errors.ts';
import { storageFull } from './failures.ts';
import type { WriteKind } from './outage.ts';

/*
 * A batch that the disk refuses leaves a part of itself in LevelDB's log, and LevelDB goes on behind it. What it writes
 * there is acknowledged and synced, and yet lost: the next opening reads the log only as far as it is whole. All
 * handles of a process share that log. So from a refused write on, by any thread, nothing may be acknowledged until the
 * database has been opened anew. And a batch that is written while another thread writes waits until that write has
 * ended: was it refused, so is the batch.
 *
 *   worker     ──────[ batch ]──── refused           shared memory:  0  whole, or refused
 *   clearing   ──[ deletions ]──[ deletions ]──                      1  turns of the worker, odd while it writes
 *   main         ─────────[ batch, taken ]─ wait ─ refused too       2  turns of the clearing, odd while it writes
 *                                                                    3  whether a range is being compacted
 *
 * A batch waits for the end of the turns that it meets, not of those that begin after it.
 *
 * LevelDB (1.20, DBImpl::BackgroundCompaction) follows a null pointer, and so ends the process, where its log fails to sync
 * while it compacts a range that it was asked to. So meanwhile it is not asked to sync: whoever writes does so himself.
 */

const REFUSED_AT = 0;
const TURNS_AT = { segment: 1, clearing: 2 } as const;
const COMPACTING_AT = 3;

/** Who writes beside the batches. */
export type Beside = keyof typeof TURNS_AT;

export class LogGuard {
  private readonly state: Int32Array<SharedArrayBuffer>;
  private readonly onRefused: (kind: WriteKind, cause: unknown) => void;

  /**
   * @param shared of the guard of another thread
   * @param onRefused told of every refusal that this thread hears of
   */
  constructor(
    shared = new SharedArrayBuffer(16),
    onRefused: (kind: WriteKind, cause: unknown) => void = () => undefined,
  ) {
    this.state = new Int32Array(shared);
    this.onRefused = onRefused;
  }

  get shared(): SharedArrayBuffer {
    return this.state.buffer;
  }

  /** A write that batches wait for before they are acknowledged. One at a time of each kind. */
  async announced(kind: Beside, write: () => Promise<void>): Promise<void> {
    const at = TURNS_AT[kind];
    Atomics.add(this.state, at, 1);
    try {
      if (this.isRefused) throw this.behindRefused(kind);
      await write();
    } catch (cause) {
      this.refused(kind, cause);
      throw cause;
    } finally {
      this.endTurn(at);
    }
    // behind what another thread was refused meanwhile
    if (this.isRefused) throw this.behindRefused(kind);
  }

  /** For the main thread, after LevelDB took a write: whether it will be there after the next opening. */
  async isWhole(): Promise<boolean> {
    for (const kind of ['segment', 'clearing'] as const) await this.turnOf(kind);
    return !this.isRefused;
  }

  /** Whether LevelDB may be asked to sync its log. */
  get maySync(): boolean {
    return Atomics.load(this.state, COMPACTING_AT) === 0;
  }

  /** For the main thread: compacts a range while no sync that LevelDB was asked for is under way. */
  async compacting(syncs: { none(): Promise<void> }, compact: () => Promise<void>): Promise<void> {
    Atomics.add(this.state, COMPACTING_AT, 1);
    try {
      await Promise.all([syncs.none(), this.turnOf('segment')]);
      await compact();
    } finally {
      Atomics.sub(this.state, COMPACTING_AT, 1);
    }
  }

  get isRefused(): boolean {
    return Atomics.load(this.state, REFUSED_AT) !== 0;
  }

  refused(kind: WriteKind, cause: unknown): void {
    Atomics.store(this.state, REFUSED_AT, 1);
    this.onRefused(kind, cause);
  }

  /**
   * Why a write is not taken, or not acknowledged, where one before it was refused. That may have been another thread's, of
   * which this thread has not heard: so it is told here.
   */
  behindRefused(kind: WriteKind): ShingledError {
    const refusal = storageFull('The disk refused a write before this one.');
    this.onRefused(kind, refusal);
    return refusal;
  }

  /** Whoever writes beside the batches has ended: where it was writing, nobody knows what has become of that. */
  abandoned(kind: Beside): void {
    const at = TURNS_AT[kind];
    if (Atomics.load(this.state, at) % 2 === 0) return;
    this.refused(kind, new Error('Whoever wrote has ended.'));
    this.endTurn(at);
  }

  /** The database was opened anew, by all of its handles. */
  reset(): void {
    Atomics.store(this.state, REFUSED_AT, 0);
  }

  /** Resolves when a turn that is under way has ended. */
  private async turnOf(kind: Beside): Promise<void> {
    const at = TURNS_AT[kind];
    const turn = Atomics.load(this.state, at);
    if (turn % 2 === 0) return;
    const ended = Atomics.waitAsync(this.state, at, turn);
    if (ended.async) await ended.value;
  }

  private endTurn(at: number): void {
    Atomics.add(this.state, at, 1);
    Atomics.notify(this.state, at);
  }
}
