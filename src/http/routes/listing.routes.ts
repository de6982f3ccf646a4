import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExportLine, Selection } from '../../service/api.ts';
import { signalOf } from '../abort.ts';
import { requireScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import {
  ExportAnswerLine,
  ExportQuery,
  type ExportQueryValues,
  ForgetAnswer,
  ForgetQuery,
  type ForgetQueryValues,
  HostsAnswer,
  HostsQuery,
  ListAnswer,
  ListQuery,
  type ListQueryValues,
  type SelectionValues,
} from '../schemas/listing/listing.schema.ts';
import { HostChangesAnswer } from '../schemas/listing/versions.schema.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { acceptBodies, type RouteContext } from './bodies.ts';
import { lineStream } from './line-stream.ts';
import { metaFrom, timeFrom } from './requests.ts';

const TAGS = ['documents'];
/** Codes of a selection that cannot be understood. */
const SELECTED = ['invalid-url', 'invalid-json'] as const;
/** Lines of an export that its client has not read: as much as one step of the list. */
const UNREAD_BYTES_MAX = 2 ** 20;

export async function listingRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  acceptBodies(app, [], context);
  addLists(app, context);
  addExport(app, context);
  addForget(app, context);
}

function addLists(app: FastifyInstance, { service, limits }: RouteContext): void {
  const selectionOf = (query: SelectionValues) => selectionFrom(query, limits);
  const pageOf = ({ limit = 100, cursor }: ListQueryValues) => ({ limit, cursor: cursor ?? null });

  app.get<{ Querystring: ListQueryValues }>(
    '/documents/list',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listDocuments',
        tags: TAGS,
        summary: 'Which documents there are',
        description:
          'All of them, or of a host, of the beginning of a URL, of a time, a `meta` or a state. What is written while one goes from page to page may be missed; what is there all the time is told once.',
        querystring: ListQuery,
        response: { 200: json('A page of them.', ListAnswer), ...problems(CODES.page, SELECTED) },
      },
    },
    (request, reply) =>
      service.list(selectionOf(request.query), pageOf(request.query), accessOf(request), signalOf(reply)),
  );

  app.get<{ Querystring: ListQueryValues }>(
    '/documents/hosts',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'countByHost',
        tags: TAGS,
        summary: 'How many documents each host has',
        description: 'Of all documents, or of a selection.',
        querystring: HostsQuery,
        response: { 200: json('A page of hosts.', HostsAnswer), ...problems(CODES.page, SELECTED) },
      },
    },
    (request, reply) =>
      service.countByHost(selectionOf(request.query), pageOf(request.query), accessOf(request), signalOf(reply)),
  );

  app.get<{ Querystring: ListQueryValues }>(
    '/documents/changes',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'changesByHost',
        tags: TAGS,
        summary: 'How often the documents of each host change',
        description: 'Of all documents, or of a selection, as far as changes were seen. Reads every version.',
        querystring: HostsQuery,
        response: { 200: json('A page of hosts.', HostChangesAnswer), ...problems(CODES.page, SELECTED) },
      },
    },
    (request, reply) =>
      service.changesByHost(selectionOf(request.query), pageOf(request.query), accessOf(request), signalOf(reply)),
  );
}

function addExport(app: FastifyInstance, context: RouteContext): void {
  const { service, limits, streams } = context;
  app.get<{ Querystring: ExportQueryValues }>(
    '/documents/export',
    {
      config: { scope: 'read' },
      // the whole index would be read for its head
      exposeHeadRoute: false,
      schema: {
        operationId: 'exportDocuments',
        tags: TAGS,
        summary: 'All documents of a selection, with their versions',
        description:
          'A line for each, as fast as they are read, then a summary. What is written meanwhile may be missed; what is there all the time is told once.',
        querystring: ExportQuery,
        response: {
          200: json('A line for each document, then a summary.', ExportAnswerLine, 'application/x-ndjson'),
          ...problems(SELECTED),
        },
      },
    },
    async (request, reply) => {
      const { after = null, ...query } = request.query;
      const selection = selectionFrom(query, limits);
      const lines = service.export(selection, after, accessOf(request), signalOf(reply));
      await streams.enter(request, reply);
      return answerExport(request, reply, lines, context);
    },
  );
}

function answerExport(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: AsyncIterable<ExportLine>,
  { unread }: RouteContext,
): FastifyReply {
  const out = lineStream(request, reply, unread, UNREAD_BYTES_MAX);
  void pump();
  return reply.code(200).type('application/x-ndjson').send(out.stream);

  async function pump(): Promise<void> {
    let [documents, unreadableCount] = [0, 0];
    let complete = true;
    try {
      for await (const line of lines) {
        if ('code' in line) unreadableCount++;
        else documents++;
        out.add(JSON.stringify(line));
        while (out.isFull()) await out.whenRead();
        if (out.isOver) return;
      }
    } catch (error) {
      if (out.isOver) return;
      request.log.error({ err: error }, 'an export failed');
      complete = false;
    }
    out.end(JSON.stringify({ summary: { documents, unreadableCount, complete } }));
  }
}

function addForget(app: FastifyInstance, { service, limits }: RouteContext): void {
  app.delete<{ Querystring: ForgetQueryValues }>(
    '/documents/list',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'deleteDocuments',
        tags: TAGS,
        summary: 'Forget all documents of a selection',
        description:
          'In two calls: `dryRun=true` counts them and gives a `confirm`, which names the number; with that they are deleted, unless their number is another by then. Where it takes long, the answer has the `confirm` for the rest. Needs the scope `read` too, since it counts.',
        querystring: ForgetQuery,
        response: {
          200: json('How many there were, and were deleted.', ForgetAnswer),
          ...problems(SELECTED, CODES.write, ['selection-changed', 'deadline-exceeded']),
        },
      },
    },
    async (request, reply) => {
      requireScope(request, 'read');
      const { dryRun = false, confirm = null, ...query } = request.query;
      const selection = selectionFrom(query, limits);
      const answer = await service.forgetSelected(selection, { dryRun, confirm }, accessOf(request), signalOf(reply));
      app.counters.document('deleted', answer.deleted);
      return answer;
    },
  );
}

/** @throws ShingledError `invalid-json`, `invalid-request` */
function selectionFrom(
  { host, subdomains, prefix, observedFrom, observedTo, meta, state }: SelectionValues,
  limits: RouteContext['limits'],
): Selection {
  return {
    host,
    subdomains,
    prefix,
    observedFrom: timeFrom(observedFrom, 'observedFrom') ?? undefined,
    observedTo: timeFrom(observedTo, 'observedTo') ?? undefined,
    meta: metaFrom(meta, limits) ?? undefined,
    state,
  };
}
