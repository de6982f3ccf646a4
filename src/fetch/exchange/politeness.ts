import { ShingledError } from '../../errors.ts';
import { Shares } from '../../sharing/fair-shares.ts';
import { FairLine } from '../../sharing/line.ts';
import { createWaiter } from '../../sharing/waiting.ts';
import type { FetchLimits } from '../limits.ts';

/*
 * Whose turn is it? A turn is leave for one request at one host, and for one more that follows from it: the page after
 * its robots.txt, or a redirect on the same host. Each request costs the host's next turn `perHostIntervalMs`, whoever
 * sends us there. So a host is asked once in that time in the mean, and never more than twice at once. At most
 * `perHostConcurrent` turns at a host at a time, and `concurrentMax` over all hosts.
 *
 * Turns are shared among callers. Of the `concurrentMax` nobody has more than he leaves free (sharing/fair-shares.ts). Each
 * host has a line of callers: the next turn is that of whoever fetches least at the moment, and equals take turns.
 * Whenever a turn ends or its time comes, all hosts that are waited for are looked at, so that a busy one holds up
 * nobody else. A turn is taken with all it needs at once; nobody waits for one thing while holding another.
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
  readonly hostname: string;
  readonly line: FairLine<Waiter>;
  active: number;
  nextStartMs: number;
  /** The turn that may still ask again. */
  open: Turn | null;
}

interface Waiter extends Pick<PromiseWithResolvers<Turn>, 'resolve' | 'reject'> {
  readonly caller: string;
  readonly host: Host;
  readonly givesUpAtMs: number;
}

export class Politeness {
  readonly #limits: PolitenessLimits;
  readonly #now: () => number;
  readonly #shares: Shares;
  readonly #hosts = new Map<string, Host>();
  /** In order of arrival, in which they also give up. */
  readonly #waiting = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: PolitenessLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#shares = new Shares(limits.concurrentMax);
  }

  /** Hosts known, turns taken, callers waiting. */
  get load(): { readonly hosts: number; readonly active: number; readonly waiting: number } {
    return { hosts: this.#hosts.size, active: this.#shares.taken, waiting: this.#waiting.size };
  }

  /** @throws ShingledError `overloaded` where the turn does not come within `turnWaitMaxMs`; the reason of `signal` */
  async enter(hostname: string, caller: string, signal: AbortSignal): Promise<Turn> {
    const { waitingMax, turnWaitMaxMs } = this.#limits;
    const now = this.#now();
    const known = this.#hosts.get(hostname);
    const waitMs = known === undefined ? 0 : this.#waitMs(known, caller, now);
    if (waitMs > turnWaitMaxMs) throw overloaded('for this host', waitMs);
    const own = Iterator.from(this.#waiting).filter((waiter) => waiter.caller === caller);
    if (own.take(waitingMax).toArray().length === waitingMax) throw overloaded('', turnWaitMaxMs);
    signal.throwIfAborted();
    const host = known ?? this.#meet(hostname);
    return this.#wait(host, caller, now + turnWaitMaxMs, signal).catch((error: ShingledError) => {
      // a deadline that passes while waiting is no fault of the server
      throw error.code === 'fetch-timeout' ? overloaded('', 1000) : error;
    });
  }

  #wait(host: Host, caller: string, givesUpAtMs: number, signal: AbortSignal): Promise<Turn> {
    const { promise, resolve, reject } = createWaiter<Turn>(signal, () => {
      this.#forget(waiter);
      this.#serve();
    });
    const waiter: Waiter = { caller, host, givesUpAtMs, resolve, reject };
    host.line.push(waiter);
    this.#waiting.add(waiter);
    this.#serve();
    return promise;
  }

  #forget(waiter: Waiter): void {
    const { host } = waiter;
    host.line.delete(waiter);
    this.#waiting.delete(waiter);
    if (!isVisited(host) && host.nextStartMs <= this.#now()) this.#hosts.delete(host.hostname);
  }

  /** How long a caller would wait for a host: behind his own, and behind as many of each other caller. */
  #waitMs({ line, nextStartMs }: Host, caller: string, now: number): number {
    const own = line.lengthOf(caller);
    const others = line.heads().filter((head) => head.caller !== caller);
    const ahead = others.reduce((sum, head) => sum + Math.min(line.lengthOf(head.caller), own + 1), own);
    return Math.max(0, nextStartMs - now) + ahead * this.#limits.perHostIntervalMs;
  }

  #serve(): void {
    const now = this.#now();
    for (let next = this.#next(now); next !== null; next = this.#next(now)) {
      this.#shares.take(next.caller, 1);
      next.host.line.shift(next);
      const turn = this.#begin(next.host, next.caller, now);
      this.#forget(next);
      next.resolve(turn);
    }
    for (const waiter of this.#waiting) {
      if (waiter.givesUpAtMs > now) break;
      this.#forget(waiter);
      waiter.reject(overloaded('for this host', this.#limits.perHostIntervalMs));
    }
    clearTimeout(this.#timer);
    const [first] = this.#waiting;
    if (first === undefined) return;
    const times = [...this.#waitedFor()].map(({ nextStartMs }) => nextStartMs).filter((startMs) => startMs > now);
    this.#timer = setTimeout(() => this.#serve(), Math.ceil(Math.min(first.givesUpAtMs, ...times) - now));
  }

  /** Whose turn may begin now: of those, the one who fetches least. */
  #next(now: number): Waiter | null {
    let next: Waiter | null = null;
    for (const host of this.#waitedFor()) {
      if (host.nextStartMs > now || host.active >= this.#limits.perHostConcurrent) continue;
      const mayStart = host.line.heads().find(({ caller }) => this.#shares.mayTake(caller, 1));
      if (mayStart === undefined) continue;
      const isLess = next === null || this.#shares.heldBy(mayStart.caller) < this.#shares.heldBy(next.caller);
      if (isLess) next = mayStart;
    }
    return next;
  }

  #waitedFor(): Set<Host> {
    return new Set(Iterator.from(this.#waiting).map(({ host }) => host));
  }

  #meet(hostname: string): Host {
    const line = new FairLine<Waiter>((caller) => this.#shares.heldBy(caller));
    const host: Host = { hostname, line, active: 0, nextStartMs: 0, open: null };
    this.#hosts.set(hostname, host);
    return host;
  }

  #begin(host: Host, caller: string, startedMs: number): Turn {
    const { hostname } = host;
    const pay = (now: number) => {
      host.nextStartMs = Math.max(host.nextStartMs, now) + this.#limits.perHostIntervalMs;
    };
    host.active++;
    pay(startedMs);
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
        this.#shares.give(caller, 1);
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
      if (!tooMany && (isVisited(host) || host.nextStartMs > now)) break;
      if (!isVisited(host)) this.#hosts.delete(hostname);
    }
  }
}

function isVisited({ active, line }: Host): boolean {
  return active > 0 || line.length > 0;
}

function overloaded(where: string, waitMs: number): ShingledError {
  return new ShingledError('overloaded', `Too many fetches are waiting ${where}`.trimEnd().concat('.'), {
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
