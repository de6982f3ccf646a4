/*
 * The clocks of tasks in workers. Each starts when a worker has begun, which it says in a word of shared memory.
 *
 * A timer looks at all of them together, LOOKS times in the time of a task. So a task may have up to a tenth more than
 * its time, and never less. Were each beginning told by a message, the event loop would wake once more for every task.
 * Where all cores are at work, waking is what it waits for longest.
 */

/** One task under way. */
export interface Timed {
  /** One shared word: 0 until its worker has begun. */
  readonly started: Int32Array;
  /** Called once, when its time is over. */
  readonly end: () => void;
}

/** Looks in the time of a task; of two of them a task may gain. */
const LOOKS = 20;

export class Deadlines {
  readonly #timeoutMs: number;
  /** When each was first seen to have begun; 0 where it was not. */
  readonly #begunAt = new Map<Timed, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(task: Timed): void {
    this.#begunAt.set(task, 0);
    this.#timer ??= setInterval(() => this.#look(), this.#timeoutMs / LOOKS);
  }

  delete(task: Timed): void {
    this.#begunAt.delete(task);
    if (this.#begunAt.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = performance.now();
    for (const [task, begunAt] of this.#begunAt) {
      if (begunAt > 0) {
        if (now - begunAt < this.#timeoutMs) continue;
        this.delete(task);
        task.end();
      } else if (Atomics.load(task.started, 0) !== 0) this.#begunAt.set(task, now);
    }
  }
}
