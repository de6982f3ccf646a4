import { ShingledError } from '../errors.ts';
import type { Deadline } from './deadline.ts';

/** At most so many queries at a time, first come, first served. */
export interface QueryQueue {
  readonly inFlight: number;
  readonly waiting: number;
  /**
   * Runs `query` when there is room.
   *
   * @param patience `refuse`: `overloaded` where too many wait already; `wait`: for callers that bound themselves
   * @throws ShingledError `overloaded`, or the deadline's error where it passes before there is room
   */
  run<T>(query: () => Promise<T>, deadline: Deadline, patience: 'refuse' | 'wait'): Promise<T>;
}

export function createQueryQueue(limits: { queriesInFlightMax: number; queriesWaitingMax: number }): QueryQueue {
  const waiting = new Set<() => void>();
  let inFlight = 0;

  function enter(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = deadline;
      const admit = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(admit);
        reject(deadline.error);
      };
      waiting.add(admit);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** The room of a query that has ended goes straight to the one that waits longest. */
  function exit(): void {
    const [first] = waiting;
    if (first === undefined) {
      inFlight--;
      return;
    }
    waiting.delete(first);
    first();
  }

  return {
    get inFlight() {
      return inFlight;
    },
    get waiting() {
      return waiting.size;
    },
    async run(query, deadline, patience) {
      if (deadline.passed) throw deadline.error;
      if (inFlight < limits.queriesInFlightMax) inFlight++;
      else if (patience === 'refuse' && waiting.size >= limits.queriesWaitingMax) throw overloaded(limits);
      else await enter(deadline);
      try {
        return await query();
      } finally {
        exit();
      }
    },
  };
}

function overloaded(limits: { queriesWaitingMax: number }): ShingledError {
  return new ShingledError('overloaded', 'Too many queries are waiting.', {
    limit: { name: 'queriesWaitingMax', value: limits.queriesWaitingMax },
    retryAfterS: 1,
  });
}
