import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import { FEATURES_TYPE, isFeatures } from '../../features/feature-list.ts';
import { FILE_NAMES, fileKindOfType } from '../../features/file-types.ts';
import { parseJson, parseJsonInTurns } from '../../json/json.ts';
import { checkCharset, codingOf, essenceOf, NDJSON, shownType } from '../bodies/content-type.ts';
import { DecodedBody } from '../bodies/decoded-body.ts';
import { longRequest, readLines } from '../bodies/ndjson.ts';
import { readBody } from '../bodies/read-body.ts';
import { callerOf } from '../callers/caller.ts';
import type { Door, Streams } from '../edge/door.ts';
import type { Unread } from '../edge/unread.ts';
import type { HttpParts } from '../http-options.ts';
import type { HttpLimits } from '../limits.ts';

/** What routes work with: the parts, and what they share of the process. */
export interface RouteContext extends HttpParts {
  readonly limits: HttpLimits;
  readonly door: Door;
  readonly streams: Streams;
  readonly unread: Unread;
}

/** What a route may be sent: JSON, a document as it is, lines. */
export type BodyKind = 'json' | 'document' | 'ndjson';

/** JSON of so many bytes is read in 50 us, as soon as it is here; more waits for a turn. */
const PARSED_AT_ONCE_MAX = 16 * 1024;

/** What is understood where JSON is sent to a call that takes documents. */
const UNDERSTOOD: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  document: `text/html, text/plain, ${FEATURES_TYPE}, the types of files as ${FILE_NAMES}`,
  ndjson: 'application/x-ndjson',
};

/** Types that are read as a document: those of JSON are none, whoever calls them text, but for features. */
const DOCUMENTS = /^text\/(?!.*json)|xml$|^application\/octet-stream$/;
const isDocument = (type: string | null) =>
  type === null || DOCUMENTS.test(type) || fileKindOfType(type) !== null || isFeatures(type);

/**
 * Lets the routes of a scope take bodies of these kinds and no others.
 *
 * JSON arrives in handlers as its value, a document as its bytes, NDJSON as the stream; all of them decoded. Limits count
 * what comes out.
 */
export function acceptBodies(
  scope: FastifyInstance,
  kinds: readonly BodyKind[],
  { limits, door, loop }: Pick<RouteContext, 'limits' | 'door' | 'loop'>,
): void {
  scope.removeAllContentTypeParsers();
  // before there is a place for it: nobody waits to be refused
  scope.addHook('onRequest', (request, _reply, done) => {
    codingOf(request);
    done();
  });
  const decoded = (request: FastifyRequest, codedBytesMax: number) => {
    checkCharset(request);
    const coding = codingOf(request);
    return coding === null
      ? request.raw
      : new DecodedBody(request.raw, coding, codedBytesMax, () => loop.next(callerOf(request)));
  };
  const read = async (request: FastifyRequest) =>
    readBody(decoded(request, limits.bodyBytesMax), limits, door.holdFor(request));
  if (kinds.includes('json')) {
    scope.addContentTypeParser('application/json', async (request: FastifyRequest) => {
      const body = await read(request);
      if (body.length <= PARSED_AT_ONCE_MAX) return parseJson(body, limits);
      return parseJsonInTurns(body, limits, loop.turnsOf(callerOf(request)));
    });
  }
  if (kinds.includes('ndjson')) {
    scope.addContentTypeParser(NDJSON, async (request: FastifyRequest) => {
      const bytes = Number(request.headers['content-length'] ?? 0);
      if (bytes > limits.bulkBytesMax) throw longRequest('bytes', 'bulkBytesMax', limits.bulkBytesMax);
      return decoded(request, limits.bulkBytesMax);
    });
  }
  // fastify looks up those that it knows by name and reads the parameters of all others again for each request
  if (kinds.includes('document')) scope.addContentTypeParser(['text/plain', 'text/html'], read);
  scope.addContentTypeParser('*', async (request: FastifyRequest) => {
    const type = essenceOf(request);
    if (kinds.includes('document') && isDocument(type)) return read(request);
    throw unsupported(kinds, shownType(request));
  });
}

/** The body of a request as the stream that NDJSON is; null for all others. */
export function linesBodyOf(request: FastifyRequest): Readable | null {
  return request.body instanceof Readable ? request.body : null;
}

/** How a line becomes what the service is asked, and what it is told of one that asks for nothing. */
interface LineReading<T, F> {
  readonly read: (json: unknown) => T;
  /** @param json what the line says, undefined where that is not known */
  readonly refused: (error: ShingledError, json: unknown) => F;
  /** Ends the reading. */
  readonly until?: AbortSignal;
}

/** The lines of a request, each in turns of its caller; and whether nothing was read behind one of them. */
export function linesOf<T extends object, F extends object>(
  request: FastifyRequest,
  { limits, door, loop }: Pick<RouteContext, 'limits' | 'door' | 'loop'>,
  { read, refused, until }: LineReading<T, F>,
) {
  let isCut = false;
  async function* lines(): AsyncGenerator<{ readonly line: number } & (T | F), void, undefined> {
    const turns = loop.turnsOf(callerOf(request));
    const body = linesBodyOf(request) ?? request.raw;
    for await (const raw of readLines(body, limits, door.holdFor(request), turns)) {
      if (until?.aborted === true) return;
      const { line } = raw;
      if ('error' in raw) {
        isCut = raw.fatal;
        yield { line, ...refused(raw.error, undefined) };
        continue;
      }
      let json: unknown;
      try {
        if (turns.spent()) await turns.next();
        const isSmall = raw.bytes.length <= PARSED_AT_ONCE_MAX;
        json = isSmall ? parseJson(raw.bytes, limits) : await parseJsonInTurns(raw.bytes, limits, turns);
        yield { line, ...read(json) };
      } catch (error) {
        yield { line, ...refused(error as ShingledError, json) };
      }
    }
  }
  return { lines: lines(), wasCut: () => isCut };
}

/** The URL of a line that was refused, where it can be told. */
export function urlOfLine(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('url' in json)) return null;
  return typeof json.url === 'string' ? json.url : null;
}

/** @throws ShingledError `invalid-request` where a request has no body at all */
export function needBody(request: FastifyRequest): void {
  if (request.body !== undefined && request.body !== null) return;
  throw new ShingledError('invalid-request', 'This call needs a body, with a Content-Type that says what it is.', {
    field: 'body',
  });
}

function unsupported(kinds: readonly BodyKind[], sent: string): ShingledError {
  const types = kinds.length === 0 ? 'no body' : kinds.map((kind) => UNDERSTOOD[kind]).join(', ');
  const way = kinds.length === 1 && kinds[0] === 'ndjson' ? ': one document goes by PUT' : '';
  const detail = `This call takes ${types}; it was sent ${sent}${way}.`;
  return new ShingledError('unsupported-media-type', detail, { field: 'content-type' });
}
