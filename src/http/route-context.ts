import type { FastifyReply, FastifyRequest } from 'fastify';
import { ShingledError } from '../errors.ts';
import { Shares } from '../sharing/shares.ts';
import { callerOf } from './caller.ts';
import type { Door } from './door.ts';
import type { HttpLimits } from './limits.ts';
import type { HttpParts } from './options.ts';
import type { Unread } from './unread.ts';

/** What routes work with: the parts, and what they share of the process. */
export interface RouteContext extends HttpParts {
  readonly limits: HttpLimits;
  readonly door: Door;
  readonly streams: Streams;
  readonly unread: Unread;
}

/** NDJSON requests under way. */
export interface Streams {
  /** Counts one in until its reply is closed. @throws ShingledError `overloaded` */
  enter(request: FastifyRequest, reply: FastifyReply): void;
}

export function createStreams(bulkRequestsMax: number): Streams {
  const shares = new Shares(bulkRequestsMax);
  return {
    enter(request, reply) {
      const caller = callerOf(request);
      if (!shares.take(caller, 1)) {
        throw new ShingledError('overloaded', 'Too many NDJSON requests are under way; no caller has more than half.', {
          limit: { name: 'bulkRequestsMax', value: bulkRequestsMax },
          retryAfterS: 5,
        });
      }
      reply.raw.once('close', () => shares.give(caller, 1));
    },
  };
}
