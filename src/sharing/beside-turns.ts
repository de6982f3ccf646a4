/*
 * What the event loop does outside of any turn: reading requests and writing answers, handing documents to workers and
 * rows to the disk, collecting garbage. Under a load of small documents that is more than the turns themselves, and it
 * cannot be told whose it is. So each thing that is asked for is charged the same:
 *
 *   ms of a thing  =  (time - idle - turns) / things       of the last tenth of a second, and with less weight of those before
 */

const WINDOW_MS = 100;
/** Of the last window among all. */
const WEIGHT = 0.2;
/** So few things in a window say little of the next ones: upkeep, or another process, may have had the time. */
const THING_MS_MAX = 5;
/** Before anything was seen. */
const THING_MS = 0.1;

export class BesideTurns {
  #thingMs = THING_MS;
  #things = 0;
  #turnsMs = 0;
  #since = 0;
  #idleThen = 0;

  /** What each thing costs beside its turns. */
  get thingMs(): number {
    return this.#thingMs;
  }

  addThings(count: number): void {
    this.#things += count;
  }

  addTurn(ms: number): void {
    this.#turnsMs += ms;
  }

  /** @param idleMs how long the loop has had nothing to do since it began */
  refresh(now: number, idleMs: () => number): void {
    if (now - this.#since < WINDOW_MS) return;
    const idle = idleMs();
    if (this.#things > 0) {
      const besideMs = now - this.#since - (idle - this.#idleThen) - this.#turnsMs;
      const thingMs = Math.min(THING_MS_MAX, Math.max(0, besideMs) / this.#things);
      this.#thingMs += (thingMs - this.#thingMs) * WEIGHT;
    }
    this.#since = now;
    this.#idleThen = idle;
    this.#things = 0;
    this.#turnsMs = 0;
  }
}
