import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import type { JsonLimits } from '../../json/json.ts';
import { signalOf } from '../abort.ts';
import { essenceOf } from '../bodies/content-type.ts';
import { hasScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import { closed, DOCUMENT_BODY, NDJSON_BODY } from '../schemas/common.schema.ts';
import { SimilarAnswerLine } from '../schemas/ndjson.schema.ts';
import {
  SimilarAnswer,
  SimilarBodyQuery,
  type SimilarBodyQueryValues,
  SimilarQuery,
  type SimilarQueryValues,
  SimilarRequest,
  type SimilarRequestJson,
} from '../schemas/similar.schema.ts';
import { noteLimits } from '../told/logging.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { compileCheck } from '../validation/validation.ts';
import { acceptBodies, linesBodyOf, linesOf, needBody, type RouteContext } from './bodies.ts';
import { answerLines } from './ndjson-answer.ts';
import { matchOptionsOfQuery, questionFrom, versionFrom } from './requests.ts';

const TAGS = ['similar'];

type Question = ReturnType<typeof questionFrom>;

export async function similarRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service, limits } = context;
  acceptBodies(app, ['json', 'document', 'ndjson'], context);
  const answerOne = async (request: FastifyRequest, reply: FastifyReply, { reference, options }: Question) => {
    const { json: written, brief } = await service.similar(reference, options, accessWith(request), signalOf(reply));
    app.counters.similar(brief);
    noteLimits(request, brief.limits);
    return reply.type('application/json; charset=utf-8').send(written);
  };

  app.get<{ Querystring: SimilarQueryValues }>(
    '/similar',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'similarToUrl',
        tags: TAGS,
        summary: 'Documents similar to a URL',
        description:
          'From the index, gone URLs too; else by fetching, which needs the scope `fetch`: see `fetch`. Stores nothing.',
        querystring: SimilarQuery,
        response: {
          200: json('What is similar.', SimilarAnswer),
          ...problems(CODES.known, CODES.version, CODES.page, CODES.document, CODES.fetch),
        },
      },
    },
    async (request, reply) => {
      const { url, at, ...options } = request.query;
      const reference = { url, body: null, select: null, remove: null, at: versionFrom(at, 'at') };
      return answerOne(request, reply, { reference, options: matchOptionsOfQuery(options, limits) });
    },
  );

  const answerLinesOf = batchAnswerer(app, context);

  app.post<{ Querystring: SimilarBodyQueryValues; Body: unknown }>(
    '/similar',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'similar',
        tags: TAGS,
        summary: 'Documents similar to a document',
        description: 'The document as it is, with options in the query string; or JSON with both. Stores nothing.',
        querystring: SimilarBodyQuery,
        body: { content: { 'application/json': { schema: SimilarRequest }, ...DOCUMENT_BODY } },
        response: {
          200: json('What is similar.', SimilarAnswer),
          ...problems(CODES.body, CODES.json, CODES.known, CODES.version, CODES.page, CODES.document, CODES.fetch),
        },
      },
    },
    async (request, reply) => {
      if (linesBodyOf(request) === null) return answerOne(request, reply, questionOf(request, limits));
      refuseOptions(request);
      return answerLinesOf(request, reply);
    },
  );
}

/** Batches at a path of their own: clients that are made from the OpenAPI document have one type of answer for a call. */
export async function similarBatchRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  acceptBodies(app, ['ndjson'], context);
  const answerLinesOf = batchAnswerer(app, context);
  app.post(
    '/similar/batch',
    {
      config: { scope: 'read' },
      preValidation: async (request) => needBody(request),
      schema: {
        operationId: 'similarBatch',
        tags: TAGS,
        summary: 'Documents similar to each of many documents',
        description:
          'A line of JSON for each question, as `POST /similar` takes it; answered line by line. A line that fails fails alone. Stores nothing.',
        querystring: closed({}),
        body: { content: NDJSON_BODY(SimilarRequest) },
        response: {
          200: json('A line for each line, then a summary.', SimilarAnswerLine, 'application/x-ndjson'),
          ...problems(CODES.body),
        },
      },
    },
    answerLinesOf,
  );
}

function batchAnswerer(app: FastifyInstance, context: RouteContext) {
  const { service, streams, unread } = context;
  const checkLine = compileCheck(SimilarRequest);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await streams.enter(request, reply);
    const { lines, wasCut } = linesOf(request, context, {
      read: (json) => questionFrom(checkLine(json)),
      refused: (error) => ({ error }),
      // queries that nobody will read the answers of
      until: signalOf(reply),
    });
    return answerLines(request, reply, service.similarBatch(lines, accessWith(request)), unread, {
      wasCut,
      count: (answer) => {
        if ('answer' in answer) app.counters.similar(answer.answer.brief);
      },
      write: (answer) =>
        'answer' in answer
          ? `{"line":${answer.line},"status":${answer.status},"answer":${answer.answer.json.toString()}}`
          : JSON.stringify(answer),
    });
  };
}

const accessWith = (request: FastifyRequest) => accessOf(request, { mayFetch: hasScope(request, 'fetch') });

function questionOf(
  request: FastifyRequest<{ Querystring: SimilarBodyQueryValues; Body: unknown }>,
  limits: JsonLimits,
): Question {
  if (!Buffer.isBuffer(request.body)) {
    needBody(request);
    refuseOptions(request);
    return questionFrom(request.body as SimilarRequestJson);
  }
  const { url = null, select = null, remove = null, ...options } = request.query;
  const body = { bytes: request.body, contentType: request.headers['content-type'] ?? null };
  return {
    reference: { url, body, select, remove, at: null },
    options: matchOptionsOfQuery(options, limits),
  };
}

/** With JSON every option is in the body: one elsewhere would be a second answer to one question. */
function refuseOptions(request: FastifyRequest<{ Querystring: SimilarBodyQueryValues }>): void {
  const field = Object.keys(request.query)[0];
  if (field === undefined) return;
  const detail = `${field} stands in the query string; with ${essenceOf(request) ?? 'JSON'} options stand in the body.`;
  throw new ShingledError('invalid-request', detail, { field });
}
