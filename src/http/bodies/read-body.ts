import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import type { HttpLimits } from '../limits.ts';
import { DecodedBody } from './decoded-body.ts';

/** Ten bodies of a megabyte that arrive at once are read in several iterations of the event loop, not all in one. */
const BYTES_A_TURN = 64 * 1024;
/** So many bytes have to come in each such time, coded as they are: 7 KB a second, what a line of the last century brings. */
const LEAST_RATE = { windowMs: 5_000, bytes: 35_000 };

/** What a body holds while it is read. */
export interface BodyHold {
  /** @param giveUp ends the reading, for the memory's sake */
  begin(giveUp: (error: ShingledError) => void): void;
  /** Told of all bytes that are held. @throws ShingledError `overloaded` where they are too many */
  grow(bytes: number): void;
  /** Reading has ended, well or not. */
  end(): void;
}

/**
 * Reads a whole body within its limits of size, time and rate.
 *
 * Fastify's own reader knows no time limit, and Node's counts the whole request: bulk requests may take minutes, others
 * may not.
 *
 * @param stream the request, or what is decoded of it: the limit of size is one of what comes out
 * @param hold is told of all bytes that are held
 * @throws ShingledError `body-too-large`, `body-incomplete`, `request-timeout`, `overloaded`, or what DecodedBody ends with
 */
export function readBody(
  stream: Pick<FastifyRequest['raw'], 'headers'> & Readable,
  limits: Pick<HttpLimits, 'bodyBytesMax' | 'bodyTimeoutMs'>,
  hold: BodyHold,
  leastRate = LEAST_RATE,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(stream.headers['content-length'] ?? 0) > limits.bodyBytesMax) throw tooLarge(limits.bodyBytesMax);
    const startedAt = performance.now();
    const body = new ByteBuffer();
    let pauseAt = BYTES_A_TURN;
    let lookedAt = 0;
    const received = () => (stream instanceof DecodedBody ? stream.receivedBytes : body.length);
    const settle = (act: () => void) => {
      clearTimeout(timer);
      hold.end();
      stream.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      act();
    };
    const fail = (error: ShingledError) =>
      settle(() => {
        body.take();
        if (stream instanceof DecodedBody) stream.destroy();
        reject(error);
      });
    const onData = (chunk: Buffer) => {
      if (body.length + chunk.length > limits.bodyBytesMax) return fail(tooLarge(limits.bodyBytesMax));
      body.add(chunk);
      try {
        hold.grow(body.length);
      } catch (error) {
        return fail(error as ShingledError);
      }
      if (body.length < pauseAt) return;
      pauseAt = body.length + BYTES_A_TURN;
      stream.pause();
      setImmediate(() => stream.resume());
    };
    const onEnd = () => settle(() => resolve(body.take()));
    const onCut = (error?: unknown) => fail(cutBody(error));
    const look = () => {
      if (received() - lookedAt < leastRate.bytes) return fail(slowBody(leastRate));
      lookedAt = received();
      timer = wait();
    };
    // a timer may come a moment before its time by this clock
    const wait = () => {
      const leftMs = startedAt + limits.bodyTimeoutMs - performance.now();
      return leftMs <= leastRate.windowMs
        ? setTimeout(() => fail(lateBody(limits.bodyTimeoutMs)), leftMs)
        : setTimeout(look, leastRate.windowMs);
    };
    let timer = wait();
    hold.begin(fail);
    stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

function tooLarge(bodyBytesMax: number): ShingledError {
  return new ShingledError('body-too-large', `The body is larger than ${bodyBytesMax} bytes.`, {
    limit: { name: 'bodyBytesMax', value: bodyBytesMax },
  });
}

export function lateBody(bodyTimeoutMs: number): ShingledError {
  return new ShingledError('request-timeout', `The body was not here after ${bodyTimeoutMs} ms.`, {
    limit: { name: 'bodyTimeoutMs', value: bodyTimeoutMs },
  });
}

/** Why a body has ended before its end. */
export function cutBody(error: unknown): ShingledError {
  if (error instanceof ShingledError) return error;
  return new ShingledError('body-incomplete', 'The connection ended before the body did.');
}

function slowBody({ bytes, windowMs }: typeof LEAST_RATE): ShingledError {
  const detail = `Of the body, fewer than ${bytes} bytes came in ${windowMs / 1000} s.`;
  return new ShingledError('request-timeout', detail);
}

const LEAST = 1024;
const NONE = Buffer.alloc(0);

/** Bytes that arrive in pieces, kept as one: a million pieces of one byte cost a million bytes, not a million objects. */
export class ByteBuffer {
  #bytes: Buffer = NONE;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The piece is kept as it is where it comes alone, as most do; it is never written to. */
  add(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (this.#length === 0) this.#bytes = piece;
    else {
      if (needed > this.#bytes.length) {
        const grown = Buffer.allocUnsafe(Math.max(LEAST, needed, this.#bytes.length * 2));
        this.#bytes.copy(grown, 0, 0, this.#length);
        this.#bytes = grown;
      }
      this.#bytes.set(piece, this.#length);
    }
    this.#length = needed;
  }

  /** All bytes so far; the buffer is empty afterwards. */
  take(): Buffer {
    const taken = this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length);
    this.#bytes = NONE;
    this.#length = 0;
    return taken;
  }
}
