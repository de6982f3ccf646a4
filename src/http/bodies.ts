import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../errors.ts';
import { parseJson } from './json.ts';
import type { HttpLimits } from './limits.ts';
import { longRequest } from './ndjson.ts';
import { type BodyBudget, type Hold, readBody } from './read-body.ts';

/** What a route may be sent: JSON, a document as it is, lines. */
export type BodyKind = 'json' | 'document' | 'ndjson';

declare module 'fastify' {
  interface FastifyRequest {
    hold: Hold;
  }
}

const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

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
  limits: HttpLimits,
  budget: BodyBudget,
): void {
  scope.removeAllContentTypeParsers();
  scope.decorateRequest('hold', null as unknown as Hold);
  scope.addHook('onRequest', (request, reply, done) => {
    const hold = { bytes: 0 };
    request.hold = hold;
    reply.raw.once('close', () => {
      budget.held -= hold.bytes;
    });
    done(codingRefusal(request));
  });
  const read = (request: FastifyRequest, payload: FastifyRequest['raw']) =>
    readBody(payload, limits, budget, request.hold);
  if (kinds.includes('json')) {
    scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: FastifyRequest['raw']) =>
      parseJson(await read(request, payload), limits),
    );
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
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    const type = essenceOf(request);
    const known = type === null || /^text\/|xml$|^application\/octet-stream$/.test(type);
    if (kinds.includes('document') && known) return read(request, payload);
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

/** The media type of a request in lower case and without parameters, null where it names none. */
export function essenceOf(request: FastifyRequest): string | null {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return type === '' ? null : type;
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
