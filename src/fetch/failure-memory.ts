import { ShingledError } from '../errors.ts';
import type { Target } from './exchange/target.ts';
import { ExpiringMap } from './expiring-map.ts';
import { concernsOrigin } from './failure.ts';
import type { FetchLimits } from './limits.ts';

/** Failures remembered: bounds memory. */
const FAILURES_MAX = 2_000;
/** Failures of which the world, not the caller or this process, is the cause. */
const REMEMBERED = ['fetch-failed', 'fetch-status', 'fetch-too-large', 'fetch-timeout', 'unsupported-media-type'];

/**
 * Failures answered again for a while without trying: of an origin that could not be connected to, else of the URL that
 * was asked for.
 */
export class FailureMemory {
  readonly #failures: ExpiringMap<ShingledError>;
  readonly #memoryMs: number;
  readonly #now: () => number;

  constructor({ failureMemoryMs }: Pick<FetchLimits, 'failureMemoryMs'>, now: () => number) {
    this.#failures = new ExpiringMap(FAILURES_MAX);
    this.#memoryMs = failureMemoryMs;
    this.#now = now;
  }

  remember(asked: Target, visited: Target, error: ShingledError): void {
    if (this.#memoryMs === 0 || !REMEMBERED.includes(error.code)) return;
    const until = this.#now() + this.#memoryMs;
    this.#failures.set(asked.url.href, error, until);
    if (concernsOrigin(error)) this.#failures.set(visited.url.origin, error, until);
  }

  /**
   * The failure remembered, or null; with the seconds for which it will be, but where that would tell when there was a
   * connection and when none.
   */
  recall(target: Target): ShingledError | null {
    const now = this.#now();
    const known = this.#failures.get(target.url.href, now) ?? this.#failures.get(target.url.origin, now);
    if (known === null) return null;
    const { code, message, limit, cause } = known.value;
    const retryAfterS = Math.ceil((known.expiresAtMs - now) / 1000);
    return new ShingledError(code, message, {
      cause,
      ...(limit === undefined ? {} : { limit }),
      ...(code === 'fetch-failed' ? {} : { retryAfterS }),
    });
  }
}
