import { ownTurn } from '../../sharing/served.ts';

/** Lets everything else that waits for the event loop go first; what follows is in a turn of the caller who is served. */
export const nextTurn = (): Promise<void> => ownTurn() ?? new Promise<void>((resolve) => void setImmediate(resolve));

/** Does work in steps, with everything else between them. */
export async function inSteps<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await nextTurn();
  }
}
