import { storageFull } from './failures.ts';
import type { WriteKind } from './transitions.ts';

/*
 * A batch that the disk refuses leaves a part of itself in LevelDB's log, and LevelDB goes on: what it writes after that is
 * acknowledged and synced, and lost with the next opening, which reads the log as far as it is whole. All handles of a
 * process share that log. So from a refused write on, by any thread, nothing may be acknowledged until the database has been
 * opened anew; and a batch beside which somebody else writes waits to hear what becomes of that.
 *
 *   worker     ──────[ batch ]──── refused           shared memory:  0  whole, or refused
 *   clearing   ──[ deletions ]──[ deletions ]──                      1  turns of the worker, odd while it writes
 *   main         ─────────[ batch, taken ]─ wait ─ refused too       2  turns of the clearing, odd while it writes
 *
 * A batch waits for the end of the turns that it meets, not of those that begin after it.
 */

const REFUSED_AT = 0;
const TURNS_AT = { segment: 1, clearing: 2 } as const;

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
    shared = new SharedArrayBuffer(12),
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
      if (this.isRefused) throw storageFull('The disk refused a write before this one.');
      await write();
    } catch (cause) {
      this.refused(kind, cause);
      throw cause;
    } finally {
      this.endTurn(at);
    }
    // behind what another thread was refused meanwhile
    if (this.isRefused) throw storageFull('The disk refused a write before this one.');
  }

  /** For the main thread, after LevelDB took a write: whether it will be there after the next opening. */
  async isWhole(): Promise<boolean> {
    for (const at of Object.values(TURNS_AT)) {
      const turn = Atomics.load(this.state, at);
      if (turn % 2 === 0) continue;
      const ended = Atomics.waitAsync(this.state, at, turn);
      if (ended.async) await ended.value;
    }
    return !this.isRefused;
  }

  get isRefused(): boolean {
    return Atomics.load(this.state, REFUSED_AT) !== 0;
  }

  refused(kind: WriteKind, cause: unknown): void {
    Atomics.store(this.state, REFUSED_AT, 1);
    this.onRefused(kind, cause);
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

  private endTurn(at: number): void {
    Atomics.add(this.state, at, 1);
    Atomics.notify(this.state, at);
  }
}
