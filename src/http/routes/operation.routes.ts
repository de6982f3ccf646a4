import type { FastifyInstance, FastifyReply } from 'fastify';
import type { UpkeepAnswer as Answer, StatsAnswer as Stats } from '../../service/api.ts';
import { SERVICE_LIMITS } from '../../service/limits.ts';
import { hasScope } from '../callers/auth.ts';
import { closed } from '../schemas/common.schema.ts';
import {
  BackupRequest,
  type BackupRequestJson,
  BackupsAnswer,
  LiveAnswer,
  ReadyAnswer,
  StatsAnswer,
  UpkeepAnswer,
} from '../schemas/operation.schema.ts';
import { ANY_4XX, CODES, json, problems } from '../told/responses.ts';
import { acceptBodies, needBody, type RouteContext } from './bodies.ts';

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
        description:
          'Not while opening, in the first seconds of a large index, or draining, nor after a value of the index could not be read.',
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
  await upkeepRoutes(app, context);
}

async function upkeepRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service } = context;
  const answers = {
    200: json('Done.', UpkeepAnswer),
    202: json(
      `It takes longer than ${SERVICE_LIMITS.upkeepWaitMs / 1000} s and goes on; \`/stats\` tells the rest.`,
      UpkeepAnswer,
    ),
  };
  const send = (reply: FastifyReply, answer: Answer) => reply.code(answer.state === 'running' ? 202 : 200).send(answer);

  await app.register(async (scope) => {
    acceptBodies(scope, ['json'], context);
    scope.post<{ Body: BackupRequestJson }>(
      '/admin/backup',
      {
        config: { scope: 'admin' },
        preValidation: async (request) => needBody(request),
        schema: {
          operationId: 'backup',
          tags: TAGS,
          summary: 'Take a backup while serving',
          description:
            'A consistent copy of the index with its key, below BACKUP_DIR. Queries go on; writes wait for milliseconds, at most for 5 s.',
          querystring: closed({}),
          body: BackupRequest,
          response: {
            ...answers,
            ...problems(CODES.body, CODES.json, [
              'backup-exists',
              'backup-not-configured',
              'upkeep-running',
              'storage-full',
            ]),
          },
        },
      },
      async (request, reply) => send(reply, await service.backup(request.body.name)),
    );
  });

  app.get(
    '/admin/backups',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'backups',
        tags: TAGS,
        summary: 'Which backups there are',
        description:
          'The newest first. Whether one is whole is judged by the sizes of its files; `shingled check` reads and proves it.',
        querystring: closed({}),
        response: { 200: json('The backups.', BackupsAnswer), ...problems(['backup-not-configured']) },
      },
    },
    () => service.backups(),
  );

  await app.register(async (scope) => {
    acceptBodies(scope, [], context);
    scope.post(
      '/admin/compact',
      {
        config: { scope: 'admin' },
        schema: {
          operationId: 'compact',
          tags: TAGS,
          summary: 'Leave nothing on disk of what was forgotten',
          description:
            'Merges all segments into one and has LevelDB rewrite its files. Takes no body. Queries and writes go on.',
          querystring: closed({}),
          response: { ...answers, ...problems(CODES.body, ['upkeep-running', 'storage-full']) },
        },
      },
      async (_request, reply) => send(reply, await service.compact()),
    );
  });
}
