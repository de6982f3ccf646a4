import type { FastifyRequest } from 'fastify';
import { type ErrorCode, ShingledError } from '../../errors.ts';
import { rest } from '../../sharing/waiting.ts';
import { addressOf } from './caller.ts';

/*
 * What anybody can have without a key: the pages that are open to all, the answer that a key is not known, and a line
 * of the log about it. Each address has a pace of its own. So a client that runs wild costs little, and nobody fills
 * the disk. Who has a key is never slowed for what others send from his address. Health checks are free.
 */

/** The page at /docs asks for ten things at once. */
const OPEN = { everyMs: 100, atOnce: 300, waitMaxMs: 0 };
/** Somebody who tries out his key makes a few mistakes, a program with a wrong one makes them for ever. */
const REFUSED = { everyMs: 200, atOnce: 30, waitMaxMs: 3000 };
const LOGGED = { everyMs: 1000, atOnce: 1, waitMaxMs: 0 };

/** Requests that wait to be refused, of all addresses: each holds a connection. */
const WAITING_MAX = 256;

/** Answers to requests that nobody's key stands behind, where there are no keys. */
const NOT_OURS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['unknown-route', 'method-not-allowed', 'rate-limited', 'unknown-host', 'foreign-origin'] as const),
  ...(['malformed-request', 'uri-too-long'] as const),
]);

export class Strangers {
  readonly #hasKeys: boolean;
  readonly #open = new Pace(OPEN);
  readonly #refused = new Pace(REFUSED);
  readonly #logged = new Pace(LOGGED);
  #waiting = 0;
  #unlogged = 0;

  constructor(hasKeys: boolean) {
    this.#hasKeys = hasKeys;
  }

  /** Why a request for what is open to all is refused, if it is. */
  refusalOf(request: FastifyRequest): ShingledError | undefined {
    const { url, config } = request.routeOptions;
    if (config.scope !== undefined || url?.startsWith('/health/') === true) return undefined;
    return this.#open.take(addressOf(request)) === null ? tooMany(OPEN.everyMs) : undefined;
  }

  /**
   * Resolves when it is time to tell a request that its key is not known.
   *
   * @throws ShingledError `rate-limited` where too many wait for that
   */
  async slow(request: FastifyRequest): Promise<void> {
    const waitMs = this.#waiting < WAITING_MAX ? this.#refused.take(addressOf(request)) : null;
    if (waitMs === null) throw tooMany(REFUSED.waitMaxMs);
    if (waitMs === 0) return;
    this.#waiting++;
    await rest(waitMs, { ref: true });
    this.#waiting--;
  }

  /** What the line of the log about a request says of lines that there are not; null where there is none about it either. */
  unlogged(request: FastifyRequest): { readonly unlogged?: number } | null {
    const { apiKey, problemCode } = request;
    const isKnown = apiKey !== null || (!this.#hasKeys && !NOT_OURS.has(problemCode as ErrorCode));
    if (!isKnown && this.#logged.take(addressOf(request)) === null) {
      this.#unlogged++;
      return null;
    }
    const unlogged = this.#unlogged;
    this.#unlogged = 0;
    return unlogged === 0 ? {} : { unlogged };
  }
}

function tooMany(waitMs: number): ShingledError {
  return new ShingledError('rate-limited', 'Too many requests of this address.', {
    retryAfterS: Math.ceil(waitMs / 1000),
  });
}

/** Callers that something is known of, each some 200 bytes; of more, those that came last. */
const KNOWN_MAX = 4096;

export interface PaceOptions {
  /** From one turn to the next, in the mean. */
  readonly everyMs: number;
  /** Turns that may be taken one after the other without a wait, by whoever has taken none for long. */
  readonly atOnce: number;
  /** How long a turn may have to be waited for. */
  readonly waitMaxMs: number;
}

/** Gives turns at a steady pace to each caller (the generic cell rate algorithm, ITU-T I.371). */
export class Pace {
  readonly #options: PaceOptions;
  /** When the turn after the last one is due, in order of the last turns. */
  readonly #dueAt = new Map<string, number>();

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /**
   * Takes the next turn of a caller.
   *
   * @returns ms until the turn; null where that is more than `waitMaxMs`, and then none is taken
   */
  take(caller: string): number | null {
    const { everyMs, atOnce, waitMaxMs } = this.#options;
    const now = performance.now();
    const at = Math.max(this.#dueAt.get(caller) ?? Number.NEGATIVE_INFINITY, now - (atOnce - 1) * everyMs);
    const waitMs = Math.max(0, at - now);
    if (waitMs > waitMaxMs) return null;
    this.#dueAt.delete(caller);
    this.#dueAt.set(caller, at + everyMs);
    if (this.#dueAt.size > KNOWN_MAX) this.#dueAt.delete(this.#dueAt.keys().next().value!);
    return waitMs;
  }
}
