import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import type { JsonLimits } from '../../json/json.ts';
import type { DocumentBody, PutAnswer, PutRequest } from '../../service/api.ts';
import { tellsOfOthers } from '../../service/write/unless.ts';
import { signalOf } from '../abort.ts';
import { hasScope, requireScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import { type BODIES, DOCUMENT_BODY } from '../schemas/common.schema.ts';
import {
  DocumentAnswer,
  PageQuery,
  type PageQueryValues,
  PutAnswer as PutAnswerSchema,
  PutBody,
  type PutBodyJson,
  PutQuery,
  type PutQueryValues,
  type UnlessJson,
  UrlQuery,
} from '../schemas/documents.schema.ts';
import { VersionsAnswer } from '../schemas/listing/versions.schema.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { acceptBodies, type RouteContext } from './bodies.ts';
import { bodyFrom, metaFrom, thresholdsOfQuery, timeFrom, unlessFrom } from './requests.ts';

const TAGS = ['documents'];

export async function documentsRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service } = context;
  acceptBodies(app, ['json', 'document'], context);
  addPut(app, context);
  app.get<{ Querystring: PageQueryValues }>(
    '/documents',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getDocument',
        tags: TAGS,
        summary: 'What is known of a URL',
        querystring: PageQuery,
        response: { 200: json('What is known.', DocumentAnswer), ...problems(CODES.known, CODES.page) },
      },
    },
    (request) => service.document(request.query.url, pageOf(request.query), accessOf(request)),
  );

  app.get<{ Querystring: PageQueryValues }>(
    '/documents/versions',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getVersions',
        tags: TAGS,
        summary: 'The dated versions of a URL, and how each differs from the one before',
        description: 'The same sightings give the same versions and changes, in whichever order they are told.',
        querystring: PageQuery,
        response: { 200: json('Its versions.', VersionsAnswer), ...problems(CODES.known, CODES.page) },
      },
    },
    (request) => service.versions(request.query.url, pageOf(request.query), accessOf(request)),
  );

  app.delete<{ Querystring: { url: string } }>(
    '/documents',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'deleteDocument',
        tags: TAGS,
        summary: 'Forget a URL',
        description: 'With its versions and all that nobody else holds.',
        querystring: UrlQuery,
        response: { 200: json('Forgotten.', PutAnswerSchema), ...problems(CODES.known, CODES.write) },
      },
    },
    async (request) => toldTo(request, await service.forget(request.query.url, accessOf(request))),
  );
}

const pageOf = ({ limit = 100, cursor }: PageQueryValues) => ({ limit, cursor: cursor ?? null });

function addPut(app: FastifyInstance, { service, limits }: RouteContext): void {
  app.put<{ Querystring: PutQueryValues; Body: unknown }>(
    '/documents',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'putDocument',
        tags: TAGS,
        summary: 'Index a document',
        description:
          'From the body; or `fetch=true`, which needs the scope `fetch` too; or `status=410` for a URL that is gone. `similar` and `unless` need the scope `read` too. Answered when it is durable.',
        querystring: PutQuery,
        body: { content: { 'application/json': { schema: PutBody }, ...DOCUMENT_BODY } },
        'x-body-optional': true,
        response: {
          200: json('Known before: what became of it.', PutAnswerSchema),
          201: json('A new URL.', PutAnswerSchema),
          ...problems(CODES.body, CODES.json, CODES.known, CODES.document, CODES.fetch, CODES.write, [
            'observed-in-future',
          ]),
        },
      } as object,
    },
    async (request, reply) => {
      const wish = wishOf(request, limits);
      if (wish.status !== undefined) {
        const { url, observedAt } = wish.put;
        return toldTo(request, await service.gone({ url, httpStatus: wish.status, observedAt }, accessOf(request)));
      }
      if (wish.put.body === null) requireScope(request, 'fetch');
      if (tellsOfOthers(wish.put)) requireScope(request, 'read');
      const answer = await service.put(wish.put, accessOf(request), signalOf(reply));
      return reply.code(answer.status === 'created' ? 201 : 200).send(toldTo(request, answer));
    },
  );
}

/** What became of a write, which is counted. Of what others wrote it tells only those who may read. */
function toldTo(request: FastifyRequest, answer: PutAnswer) {
  request.server.counters.document(answer.status);
  return hasScope(request, 'read') ? answer : { ...answer, newContent: null, content: null };
}

interface Wish {
  readonly put: PutRequest;
  readonly status: 404 | 410 | undefined;
}

/** What a PUT asks for, from its query string and body together. @throws ShingledError `invalid-request` */
function wishOf(request: FastifyRequest<{ Querystring: PutQueryValues; Body: unknown }>, limits: JsonLimits): Wish {
  const { meta: metaText, ...query } = request.query;
  const { fields, body: sent } = bodyOf(request);
  const twice = Object.keys(fields).find((name) => name in request.query);
  if (twice !== undefined) throw saidTwice(twice);
  const { url, status, fetch = false, observedAt, similar = 0, select = null, remove = null } = { ...query, ...fields };
  // clients that always name a type send a body of no bytes
  const isOtherWay = fetch || status !== undefined;
  const body = isOtherWay && Buffer.isBuffer(request.body) && request.body.length === 0 ? null : sent;
  const ways = [body !== null, fetch, status !== undefined].filter((way) => way).length;
  if (ways !== 1) {
    const detail =
      ways === 0
        ? 'There is nothing to write: send a body, or fetch=true, or status=410 where the URL is gone.'
        : 'Send only one of a body, fetch=true and status.';
    throw new ShingledError('invalid-request', detail, { field: ways === 0 ? 'body' : fetch ? 'fetch' : 'status' });
  }
  const meta = metaText === undefined ? (fields.meta ?? null) : metaFrom(metaText, limits);
  const unless = unlessOf(request.query, fields);
  if (status !== undefined && unless !== null) {
    throw new ShingledError('invalid-request', 'This does not go with status: nothing is inserted.', {
      field: 'unless',
    });
  }
  const put = { url, body, select, remove, observedAt: timeFrom(observedAt, 'observedAt'), meta, similar, unless };
  return { put, status };
}

/** The thresholds of `unless`, which stand by their names in the query string or together in the body. */
function unlessOf(
  query: PutQueryValues,
  { unless = query.unless, content = query.content, thresholds }: UnlessJson,
): PutRequest['unless'] {
  const { resemblance, queryInMatch, matchInQuery } = query;
  const inQuery = thresholdsOfQuery({ resemblance, queryInMatch, matchInQuery });
  const [field] = Object.keys(inQuery);
  if (field !== undefined && thresholds !== undefined) throw saidTwice(field);
  return unlessFrom({ unless, content, thresholds: field === undefined ? thresholds : inQuery });
}

function saidTwice(field: string): ShingledError {
  const detail = `${field} stands in the body and in the query string: once is enough.`;
  return new ShingledError('invalid-request', detail, { field });
}

function bodyOf(request: FastifyRequest): {
  fields: Omit<PutBodyJson, keyof typeof BODIES>;
  body: DocumentBody | null;
} {
  if (Buffer.isBuffer(request.body)) {
    return { fields: {}, body: { bytes: request.body, contentType: request.headers['content-type'] ?? null } };
  }
  const { text, html, features, bytes, contentType, ...fields } = (request.body ?? {}) as PutBodyJson;
  return { fields, body: bodyFrom({ text, html, features, bytes, contentType }, '') };
}
