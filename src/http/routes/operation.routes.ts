import type { FastifyInstance } from 'fastify';
import type { StatsAnswer as Stats } from '../../service/api.ts';
import { hasScope } from '../callers/auth.ts';
import { closed } from '../schemas/common.schema.ts';
import { LiveAnswer, ReadyAnswer, StatsAnswer } from '../schemas/operation.schema.ts';
import { ANY_4XX, json, problems } from '../told/responses.ts';
import type { RouteContext } from './route-context.ts';

const TAGS = ['operation'];

export async function operationRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service, lifecycle, probes } = context;

  app.get(
    '/stats',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'stats',
        tags: TAGS,
        summary: 'What the index holds, and what it was made with',
        description: 'And how the last backup or compaction went, for those who have the scope `admin` too.',
        querystring: closed({}),
        response: { 200: json('The figures.', StatsAnswer), ...problems() },
      },
    },
    async (request): Promise<Stats> => {
      const stats = await service.stats();
      return hasScope(request, 'admin') ? stats : { ...stats, damage: null, upkeep: null };
    },
  );

  app.get(
    '/health/live',
    {
      schema: {
        operationId: 'live',
        tags: TAGS,
        summary: 'Whether the process answers',
        security: [],
        response: { 200: json('It does.', LiveAnswer), '4xx': ANY_4XX },
      },
    },
    async () => ({ status: 'live' }) as const,
  );

  app.get(
    '/health/ready',
    {
      schema: {
        operationId: 'ready',
        tags: TAGS,
        summary: 'Whether requests should be sent here',
        description: 'Not while opening or draining, nor after a value of the index could not be read.',
        security: [],
        response: {
          200: json('Ready.', ReadyAnswer),
          503: json('Not ready.', ReadyAnswer),
          '4xx': ANY_4XX,
        },
      },
    },
    async (_request, reply) => {
      const checks = { phase: lifecycle.phase, undamaged: !probes.damaged(), writable: probes.writable() };
      const ready = checks.phase === 'ready' && checks.undamaged;
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not-ready', checks });
    },
  );
}
