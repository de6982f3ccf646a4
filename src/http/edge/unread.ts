import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import { hasLongList, type WrittenJson, writtenJsonSteps } from '../../json/written-json.ts';
import { Shares } from '../../sharing/fair-shares.ts';
import { type EventLoop, inTurns } from '../../sharing/turns.ts';
import { whenClosed } from '../abort.ts';
import { callerOf } from '../callers/caller.ts';

/*
 * Answers that are made and not yet read by their clients, of all requests together. They are shared among callers, as all
 * else is: nobody's unread answers take more than they leave free. Lines of answers wait for room, and what asks for them is
 * not read meanwhile; an answer that is whole cannot wait and is given up for a 503. A long one is written in turns.
 */

/** What a connection takes into its own buffers anyway, and every error is small. */
const ALWAYS_SENT_BYTES = 16 * 1024;

/** A longer one, which took its time to print, becomes bytes in turns, so much of it in each step. */
const SENT_AT_ONCE_MAX = 128 * 1024;

export class Unread {
  readonly #bytesMax: number;
  readonly #shares: Shares;
  readonly #waiting = new Set<() => void>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#shares = new Shares(bytesMax);
  }

  /** Bytes that are held at this moment. */
  get bytes(): number {
    return this.#shares.taken;
  }

  addTo(app: FastifyInstance, loop: Pick<EventLoop, 'next' | 'turnsOf'>): void {
    app.addHook('preSerialization', (request, reply, payload, done) => {
      if (!hasLongList(payload)) return done(null, payload);
      // Fastify sends bytes, too, though its type knows of texts alone
      reply.serializer((json: WrittenJson) => json as string);
      const written = inTurns(writtenJsonSteps(payload), loop.turnsOf(callerOf(request)));
      void written.then((json) => done(null, json), done);
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      if (!isMade(request, payload) || payload.length <= ALWAYS_SENT_BYTES) return done(null, payload);
      const caller = callerOf(request);
      // as bytes they are counted, and written, without another look at each letter
      const keep = (bytes: Buffer) => {
        if (!this.#shares.take(caller, bytes.length)) return done(this.#tooMany());
        whenClosed(reply, () => this.#give(caller, bytes.length));
        done(null, bytes);
      };
      if (typeof payload !== 'string') keep(payload);
      else if (payload.length <= SENT_AT_ONCE_MAX) keep(Buffer.from(payload));
      else {
        const bytes = loop.next(caller).then(() => inTurns(byteSteps(payload), loop.turnsOf(caller)));
        void bytes.then(keep, done);
      }
    });
  }

  /**
   * The unread lines of one answer, until `end` says that they are read or will never be.
   *
   * @param wake called when there may be room again
   */
  lines(caller: string, wake: () => void) {
    let held = 0;
    this.#waiting.add(wake);
    /** Says how many bytes are unread now. @returns whether there is room for more of them */
    const keep = (bytes: number): boolean => {
      if (bytes <= held) {
        const read = held - bytes;
        held = bytes;
        if (read > 0) this.#give(caller, read);
        // who reads what he gets goes on whatever others do
        return bytes === 0 || this.#shares.mayTake(caller, 1);
      }
      if (!this.#shares.take(caller, bytes - held)) return false;
      held = bytes;
      return true;
    };
    return {
      keep,
      end: () => {
        this.#waiting.delete(wake);
        keep(0);
      },
    };
  }

  #give(caller: string, bytes: number): void {
    this.#shares.give(caller, bytes);
    for (const wake of this.#waiting) wake();
  }

  #tooMany(): ShingledError {
    return new ShingledError('overloaded', 'Too many bytes of answers to this caller are not read yet.', {
      limit: { name: 'answersBytesMax', value: this.#bytesMax },
      retryAfterS: 1,
    });
  }
}

/** Whether it was made for this answer. Other payloads are streams, and the bytes of constant answers, which need no scope. */
function isMade(request: FastifyRequest, payload: unknown): payload is string | Buffer {
  if (typeof payload === 'string') return true;
  return Buffer.isBuffer(payload) && request.routeOptions.config.scope !== undefined;
}

/** Whether a UTF-16 unit is the first half of a character. */
const isHighSurrogate = (code: number) => (code & 0xfc00) === 0xd800;

function* byteSteps(text: string): Generator<undefined, Buffer> {
  const parts: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const end = Math.min(text.length, from + SENT_AT_ONCE_MAX);
    // not between the halves of a character
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    parts.push(Buffer.from(text.slice(from, to)));
    from = to;
    yield;
  }
  return Buffer.concat(parts);
}
