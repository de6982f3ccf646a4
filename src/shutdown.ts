/** How long closing the index and the rest may take after the last request, before the process ends all the same. */
const CLOSE_TIMEOUT_MS = 5000;
/** One key press reaches us twice under `npm start`: from the terminal, and forwarded by npm. */
const SAME_PRESS_MS = 1000;

export interface ShutdownParts {
  /** Lets requests under way finish, for `timeoutMs` at most, then closes everything. */
  readonly drain: () => Promise<void>;
  readonly timeoutMs: number;
  readonly exit: (code: number) => void;
  /** A clock in ms that never goes back. */
  readonly now: () => number;
  readonly log: { info(message: string): void; fatal(fields: object, message: string): void };
}

/**
 * What signals and faults do to the process. The first signal drains and exits 0. Another within a second is the same
 * key press; a later one exits 1 at once. A drain that hangs exits 1 in the end. A fault nobody caught exits 1: the
 * state of the process is not known any more.
 */
export function createShutdown({ drain, timeoutMs, exit, now, log }: ShutdownParts) {
  let firstAt: number | null = null;
  return {
    onSignal(signal: string): void {
      if (firstAt !== null) {
        if (now() - firstAt < SAME_PRESS_MS) return;
        log.fatal({ signal }, 'stopping at once: a second signal came while draining');
        exit(1);
        return;
      }
      firstAt = now();
      log.info(`${signal}: finishing what is under way, then stopping`);
      setTimeout(() => {
        log.fatal({ signal }, 'stopping took too long');
        exit(1);
      }, timeoutMs + CLOSE_TIMEOUT_MS).unref();
      drain().then(
        () => exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, 'stopping failed');
          exit(1);
        },
      );
    },
    onFault(error: unknown, origin: string): void {
      log.fatal({ err: error, origin }, 'a fault that nobody caught');
      exit(1);
    },
  };
}
