import type { FastifyReply } from 'fastify';
import { ShingledError } from '../errors.ts';

/** A signal that is aborted when the client has gone before its answer was out. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort(new ShingledError('deadline-exceeded', 'The caller has gone.'));
  });
  return controller.signal;
}
