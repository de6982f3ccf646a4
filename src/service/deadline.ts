import { ShingledError } from '../errors.ts';

/** The time a caller gives an answer, and the caller's patience, as one. */
export interface Deadline {
  /**
   * Fires at the deadline, or before it when the caller gives up, with {@link error} as its reason. Made when it is asked
   * for: most steps only race against the deadline, and listeners of signals cost microseconds each.
   */
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
  const deadline = new RunningDeadline(deadlineMs, caller);
  const end = () => deadline.end();
  const timer = deadlineMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(end, deadlineMs);
  caller?.addEventListener('abort', end, { once: true });
  if (caller?.aborted === true) end();
  try {
    return await work(deadline);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', end);
  }
}

/** How long obtaining documents and answering may take where the caller does not say. */
export interface Patience {
  readonly obtainMs: number;
  readonly answerMs: number;
}

/**
 * Obtains documents, then answers: all by the deadline that the caller named. Where he named none, each has its own
 * time: that a page is slow to come is no reason to leave matches out.
 */
export async function obtainAndAnswer<Obtained, Answer>(
  deadlineMs: number | null,
  { obtainMs, answerMs }: Patience,
  caller: AbortSignal | undefined,
  obtain: (deadline: Deadline) => Promise<Obtained>,
  answer: (obtained: Obtained, deadline: Deadline) => Promise<Answer>,
): Promise<Answer> {
  if (deadlineMs !== null) {
    return withDeadline(deadlineMs, caller, async (deadline) => answer(await obtain(deadline), deadline));
  }
  const obtained = await withDeadline(obtainMs, caller, obtain);
  return withDeadline(answerMs, caller, (deadline) => answer(obtained, deadline));
}

class RunningDeadline implements Deadline {
  readonly #deadlineMs: number;
  readonly #endsAt: number;
  readonly #caller: AbortSignal | undefined;
  readonly #racing = new Set<() => void>();
  #controller: AbortController | undefined;
  #ended = false;

  constructor(deadlineMs: number, caller: AbortSignal | undefined) {
    this.#deadlineMs = deadlineMs;
    this.#endsAt = performance.now() + deadlineMs;
    this.#caller = caller;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended) this.#controller.abort(this.error);
    return this.#controller.signal;
  }

  get passed(): boolean {
    return this.#ended || performance.now() >= this.#endsAt;
  }

  get error(): ShingledError {
    return this.#caller?.aborted === true ? givenUp(this.#caller) : tooLate(this.#deadlineMs);
  }

  throwIfGivenUp(): void {
    throwIfGivenUp(this.#caller);
  }

  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(this.error);
      const settle = () => this.#racing.delete(stop);
      this.#racing.add(stop);
      if (this.passed) stop();
      work.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error as Error);
        },
      );
    });
  }

  /** What is racing is rejected first: what fails because of the signal comes too late to be heard. */
  end(): void {
    this.#ended = true;
    for (const stop of this.#racing) stop();
    this.#controller?.abort(this.error);
  }
}

/** Throws if the caller has given up. */
export function throwIfGivenUp(caller: AbortSignal | undefined): void {
  if (caller?.aborted === true) throw givenUp(caller);
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
