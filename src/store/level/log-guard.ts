/*
 * A batch that the disk refuses leaves a part of itself in LevelDB's log, and LevelDB goes on: what it writes after that is
 * acknowledged and synced, and lost with the next opening, which reads the log as far as it is whole. All handles of a
 * process share that log. So from a refused write on, by any thread, nothing may be acknowledged until the database has been
 * opened anew; and a batch beside which the worker writes one waits to hear what becomes of that.
 *
 *   worker     ──────[ batch ]──── refused          a Int32 of shared memory: 0 whole, 1 the worker writes, 2 refused
 *   main         ─────────[ batch, taken ]─ wait ─ refused too
 */

const WHOLE = 0;
const WRITING = 1;
const REFUSED = 2;

export class LogGuard {
  private readonly state: Int32Array<SharedArrayBuffer>;

  /** @param shared of the guard of another thread */
  constructor(shared = new SharedArrayBuffer(4)) {
    this.state = new Int32Array(shared);
  }

  get shared(): SharedArrayBuffer {
    return this.state.buffer;
  }

  /** For the worker: a write that the main thread waits for before it acknowledges its own. */
  async announced(write: () => Promise<void>): Promise<void> {
    if (Atomics.compareExchange(this.state, 0, WHOLE, WRITING) !== WHOLE)
      throw new Error('The disk has refused a write.');
    let outcome = REFUSED;
    try {
      await write();
      outcome = WHOLE;
    } finally {
      // a write that the main thread was refused meanwhile stays refused
      if (outcome === REFUSED) Atomics.store(this.state, 0, REFUSED);
      else Atomics.compareExchange(this.state, 0, WRITING, WHOLE);
      Atomics.notify(this.state, 0);
    }
  }

  /** For the main thread, after LevelDB took a write: whether it will be there after the next opening. */
  async isWhole(): Promise<boolean> {
    const waiting = Atomics.waitAsync(this.state, 0, WRITING);
    if (waiting.async) await waiting.value;
    return Atomics.load(this.state, 0) !== REFUSED;
  }

  refused(): void {
    Atomics.store(this.state, 0, REFUSED);
    Atomics.notify(this.state, 0);
  }

  /** The database was opened anew, by all of its handles. */
  reset(): void {
    Atomics.store(this.state, 0, WHOLE);
  }
}
