import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import { CODINGS } from '../bodies/decoded-body.ts';
import { PROBLEM_TYPE, problemOf, toShingledError } from './problems.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

const NOTHING_HERE = 'There is nothing at this path. The API is described at /docs, and for programs at /openapi.json.';

const OUR_FAULT: ReadonlySet<number> = new Set([500, 507]);

/** Answers every error, route or no route, as application/problem+json. */
export function addErrorHandling(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const path = request.raw.url?.split('?', 1)[0] ?? '/';
    const allowed = METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
    if (allowed.length === 0) {
      return sendProblem(new ShingledError('unknown-route', NOTHING_HERE), request, reply);
    }
    reply.header('allow', [...allowed, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    const detail = `This path takes ${allowed.join(', ')}; it was sent ${request.method}.`;
    return sendProblem(new ShingledError('method-not-allowed', detail), request, reply);
  });
}

/** Faults of ours are logged with their stack; what clients and the world did is in the line of the request. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const ours = toShingledError(error, request.headers['content-type']);
  request.problemCode = ours.code;
  if (OUR_FAULT.has(ours.status)) request.log.error({ err: ours.cause ?? ours, code: ours.code }, 'a request failed');
  if (ours.retryAfterS !== undefined) reply.header('retry-after', Math.ceil(ours.retryAfterS));
  // which codings would have done: RFC 9110, §15.5.16
  if (ours.field === 'content-encoding') reply.header('accept-encoding', CODINGS.join(', '));
  return reply
    .code(ours.status)
    .header('x-request-id', request.id)
    .type(PROBLEM_TYPE)
    .send(problemOf(ours, request.id, request.query));
}
