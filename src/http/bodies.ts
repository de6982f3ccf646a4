import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../errors.ts';
import { callerOf } from './caller.ts';
import { essenceOf, NDJSON } from './content-type.ts';
import { parseJson, parseJsonInTurns } from './json.ts';
import { longRequest } from './ndjson.ts';
import { readBody } from './read-body.ts';
import type { RouteContext } from './route-context.ts';

/** What a route may be sent: JSON, a document as it is, lines. */
export type BodyKind = 'json' | 'document' | 'ndjson';

/** JSON of so many bytes is read in 50 us, as soon as it is here; more waits for a turn. */
const PARSED_AT_ONCE_MAX = 16 * 1024;

/** What is understood where JSON is sent to a call that takes documents. */
const UNDERSTOOD: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  document: 'text/html, text/plain',
  ndjson: 'application/x-ndjson',
};

/**
 * Lets the routes of a scope take bodies of these kinds and no others.
 *
 * JSON arrives in handlers as its value, a document as its bytes, NDJSON as the stream. Content codings are refused: a
 * few bytes of them become gigabytes, and clients on a fast network do not need them.
 */
export function acceptBodies(
  scope: FastifyInstance,
  kinds: readonly BodyKind[],
  { limits, door, loop }: Pick<RouteContext, 'limits' | 'door' | 'loop'>,
): void {
  scope.removeAllContentTypeParsers();
  scope.addHook('onRequest', (request, _reply, done) => done(codingRefusal(request)));
  const read = (request: FastifyRequest) => readBody(request.raw, limits, door.holdFor(request));
  if (kinds.includes('json')) {
    scope.addContentTypeParser('application/json', async (request: FastifyRequest) => {
      const body = await read(request);
      if (body.length <= PARSED_AT_ONCE_MAX) return parseJson(body, limits);
      return parseJsonInTurns(body, limits, loop.turnsOf(callerOf(request)));
    });
  }
  if (kinds.includes('ndjson')) {
    scope.addContentTypeParser(NDJSON, (request, payload, done) => {
      const bytes = Number(request.headers['content-length'] ?? 0);
      if (bytes > limits.bulkBytesMax) done(longRequest('bytes', 'bulkBytesMax', limits.bulkBytesMax));
      else done(null, payload);
    });
  }
  // fastify looks up those that it knows by name and reads the parameters of all others again for each request
  if (kinds.includes('document')) scope.addContentTypeParser(['text/plain', 'text/html'], read);
  scope.addContentTypeParser('*', async (request: FastifyRequest) => {
    const type = essenceOf(request);
    const known = type === null || /^text\/|xml$|^application\/octet-stream$/.test(type);
    if (kinds.includes('document') && known) return read(request);
    throw unsupported(kinds);
  });
}

/** Whether a body is NDJSON, which handlers get as the stream that it is. */
export function isLines(request: FastifyRequest): boolean {
  return request.body === request.raw;
}

/** @throws ShingledError `invalid-request` where a request has no body at all */
export function needBody(request: FastifyRequest): void {
  if (request.body !== undefined && request.body !== null) return;
  throw new ShingledError('invalid-request', 'This call needs a body.', { field: 'body' });
}

function codingRefusal(request: FastifyRequest): ShingledError | undefined {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return undefined;
  return new ShingledError('unsupported-media-type', 'Bodies are taken without a content coding.', {
    field: 'content-encoding',
  });
}

function unsupported(kinds: readonly BodyKind[]): ShingledError {
  const types = kinds.length === 0 ? 'no body' : kinds.map((kind) => UNDERSTOOD[kind]).join(', ');
  return new ShingledError('unsupported-media-type', `This call takes ${types}.`, { field: 'content-type' });
}
