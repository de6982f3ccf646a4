import { Accounts } from './accounts.ts';
import { FairLine, type Waiter } from './line.ts';

/*
 * The event loop is shared by turns: about `sliceMs` of work in each of its iterations, and between them whatever is ready.
 * Without that, 32 queries that each yield every few ms would still resume all at once, one after the other in one iteration,
 * and the loop would stand still for their sum.
 *
 *   iteration   | I/O, timers | a's turn, b's, a's | I/O, timers | a's turn | …      who is not done when the slice is, waits
 *                              '----- sliceMs ----'                                  in line again
 *
 * The next turn is that of the caller who has had least of the loop's time, so that callers who always want more get the same
 * of it, however many things they want at a time and however dear each is.
 *
 * A turn is what runs until nothing is left to do without waiting: promises are followed to their end before the next
 * callback of setImmediate, so that is where a turn is seen to end and its time is taken. What runs when I/O is done is
 * nobody's turn; it asks for one before it computes.
 */
export interface Turns {
  /** Whether no time is left for the work that asks: then it waits for {@link Turns.next} before going on. */
  spent(): boolean;
  /** Resolves at the beginning of a turn. */
  next(): Promise<void>;
}

/** Does work whose steps take a few ms at the most each, with a turn for each that there is no time for. */
export async function inTurns<T>(steps: Generator<undefined, T>, turns: Turns): Promise<T> {
  for (;;) {
    if (turns.spent()) await turns.next();
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Turns that may begin in one iteration; the two callbacks of one cost a µs. */
const TURNS_AN_ITERATION = 16;

interface Waiting extends Waiter {
  readonly begin: () => void;
}

export class EventLoop {
  readonly #sliceMs: number;
  readonly #now: () => number;
  readonly #accounts = new Accounts();
  readonly #line = new FairLine<Waiting>((caller) => this.#accounts.of(caller));
  #running: { readonly caller: string; readonly since: number } | null = null;
  /** Whether turns are being taken, and until when they may begin. */
  #isTime = false;
  #sliceEndsAt = -1;
  /** Turns planned for this iteration, or the next one if it is not time; and for the one after. */
  #planned = 0;
  #later = 0;

  /** @param now ms of a clock that never goes back */
  constructor(sliceMs: number, now: () => number = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#now = now;
  }

  /** The turns of one caller. */
  turnsOf(caller: string): Turns {
    return { spent: () => this.#now() >= this.#sliceEndsAt, next: () => this.next(caller) };
  }

  next(caller: string): Promise<void> {
    return new Promise((begin) => {
      this.#line.push({ caller, begin });
      if (this.#upcoming < TURNS_AN_ITERATION) this.#plan();
    });
  }

  /** Turns that are planned for the next time that the loop comes by. */
  get #upcoming(): number {
    return this.#isTime ? this.#later : this.#planned;
  }

  /** What is planned while turns are taken comes in the next iteration. */
  #plan(): void {
    if (this.#isTime) this.#later++;
    else this.#planned++;
    setImmediate(() => this.#begin());
    setImmediate(() => this.#end());
  }

  #begin(): void {
    const now = this.#now();
    if (!this.#isTime) this.#sliceEndsAt = now + this.#sliceMs;
    this.#isTime = true;
    if (now >= this.#sliceEndsAt) return;
    const next = this.#line.shift();
    if (next === undefined) return;
    this.#accounts.serve(next.caller, 0);
    this.#running = { caller: next.caller, since: now };
    next.begin();
  }

  #end(): void {
    if (this.#running !== null) this.#accounts.charge(this.#running.caller, this.#now() - this.#running.since);
    this.#running = null;
    if (--this.#planned > 0) return;
    this.#isTime = false;
    this.#sliceEndsAt = -1;
    this.#planned = this.#later;
    this.#later = 0;
    while (this.#planned < Math.min(this.#line.length, TURNS_AN_ITERATION)) this.#plan();
  }
}
