import { networkInterfaces } from 'node:os';
import { ShingledError } from '../errors.ts';
import { type Deadline, withDeadline } from '../sharing/deadline.ts';
import { rest } from '../sharing/waiting.ts';
import { followRedirects, readDocument } from './answers.ts';
import { createAddressPolicy } from './exchange/address-policy.ts';
import { createConnector } from './exchange/connector.ts';
import { type Answer, type ExchangeOptions, exchange } from './exchange/exchange.ts';
import { createResolver, type Resolver, withNameRules } from './exchange/name-resolver.ts';
import { Politeness } from './exchange/politeness.ts';
import { type Target, targetOf } from './exchange/target.ts';
import { Visit } from './exchange/visit.ts';
import { isToldInSteps, reasonOf, tellAfterMs, withReason } from './failure.ts';
import { FailureMemory } from './failure-memory.ts';
import { DEFAULT_FETCH_LIMITS, DEFAULT_USER_AGENT, type FetchLimits } from './limits.ts';
import type { FetchedDocument, Fetcher, FetchOptions } from './port.ts';
import { Robots } from './robots/robots.ts';

/*
 * The way of one fetch:
 *
 *   URL ─ target ─┬─ failure memory ─ turn at the host ─ robots.txt (crawl) ─ connector ─ exchange ─ body ─ document
 *                 └────────────────────────── redirect, at most 5 ─────────────────────────┘
 *
 * under one deadline from the call to the last byte.
 */

export interface FetcherOptions extends Partial<FetchLimits> {
  /** User-Agent of every request; what is before its first `/` is the name looked for in robots.txt. */
  readonly userAgent?: string;
  /** Networks in CIDR notation that may be fetched from although they are not public. */
  readonly privateAllowed?: readonly string[];
  /** Networks in CIDR notation that may not be fetched from, whatever else is allowed. */
  readonly denied?: readonly string[];
  readonly resolver?: Resolver;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
  /** The machine's own addresses, asked for at each connection. */
  readonly ownAddresses?: () => readonly string[];
  /** Ports that the service itself listens on, asked for at each connection: at them this machine is never fetched from. */
  readonly ownPorts?: () => readonly number[];
  readonly onRefused?: OnRefused;
  /** Whether callers may know the network of this machine: then failures say why, and none is held back. */
  readonly tellsReasons?: boolean;
}

/** Hears of every fetch that failed: the reason, for log and metrics, the host that was asked for, and for which request. */
type OnRefused = (reason: string, hostname: string, requestId: string | undefined) => void;

export class GuardedFetcher implements Fetcher {
  readonly #limits: FetchLimits;
  readonly #onRefused: OnRefused;
  readonly #tellsReasons: boolean;
  readonly #exchange: ExchangeOptions;
  readonly #politeness: Politeness;
  readonly #failures: FailureMemory;
  readonly #robots: Robots;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** @throws ShingledError `invalid-config` where `privateAllowed` or `denied` holds what is no network */
  constructor(options: FetcherOptions = {}) {
    const {
      userAgent = DEFAULT_USER_AGENT,
      privateAllowed = [],
      denied = [],
      resolver = createResolver(),
      now = () => performance.now(),
      ownAddresses = interfaceAddresses,
      ownPorts = () => [],
      onRefused = () => {},
      tellsReasons = false,
      ...given
    } = options;
    const limits = { ...DEFAULT_FETCH_LIMITS, ...given };
    this.#limits = limits;
    this.#onRefused = onRefused;
    this.#tellsReasons = tellsReasons;
    const connect = createConnector({
      policy: createAddressPolicy({ privateAllowed, denied }),
      resolver: withNameRules(resolver, privateAllowed.length > 0),
      ownAddresses,
      ownPorts,
      connectTimeoutMs: limits.connectTimeoutMs,
    });
    this.#exchange = { connect, userAgent };
    this.#politeness = new Politeness(limits, now);
    this.#failures = new FailureMemory(limits, now);
    this.#robots = new Robots({
      token: userAgent.split('/')[0]!.trim(),
      limits,
      now,
      fetch: (robots, visit, read) => followRedirects(robots, limits, (target) => this.#ask(target, visit, read)),
    });
  }

  fetch(url: string, options: FetchOptions): Promise<FetchedDocument> {
    const running = this.#fetch(url, options);
    this.#running.add(running);
    const ended = () => this.#running.delete(running);
    running.then(ended, ended);
    return running;
  }

  /** Ends the fetches under way with `draining` and waits for them; later ones fail the same way. */
  async close(): Promise<void> {
    this.#closing.abort(new ShingledError('draining', 'The service is stopping.'));
    await Promise.allSettled(this.#running);
  }

  async #fetch(url: string, { signal, ...options }: FetchOptions): Promise<FetchedDocument> {
    this.#closing.signal.throwIfAborted();
    const { fetchTimeoutMs } = this.#limits;
    const target = targetOf(url, this.#limits);
    const late = () =>
      new ShingledError('fetch-timeout', 'The server took too long.', {
        limit: { name: 'fetchTimeoutMs', value: fetchTimeoutMs },
      });
    const patiences = [this.#closing.signal, signal ?? []].flat();
    return withDeadline(fetchTimeoutMs, patiences, (deadline) => this.#walk(target, options, deadline), late);
  }

  /** Goes the whole way, a turn at each host, and remembers how it ended if it failed. */
  async #walk(
    asked: Target,
    { purpose, accept, requestId, caller = '' }: FetchOptions,
    deadline: Deadline,
  ): Promise<FetchedDocument> {
    const visit = new Visit(this.#politeness, caller, deadline.signal);
    let visited = asked;
    let recalled: ShingledError | null = null;
    try {
      return await followRedirects(asked, this.#limits, async (target) => {
        visited = target;
        recalled = this.#failures.recall(target);
        if (recalled !== null) throw recalled;
        if (purpose === 'crawl') {
          this.#robots.checkKnown(target);
          await this.#robots.check(target, visit);
        }
        return await this.#ask(target, visit, (answer) => readDocument(answer, target, this.#limits, accept));
      });
    } catch (error) {
      visit.leave();
      const failure =
        error instanceof ShingledError ? error : new ShingledError('internal', 'Fetching failed.', { cause: error });
      this.#onRefused(reasonOf(failure), asked.hostname, requestId);
      if (isToldInSteps(failure) && !this.#tellsReasons) await this.#holdBack(deadline);
      if (failure !== recalled) this.#failures.remember(asked, visited, failure);
      throw this.#tellsReasons ? withReason(failure) : failure;
    } finally {
      visit.leave();
    }
  }

  /** One request, when the host has a turn for it. */
  async #ask<T>(target: Target, visit: Visit, consume: (answer: Answer) => Promise<T>): Promise<T> {
    await visit.at(target.hostname);
    visit.ask();
    return exchange(target, visit.signal, this.#exchange, consume);
  }

  /** Waits until a failure may be told. @throws the reason of the signal where the caller gave up before */
  async #holdBack({ elapsedMs, signal }: Deadline): Promise<void> {
    await rest(tellAfterMs(elapsedMs, this.#limits.failureStepMs) - elapsedMs, { signal }).catch(() => {});
    if (signal.aborted && (signal.reason as ShingledError).code !== 'fetch-timeout') throw signal.reason;
  }
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
}
