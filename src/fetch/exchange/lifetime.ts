import { ShingledError } from '../../errors.ts';

/** A signal that its owner must release. */
export interface Lifetime {
  /** Its `reason` is always a ShingledError. */
  readonly signal: AbortSignal;
  /** Frees the timer and the listeners; the signal then stays as it is. */
  release(): void;
}

/**
 * A signal that aborts after `ms` with `expired()`, or as soon as one of `parents` does, with the parent's reason; where
 * that is no ShingledError, with `deadline-exceeded`.
 */
export function createLifetime(ms: number, expired: () => ShingledError, parents: readonly AbortSignal[]): Lifetime {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(expired()), ms);
  const listeners = parents.map((parent) => {
    const listener = () => controller.abort(typed(parent.reason));
    if (parent.aborted) listener();
    else parent.addEventListener('abort', listener, { once: true });
    return { parent, listener };
  });
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const { parent, listener } of listeners) parent.removeEventListener('abort', listener);
    },
  };
}

/** What `work` gives, unless `signal` aborts before: then its reason. The work itself is not stopped. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

function typed(reason: unknown): ShingledError {
  if (reason instanceof ShingledError) return reason;
  return new ShingledError('deadline-exceeded', 'The fetch was given up by its caller.', { cause: reason });
}
