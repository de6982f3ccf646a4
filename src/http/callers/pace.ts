/** Callers that something is known of, each some 200 bytes; of more, those that came last. */
const KNOWN_MAX = 4096;

export interface PaceOptions {
  /** From one turn to the next, in the mean. */
  readonly everyMs: number;
  /** Turns that may be taken one after the other without a wait, by whoever has taken none for long. */
  readonly atOnce: number;
  /** How long a turn may have to be waited for. */
  readonly waitMaxMs: number;
}

/** Gives turns at a steady pace to each caller (the generic cell rate algorithm, ITU-T I.371). */
export class Pace {
  readonly #options: PaceOptions;
  /** When the turn after the last one is due, in order of the last turns. */
  readonly #dueAt = new Map<string, number>();

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /**
   * Takes the next turn of a caller.
   *
   * @returns ms until the turn; null where that is more than `waitMaxMs`, and then none is taken
   */
  take(caller: string): number | null {
    const { everyMs, atOnce, waitMaxMs } = this.#options;
    const now = performance.now();
    const at = Math.max(this.#dueAt.get(caller) ?? Number.NEGATIVE_INFINITY, now - (atOnce - 1) * everyMs);
    const waitMs = Math.max(0, at - now);
    if (waitMs > waitMaxMs) return null;
    this.#dueAt.delete(caller);
    this.#dueAt.set(caller, at + everyMs);
    if (this.#dueAt.size > KNOWN_MAX) this.#dueAt.delete(this.#dueAt.keys().next().value!);
    return waitMs;
  }
}
