/*
 * Long computations share the event loop by turns: one turn an iteration of the loop, about `sliceMs` of work in it,
 * whoever does it. Without that, 32 queries that each yield every few ms would still resume all at once, one after the
 * other in one iteration, and the loop would stand still for their sum.
 *
 *   iteration   | I/O, timers | turn: a a b | I/O, timers | turn: b c d d | …      a waits in line again when its turn
 *                              '- sliceMs -'               '-- sliceMs --'        is spent; first come, first served
 */
export interface Turns {
  /** Whether the work of this iteration is used up: then wait for {@link Turns.next} before going on. */
  spent(): boolean;
  /** Resolves in a turn that is not spent yet. */
  next(): Promise<void>;
}

export function createTurns(sliceMs: number): Turns {
  const waiting: (() => void)[] = [];
  let scheduled = false;
  let turnEndsAt = -1;

  const spent = () => performance.now() >= turnEndsAt;

  async function turn(): Promise<void> {
    turnEndsAt = performance.now() + sliceMs;
    do {
      waiting.shift()?.();
      // lets the one just called compute before the clock is read
      await null;
    } while (waiting.length > 0 && !spent());
    scheduled = waiting.length > 0;
    if (scheduled) setImmediate(() => void turn());
  }

  return {
    spent,
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (scheduled) return;
        scheduled = true;
        setImmediate(() => void turn());
      }),
  };
}
