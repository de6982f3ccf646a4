import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import type { SimilarLine, SimilarLineAnswer } from '../../service/api.ts';
import type { Turns } from '../../sharing/turns.ts';
import { signalOf } from '../abort.ts';
import { essenceOf } from '../bodies/content-type.ts';
import { type JsonLimits, parseJsonInTurns } from '../bodies/json.ts';
import { type RawLine, readLines } from '../bodies/ndjson.ts';
import { hasScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import { DOCUMENT_BODY, NDJSON_BODY } from '../schemas/common.schema.ts';
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
import { acceptBodies, linesBodyOf, needBody } from './bodies.ts';
import { answerLines } from './ndjson-answer.ts';
import { matchOptionsFrom, optionsOfQuery, referenceFrom, versionFrom } from './requests.ts';
import type { RouteContext } from './route-context.ts';

const TAGS = ['similar'];

export async function similarRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service, limits, door, streams, unread, loop } = context;
  acceptBodies(app, ['json', 'document', 'ndjson'], context);

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
      const answer = await service.similar(
        { url, body: null, select: null, remove: null, at: versionFrom(at, 'at') },
        matchOptionsFrom(optionsOfQuery(options, limits)),
        accessOf(request, { mayFetch: hasScope(request, 'fetch') }),
        signalOf(reply),
      );
      app.counters.similar(answer);
      noteLimits(request, answer.limits);
      return answer;
    },
  );

  const checkLine = compileCheck(SimilarRequest);
  async function* counted(answers: AsyncIterable<SimilarLineAnswer>): AsyncGenerator<SimilarLineAnswer> {
    for await (const answer of answers) {
      if ('answer' in answer) app.counters.similar(answer.answer);
      yield answer;
    }
  }

  app.post<{ Querystring: SimilarBodyQueryValues; Body: unknown }>(
    '/similar',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'similar',
        tags: TAGS,
        summary: 'Documents similar to a document',
        description:
          'The document as it is, with options in the query string; or JSON with both; or a batch of such JSON as NDJSON, answered line by line. Stores nothing.',
        querystring: SimilarBodyQuery,
        body: {
          content: { 'application/json': { schema: SimilarRequest }, ...DOCUMENT_BODY, ...NDJSON_BODY(SimilarRequest) },
        },
        response: {
          200: {
            description: 'What is similar; for NDJSON a line for each line, then a summary.',
            content: {
              ...json('', SimilarAnswer).content,
              ...json('', SimilarAnswerLine, 'application/x-ndjson').content,
            },
          },
          ...problems(CODES.body, CODES.json, CODES.known, CODES.version, CODES.page, CODES.document, CODES.fetch),
        },
      },
    },
    async (request, reply) => {
      const access = accessOf(request, { mayFetch: hasScope(request, 'fetch') });
      const body = linesBodyOf(request);
      if (body !== null) {
        refuseOptions(request);
        await streams.enter(request, reply);
        const cut = { happened: false };
        const turns = loop.turnsOf(access.caller);
        const raw = readLines(body, limits, door.holdFor(request), turns);
        const lines = similarLines(raw, { limits, turns }, checkLine, cut, signalOf(reply));
        const answers = counted(service.similarBatch(lines, access));
        return answerLines(request, reply, answers, unread, { wasCut: () => cut.happened });
      }
      const { reference, options } = questionOf(request, limits);
      const answer = await service.similar(reference, options, access, signalOf(reply));
      app.counters.similar(answer);
      noteLimits(request, answer.limits);
      return answer;
    },
  );
}

function questionOf(
  request: FastifyRequest<{ Querystring: SimilarBodyQueryValues; Body: unknown }>,
  limits: JsonLimits,
) {
  if (!Buffer.isBuffer(request.body)) {
    needBody(request);
    refuseOptions(request);
    const { document, ...options } = request.body as SimilarRequestJson;
    return { reference: referenceFrom(document, 'document'), options: matchOptionsFrom(options) };
  }
  const { url = null, select = null, remove = null, ...options } = request.query;
  const body = { bytes: request.body, contentType: request.headers['content-type'] ?? null };
  return {
    reference: { url, body, select, remove, at: null },
    options: matchOptionsFrom(optionsOfQuery(options, limits)),
  };
}

/** With JSON every option is in the body: one elsewhere would be a second answer to one question. */
function refuseOptions(request: FastifyRequest<{ Querystring: SimilarBodyQueryValues }>): void {
  const field = Object.keys(request.query)[0];
  if (field === undefined) return;
  const detail = `${field} stands in the query string; with ${essenceOf(request) ?? 'JSON'} options stand in the body.`;
  throw new ShingledError('invalid-request', detail, { field });
}

async function* similarLines(
  lines: AsyncIterable<RawLine>,
  { limits, turns }: Pick<RouteContext, 'limits'> & { readonly turns: Turns },
  check: (value: unknown) => SimilarRequestJson,
  cut: { happened: boolean },
  signal: AbortSignal,
): AsyncGenerator<SimilarLine, void, undefined> {
  for await (const raw of lines) {
    // queries that nobody will read the answers of
    if (signal.aborted) return;
    const { line } = raw;
    if ('error' in raw) {
      cut.happened = raw.fatal;
      yield { line, error: raw.error };
      continue;
    }
    try {
      turns.charge(1);
      const { document, ...options } = check(await parseJsonInTurns(raw.bytes, limits, turns));
      yield { line, reference: referenceFrom(document, 'document'), options: matchOptionsFrom(options) };
    } catch (error) {
      yield { line, error: error as ShingledError };
    }
  }
}
