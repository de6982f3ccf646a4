import type { FastifyInstance } from 'fastify';
import { DEFAULT_CLUSTER_OPTIONS } from '../../service/limits.ts';
import { signalOf } from '../abort.ts';
import { accessOf } from '../callers/caller.ts';
import { ClusterAnswer, ClusterQuery, type ClusterQueryValues } from '../schemas/clusters.schema.ts';
import { noteLimits } from '../told/logging.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { acceptBodies, type RouteContext } from './bodies.ts';

export async function clustersRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service } = context;
  acceptBodies(app, [], context);
  app.get<{ Querystring: ClusterQueryValues }>(
    '/clusters',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'cluster',
        tags: ['similar'],
        summary: 'The cluster of a URL',
        description:
          'All contents that hang together with that of the URL by pairs that are so alike, with the URLs that say them; beside it what a corpus says that was clustered before. Stores nothing.',
        querystring: ClusterQuery,
        response: { 200: json('The cluster.', ClusterAnswer), ...problems(CODES.known, ['deadline-exceeded']) },
      },
    },
    async (request, reply) => {
      const asked = { ...DEFAULT_CLUSTER_OPTIONS, deadlineMs: null, ...request.query };
      const answer = await service.clusters(asked, accessOf(request), signalOf(reply));
      const limits = answer.index?.limits ?? [];
      app.counters.limits(limits);
      noteLimits(request, limits);
      return answer;
    },
  );
}
