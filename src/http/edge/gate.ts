import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import { callerOf } from '../callers/caller.ts';
import type { Strangers } from '../callers/strangers.ts';
import type { HttpOptions } from '../http-options.ts';
import type { Lifecycle } from '../lifecycle.ts';

/*
 * Refuses a request before it costs anything: where its target is too long, the service is stopping, the event loop is
 * late, or its key asks too often. So it does where an address asks too often for what is open to all. Routes without a
 * scope (health, documentation) pass what is not said of them.
 */

export function addGate(app: FastifyInstance, options: HttpOptions, lifecycle: Lifecycle, strangers: Strangers): void {
  const { targetBytesMax, eventLoopDelayMsMax } = options.limits;
  const refusal = (request: FastifyRequest): ShingledError | undefined => {
    if ((request.raw.url ?? '').length > targetBytesMax) {
      return new ShingledError('uri-too-long', `Path and query are longer than ${targetBytesMax} bytes.`, {
        limit: { name: 'targetBytesMax', value: targetBytesMax },
      });
    }
    if (lifecycle.phase === 'draining' && request.routeOptions.config.scope !== undefined) {
      return new ShingledError('draining', 'The service is stopping; ask again elsewhere or later.', {
        retryAfterS: 5,
      });
    }
    return strangers.refusalOf(request);
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    if (lifecycle.phase === 'draining') reply.header('connection', 'close');
    done(refusal(request));
  });
  // an answer that began before the stop closes its connection too, unless its head is out already
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (lifecycle.phase === 'draining') reply.header('connection', 'close');
    done(null, payload);
  });
  if (eventLoopDelayMsMax > 0) {
    app.register(underPressure, {
      maxEventLoopDelay: eventLoopDelayMsMax,
      pressureHandler: (request) => {
        if (request.routeOptions.config.scope === undefined) return;
        throw new ShingledError('overloaded', 'The service is too busy to take requests.', {
          limit: { name: 'eventLoopDelayMsMax', value: eventLoopDelayMsMax },
          retryAfterS: 2,
        });
      },
    });
  }
  if (options.rateLimitPerMinute > 0) addRateLimit(app, options.rateLimitPerMinute);
}

function addRateLimit(app: FastifyInstance, perMinute: number): void {
  app.register(rateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: callerOf,
    allowList: (request) => request.routeOptions.config.scope === undefined,
    errorResponseBuilder: (_request, context) =>
      new ShingledError('rate-limited', `More than ${perMinute} requests in a minute.`, {
        limit: { name: 'rateLimitPerMinute', value: perMinute },
        retryAfterS: Math.max(1, Math.ceil(context.ttl / 1000)),
      }),
  });
}
