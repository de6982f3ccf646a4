import { availableParallelism } from 'node:os';

/*
 * Who has had how much of the event loop's time, in ms, among those who are at work. Time in other threads counts, too:
 * half of all cores counts as much as half of the one loop's time.
 *
 *   ms  =  max(loop, (loop + threads) / cores)      (Ghodsi et al., "Dominant resource fairness", 2011)
 *
 *   a  ████████████░░░░░      reached: the least of all who are at work. Who comes anew begins there: no credit for a time
 *   b  ████████▲              without work. It never goes back.
 *   c  █████████████████▒▒    ahead by no more than LEAD_MS_MAX: what somebody had while nobody else wanted it is soon
 *                             forgotten
 *
 * At work is a caller who has requests in hand, or waits for a turn, and had some of the time just now. So a request
 * whose body never comes holds nobody back, and one that waits for the disk between two turns keeps its place. (Goyal,
 * Vin and Cheng, "Start-time fair queuing", 1996. There, whoever waits for nothing has no claim. Here a request needs
 * ten turns with waits between them, so claims outlast the waits.)
 */

/** Longer than a request waits for anything but its client and the world. */
const RECENT_MS = 250;
const LEAD_MS_MAX = 250;

interface Account {
  /** ms on the loop. */
  loopMs: number;
  /** ms in other threads. */
  threadsMs: number;
  /** What both count for, from where the caller began. */
  ms: number;
  /** When the caller last had some. */
  at: number;
  requests: number;
}

export class LoopTime {
  /** Of those with requests in hand, and of those who had some just now. */
  readonly #accounts = new Map<string, Account>();
  readonly #cores: number;
  #reached = 0;
  #requests = 0;

  constructor(cores = availableParallelism()) {
    this.#cores = cores;
  }

  /** Requests in hand, of all. */
  get requests(): number {
    return this.#requests;
  }

  of(caller: string): number {
    return Math.max(this.#accounts.get(caller)?.ms ?? 0, this.#reached);
  }

  /** How much more somebody has had than the one who has had least. */
  leadOf(caller: string): number {
    return this.of(caller) - this.#reached;
  }

  /** A request of the caller is in hand. */
  enter(caller: string, now: number): void {
    this.#account(caller, now).requests++;
    this.#requests++;
  }

  /** It is no more. */
  leave(caller: string): void {
    const account = this.#accounts.get(caller);
    if (account !== undefined) account.requests--;
    this.#requests--;
  }

  charge(caller: string, ms: number, now: number): void {
    this.#charge(caller, ms, 0, now);
  }

  /** The caller had `ms` of a core in another thread. */
  chargeBeside(caller: string, ms: number, now: number): void {
    this.#charge(caller, 0, ms, now);
  }

  /** Looks who is at work. */
  refresh(now: number, isWaiting: (caller: string) => boolean): void {
    let least = Number.POSITIVE_INFINITY;
    for (const [caller, { ms, at, requests }] of this.#accounts) {
      const isInHand = requests > 0 || isWaiting(caller);
      if (now - at <= RECENT_MS) {
        if (isInHand) least = Math.min(least, ms);
      } else if (!isInHand) this.#accounts.delete(caller);
    }
    if (least < Number.POSITIVE_INFINITY) this.#reached = Math.max(this.#reached, least);
  }

  #charge(caller: string, loopMs: number, threadsMs: number, now: number): void {
    const account = this.#account(caller, now);
    const before = this.#dominant(account);
    account.loopMs += loopMs;
    account.threadsMs += threadsMs;
    const ms = this.of(caller) + this.#dominant(account) - before;
    account.ms = Math.min(ms, this.#reached + LEAD_MS_MAX);
    account.at = now;
  }

  #dominant({ loopMs, threadsMs }: Account): number {
    return Math.max(loopMs, (loopMs + threadsMs) / this.#cores);
  }

  #account(caller: string, now: number): Account {
    let account = this.#accounts.get(caller);
    if (account === undefined) {
      account = { loopMs: 0, threadsMs: 0, ms: this.#reached, at: now, requests: 0 };
      this.#accounts.set(caller, account);
    }
    return account;
  }
}
