import type { FastifyBaseLogger } from 'fastify';
import type { Service } from '../service/service.ts';
import type { EventLoop } from '../sharing/turns.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { HttpLimits } from './limits.ts';

export type Scope = 'read' | 'fetch' | 'write' | 'admin';

/** Who may call: the name is printed in logs and counts in the rate limit, the secret never leaves memory. */
export interface ApiKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly secret: string;
}

/** What the HTTP layer is told by the configuration. */
export interface HttpOptions {
  readonly version: string;
  /** Where the page at `/` was built; null or a folder without it: `/` leads to `/docs`. */
  readonly pageFolder: string | null;
  /** The path that it also lies below, as a proxy passes it on: empty, or `/a/b`. */
  readonly basePath: string;
  /** None: every call is allowed (the process then listens on loopback only). */
  readonly apiKeys: readonly ApiKey[];
  /** Hosts (`a.example`, `a.example:8443`) that requests may be for beside this machine's own; none: with keys any. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call from a browser; `*` alone for all. */
  readonly corsOrigins: readonly string[];
  /** Requests a minute for each key; 0 = no limit. */
  readonly rateLimitPerMinute: number;
  /** Addresses or networks of proxies whose X-Forwarded-For is believed; false = nobody's. */
  readonly trustProxy: false | string | readonly string[];
  readonly limits: HttpLimits;
}

/** What the HTTP layer works with. It starts and closes none of it. */
export interface HttpParts {
  readonly service: Service;
  /** Shared with the service. */
  readonly loop: EventLoop;
  readonly lifecycle: Lifecycle;
  /** A pino logger. */
  readonly logger: FastifyBaseLogger;
  readonly probes: Probes;
}

/** What only the owner of store and fetcher knows, read when /health/ready or /metrics is asked. */
export interface Probes {
  /** True after a value of the index was met that cannot be trusted. */
  damaged(): boolean;
  writable(): boolean;
  /** Plans waiting for the committer, and how long the oldest waits. */
  writeQueue(): Promise<{ readonly length: number; readonly ageMs: number }>;
  /** How often fetching was refused or failed since the start, by reason. */
  fetchRefusals(): Iterable<readonly [reason: string, count: number]>;
  /** Of each query thread the questions it has in hand, those it has answered, and those it gave back since the start. */
  queryThreads(): readonly { readonly inHand: number; readonly answered: number; readonly givenBack: number }[];
}
