import { ShingledError } from '../errors.ts';

/** The time a caller gives an answer, and the caller's patience: one signal for both. */
export interface Deadline {
  /** Fires at the deadline, or before it when the caller gives up. */
  readonly signal: AbortSignal;
  /** Whether the time is over. Read from the clock, since no timer fires while the event loop is busy. */
  readonly passed: boolean;
  /** Why nothing more can be said, as an error to throw. */
  readonly error: ShingledError;
  /** Throws if the caller has given up: then nobody wants even a part of the answer. */
  throwIfGivenUp(): void;
  /** What `work` gives, or the deadline's error as soon as the time is over; `work` itself goes on unheard. */
  race<T>(work: Promise<T>): Promise<T>;
}

/**
 * Runs `work` under a deadline that starts now.
 *
 * @param deadlineMs Infinity: only the caller's signal counts
 */
export async function withDeadline<T>(
  deadlineMs: number,
  caller: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + deadlineMs;
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort();
  const timer = deadlineMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(abort, deadlineMs);
  caller?.addEventListener('abort', abort, { once: true });
  if (caller?.aborted === true) abort();
  const deadline: Deadline = {
    signal,
    get passed() {
      return signal.aborted || performance.now() >= endsAt;
    },
    get error() {
      return caller?.aborted === true ? givenUp(caller) : tooLate(deadlineMs);
    },
    throwIfGivenUp: () => throwIfGivenUp(caller),
    race: (running) => raceAgainst(running, deadline),
  };
  try {
    return await work(deadline);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', abort);
  }
}

/** Throws if the caller has given up. */
export function throwIfGivenUp(caller: AbortSignal | undefined): void {
  if (caller?.aborted === true) throw givenUp(caller);
}

function raceAgainst<T>(running: Promise<T>, deadline: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const { signal } = deadline;
    const stop = () => reject(deadline.error);
    signal.addEventListener('abort', stop, { once: true });
    if (deadline.passed) stop();
    // what fails because of the signal comes too late: it has been rejected with the deadline's error by then
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function givenUp(caller: AbortSignal): ShingledError {
  if (caller.reason instanceof ShingledError) return caller.reason;
  return new ShingledError('deadline-exceeded', 'The caller gave up before the answer was ready.');
}

function tooLate(deadlineMs: number): ShingledError {
  return new ShingledError('deadline-exceeded', 'Nothing could be said by the deadline; a later one may help.', {
    limit: { name: 'deadlineMs', value: deadlineMs },
    retryAfterS: 1,
  });
}
