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
  /** What runs until nothing is left to do without waiting is done for him. @param things as those of {@link Turns.charge} */
  resumed(things: number): void;
  /** Resolves at the beginning of a turn of his. */
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
export function resumed(things = 0): void {
  served.getStore()?.resumed(things);
}

/** A turn of the caller who is served, which resolves when it begins; undefined if no caller is. */
export function ownTurn(): Promise<void> | undefined {
  return served.getStore()?.next();
}

/** The time of what runs in no turn: from when it is said for whom, until nothing is left to do without waiting. */
export class ResumedWork {
  readonly #now: () => number;
  readonly #charge: (caller: string, ms: number, now: number) => void;
  #running: { readonly caller: string; readonly since: number } | null = null;
  #isToEnd = false;

  constructor(now: () => number, charge: (caller: string, ms: number, now: number) => void) {
    this.#now = now;
    this.#charge = charge;
  }

  /** What runs from here on is done for this caller, and no longer for the one before. */
  begin(caller: string): void {
    if (this.#running?.caller === caller) return;
    const now = this.#now();
    this.end(now);
    this.#running = { caller, since: now };
    if (this.#isToEnd) return;
    this.#isToEnd = true;
    afterThis(() => {
      this.#isToEnd = false;
      this.end(this.#now());
    });
  }

  end(now: number): void {
    if (this.#running === null) return;
    const { caller, since } = this.#running;
    this.#running = null;
    this.#charge(caller, now - since, now);
  }
}
