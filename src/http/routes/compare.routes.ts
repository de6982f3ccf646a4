import type { FastifyInstance } from 'fastify';
import { signalOf } from '../abort.ts';
import { hasScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import { closed } from '../schemas/common.schema.ts';
import {
  COMPARE_THRESHOLDS,
  CompareAnswer,
  CompareRequest,
  type CompareRequestJson,
} from '../schemas/compare.schema.ts';
import { noteLimits } from '../told/logging.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { acceptBodies, needBody } from './bodies.ts';
import { referenceFrom } from './requests.ts';
import type { RouteContext } from './route-context.ts';

const TAGS = ['compare'];

export async function compareRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service } = context;
  acceptBodies(app, ['json'], context);

  app.post<{ Body: CompareRequestJson }>(
    '/compare',
    {
      config: { scope: 'read' },
      preValidation: async (request) => needBody(request),
      schema: {
        operationId: 'compare',
        tags: TAGS,
        summary: 'Two documents against each other',
        description:
          'Exactly where both bodies are given, else estimated; with the first step at which they part. Stores nothing.',
        querystring: closed({}),
        body: CompareRequest,
        response: {
          200: json('How much they share.', CompareAnswer),
          ...problems(CODES.body, CODES.json, CODES.known, CODES.version, CODES.document, CODES.fetch),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const answer = await service.compare(
        {
          a: referenceFrom(body.a, 'a'),
          b: referenceFrom(body.b, 'b'),
          thresholds: { ...COMPARE_THRESHOLDS, ...body.thresholds },
          passages: body.passages ?? false,
          fetch: body.fetch ?? 'auto',
          deadlineMs: body.deadlineMs ?? null,
        },
        accessOf(request, { mayFetch: hasScope(request, 'fetch') }),
        signalOf(reply),
      );
      app.counters.compare(answer);
      noteLimits(request, answer.limits);
      return answer;
    },
  );
}
