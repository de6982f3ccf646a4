import { AsyncLocalStorage } from 'node:async_hooks';
import { afterThis } from './waiting.ts';

/*
 * For whom work is done that goes on when something else is done: rows are read, a part of a long computation has made way for
 * others. Whoever begins a request says once for whom it is; all that the request waits for finds it here, however deep below.
 *
 *   serving(a, request) ── a reads rows ┄┄ the pool of threads ┄┄► resumed(): what runs from here on is charged to a
 *                       └─ a computes ── ownTurn(): the rest in a turn of a's
 *
 * Cost: 0.1 µs for each of them, and nothing where nobody is served: upkeep, the command line.
 */

/** Who is served, as far as this thread's time is shared. */
export interface Served {
  /** Charges the caller for what made the thing that was waited for, and for what runs until all that is left has to wait. */
  resumed(): void;
  /** Resolves at the beginning of a turn of the caller's. */
  next(): Promise<void>;
}

const served = new AsyncLocalStorage<Served>();

/** Does some work, and all that comes of it, for somebody. */
export function serving<T>(who: Served, work: () => T): T {
  return served.run(who, work);
}

/** Does work that is nobody's alone, though one caller begins it. */
export function forAll<T>(work: () => T): T {
  return served.exit(work);
}

/** To be called first when what was waited for is there. */
export function resumed(): void {
  served.getStore()?.resumed();
}

/** A turn of the caller who is served, which resolves when it begins; undefined if no caller is. */
export function ownTurn(): Promise<void> | undefined {
  return served.getStore()?.next();
}

/**
 * The time of what runs in no turn: from when it is said for whom, until nothing is left to do without waiting.
 *
 *   … the end of the last work | rows become values, an answer of a thread is unpacked | resumed(): they are used | …
 *                              '---------------- charged to the caller who is served then ---------------'
 *
 * What Node does before it calls any of our code cannot be seen from here. So the time that this thread has worked since the
 * last known work ended is charged to the next caller. Nearly all of it made what that caller waited for; the rest is, for
 * instance, the collection of others' garbage.
 */
export class ResumedWork {
  readonly #worked: () => number;
  readonly #charge: (caller: string, ms: number) => void;
  #running: string | null = null;
  /** The time before this is charged, or belongs to nobody. */
  #since: number;
  #isToEnd = false;

  /** @param worked ms that this thread has worked */
  constructor(worked: () => number, charge: (caller: string, ms: number) => void) {
    this.#worked = worked;
    this.#charge = charge;
    this.#since = worked();
  }

  /** What runs from here on is done for this caller, and no longer for the one before. */
  begin(caller: string): void {
    if (this.#running === caller) return;
    if (this.#running !== null) this.end(this.#worked());
    this.#running = caller;
    if (this.#isToEnd) return;
    this.#isToEnd = true;
    afterThis(() => {
      this.#isToEnd = false;
      if (this.#running !== null) this.end(this.#worked());
    });
  }

  /**
   * Charges what ran until now. If no caller is known, it is charged to nobody.
   *
   * @param worked ms that this thread has worked by now
   */
  end(worked: number): void {
    const [caller, ms] = [this.#running, worked - this.#since];
    [this.#running, this.#since] = [null, worked];
    if (caller !== null) this.#charge(caller, ms);
  }
}
