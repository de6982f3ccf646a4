import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { ShingledError } from '../../errors.ts';
import type { BulkLine, BulkLineAnswer } from '../../service/api.ts';
import { parseJsonInTurns } from '../bodies/json.ts';
import { readLines } from '../bodies/ndjson.ts';
import { requireScope } from '../callers/auth.ts';
import { accessOf, callerOf } from '../callers/caller.ts';
import { closed, NDJSON_BODY } from '../schemas/common.schema.ts';
import { BulkLine as BulkLineSchema } from '../schemas/documents.schema.ts';
import { BulkAnswerLine } from '../schemas/ndjson.schema.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { compileCheck } from '../validation/validation.ts';
import { acceptBodies, linesBodyOf, needBody } from './bodies.ts';
import { answerLines } from './ndjson-answer.ts';
import { bulkOperationFrom, tellsOfOthers } from './requests.ts';
import type { RouteContext } from './route-context.ts';

const Durability = Type.Enum(['synced', 'relaxed'], {
  default: 'synced',
  examples: ['relaxed'],
  description:
    'When a line is answered. `synced`: once it is on disk for good. `relaxed`: once it is written, and the summary says whether all is on disk; for loads that can be repeated.',
});

export async function bulkRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service, limits, door, streams, unread, loop } = context;
  acceptBodies(app, ['ndjson'], context);
  const checkLine = compileCheck(BulkLineSchema);

  async function* linesOf(request: FastifyRequest, cut: { happened: boolean }): AsyncGenerator<BulkLine> {
    const turns = loop.turnsOf(callerOf(request));
    const body = linesBodyOf(request) ?? request.raw;
    for await (const raw of readLines(body, limits, door.holdFor(request), turns)) {
      const { line } = raw;
      if ('error' in raw) {
        cut.happened = raw.fatal;
        yield { line, url: null, error: raw.error };
        continue;
      }
      let json: unknown;
      try {
        turns.charge(1);
        json = await parseJsonInTurns(raw.bytes, limits, turns);
        const operation = bulkOperationFrom(checkLine(json));
        if (operation.op === 'put' && tellsOfOthers(operation)) requireScope(request, 'read');
        yield { line, operation };
      } catch (error) {
        yield { line, url: urlOf(json), error: error as ShingledError };
      }
    }
  }

  async function* counted(answers: AsyncIterable<BulkLineAnswer>): AsyncGenerator<BulkLineAnswer> {
    for await (const answer of answers) {
      app.counters.bulkLine(answer);
      yield answer;
    }
  }

  app.post<{ Querystring: { durability?: 'synced' | 'relaxed' } }>(
    '/documents',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'bulk',
        tags: ['documents'],
        summary: 'Write many documents',
        description: `A line for each: ${'`put`, `gone` or `delete`'}. Each is answered in order once it is durable, whatever becomes of the others (with durability=relaxed once it is written, and the summary says when all is durable); the status of the whole is 200, so look at \`failed\` in the summary. At most ${limits.bulkLinesMax} lines (BULK_LINES_MAX) and ${limits.bulkBytesMax} bytes (BULK_BYTES_MAX).`,
        querystring: closed({ durability: Type.Optional(Durability) }),
        body: { content: NDJSON_BODY(BulkLineSchema) },
        response: {
          200: json('A line for each line, then a summary.', BulkAnswerLine, 'application/x-ndjson'),
          ...problems(CODES.body),
        },
      },
    },
    async (request, reply) => {
      needBody(request);
      await streams.enter(request, reply);
      const cut = { happened: false };
      const relaxed = request.query.durability === 'relaxed';
      const answers = counted(service.bulk(linesOf(request, cut), accessOf(request), { relaxed }));
      return answerLines(request, reply, answers, unread, { wasCut: () => cut.happened, tellDurable: relaxed });
    },
  );
}

/** The URL of a line that was refused, where it can be told. */
function urlOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('url' in json)) return null;
  return typeof json.url === 'string' ? json.url : null;
}
