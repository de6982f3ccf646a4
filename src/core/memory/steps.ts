/** What work in steps comes to, done at once: for who has nothing else to do meanwhile. */
export function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
