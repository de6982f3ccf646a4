import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { tellsOfOthers } from '../../service/write/unless.ts';
import { requireScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import { closed, Flag, NDJSON_BODY } from '../schemas/common.schema.ts';
import { BulkLine as BulkLineSchema } from '../schemas/documents.schema.ts';
import { BulkAnswerLine } from '../schemas/ndjson.schema.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { acceptBodies, linesOf, needBody, type RouteContext, urlOfLine } from './bodies.ts';
import { readBulkLine } from './bulk-line.ts';
import { answerLines } from './ndjson-answer.ts';

const Durability = Type.Enum(['synced', 'relaxed'], {
  default: 'synced',
  examples: ['relaxed'],
  description:
    'When a line is answered. `synced`: once it is on disk for good. `relaxed`: once it is written, and the summary says whether all is on disk; for loads that can be repeated.',
});

const Describe = Flag('Whether lines that put say `newContent` and `short`; needs the scope `read` too.', true);

interface BulkQuery {
  readonly durability?: 'synced' | 'relaxed';
  readonly describe?: boolean;
}

export async function bulkRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service, limits, streams, unread } = context;
  acceptBodies(app, ['ndjson'], context);

  app.post<{ Querystring: BulkQuery }>(
    '/documents',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'bulk',
        tags: ['documents'],
        summary: 'Write many documents',
        description: `A line for each: ${'`put`, `same`, `gone` or `delete`'}. Each is answered in order once it is durable, whatever becomes of the others (with durability=relaxed once it is written, and the summary says when all is durable); the status of the whole is 200, so look at \`failed\` in the summary. At most ${limits.bulkLinesMax} lines (BULK_LINES_MAX) and ${limits.bulkBytesMax} bytes (BULK_BYTES_MAX).`,
        querystring: closed({ durability: Type.Optional(Durability), describe: Type.Optional(Describe) }),
        body: { content: NDJSON_BODY(BulkLineSchema) },
        response: {
          200: json('A line for each line, then a summary.', BulkAnswerLine, 'application/x-ndjson'),
          ...problems(CODES.body),
        },
      },
    },
    async (request, reply) => {
      needBody(request);
      const { durability, describe = false } = request.query;
      if (describe) requireScope(request, 'read');
      await streams.enter(request, reply);
      const { lines, wasCut } = linesOf(request, context, {
        read: (json) => {
          const operation = readBulkLine(json);
          if (operation.op === 'put' && tellsOfOthers(operation)) requireScope(request, 'read');
          return { operation };
        },
        refused: (error, json) => ({ url: urlOfLine(json), error }),
      });
      const relaxed = durability === 'relaxed';
      const answers = service.bulk(lines, accessOf(request), { relaxed, describe });
      return answerLines(request, reply, answers, unread, {
        wasCut,
        count: (answer) => app.counters.document('result' in answer ? answer.result : answer.code),
        tellDurable: relaxed,
      });
    },
  );
}
