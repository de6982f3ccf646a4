import type { FastifyRequest } from 'fastify';
import { ShingledError } from '../errors.ts';
import { createByteBuffer } from './byte-buffer.ts';
import type { HttpLimits } from './limits.ts';

type Stream = FastifyRequest['raw'];

/** Ten bodies of a megabyte that arrive at once are read in turns of the event loop, not all in one. */
const BYTES_A_TURN = 64 * 1024;

/** Bytes of the bodies that are held at this moment, all requests together. */
export interface BodyBudget {
  held: number;
}

/**
 * Reads a whole body within its limits of size and time.
 *
 * Fastify's own reader knows no time limit, and Node's counts the whole request: bulk requests may take minutes, others
 * may not.
 *
 * @param budget what is read is added to it, also where reading fails: the caller takes `held` off again
 * @throws ShingledError `body-too-large`, `body-incomplete`, `request-timeout` or `overloaded`
 */
export function readBody(stream: Stream, limits: HttpLimits, budget: BodyBudget, hold: Hold): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(stream.headers['content-length'] ?? 0);
    if (announced > limits.bodyBytesMax) {
      reject(tooLarge(limits.bodyBytesMax));
      return;
    }
    const body = createByteBuffer();
    let pauseAt = BYTES_A_TURN;
    const settle = (act: () => void) => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      act();
    };
    const fail = (error: ShingledError) => settle(() => reject(error));
    const onData = (chunk: Buffer) => {
      budget.held += chunk.length;
      hold.bytes += chunk.length;
      if (body.length + chunk.length > limits.bodyBytesMax) fail(tooLarge(limits.bodyBytesMax));
      else if (budget.held > limits.bodiesBytesMax) fail(tooManyBodies(limits.bodiesBytesMax));
      else {
        body.add(chunk);
        if (body.length < pauseAt) return;
        pauseAt = body.length + BYTES_A_TURN;
        stream.pause();
        setImmediate(() => stream.resume());
      }
    };
    const onEnd = () => settle(() => resolve(body.take()));
    const onCut = () => fail(new ShingledError('body-incomplete', 'The connection ended before the body did.'));
    const timer = setTimeout(() => fail(lateBody(limits.bodyTimeoutMs)), limits.bodyTimeoutMs);
    stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

/** How much of the budget one request has taken. */
export interface Hold {
  bytes: number;
}

export function tooLarge(bodyBytesMax: number): ShingledError {
  return new ShingledError('body-too-large', `The body is larger than ${bodyBytesMax} bytes.`, {
    limit: { name: 'bodyBytesMax', value: bodyBytesMax },
  });
}

function tooManyBodies(bodiesBytesMax: number): ShingledError {
  return new ShingledError('overloaded', 'Too many bytes of other requests are being held.', {
    limit: { name: 'bodiesBytesMax', value: bodiesBytesMax },
    retryAfterS: 1,
  });
}

export function lateBody(bodyTimeoutMs: number): ShingledError {
  return new ShingledError('request-timeout', `The body was not here after ${bodyTimeoutMs} ms.`, {
    limit: { name: 'bodyTimeoutMs', value: bodyTimeoutMs },
  });
}
