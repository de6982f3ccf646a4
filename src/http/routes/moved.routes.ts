import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { elapsedMs } from '../../service/context.ts';
import type { MovedLine, MovedLineAnswer, MovedRequest } from '../../service/moved/moved-api.ts';
import { DEFAULT_MOVED_OPTIONS, MOVED_URLS_MAX } from '../../service/moved/moved-options.ts';
import { checkCount } from '../../service/options.ts';
import { signalOf } from '../abort.ts';
import { accessOf } from '../callers/caller.ts';
import { closed, NDJSON_BODY } from '../schemas/common.schema.ts';
import {
  MovedAnswer,
  MovedAnswerLine,
  MovedLine as MovedLineSchema,
  MovedList,
  MovedListAnswer,
  type MovedListJson,
  MovedQuery,
  type MovedQueryValues,
} from '../schemas/moved.schema.ts';
import { noteLimits } from '../told/logging.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { compileCheck } from '../validation/validation.ts';
import { acceptBodies, linesBodyOf, linesOf, needBody, type RouteContext, urlOfLine } from './bodies.ts';
import { lineStream } from './line-stream.ts';
import { answerLines } from './ndjson-answer.ts';

const TAGS = ['moved'];
const DEADLINE = ['deadline-exceeded'] as const;

export async function movedRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  acceptBodies(app, ['json', 'ndjson'], context);
  addOne(app, context);
  addMany(app, context);
}

function addOne(app: FastifyInstance, { service }: RouteContext): void {
  app.get<{ Querystring: MovedQueryValues }>(
    '/moved',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'moved',
        tags: TAGS,
        summary: 'Where the document of a dead URL lives now',
        description:
          'Of a URL that is gone, or shows something else than before: the live URLs that show its document, how it came there and how sure that is. Notices for pages that are gone, parked pages and home pages are not offered. Nothing is fetched or stored.',
        querystring: MovedQuery,
        response: {
          200: json('Where it is.', MovedAnswer),
          ...problems(CODES.known, DEADLINE),
        },
      },
    },
    async (request, reply) => {
      const answer = await service.moved(requestFrom(request.query), accessOf(request), signalOf(reply));
      app.counters.limits(answer.limits);
      noteLimits(request, answer.limits);
      return answer;
    },
  );
}

function addMany(app: FastifyInstance, context: RouteContext): void {
  const answerLinesOf = batchAnswerer(app, context);
  app.post<{ Body: unknown }>(
    '/moved',
    {
      config: { scope: 'read' },
      preValidation: async (request) => needBody(request),
      schema: {
        operationId: 'movedList',
        tags: TAGS,
        summary: 'Where the documents of many dead URLs live now',
        description: `A list of at most ${MOVED_URLS_MAX} URLs. Each is answered as by \`GET /moved\`, whatever becomes of the others.`,
        querystring: closed({}),
        body: { content: { 'application/json': { schema: MovedList } } },
        response: { 200: json('Where they are.', MovedListAnswer), ...problems(CODES.body, CODES.json) },
      },
    },
    async (request, reply) => {
      if (linesBodyOf(request) !== null) return answerLinesOf(request, reply);
      return answerList(request, reply, context, counterOf(app));
    },
  );
}

/** Batches at a path of their own: clients that are made from the OpenAPI document have one type of answer for a call. */
export async function movedBatchRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  acceptBodies(app, ['ndjson'], context);
  app.post(
    '/moved/batch',
    {
      config: { scope: 'read' },
      preValidation: async (request) => needBody(request),
      schema: {
        operationId: 'movedBatch',
        tags: TAGS,
        summary: 'Where the documents of dead URLs live now, line by line',
        description:
          'A line of JSON for each URL, of which there may be more than in a list. Each is answered as by `GET /moved`, whatever becomes of the others.',
        querystring: closed({}),
        body: { content: NDJSON_BODY(MovedLineSchema) },
        response: {
          200: json('A line for each line, then a summary.', MovedAnswerLine, 'application/x-ndjson'),
          ...problems(CODES.body),
        },
      },
    },
    batchAnswerer(app, context),
  );
}

function batchAnswerer(app: FastifyInstance, context: RouteContext) {
  const { service, streams, unread } = context;
  const checkLine = compileCheck(MovedLineSchema);
  const count = counterOf(app);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await streams.enter(request, reply);
    const { lines, wasCut } = linesOf(request, context, {
      read: (line) => ({ request: requestFrom(checkLine(line)) }),
      refused: (error, line) => ({ url: urlOfLine(line), error }),
      // questions that nobody will read the answers of
      until: signalOf(reply),
    });
    return answerLines(request, reply, service.movedBatch(lines, accessOf(request)), unread, { wasCut, count });
  };
}

const counterOf = (app: FastifyInstance) => (answer: MovedLineAnswer) => {
  if ('answer' in answer) app.counters.limits(answer.answer.limits);
};

/** A list as one JSON value, sent as its answers come: a thousand of them may have 100 MB. */
function answerList(
  request: FastifyRequest,
  reply: FastifyReply,
  { service, unread }: RouteContext,
  count: (answer: MovedLineAnswer) => void,
): FastifyReply {
  const startedAt = performance.now();
  const { urls, ...options } = request.body as MovedListJson;
  checkCount('urls', urls.length, MOVED_URLS_MAX, 'movedUrlsMax');
  const signal = signalOf(reply);
  async function* lines(): AsyncGenerator<MovedLine> {
    for (const [i, url] of urls.entries()) {
      if (signal.aborted) return;
      yield { line: i + 1, request: requestFrom({ ...options, url }) };
    }
  }
  const out = lineStream(request, reply, unread);
  void pump();
  return reply.code(200).type('application/json; charset=utf-8').send(out.stream);

  async function pump(): Promise<void> {
    let before = '{"answers":[';
    try {
      for await (const answer of service.movedBatch(lines(), accessOf(request))) {
        count(answer);
        out.add(before + JSON.stringify(answer));
        before = ',';
        while (out.isFull()) await out.whenRead();
      }
      out.end(`${before === ',' ? '' : before}],"elapsedMs":${elapsedMs(startedAt)}}`);
    } catch (error) {
      // the service answers every URL by itself: what arrives here nobody foresaw
      request.log.error({ err: error }, 'a list of old URLs failed');
      out.stream.destroy();
    }
  }
}

const requestFrom = (values: MovedQueryValues): MovedRequest => ({ ...DEFAULT_MOVED_OPTIONS, ...values });
