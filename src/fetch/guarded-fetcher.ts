import { networkInterfaces } from 'node:os';
import { ShingledError } from '../errors.ts';
import { createAddressPolicy } from './address-policy.ts';
import { createConnector } from './connector.ts';
import { readDocument } from './document.ts';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { reasonOf, tellAfterMs } from './failure.ts';
import { FailureMemory } from './failure-memory.ts';
import { createLifetime, pause } from './lifetime.ts';
import { DEFAULT_FETCH_LIMITS, DEFAULT_USER_AGENT, type FetchLimits } from './limits.ts';
import { Politeness, type Turn } from './politeness.ts';
import type { FetchedDocument, Fetcher, FetchOptions } from './port.ts';
import { followRedirects } from './redirects.ts';
import { createResolver, type Resolver, withNameRules } from './resolver.ts';
import { Robots } from './robots.ts';
import { type Target, targetOf } from './target.ts';

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
  readonly resolver?: Resolver;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
  /** The machine's own addresses, asked for at each connection. */
  readonly ownAddresses?: () => readonly string[];
  /** Hears of every fetch that failed: the reason, for log and metrics, and the host that was asked for. */
  readonly onRefused?: (reason: string, hostname: string) => void;
}

/** @throws ShingledError `invalid-config` where `privateAllowed` holds what is no network */
export function createGuardedFetcher(options: FetcherOptions = {}): Fetcher {
  return new GuardedFetcher(options);
}

class GuardedFetcher implements Fetcher {
  readonly #limits: FetchLimits;
  readonly #onRefused: (reason: string, hostname: string) => void;
  readonly #exchange: ExchangeOptions;
  readonly #politeness: Politeness;
  readonly #failures: FailureMemory;
  readonly #robots: Robots;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: FetcherOptions) {
    const {
      userAgent = DEFAULT_USER_AGENT,
      privateAllowed = [],
      resolver = createResolver(),
      now = () => performance.now(),
      ownAddresses = interfaceAddresses,
      onRefused = () => {},
      ...given
    } = options;
    const limits = { ...DEFAULT_FETCH_LIMITS, ...given };
    this.#limits = limits;
    this.#onRefused = onRefused;
    const connect = createConnector({
      policy: createAddressPolicy(privateAllowed),
      resolver: withNameRules(resolver, privateAllowed.length > 0),
      ownAddresses,
      connectTimeoutMs: limits.connectTimeoutMs,
    });
    this.#exchange = { connect, userAgent, limits };
    this.#politeness = new Politeness(limits, now);
    this.#failures = new FailureMemory(limits, now);
    this.#robots = new Robots({
      token: userAgent.split('/')[0]!.trim(),
      limits,
      now,
      fetch: (robots, signal, read) =>
        followRedirects(robots, limits, (target) => exchange(target, signal, this.#exchange, read)),
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

  async #fetch(url: string, { purpose, signal }: FetchOptions): Promise<FetchedDocument> {
    this.#closing.signal.throwIfAborted();
    const { fetchTimeoutMs, failureStepMs } = this.#limits;
    const startedMs = performance.now();
    const target = targetOf(url, this.#limits);
    const expired = () =>
      new ShingledError('fetch-timeout', 'The server took too long.', {
        limit: { name: 'fetchTimeoutMs', value: fetchTimeoutMs },
      });
    const parents = signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal];
    const lifetime = createLifetime(fetchTimeoutMs, expired, parents);
    try {
      return await this.#walk(target, purpose, lifetime.signal);
    } catch (error) {
      const failure =
        error instanceof ShingledError ? error : new ShingledError('internal', 'Fetching failed.', { cause: error });
      this.#onRefused(reasonOf(failure), target.hostname);
      if (failure.code === 'fetch-failed') {
        const elapsedMs = performance.now() - startedMs;
        await pause(tellAfterMs(elapsedMs, failureStepMs) - elapsedMs, lifetime.signal);
      }
      throw failure;
    } finally {
      lifetime.release();
    }
  }

  /** Goes the whole way, a turn at each host, and remembers how it ended if it failed. */
  async #walk(asked: Target, purpose: FetchOptions['purpose'], signal: AbortSignal): Promise<FetchedDocument> {
    let visited = asked;
    let turn = null as Turn | null;
    let recalled: ShingledError | null = null;
    try {
      return await followRedirects(asked, this.#limits, async (target) => {
        visited = target;
        recalled = this.#failures.recall(target);
        if (recalled !== null) throw recalled;
        if (purpose === 'crawl') this.#robots.checkKnown(target);
        if (turn?.hostname !== target.hostname) {
          turn?.leave();
          turn = null;
          turn = await this.#politeness.enter(target.hostname, signal);
        }
        if (purpose === 'crawl') await this.#robots.check(target, turn, signal);
        return await exchange(target, signal, this.#exchange, (answer) => readDocument(answer, target, this.#limits));
      });
    } catch (error) {
      if (error instanceof ShingledError && error !== recalled) this.#failures.remember(asked, visited, error);
      throw error;
    } finally {
      turn?.leave();
    }
  }
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
}
