import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Strangers } from '../callers/strangers.ts';

/*
 * What the log may know. One line a request: who (the key's name), which route, how it ended, how long it took. Of
 * those without a known key, one line a second and address, which says how many were left out before it. Never a body,
 * a query string, a header, or an address that a caller chose; of an error its code, and for a fault of ours its
 * message and stack.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that was answered, for the log. */
    problemCode: string | null;
    /** The limits that cut what was answered, for the log. */
    limitCodes: readonly string[] | null;
  }
}

/** At which levels of the log a line is written: where it is not, it is not made. */
const LEVELS_THAT_WRITE = {
  debug: new Set<string>(['trace', 'debug']),
  info: new Set<string>(['trace', 'debug', 'info']),
} as const;

const SANE_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/** The caller's own id for its request where it is harmless to print, else a new one. */
export function requestId(request: { readonly headers: { readonly [name: string]: unknown } }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}

/** An error without the fields that libraries hang on theirs (`input`, `body`, `headers`), nor its causes' messages. */
export function serializeError(error: unknown) {
  if (!(error instanceof Error))
    return { type: typeof error, code: undefined, message: '', stack: undefined, causes: [] };
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 8; cause = cause.cause) {
    causes.push(`${cause.name} ${codeOf(cause) ?? ''}`.trim());
  }
  return { type: error.name, code: codeOf(error), message: error.message, stack: error.stack, causes };
}

function codeOf(error: Error): string | undefined {
  return 'code' in error ? String(error.code) : undefined;
}

/** Serializers for every logger of the app: whatever a library logs of a request or a reply, it says no more than this. */
export const LOG_SERIALIZERS = {
  err: serializeError,
  error: serializeError,
  req: (request: FastifyRequest) => ({ method: request.method, route: routeOf(request) }),
  res: (reply: { readonly statusCode?: number }) => ({ status: reply.statusCode }),
};

/** The route's own pattern: a path that nobody registered may hold anything. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions?.url ?? 'unknown';
}

/** Has the line of a request say which limits cut its answer. */
export function noteLimits(request: FastifyRequest, limits: readonly { readonly code: string }[]): void {
  if (limits.length > 0) request.limitCodes = limits.map(({ code }) => code);
}

/** Writes one line when an answer is out or its client gone. */
export function addRequestLog(app: FastifyInstance, strangers: Strangers): void {
  app.decorateRequest('problemCode', null);
  app.decorateRequest('limitCodes', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.raw.once('close', () => {
      const { method, problemCode, limitCodes, apiKey } = request;
      // health checks and the documentation page would drown what matters
      const level =
        request.routeOptions.url !== undefined && request.routeOptions.config.scope === undefined ? 'debug' : 'info';
      if (!LEVELS_THAT_WRITE[level].has(request.log.level)) return;
      const unlogged = level === 'debug' ? {} : strangers.unlogged(request);
      if (unlogged === null) return;
      request.log[level](
        {
          method,
          route: routeOf(request),
          status: reply.raw.headersSent ? reply.statusCode : null,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(problemCode === null ? {} : { code: problemCode }),
          ...(limitCodes === null ? {} : { limits: limitCodes }),
          ...(apiKey === null ? {} : { key: apiKey.name }),
          ...(reply.raw.writableEnded ? {} : { aborted: true }),
          ...unlogged,
        },
        'request',
      );
    });
    done();
  });
}
