import type { FastifyInstance } from 'fastify';
import { signalOf } from './abort.ts';
import { hasScope, requireScope } from './auth.ts';
import { acceptBodies } from './bodies.ts';
import { accessOf } from './caller.ts';
import { referenceFrom, thresholdsFrom } from './requests.ts';
import { CODES, json, problems } from './responses.ts';
import type { RouteContext } from './route-context.ts';
import { closed } from './schemas-common.ts';
import {
  COLLAPSE_THRESHOLDS,
  COMPARE_THRESHOLDS,
  CollapseAnswer,
  CollapseRequest,
  type CollapseRequestJson,
  CompareAnswer,
  CompareRequest,
  type CompareRequestJson,
} from './schemas-compare.ts';

const TAGS = ['compare'];

export async function compareRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service, limits, budget } = context;
  acceptBodies(app, ['json'], limits, budget);

  app.post<{ Body: CompareRequestJson }>(
    '/compare',
    {
      config: { scope: 'read' },
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
          ...problems(CODES.body, CODES.json, CODES.known, CODES.document, CODES.fetch),
        },
      },
    },
    (request, reply) => {
      const { body } = request;
      const { resemblance, aInB, bInA } = { ...COMPARE_THRESHOLDS, ...body.thresholds };
      return service.compare(
        {
          a: referenceFrom(body.a, 'a'),
          b: referenceFrom(body.b, 'b'),
          thresholds: { resemblance, queryInMatch: aInB, matchInQuery: bInA },
          passages: body.passages ?? false,
          deadlineMs: body.deadlineMs ?? 1000,
        },
        accessOf(request, { mayFetch: hasScope(request, 'fetch') }),
        signalOf(reply),
      );
    },
  );

  app.post<{ Body: CollapseRequestJson }>(
    '/collapse',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'collapse',
        tags: TAGS,
        summary: 'A list of results without its near-copies',
        description:
          'In the given order each result joins the first representative that it meets directly: the order is kept, nothing is chained.',
        querystring: closed({}),
        body: CollapseRequest,
        response: {
          200: json('The groups.', CollapseAnswer),
          ...problems(CODES.body, CODES.json, CODES.document, CODES.fetch),
        },
      },
    },
    (request, reply) => {
      const { results, thresholds, fetch = false, deadlineMs = 200 } = request.body;
      if (fetch) requireScope(request, 'fetch');
      return service.collapse(
        {
          results: results.map((result, index) => referenceFrom(result, `results[${index}]`)),
          thresholds: thresholdsFrom(thresholds ?? {}, COLLAPSE_THRESHOLDS),
          fetch,
          deadlineMs,
        },
        accessOf(request, { mayFetch: fetch }),
        signalOf(reply),
      );
    },
  );
}
