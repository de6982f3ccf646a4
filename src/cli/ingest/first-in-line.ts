/** Those that were taken are dropped when there are so many. */
const TAKEN_MAX = 1024;

/** What is taken in the order in which it came; to take it costs the same however long the line is. */
export class FirstInLine<T> {
  #line: T[] = [];
  /** Of them, so many at the front were taken. */
  #taken = 0;

  get length(): number {
    return this.#line.length - this.#taken;
  }

  get first(): T | undefined {
    return this.#line[this.#taken];
  }

  push(one: T): void {
    this.#line.push(one);
  }

  /** There must be one. */
  take(): T {
    const first = this.#line[this.#taken++]!;
    if (this.#taken > TAKEN_MAX) {
      this.#line = this.#line.slice(this.#taken);
      this.#taken = 0;
    }
    return first;
  }
}
