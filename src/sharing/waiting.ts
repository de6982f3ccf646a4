import type { TimerOptions } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * How anything waits here:
 *
 *   for its turn among callers       a waiter, in a FairLine (line.ts): whoever serves the line settles it
 *   for a place, by a deadline       Places (places.ts), which are such a line
 *   for something to happen          a Bell, each time; a Latch, once
 *   for work, unless it is stopped   Races; by a certain time: a Deadline (deadline.ts)
 *   for time to pass                 rest; where the process must not end before: keepingProcess
 *   for what runs now to end         afterThis
 */

/**
 * A promise that whoever serves it settles. Where the signal aborts before, it is rejected with its reason.
 *
 * @param signal not aborted yet
 * @param gone called once it has aborted: nobody waits any more
 */
export function createWaiter<T>(signal?: AbortSignal, gone?: () => void): PromiseWithResolvers<T> {
  const waiter = Promise.withResolvers<T>();
  if (signal === undefined) return waiter;
  const abort = () => {
    waiter.reject(signal.reason);
    gone?.();
  };
  const settle = <V>(act: (value: V) => void) => {
    return (value: V) => {
      signal.removeEventListener('abort', abort);
      act(value);
    };
  };
  signal.addEventListener('abort', abort, { once: true });
  return { promise: waiter.promise, resolve: settle(waiter.resolve), reject: settle(waiter.reject) };
}

/** Something that happens again and again: whoever waits is told of the next time. */
export class Bell<T = void> {
  /** Made when somebody waits: almost always nobody does. */
  #next: PromiseWithResolvers<T> | null = null;

  next(): Promise<T> {
    this.#next ??= Promise.withResolvers<T>();
    return this.#next.promise;
  }

  ring(value: T): void {
    const next = this.#next;
    this.#next = null;
    next?.resolve(value);
  }
}

/** Something that happens once. */
export class Latch<T = void> {
  /** Made when somebody waits, as a bell's promise is. */
  #bell: Bell<T> | null = null;
  #hasHappened = false;

  /** When it will have happened; null once it has. */
  get ahead(): Promise<T> | null {
    if (this.#hasHappened) return null;
    this.#bell ??= new Bell<T>();
    return this.#bell.next();
  }

  happen(value: T): void {
    this.#hasHappened = true;
    this.#bell?.ring(value);
  }
}

/** A race for each work that somebody waits for, unless all of it is stopped. */
export class Races {
  readonly #stops = new Set<(error: Error) => void>();

  /** What `work` comes to, or the error of {@link stop} where that is called before; `work` itself goes on unheard. */
  run<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#stops.add(reject);
      void work.then(resolve, reject).then(() => this.#stops.delete(reject));
    });
  }

  stop(error: Error): void {
    for (const reject of this.#stops) reject(error);
    this.#stops.clear();
  }
}

/** Lets `ms` pass. The process is not kept for it, unless the options say so. */
export const rest = (ms: number, options: TimerOptions = { ref: false }): Promise<void> =>
  sleep(ms, undefined, options);

/** Longer than anything waits: only that there is such a timer counts. */
const NEVER_MS = 2 ** 31 - 1;

/** What `work` comes to. The process is kept until then, though nothing but a rest may be ahead of it. */
export async function keepingProcess<T>(work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => undefined, NEVER_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Calls `act` when nothing is left to do without waiting: after all promises that are settled, before any other I/O. */
export const afterThis = (act: () => void): void => process.nextTick(act);
