import { CLOCKS } from './clocks.ts';
import type { Deadline } from './deadline.ts';
import { FairLine, type Waiter } from './line.ts';
import { LoopTime } from './loop-time.ts';
import { ResumedWork, type Served } from './served.ts';
import { createWaiter } from './waiting.ts';

/*
 * The event loop is shared by turns: about `sliceMs` of work in each of its iterations, and between them whatever is
 * ready. Without turns, 32 queries that each yield every few ms would still resume all at once, in one iteration. The
 * loop would stand still for the sum of their steps.
 *
 *   iteration   | I/O, timers | a's turn, b's, a's | I/O, timers | a's turn | …      who is not done when the slice is, waits
 *                              '----- sliceMs ----'                                  in line again
 *
 * The next turn is that of the caller who has had least of the loop's time (loop-time.ts). What is done outside of turns is
 * charged too (served.ts), and so is the time of worker threads, which may share a core with the loop.
 *
 * A caller is ahead who has had a slice more than another who is at work. They begin where nobody else waits, AHEAD_TURNS times
 * in an iteration, and stop after AHEAD_SLICE_MS: requests of those behind, which wait for the disk or a thread, are soon back.
 * Bulk lines are not begun freely in that time: they would bring work that is in nobody's turn.
 *
 * Where one request is all that is in hand, its turn begins at once: there is nobody to keep waiting.
 *
 * A turn is what runs until nothing is left to do without waiting. Promises are followed to their end before the next
 * callback of setImmediate; there a turn is seen to end, and its time is taken.
 *
 * What runs when I/O is done is in no turn. It says for whom it runs (served.ts) and is charged to them, until nothing is left
 * to do without waiting. It asks for a turn before it computes for long.
 */
export interface Turns {
  /** Whether no time is left for the work that asks: then it waits for {@link Turns.next} before going on. */
  spent(): boolean;
  /** Resolves at the beginning of a turn. */
  next(): Promise<void>;
}

/** Turns of which none begins once the time is over: `next` rejects with the deadline's error then. */
export function turnsUntil(deadline: Pick<Deadline, 'passed' | 'error'>, turns: Turns): Turns {
  const check = () => {
    if (deadline.passed) throw deadline.error;
  };
  return {
    spent: () => deadline.passed || turns.spent(),
    next: async () => {
      check();
      await turns.next();
      check();
    },
  };
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
/** How long those who are ahead may work in an iteration: whoever is behind waits so much longer. */
const AHEAD_SLICE_MS = 1;
/** How many turns they may have in one: a turn that only asks for rows is short, and the rows come in nobody's turn. */
const AHEAD_TURNS = 4;

interface Waiting extends Waiter {
  readonly begin: () => void;
}

export class EventLoop {
  readonly #sliceMs: number;
  readonly #now: () => number;
  readonly #worked: () => number;
  readonly #onCharged: (caller: string, ms: number) => void;
  readonly #time = new LoopTime();
  readonly #line = new FairLine<Waiting>((caller) => this.#time.of(caller));
  #running: { readonly caller: string; readonly since: number } | null = null;
  readonly #resumed: ResumedWork;
  /** Whether turns are being taken, and until when they may begin. */
  #isTime = false;
  #sliceEndsAt = -1;
  /** Turns of those who are ahead in this iteration. */
  #turnsAhead = 0;
  /** Turns planned for this iteration, or the next one if it is not time; and for the one after. */
  #planned = 0;
  #later = 0;

  /** @param onCharged called with each time, in ms, that a caller is charged */
  constructor(sliceMs: number, { now, worked } = CLOCKS, onCharged: (caller: string, ms: number) => void = () => {}) {
    this.#sliceMs = sliceMs;
    this.#now = now;
    this.#worked = worked;
    this.#onCharged = onCharged;
    this.#resumed = new ResumedWork(worked, (caller, ms) => this.#charge(caller, ms));
  }

  /** The turns of one caller. */
  turnsOf(caller: string): Turns {
    return {
      spent: () => this.#now() >= this.#sliceEndsAt,
      next: () => this.next(caller),
    };
  }

  /** The caller, to be served by what runs when I/O is done. */
  servedOf(caller: string): Served {
    return {
      resumed: () => {
        if (this.#running === null) this.#resumed.begin(caller);
      },
      next: () => this.next(caller),
    };
  }

  /** A request of the caller is in hand; to be followed by {@link leave}. */
  enter(caller: string): void {
    this.#time.enter(caller, this.#now());
  }

  leave(caller: string): void {
    this.#time.leave(caller);
  }

  next(caller: string): Promise<void> {
    const { promise, resolve: begin } = createWaiter<void>();
    if (this.#isAlone) this.#beginAlone({ caller, begin });
    else {
      this.#line.push({ caller, begin });
      if (this.#upcoming < TURNS_AN_ITERATION) this.#plan();
    }
    return promise;
  }

  /** Whether nobody waits for a turn. */
  get isFree(): boolean {
    return this.#line.length === 0;
  }

  /** Whether nobody would be kept waiting by a little work outside of any turn. */
  isFreeFor(caller: string): boolean {
    return this.isFree && !this.#isAhead(caller);
  }

  /** The caller had `ms` of a core in another thread. */
  chargeTime(caller: string, ms: number): void {
    this.#time.chargeBeside(caller, ms, this.#now());
    this.#onCharged(caller, ms);
  }

  /** Whether one request is in hand, and none of its turns is under way or planned. */
  get #isAlone(): boolean {
    return this.#time.requests === 1 && !this.#isTime && this.#planned === 0;
  }

  #beginAlone(next: Waiting): void {
    const now = this.#now();
    this.#beginSlice(now);
    this.#planned = 1;
    setImmediate(() => this.#end());
    this.#beginTurn(next);
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
    if (!this.#isTime) this.#beginSlice(now);
    if (now >= this.#sliceEndsAt) return;
    const next = this.#line.first();
    if (next === undefined) return;
    if (this.#isAhead(next.caller)) {
      if (this.#turnsAhead === AHEAD_TURNS) return;
      this.#turnsAhead++;
      this.#sliceEndsAt = Math.min(this.#sliceEndsAt, now + AHEAD_SLICE_MS);
    }
    this.#line.shift(next);
    this.#beginTurn(next);
  }

  #charge(caller: string, ms: number): void {
    this.#time.charge(caller, ms, this.#now());
    this.#onCharged(caller, ms);
  }

  #beginTurn({ caller, begin }: Waiting): void {
    const since = this.#worked();
    this.#resumed.end(since);
    this.#running = { caller, since };
    begin();
  }

  #endTurn(): void {
    if (this.#running === null) return;
    const { caller, since } = this.#running;
    const worked = this.#worked();
    this.#running = null;
    this.#charge(caller, worked - since);
    this.#resumed.end(worked);
  }

  #beginSlice(now: number): void {
    this.#isTime = true;
    this.#turnsAhead = 0;
    this.#sliceEndsAt = now + this.#sliceMs;
    this.#time.refresh(now, (caller) => this.#line.lengthOf(caller) > 0);
  }

  #end(): void {
    this.#endTurn();
    if (--this.#planned > 0) return;
    this.#isTime = false;
    this.#sliceEndsAt = -1;
    this.#planned = this.#later;
    this.#later = 0;
    while (this.#planned < Math.min(this.#line.length, TURNS_AN_ITERATION)) this.#plan();
  }

  #isAhead(caller: string): boolean {
    return this.#time.leadOf(caller) > this.#sliceMs;
  }
}
