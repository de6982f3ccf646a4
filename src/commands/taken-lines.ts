import type { WantedLine } from '../client/port.ts';
import type { Races } from '../sharing/waiting.ts';

/** Something is asked of the index. */
export class Asked extends Error {}

/** Lines of which the load takes some, and somebody else the rest. */
export class TakenLines {
  readonly #iterator: AsyncIterator<WantedLine>;
  readonly #races: Races;
  readonly #isOver: () => boolean;
  /** Read, or being read, and taken by nobody yet. */
  #next: Promise<IteratorResult<WantedLine>> | null = null;
  #isAtEnd = false;

  constructor(iterator: AsyncIterator<WantedLine>, races: Races, isOver: () => boolean) {
    this.#iterator = iterator;
    this.#races = races;
    this.#isOver = isOver;
  }

  /** Whether there may be lines that nobody has taken. */
  get isLeft(): boolean {
    return !this.#isAtEnd;
  }

  /** Whether there is a line to load. */
  async hasMore(): Promise<boolean> {
    try {
      if (this.#isOver()) return false;
      this.#isAtEnd = (await this.#races.run(this.#ahead())).done === true;
      return !this.#isAtEnd && !this.#isOver();
    } catch (error) {
      if (error instanceof Asked) return false;
      throw error;
    }
  }

  /** Lines, until something is asked of the index, or the load is to end. */
  async *lines(): AsyncGenerator<WantedLine, void, undefined> {
    while (await this.hasMore()) yield (await this.#take())!;
  }

  /** All others. @param first those that the load has read, but not taken in */
  async *rest(first: AsyncIterable<WantedLine> | null): AsyncGenerator<WantedLine, void, undefined> {
    if (first !== null) yield* first;
    for (let line = await this.#take(); line !== null; line = await this.#take()) yield line;
  }

  #ahead(): Promise<IteratorResult<WantedLine>> {
    this.#next ??= this.#iterator.next();
    return this.#next;
  }

  async #take(): Promise<WantedLine | null> {
    const { done, value } = await this.#ahead();
    this.#next = null;
    this.#isAtEnd = done === true;
    return done === true ? null : value;
  }
}
