/*
 * What the event loop does that is known of no caller: reading requests and writing answers, handing documents to workers and
 * rows to JavaScript, collecting garbage. Under a load of small documents that is more than the turns themselves. It is
 * divided among the things that callers ask for: a request, 64 KiB of its body, 64 rows that are read for it.
 * Each is charged the same:
 *
 *   ms of a thing  =  (time - idle - turns) / things       of the last tenth of a second, and with less weight of those before
 */

const WINDOW_MS = 100;
/** Of the last window among all. */
const WEIGHT = 0.2;
/** The dearest thing takes no longer. Where there was more, upkeep, garbage or another process had the time, and no caller. */
const THING_MS_MAX = 1;
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
