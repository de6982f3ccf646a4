import { BesideTurns } from './beside-turns.ts';
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
 * charged too (beside-turns.ts), and so is the time of worker threads, which may share a core with the loop.
 *
 * A caller is ahead who has had a slice more than another who is at work. He begins only where the iteration had
 * nothing else to do, and stops after AHEAD_SLICE_MS. For the other one waits just then, for the disk or for a worker;
 * whoever is behind is to find the loop free when he comes back. Bulk lines are not begun freely in that time: they
 * would bring work that is in nobody's turn.
 *
 * Where one request is all that is in hand, its turn begins at once: there is nobody to keep waiting.
 *
 * A turn is what runs until nothing is left to do without waiting. Promises are followed to their end before the next
 * callback of setImmediate; there a turn is seen to end, and its time is taken.
 *
 * What runs when I/O is done is in no turn. It says for whom it runs (served.ts) and is charged to him, until nothing is left
 * to do without waiting. It asks for a turn before it computes for long.
 */
export interface Turns {
  /** Whether no time is left for the work that asks: then it waits for {@link Turns.next} before going on. */
  spent(): boolean;
  /** Resolves at the beginning of a turn. */
  next(): Promise<void>;
  /** So many things more were asked for in a request: lines, say. */
  charge(things: number): void;
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
    charge: (things) => turns.charge(things),
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
/** An iteration that took no longer had nothing else to do. */
const FREE_MS = 0.3;

/** How long the event loop has waited for something to do, ms. */
const idleMs = () => performance.nodeTiming.idleTime;

interface Waiting extends Waiter {
  readonly begin: () => void;
}

export class EventLoop {
  readonly #sliceMs: number;
  readonly #now: () => number;
  readonly #onCharged: (caller: string, ms: number) => void;
  readonly #time = new LoopTime();
  readonly #beside = new BesideTurns();
  readonly #line = new FairLine<Waiting>((caller) => this.#time.of(caller));
  #running: { readonly caller: string; readonly since: number } | null = null;
  readonly #resumed: ResumedWork;
  /** Whether turns are being taken, until when they may begin, and when the last ones ended. */
  #isTime = false;
  #sliceEndsAt = -1;
  #endedAt = 0;
  /** Whether those who are ahead may begin. */
  #isFree = false;
  /** Turns planned for this iteration, or the next one if it is not time; and for the one after. */
  #planned = 0;
  #later = 0;

  /**
   * @param now ms of a clock that never goes back
   * @param onCharged called with each time, in ms, that a caller is charged
   */
  constructor(
    sliceMs: number,
    now: () => number = () => performance.now(),
    onCharged: (caller: string, ms: number) => void = () => {},
  ) {
    this.#sliceMs = sliceMs;
    this.#now = now;
    this.#onCharged = onCharged;
    this.#resumed = new ResumedWork(now, (caller, ms, at) => this.#chargeTurn(caller, ms, at));
  }

  /** The turns of one caller. */
  turnsOf(caller: string): Turns {
    return {
      spent: () => this.#now() >= this.#sliceEndsAt,
      next: () => this.next(caller),
      charge: (things) => this.#charge(caller, things),
    };
  }

  /** The caller, to be served by what runs when I/O is done. */
  servedOf(caller: string): Served {
    return {
      resumed: (things) => {
        if (things > 0) this.#charge(caller, things);
        if (this.#running === null) this.#resumed.begin(caller);
      },
      next: () => this.next(caller),
    };
  }

  /** A request of the caller is in hand, as dear to read as so many; to be followed by {@link leave}. */
  enter(caller: string, things = 1): void {
    this.#time.enter(caller, this.#now());
    this.#charge(caller, things);
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

  /** Whether nobody would be kept waiting by a little work outside of any turn. */
  isFreeFor(caller: string): boolean {
    return this.#line.length === 0 && this.#time.leadOf(caller) <= this.#sliceMs;
  }

  /** The caller had so much of a core beside the loop's: it counts as the loop's does. */
  chargeTime(caller: string, ms: number): void {
    this.#chargeMs(caller, ms, this.#now());
  }

  #charge(caller: string, things: number): void {
    this.#beside.addThings(things);
    this.#chargeMs(caller, things * this.#beside.thingMs, this.#now());
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
    this.#beginTurn(next, now);
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
    if (next === undefined || !this.#mayBegin(next, now)) return;
    this.#line.shift(next);
    this.#beginTurn(next, now);
  }

  #chargeTurn(caller: string, ms: number, now: number): void {
    this.#chargeMs(caller, ms, now);
    this.#beside.addTurn(ms);
  }

  #chargeMs(caller: string, ms: number, now: number): void {
    this.#time.charge(caller, ms, now);
    this.#onCharged(caller, ms);
  }

  #beginTurn({ caller, begin }: Waiting, now: number): void {
    this.#resumed.end(now);
    this.#running = { caller, since: now };
    begin();
  }

  #beginSlice(now: number): void {
    this.#isTime = true;
    this.#sliceEndsAt = now + this.#sliceMs;
    this.#isFree = now - this.#endedAt <= FREE_MS;
    this.#time.refresh(now, (caller) => this.#line.lengthOf(caller) > 0);
    this.#beside.refresh(now, idleMs);
  }

  #mayBegin({ caller }: Waiting, now: number): boolean {
    if (this.#time.leadOf(caller) <= this.#sliceMs) return true;
    if (this.#isFree) this.#sliceEndsAt = Math.min(this.#sliceEndsAt, now + AHEAD_SLICE_MS);
    return this.#isFree;
  }

  #end(): void {
    const now = this.#now();
    if (this.#running !== null) {
      const { caller, since } = this.#running;
      this.#chargeTurn(caller, now - since, now);
    }
    this.#running = null;
    if (--this.#planned > 0) return;
    this.#isTime = false;
    this.#sliceEndsAt = -1;
    this.#endedAt = now;
    this.#planned = this.#later;
    this.#later = 0;
    while (this.#planned < Math.min(this.#line.length, TURNS_AN_ITERATION)) this.#plan();
  }
}
