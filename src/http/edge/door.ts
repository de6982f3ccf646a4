import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import { withDeadline } from '../../sharing/deadline.ts';
import { type Place, Places } from '../../sharing/places.ts';
import { resumed, serving } from '../../sharing/served.ts';
import type { EventLoop } from '../../sharing/turns.ts';
import { signalOf, whenClosed } from '../abort.ts';
import { essenceOf, NDJSON } from '../bodies/content-type.ts';
import type { BodyHold } from '../bodies/read-body.ts';
import { callerOf } from '../callers/caller.ts';
import { unseenWork } from './unseen.ts';

/*
 * Where requests wait before anything is done for them but to see who calls. Nothing of a body is read until there is a
 * place for it. No more is in hand than the service can do well at a time. Each caller has his own line here, and his
 * own time of the event loop, so that one who sends as fast as he can waits for himself.
 *
 * A body takes a place for each BODY_BYTES_A_PLACE, so that IN_HAND_MAX times as many is all that bodies ever hold. Two
 * of the largest fit all the same, should BODY_BYTES_MAX allow more than half of that. One that does not say how long
 * it is takes places as it comes, if there are. Where many callers together hold all places, the largest body that is
 * not here yet goes, as long as its caller has more in hand than the one who waits.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** What it holds at the door; null for what passes freely. */
    place: Place | null;
  }
}

/** Requests in hand at a time, half of them of one caller: enough to keep disk and cores busy. */
export const IN_HAND_MAX = 128;
export const BODY_BYTES_A_PLACE = 512 * 1024;
/** Requests of one caller that wait; at a few ms each, the last does for a second or two. */
const WAITING_MAX = 512;
/** Whatever holds something for a request gives it back when its answer is out; Node warns of more than 10. */
const CLOSE_LISTENERS_MAX = 32;
/** How often a body is made to go where places are full: whoever waits does so for a moment, and most bodies end in one. */
const MAKE_ROOM_EVERY_MS = 250;

export class Door {
  readonly #loop: EventLoop;
  readonly #bodyBytesMax: number;
  readonly #places = new Places({
    size: IN_HAND_MAX,
    waitingMax: WAITING_MAX,
    refusal: () => overloaded('Too many requests of this caller are waiting.'),
  });
  readonly #unfinished = new Map<FastifyRequest, (error: ShingledError) => void>();
  #makingRoom: NodeJS.Timeout | undefined;

  constructor(loop: EventLoop, bodyBytesMax: number) {
    this.#loop = loop;
    this.#bodyBytesMax = bodyBytesMax;
  }

  addTo(app: FastifyInstance): void {
    app.decorateRequest('place', null);
    // after all that may refuse a request without any work: nobody waits to be refused
    app.addHook('preParsing', async (request, reply) => {
      if (request.routeOptions.config.scope !== undefined) await this.#enter(request, reply);
    });
    app.addHook('preHandler', (request, _reply, done) => {
      if (request.place === null) return done();
      serving(this.#loop.servedOf(request.place.caller), () => {
        resumed();
        done();
      });
    });
  }

  /** What the body of a request holds while it is read. */
  holdFor(request: FastifyRequest): BodyHold {
    return {
      begin: (giveUp) => void this.#unfinished.set(request, giveUp),
      grow: (bytes) => this.#grow(request, bytes),
      end: () => void this.#unfinished.delete(request),
    };
  }

  #grow(request: FastifyRequest, bytes: number): void {
    if (request.place !== null) this.#loop.servedOf(request.place.caller).resumed();
    while (request.place !== null && request.place.cost < costOf(bytes)) {
      const grown = this.#places.grow(request.place);
      if (grown === null) throw overloaded('Too many bytes of bodies are held for this caller.');
      request.place = grown;
    }
  }

  async #enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.raw.setMaxListeners(CLOSE_LISTENERS_MAX);
    const caller = callerOf(request);
    const bytes = this.#bytesOf(request);
    const cost = costOf(bytes);
    const place = this.#places.enterNow(caller, { cost }) ?? (await this.#wait(caller, cost, reply));
    request.place = place;
    this.#loop.enter(caller);
    const unseenMs = unseenWork(request.raw.socket, request.routeOptions.config.scope === 'write');
    whenClosed(reply, () => {
      this.#loop.servedOf(caller).resumed();
      this.#loop.chargeTime(caller, unseenMs());
      this.#loop.leave(caller);
      this.#places.leave(request.place!);
      // what of its body still comes takes no more
      request.place = null;
    });
    if (!this.#loop.isFreeFor(caller)) await this.#loop.next(caller);
  }

  #wait(caller: string, cost: number, reply: FastifyReply): Promise<Place> {
    this.#makingRoom ??= setInterval(() => this.#makeRoom(), MAKE_ROOM_EVERY_MS).unref();
    return withDeadline(Number.POSITIVE_INFINITY, signalOf(reply), (until) =>
      this.#places.enter(caller, { cost, until }),
    );
  }

  #makeRoom(): void {
    const { blocked } = this.#places;
    if (blocked !== null) this.#largestOf(this.#places.heldBy(blocked.caller) + blocked.cost)?.(tooSlow());
    if (this.#places.waiting > 0) return;
    clearInterval(this.#makingRoom);
    this.#makingRoom = undefined;
  }

  /** Of the callers with more than so many places, how to end the largest body that is not here yet. */
  #largestOf(places: number): ((error: ShingledError) => void) | undefined {
    let most = 0;
    let largest: ((error: ShingledError) => void) | undefined;
    for (const [{ place }, giveUp] of this.#unfinished) {
      if (place === null || place.cost <= most || this.#places.heldBy(place.caller) <= places) continue;
      [most, largest] = [place.cost, giveUp];
    }
    return largest;
  }

  /** What it says of its body; lines are held one by one, and a body that is too large will not be read. */
  #bytesOf(request: FastifyRequest): number {
    const bytes = Number(request.headers['content-length'] ?? 0);
    return bytes > this.#bodyBytesMax || NDJSON.includes(essenceOf(request) ?? '') ? 0 : bytes;
  }
}

/** No body takes more than one caller may hold. */
function costOf(bytes: number): number {
  return Math.min(IN_HAND_MAX / 2, 1 + Math.floor(bytes / BODY_BYTES_A_PLACE));
}

function tooSlow(): ShingledError {
  return overloaded('Others wait for the memory that this body held; it was the largest that was not here yet.');
}

function overloaded(detail: string): ShingledError {
  return new ShingledError('overloaded', detail, { retryAfterS: 1 });
}

/*
 * NDJSON requests under way, which are bounded for their memory. One more waits, as a line of theirs would, and of its
 * body nothing is read meanwhile. To refuse it would cost reading all that was sent already, and its client sends it
 * again.
 */

/** Of one caller: each has a place at the door, through which his other requests come. */
const STREAMS_WAITING_MAX = 16;
/** Those under way may be at it for hours. */
const STREAM_WAIT_MS = 10_000;

export class Streams {
  readonly #places: Places;
  readonly #waitMs: number;
  readonly #refusal: () => ShingledError;

  constructor(bulkRequestsMax: number, waitMs = STREAM_WAIT_MS) {
    this.#waitMs = waitMs;
    this.#refusal = () =>
      new ShingledError('overloaded', 'Too many NDJSON requests are under way; no caller has more than half.', {
        limit: { name: 'bulkRequestsMax', value: bulkRequestsMax },
        retryAfterS: 5,
      });
    this.#places = new Places({ size: bulkRequestsMax, waitingMax: STREAMS_WAITING_MAX, refusal: this.#refusal });
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
