import type { FastifyReply } from 'fastify';
import { ShingledError } from '../errors.ts';
import type { HttpLimits } from './limits.ts';
import type { HttpParts } from './options.ts';
import type { BodyBudget } from './read-body.ts';

/** What routes work with: the parts, and what they share of the process. */
export interface RouteContext extends HttpParts {
  readonly limits: HttpLimits;
  readonly budget: BodyBudget;
  readonly streams: Streams;
}

/** NDJSON requests under way. */
export interface Streams {
  /** Counts one in until its reply is closed. @throws ShingledError `overloaded` */
  enter(reply: FastifyReply): void;
}

export function createStreams(bulkRequestsMax: number): Streams {
  let open = 0;
  return {
    enter(reply) {
      if (open >= bulkRequestsMax) {
        throw new ShingledError('overloaded', 'Too many NDJSON requests are under way.', {
          limit: { name: 'bulkRequestsMax', value: bulkRequestsMax },
          retryAfterS: 5,
        });
      }
      open++;
      reply.raw.once('close', () => {
        open--;
      });
    },
  };
}
