/** Values that are looked at in one step: some 3 ms where each is a miss of all caches, 10 where its memory is new as well. */
export const STEP_VALUES = 2 ** 16;

/** What work in steps comes to, done at once: for who has nothing else to do meanwhile. */
export function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
