import type { Politeness, Turn } from './politeness.ts';

/** The turns of one fetch on its way from host to host: one at a time, none held while it waits for another. */
export class Visit {
  /** Ends the fetch. */
  readonly signal: AbortSignal;
  readonly #politeness: Politeness;
  readonly #caller: string;
  #turn: Turn | null = null;
  /** Whether a request may be made with the turn. */
  #mayAsk = false;

  constructor(politeness: Politeness, caller: string, signal: AbortSignal) {
    this.#politeness = politeness;
    this.#caller = caller;
    this.signal = signal;
  }

  /**
   * Waits until one request may be made at the host. Until that is made, further waiting for it ends at once.
   *
   * @throws ShingledError `overloaded`; the reason of the signal
   */
  async at(hostname: string): Promise<void> {
    if (this.#turn?.hostname === hostname && (this.#mayAsk || this.#turn.again())) {
      this.#mayAsk = true;
      return;
    }
    this.leave();
    this.#turn = await this.#politeness.enter(hostname, this.#caller, this.signal);
    this.#mayAsk = true;
  }

  /** The request is made. */
  ask(): void {
    this.#mayAsk = false;
  }

  /** The next turn at the host that is visited starts no sooner than in `ms`. */
  spaceMs(ms: number): void {
    this.#turn?.spaceMs(ms);
  }

  leave(): void {
    this.#turn?.leave();
    this.#turn = null;
    this.#mayAsk = false;
  }
}
