import type { FastifyReply } from 'fastify';
import { ShingledError } from '../errors.ts';

/**
 * Does something when the answer is out or its client gone: at once where that is so already. Clients go at any time, and
 * Node says so only once, so whatever is held for a request is given back by this.
 */
export function whenClosed(reply: FastifyReply, act: () => void): void {
  if (reply.raw.closed) act();
  else reply.raw.once('close', act);
}

/** A signal that is aborted when the client has gone before its answer was out. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  whenClosed(reply, () => {
    if (!reply.raw.writableEnded) controller.abort(callerGone());
  });
  return controller.signal;
}

export const callerGone = () => new ShingledError('deadline-exceeded', 'The caller has gone.');
