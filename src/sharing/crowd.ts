/*
 * Whether requests come faster than one thread answers them: one has come that the event loop had not waited for, by another
 * connection than the one before. One client that asks again when he is answered is no crowd, however fast he is.
 *
 *   loop      waits | a | waits | b c | waits | d | …
 *   crowd                           '--- CROWD_MS ---'
 */

/** Longer than a crowd's requests are apart; short enough that who is alone then is answered by the shorter way. */
const CROWD_MS = 100;

export interface LoopClock {
  /** ms that never go back. */
  readonly now: () => number;
  /** How long the event loop has waited for something to do, ms. */
  readonly idleMs: () => number;
}

const LOOP_CLOCK: LoopClock = { now: () => performance.now(), idleMs: () => performance.nodeTiming.idleTime };

export class Crowd {
  readonly #clock: LoopClock;
  #idleThen = -1;
  #lastFrom: object | undefined;
  #until = Number.NEGATIVE_INFINITY;

  constructor(clock: LoopClock = LOOP_CLOCK) {
    this.#clock = clock;
  }

  /** Whether others ask as well. */
  get isThere(): boolean {
    return this.#clock.now() < this.#until;
  }

  /** A request has come. @param from its connection; what comes by none counts as from another each time */
  note(from?: object): void {
    const idle = this.#clock.idleMs();
    const isOther = from === undefined || from !== this.#lastFrom;
    if (idle === this.#idleThen && isOther) this.#until = this.#clock.now() + CROWD_MS;
    this.#idleThen = idle;
    this.#lastFrom = from;
  }
}
