import type { Deadline } from './deadline.ts';
import { Shares } from './fair-shares.ts';
import { FairLine, type Waiter } from './line.ts';
import { createWaiter } from './waiting.ts';

/*
 * Places for work, shared among callers: each may hold as many as he leaves free (fair-shares.ts), and waits in a line of
 * his own for more. Places that fall free go to whoever has least in hand; among equals to one after the other. One
 * piece of work may take several, up to half of all.
 *
 * Who may borrow has more of them while nobody else waits, for work that ends by itself soon. So one caller alone keeps all
 * places at work, and another waits no longer than such work takes.
 */

/** A place, or several, that somebody holds. */
export interface Place {
  readonly caller: string;
  /** How many. */
  readonly cost: number;
  /** Beyond the caller's share: whoever holds it gives it back soon. */
  readonly isLent: boolean;
}

export interface PlacesOptions {
  readonly size: number;
  /** How many may wait for each caller. */
  readonly waitingMax: number;
  /** What somebody is told who finds that many of his own waiting. */
  readonly refusal: () => Error;
}

export interface Wish {
  /** How many places; what is more than a caller can ever have counts as that. */
  readonly cost?: number;
  /** Whether a lent place will do. */
  readonly mayBorrow?: boolean;
  /** Ends the waiting, with its error. */
  readonly until?: Deadline;
  /** Wait however many do: for callers that bound themselves. */
  readonly patient?: boolean;
}

interface Waiting extends Waiter, Pick<PromiseWithResolvers<Place>, 'resolve' | 'reject'> {
  readonly cost: number;
  readonly mayBorrow: boolean;
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

  /** Whether somebody waits who has no place at all. */
  get hasEmptyHanded(): boolean {
    return this.#line.heads().some(({ caller }) => this.#shares.heldBy(caller) === 0);
  }

  heldBy(caller: string): number {
    return this.#shares.heldBy(caller);
  }

  /** The first in line who waits only for others to leave, and for how many places; null where there is none. */
  get blocked(): { readonly caller: string; readonly cost: number } | null {
    return this.#line.heads().find(({ cost }) => this.#isFull(cost)) ?? null;
  }

  /**
   * Does some work in a place. Waiting for the world (fetching) belongs before it, not in it.
   *
   * @throws what {@link enter} and the work throw
   */
  async run<T>(caller: string, wish: Wish, work: (place: Place) => Promise<T>): Promise<T> {
    wish.until?.throwIfGivenUp();
    const place = this.enterNow(caller, wish) ?? (await this.#wait(caller, wish));
    try {
      return await work(place);
    } finally {
      this.leave(place);
    }
  }

  /** A place where there is one without waiting, else null. */
  enterNow(caller: string, { cost = 1, mayBorrow = false }: Wish = {}): Place | null {
    return this.#line.lengthOf(caller) === 0 ? this.#take(caller, this.#bounded(cost), mayBorrow) : null;
  }

  /** @throws the refusal, or the deadline's error where there is no place by then */
  async enter(caller: string, wish: Wish = {}): Promise<Place> {
    wish.until?.throwIfGivenUp();
    return this.enterNow(caller, wish) ?? this.#wait(caller, wish);
  }

  /** Lets nobody wait any longer. */
  refuse(error: Error): void {
    for (const { reject } of this.#line.takeAll()) reject(error);
  }

  /** One place more for the same work, where there is one; waiting while holding some could be for ever. */
  grow(place: Place): Place | null {
    if (place.isLent || this.taken >= this.#options.size || !this.#shares.take(place.caller, 1)) return null;
    return { ...place, cost: place.cost + 1 };
  }

  /** Gives back all that a place has come to. To be called once. */
  leave({ caller, cost, isLent }: Place): void {
    if (isLent) this.#lent -= cost;
    else this.#shares.give(caller, cost);
    this.#serve();
  }

  #bounded(cost: number): number {
    return Math.min(cost, Math.max(1, Math.floor(this.#options.size / 2)));
  }

  async #wait(caller: string, { cost = 1, mayBorrow = false, until, patient }: Wish): Promise<Place> {
    // a deadline makes its signal when it is asked for
    until?.signal.throwIfAborted();
    const { waitingMax, refusal } = this.#options;
    if (patient !== true && this.#line.lengthOf(caller) >= waitingMax) throw refusal();
    const { promise, resolve, reject } = createWaiter<Place>(until?.signal, () => {
      this.#line.delete(waiting);
      // who waits behind may have use for what the first had none for
      this.#serve();
    });
    const waiting: Waiting = { caller, cost: this.#bounded(cost), mayBorrow, resolve, reject };
    this.#line.push(waiting);
    return promise;
  }

  #serve(): void {
    while (this.#line.length > 0 && this.#serveOne());
  }

  /** Lets in the first, of those with least in hand, who may have what he wants. */
  #serveOne(): boolean {
    for (const next of this.#line.heads()) {
      // nobody goes before one who waits only for others to leave
      if (this.#isFull(next.cost)) return false;
      const place = this.#take(next.caller, next.cost, next.mayBorrow);
      if (place === null) continue;
      this.#line.shift(next);
      next.resolve(place);
      return true;
    }
    return false;
  }

  #isFull(cost: number): boolean {
    return this.taken + cost > this.#options.size;
  }

  #take(caller: string, cost: number, mayBorrow: boolean): Place | null {
    if (this.#isFull(cost)) return null;
    if (this.#shares.take(caller, cost)) return { caller, cost, isLent: false };
    const othersWait = this.#line.length > this.#line.lengthOf(caller);
    if (!mayBorrow || othersWait) return null;
    this.#lent += cost;
    return { caller, cost, isLent: true };
  }
}
