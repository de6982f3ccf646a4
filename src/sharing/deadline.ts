import { ShingledError } from '../errors.ts';
import { Races } from './waiting.ts';

/**
 * The time that something may take, and the patience of whoever asked for it, as one. It is made where a request, a fetch
 * or a wait begins, and passed on. Its clock is `performance.now()`.
 */
export class Deadline {
  readonly #ms: number;
  readonly #callers: readonly AbortSignal[];
  readonly #late: (ms: number) => ShingledError;
  readonly #beganAt = performance.now();
  readonly #races = new Races();
  #controller: AbortController | undefined;
  #ended = false;

  /** See {@link withDeadline}, which also has the signal fire in time: here there is only the clock. */
  constructor(ms: number, callers: readonly AbortSignal[] = [], late = tooLate) {
    this.#ms = ms;
    this.#callers = callers;
    this.#late = late;
  }

  get elapsedMs(): number {
    return performance.now() - this.#beganAt;
  }

  /** Until the time is over; below 0 where it is. */
  get leftMs(): number {
    return this.#ms - this.elapsedMs;
  }

  /** Whether the time is over. Read from the clock, since no timer fires while the event loop is busy. */
  get passed(): boolean {
    return this.#ended || this.elapsedMs >= this.#ms;
  }

  /**
   * Fires at the deadline, or before it when a caller gives up, with {@link error} as its reason. Made when it is asked
   * for: most steps only race against the deadline, and listeners of signals cost microseconds each.
   */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended) this.#controller.abort(this.error);
    return this.#controller.signal;
  }

  /** Why nothing more can be said, as an error to throw. */
  get error(): ShingledError {
    const gone = this.#callers.find(({ aborted }) => aborted);
    return gone === undefined ? this.#late(this.#ms) : givenUp(gone);
  }

  /** Throws if a caller has given up: then nobody wants even a part of the answer. */
  throwIfGivenUp(): void {
    for (const caller of this.#callers) throwIfGivenUp(caller);
  }

  /** What `work` gives, or the deadline's error as soon as the time is over; `work` itself goes on unheard. */
  race<T>(work: Promise<T>): Promise<T> {
    const raced = this.#races.run(work);
    if (!this.passed) return raced;
    raced.catch(() => {});
    return Promise.reject(this.error);
  }

  /** What is racing is rejected first: what fails because of the signal comes too late to be heard. */
  end(): void {
    this.#ended = true;
    this.#races.stop(this.error);
    this.#controller?.abort(this.error);
  }
}

/**
 * Runs `work` under a deadline that starts now.
 *
 * @param ms Infinity: only the callers count
 * @param caller whoever may give up: then the error is his reason, where that is a ShingledError
 * @param late the error once the time is over; `deadline-exceeded` where left out
 */
export async function withDeadline<T>(
  ms: number,
  caller: AbortSignal | readonly AbortSignal[] | undefined,
  work: (deadline: Deadline) => Promise<T>,
  late?: (ms: number) => ShingledError,
): Promise<T> {
  const callers = caller instanceof AbortSignal ? [caller] : (caller ?? []);
  const deadline = new Deadline(ms, callers, late);
  const end = () => deadline.end();
  const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(end, ms);
  for (const one of callers) one.addEventListener('abort', end, { once: true });
  if (callers.some(({ aborted }) => aborted)) end();
  try {
    return await work(deadline);
  } finally {
    clearTimeout(timer);
    for (const one of callers) one.removeEventListener('abort', end);
  }
}

/** Whether `work`, which never rejects, has ended after so long. */
export function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  return withDeadline(ms, undefined, (until) => until.race(work)).then(
    () => true,
    () => false,
  );
}

/** Throws if the caller has given up. */
export function throwIfGivenUp(caller: AbortSignal | undefined): void {
  if (caller?.aborted === true) throw givenUp(caller);
}

/** @returns his own reason where that is one of ours */
export function givenUp({ reason }: AbortSignal): ShingledError {
  if (reason instanceof ShingledError) return reason;
  return new ShingledError('deadline-exceeded', 'The caller gave up before the answer was ready.', { cause: reason });
}

function tooLate(deadlineMs: number): ShingledError {
  return new ShingledError('deadline-exceeded', 'Nothing could be said by the deadline; a later one may help.', {
    limit: { name: 'deadlineMs', value: deadlineMs },
    retryAfterS: 1,
  });
}

/** What `work` gives, null where the deadline passes first. */
export async function inTime<T>(work: () => Promise<T>, deadline: Deadline): Promise<T | null> {
  try {
    return deadline.passed ? null : await deadline.race(work());
  } catch (error) {
    deadline.throwIfGivenUp();
    if (deadline.passed) return null;
    throw error;
  }
}
