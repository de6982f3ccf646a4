import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode, ShingledError } from '../../errors.ts';
import { DIRECTIONS } from '../../service/options.ts';
import { callerGone } from '../abort.ts';
import { shownText } from '../bodies/content-type.ts';
import { CODINGS } from '../bodies/decoded-body.ts';
import type { ProblemJson } from '../schemas/operation.schema.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Failures of ours: what went wrong inside is nobody's business, and goes to the log. */
const SILENT: readonly ErrorCode[] = ['internal', 'index-unreadable'];

/** The part of JSON that is a parameter for each of its fields in query strings. */
const SPREAD = 'thresholds';

/** Fields of JSON, and the parameters that stand for them in query strings. */
const PARAMETERS = { 'exclude.hosts': 'excludeHosts', 'exclude.urls': 'excludeUrls' } as const;

/**
 * The field at fault as the client spelled it: the parameter, where it came in the query string.
 *
 * @param query its parameters
 */
function fieldAsSent(field: string, query: unknown): string {
  if (typeof query !== 'object' || query === null) return field;
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    if (field.startsWith(name) && parameter in query) return parameter + field.slice(name.length);
  }
  const [part, name] = field.split('.');
  if (part !== SPREAD) return field;
  const sent = DIRECTIONS.filter((direction) => direction in query && (name === undefined || direction === name));
  return sent[0] ?? field;
}

/** What a message says of its field, which it begins with. What it cites of the request stays as it came. */
function detailAsSent({ message, field }: ShingledError, query: unknown): string {
  if (field === undefined || !message.startsWith(field)) return message;
  return fieldAsSent(field, query) + message.slice(field.length);
}

/**
 * The body of an error answer (RFC 9457).
 *
 * @param query the parameters of the query string, if it was read
 */
export function problemOf(error: ShingledError, requestId: string, query: unknown = null): ProblemJson {
  const { code, status, title, field, limit } = error;
  const silent = SILENT.includes(code) || ERRORS[code].status === 500;
  return {
    type: `urn:shingled:error:${code}`,
    title,
    status,
    code,
    detail: silent ? 'What happened is in the log, under this requestId.' : detailAsSent(error, query),
    requestId,
    ...(field === undefined ? {} : { field: fieldAsSent(field, query) }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** What frameworks throw, as errors of ours, by their codes. */
const OURS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'The Content-Type is not of the form type/subtype'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body-too-large', 'The body is too large.'],
  FST_ERR_BAD_URL: ['malformed-request', 'The path is not percent-encoded UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri-too-long', 'A part of the path is too long.'],
};

/**
 * Any error that reaches the edge, as one of ours; what nobody foresaw is `internal`.
 *
 * @param contentType of the request
 */
export function toShingledError(error: unknown, contentType = ''): ShingledError {
  if (error instanceof ShingledError) return error;
  const [ours, detail] = OURS[codeOf(error)] ?? ['internal', 'An unexpected error.'];
  if (ours !== 'unsupported-media-type') return new ShingledError(ours, detail, { cause: error });
  const came = `${detail}: "${shownText(contentType)}".`;
  return new ShingledError(ours, came, { field: 'content-type', cause: error });
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** What fastify throws of a body that it was not told how to read. */
const UNREADABLE_BODIES: ReadonlySet<string> = new Set([
  ...['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY'],
  ...['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'FST_ERR_CTP_INVALID_MEDIA_TYPE'],
]);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

const nothingHere = (basePath: string) =>
  `There is nothing at this path. The API is described at ${basePath}/docs, and for programs at ${basePath}/openapi.json.`;

const OUR_FAULT: ReadonlySet<number> = new Set([500, 507]);

/**
 * Answers every error, route or no route, as application/problem+json.
 *
 * @param basePath where the service is to those that ask it: empty, or `/a/b`
 */
export function addErrorHandling(app: FastifyInstance, basePath: string): void {
  const sendNothingHere = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.raw.url?.split('?', 1)[0] ?? '/';
    const allowed = METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
    if (allowed.length === 0) {
      return sendProblem(new ShingledError('unknown-route', nothingHere(basePath)), request, reply);
    }
    reply.header('allow', [...allowed, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    const detail = `This path takes ${allowed.join(', ')}; it was sent ${request.method}.`;
    return sendProblem(new ShingledError('method-not-allowed', detail), request, reply);
  };
  app.setNotFoundHandler(sendNothingHere);
  app.setErrorHandler((error, request, reply) => {
    // a body that nobody wants need not be one
    if (request.is404 && UNREADABLE_BODIES.has(codeOf(error))) return sendNothingHere(request, reply);
    // fastify throws this if the connection closes before the first line of an answer is out
    const isUnread = codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed;
    return sendProblem(isUnread ? callerGone() : error, request, reply);
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
