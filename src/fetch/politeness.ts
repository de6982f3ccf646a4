import { ShingledError } from '../errors.ts';
import type { FetchLimits } from './limits.ts';

/*
 * Whose turn is it? A turn is leave for one request at one host, and for one more that follows from it there: the page
 * after its robots.txt, or where a redirect on the same host leads. Each request costs the host's next turn
 * `perHostIntervalMs`, so a host is asked once in that time in the mean, and never more than twice at once, whoever sends
 * us there. At most `perHostConcurrent` turns at a host at a time, and `concurrentMax` over all hosts.
 *
 * One queue for all, in order of arrival. Whenever a turn ends or its time comes, the whole queue (at most `waitingMax`) is
 * walked and everybody who may start does, so that a busy host holds up nobody else. A turn is taken with all it needs at
 * once; nobody waits for one thing while holding another.
 */

export interface Turn {
  readonly hostname: string;
  /** Takes the second request of the turn. @returns false where it is taken, or the host has given another turn since */
  again(): boolean;
  /** The next turn at this host starts no sooner than in `ms`. */
  spaceMs(ms: number): void;
  /** To be called once. */
  leave(): void;
}

type PolitenessLimits = Pick<
  FetchLimits,
  'turnWaitMaxMs' | 'concurrentMax' | 'waitingMax' | 'perHostConcurrent' | 'perHostIntervalMs' | 'hostsMax'
>;

interface Host {
  active: number;
  nextStartMs: number;
  /** The turn that may still ask again. */
  open: Turn | null;
}

interface Waiter {
  readonly hostname: string;
  readonly givesUpAtMs: number;
  readonly start: (turn: Turn) => void;
  readonly giveUp: (error: Error) => void;
}

export class Politeness {
  readonly #limits: PolitenessLimits;
  readonly #now: () => number;
  readonly #hosts = new Map<string, Host>();
  #queue: Waiter[] = [];
  #active = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: PolitenessLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Hosts known, turns taken, callers waiting. */
  get load(): { readonly hosts: number; readonly active: number; readonly waiting: number } {
    return { hosts: this.#hosts.size, active: this.#active, waiting: this.#queue.length };
  }

  /** @throws ShingledError `overloaded` where the turn does not come within `turnWaitMaxMs`; the reason of `signal` */
  enter(hostname: string, signal: AbortSignal): Promise<Turn> {
    const { waitingMax, turnWaitMaxMs, perHostIntervalMs } = this.#limits;
    const now = this.#now();
    const ahead = this.#queue.filter((waiter) => waiter.hostname === hostname).length;
    const waitMs = Math.max(0, (this.#hosts.get(hostname)?.nextStartMs ?? 0) - now) + ahead * perHostIntervalMs;
    if (waitMs > turnWaitMaxMs) return Promise.reject(overloaded('for this host', waitMs));
    if (this.#queue.length >= waitingMax) return Promise.reject(overloaded('', turnWaitMaxMs));
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const abort = () => {
        this.#queue = this.#queue.filter((other) => other !== waiter);
        reject(gaveUpWaiting(signal.reason as ShingledError));
        this.#serve();
      };
      const settle = () => signal.removeEventListener('abort', abort);
      const waiter: Waiter = {
        hostname,
        givesUpAtMs: now + turnWaitMaxMs,
        start: (turn) => {
          settle();
          resolve(turn);
        },
        giveUp: (error) => {
          settle();
          reject(error);
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#queue.push(waiter);
      this.#serve();
    });
  }

  #serve(): void {
    const now = this.#now();
    let wakeAtMs = Number.POSITIVE_INFINITY;
    const waiting: Waiter[] = [];
    for (const waiter of this.#queue) {
      const host = this.#hosts.get(waiter.hostname);
      const startsAtMs = host?.nextStartMs ?? now;
      if (startsAtMs <= now && this.#hasRoom(host)) {
        waiter.start(this.#begin(waiter.hostname, now));
      } else if (waiter.givesUpAtMs <= now) {
        waiter.giveUp(overloaded('for this host', this.#limits.perHostIntervalMs));
      } else {
        waiting.push(waiter);
        wakeAtMs = Math.min(wakeAtMs, waiter.givesUpAtMs, startsAtMs > now ? startsAtMs : Number.POSITIVE_INFINITY);
      }
    }
    this.#queue = waiting;
    clearTimeout(this.#timer);
    this.#timer = waiting.length === 0 ? undefined : setTimeout(() => this.#serve(), Math.ceil(wakeAtMs - now));
  }

  #hasRoom(host: Host | undefined): boolean {
    return this.#active < this.#limits.concurrentMax && (host?.active ?? 0) < this.#limits.perHostConcurrent;
  }

  #begin(hostname: string, startedMs: number): Turn {
    const host = this.#hosts.get(hostname) ?? { active: 0, nextStartMs: 0, open: null };
    const pay = (now: number) => {
      host.nextStartMs = Math.max(host.nextStartMs, now) + this.#limits.perHostIntervalMs;
    };
    host.active++;
    pay(startedMs);
    this.#active++;
    this.#hosts.delete(hostname);
    this.#hosts.set(hostname, host);
    this.#forgetHosts(startedMs);
    const turn: Turn = {
      hostname,
      again: () => {
        if (host.open !== turn) return false;
        host.open = null;
        pay(this.#now());
        return true;
      },
      spaceMs: (ms) => {
        host.nextStartMs = Math.max(host.nextStartMs, this.#now() + ms);
      },
      leave: () => {
        host.active--;
        this.#active--;
        this.#serve();
      },
    };
    host.open = turn;
    return turn;
  }

  /** Oldest first: hosts that may start at once are as good as unknown; beyond `hostsMax` any that is not visited goes. */
  #forgetHosts(now: number): void {
    for (const [hostname, host] of this.#hosts) {
      const tooMany = this.#hosts.size > this.#limits.hostsMax;
      if (!tooMany && (host.active > 0 || host.nextStartMs > now)) break;
      if (host.active === 0) this.#hosts.delete(hostname);
    }
  }
}

/** A deadline that passes while waiting is no fault of the server. */
function gaveUpWaiting(reason: ShingledError): ShingledError {
  return reason.code === 'fetch-timeout' ? overloaded('', 1000) : reason;
}

function overloaded(where: string, waitMs: number): ShingledError {
  return new ShingledError('overloaded', `Too many fetches are waiting ${where}`.trimEnd().concat('.'), {
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
