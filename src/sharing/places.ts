import { FairLine, type Waiter } from './line.ts';
import { Shares } from './shares.ts';

/*
 * Places for work, shared among callers: each may hold as many as he leaves free (shares.ts), and waits in a line of his
 * own for more. A place that falls free goes to whoever has least in hand; among equals one after the other.
 *
 * Where places are lent, a caller may have more for work that ends by itself soon, as long as nobody else waits: so one
 * caller alone keeps all places at work, and another waits no longer than such work takes.
 */

/** A place that somebody holds. */
export interface Place {
  readonly caller: string;
  /** Beyond the caller's share: whoever holds it gives it back soon. */
  readonly isLent: boolean;
}

export interface PlacesOptions {
  readonly size: number;
  /** How many may wait for each caller. */
  readonly waitingMax: number;
  /** What somebody is told who finds that many of his own waiting. */
  readonly refusal: () => Error;
  readonly lends?: boolean;
}

export interface Wish {
  /** Ends the waiting, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a lent place will do. */
  readonly mayBorrow?: boolean;
  /** Wait however many do: for callers that bound themselves. */
  readonly patient?: boolean;
}

interface Waiting extends Waiter {
  readonly mayBorrow: boolean;
  readonly admit: (place: Place) => void;
}

export class Places {
  readonly #options: PlacesOptions;
  readonly #shares: Shares;
  readonly #line = new FairLine<Waiting>((caller) => this.#shares.heldBy(caller));
  #lent = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#shares = new Shares(options.size);
  }

  get taken(): number {
    return this.#shares.taken + this.#lent;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /**
   * Does some work in a place.
   *
   * @throws what {@link enter} and the work throw
   */
  async run<T>(caller: string, wish: Wish, work: (place: Place) => Promise<T>): Promise<T> {
    const place = await this.enter(caller, wish);
    try {
      return await work(place);
    } finally {
      this.leave(place);
    }
  }

  /** @throws the refusal, or the signal's reason */
  async enter(caller: string, { signal, mayBorrow = false, patient = false }: Wish = {}): Promise<Place> {
    signal?.throwIfAborted();
    const place = this.#line.lengthOf(caller) === 0 ? this.#take(caller, mayBorrow) : null;
    if (place !== null) return place;
    const { waitingMax, refusal } = this.#options;
    if (!patient && this.#line.lengthOf(caller) >= waitingMax) throw refusal();
    return this.#wait(caller, mayBorrow, signal);
  }

  /** Gives a place back. To be called once. */
  leave({ caller, isLent }: Place): void {
    if (isLent) this.#lent--;
    else this.#shares.give(caller, 1);
    this.#serve();
  }

  #wait(caller: string, mayBorrow: boolean, signal: AbortSignal | undefined): Promise<Place> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#line.delete(waiting);
        reject(signal!.reason as Error);
        // who waits behind may have use for what the first had none for
        this.#serve();
      };
      const waiting: Waiting = {
        caller,
        mayBorrow,
        admit: (place) => {
          signal?.removeEventListener('abort', giveUp);
          resolve(place);
        },
      };
      this.#line.push(waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  #serve(): void {
    for (let next = this.#line.first(); next !== undefined; next = this.#line.first()) {
      const place = this.#take(next.caller, next.mayBorrow);
      // what he may not have, nobody may who has more
      if (place === null) return;
      this.#line.shift(next);
      next.admit(place);
    }
  }

  #take(caller: string, mayBorrow: boolean): Place | null {
    if (this.taken >= this.#options.size) return null;
    if (this.#shares.take(caller, 1)) return { caller, isLent: false };
    const othersWait = this.#line.length > this.#line.lengthOf(caller);
    if (this.#options.lends !== true || !mayBorrow || othersWait) return null;
    this.#lent++;
    return { caller, isLent: true };
  }
}
