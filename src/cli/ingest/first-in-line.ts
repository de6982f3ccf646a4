/** Those that were given away are dropped when there are so many. */
const GIVEN_MAX = 1024;

/** What is taken in the order in which it came; to take it costs the same however long the line is. */
export class FirstInLine<T> {
  #line: T[] = [];
  /** Of them, so many at the front were taken. */
  #taken = 0;

  push(one: T): void {
    this.#line.push(one);
  }

  /** There must be one. */
  take(): T {
    const first = this.#line[this.#taken++]!;
    if (this.#taken > GIVEN_MAX) {
      this.#line = this.#line.slice(this.#taken);
      this.#taken = 0;
    }
    return first;
  }
}
