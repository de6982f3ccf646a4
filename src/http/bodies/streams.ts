import type { FastifyReply, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import { withDeadline } from '../../sharing/deadline.ts';
import { Places } from '../../sharing/places.ts';
import { signalOf, whenClosed } from '../abort.ts';
import { callerOf } from '../callers/caller.ts';

/*
 * NDJSON requests under way, which are bounded for their memory. One more waits, as a line of theirs would, and of its
 * body nothing is read meanwhile. To refuse it would cost reading all that was sent already, and its client sends it
 * again.
 */

/** Of one caller: each has a place at the door, through which his other requests come. */
const WAITING_MAX = 16;
/** Those under way may be at it for hours. */
const WAIT_MS = 10_000;

export class Streams {
  readonly #places: Places;
  readonly #waitMs: number;
  readonly #refusal: () => ShingledError;

  constructor(bulkRequestsMax: number, waitMs = WAIT_MS) {
    this.#waitMs = waitMs;
    this.#refusal = () =>
      new ShingledError('overloaded', 'Too many NDJSON requests are under way; no caller has more than half.', {
        limit: { name: 'bulkRequestsMax', value: bulkRequestsMax },
        retryAfterS: 5,
      });
    this.#places = new Places({ size: bulkRequestsMax, waitingMax: WAITING_MAX, refusal: this.#refusal });
  }

  /**
   * Waits until there is room for a request, and counts it in until its reply is closed.
   *
   * @throws ShingledError `overloaded` where too many wait, or for too long; `deadline-exceeded` where its client goes
   */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const place = await withDeadline(
      this.#waitMs,
      signalOf(reply),
      (until) => this.#places.enter(callerOf(request), { until }),
      this.#refusal,
    );
    whenClosed(reply, () => this.#places.leave(place));
  }
}
