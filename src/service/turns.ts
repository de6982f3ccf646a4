/*
 * Long computations share the event loop by turns: one turn an iteration of the loop, about `sliceMs` of work in it. Without
 * that, 32 queries that each yield every few ms would still resume all at once, one after the other in one iteration, and
 * the loop would stand still for their sum.
 *
 *   iteration   | I/O, timers | a's turn | I/O, timers | b's turn | …        a waits in line again when its turn is spent;
 *                              '-sliceMs-'                                   first come, first served
 *
 * One waiter an iteration, even where its turn is short: what it does goes on over many microtasks, whose end cannot be
 * seen from here, so a second one could not be held back in time. An empty iteration costs some 20 µs.
 */
export interface Turns {
  /** Whether the work of this iteration is used up: then wait for {@link Turns.next} before going on. */
  spent(): boolean;
  /** Resolves at the beginning of a turn. */
  next(): Promise<void>;
}

export function createTurns(sliceMs: number): Turns {
  const waiting: (() => void)[] = [];
  let scheduled = false;
  let turnEndsAt = -1;

  function turn(): void {
    turnEndsAt = performance.now() + sliceMs;
    waiting.shift()?.();
    scheduled = waiting.length > 0;
    if (scheduled) setImmediate(turn);
  }

  return {
    spent: () => performance.now() >= turnEndsAt,
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (scheduled) return;
        scheduled = true;
        setImmediate(turn);
      }),
  };
}
