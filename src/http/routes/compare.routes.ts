import type { FastifyInstance } from 'fastify';
import { ShingledError } from '../../errors.ts';
import type { CollapseResult, DocumentBody } from '../../service/api.ts';
import { signalOf } from '../abort.ts';
import { hasScope, requireScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import {
  CollapseAnswer,
  CollapseRequest,
  type CollapseRequestJson,
  COLLAPSE_DEFAULTS as DEFAULTS,
  type ResultJson,
} from '../schemas/collapse.schema.ts';
import { closed } from '../schemas/common.schema.ts';
import { CompareAnswer, CompareRequest, type CompareRequestJson } from '../schemas/compare.schema.ts';
import { noteLimits } from '../told/logging.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { acceptBodies, needBody, type RouteContext } from './bodies.ts';
import { bodyFrom, comparisonFrom, timeFrom } from './requests.ts';

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
      const answer = await service.compare(
        comparisonFrom(request.body),
        accessOf(request, { mayFetch: hasScope(request, 'fetch') }),
        signalOf(reply),
      );
      app.counters.limits(answer.limits);
      noteLimits(request, answer.limits);
      return answer;
    },
  );
  addCollapse(app, context);
}

function addCollapse(app: FastifyInstance, { service }: RouteContext): void {
  app.post<{ Body: CollapseRequestJson }>(
    '/collapse',
    {
      config: { scope: 'read' },
      preValidation: async (request) => needBody(request),
      schema: {
        operationId: 'collapse',
        tags: TAGS,
        summary: 'A list of results without its near-copies',
        description:
          'Groups of results that are one page or near-copies, in the given order, each with the result that represents it and that every member meets itself: nothing is chained. Stores nothing.',
        querystring: closed({}),
        body: CollapseRequest,
        response: {
          200: json('What to show.', CollapseAnswer),
          ...problems(CODES.body, CODES.json, ['deadline-exceeded']),
        },
      },
    },
    async (request, reply) => {
      const { results, thresholds, ...options } = request.body;
      if (options.fetch === 'auto') requireScope(request, 'fetch');
      const answer = await service.collapse(
        {
          perHost: null,
          want: null,
          ...DEFAULTS,
          ...options,
          results: results.map((result, i) => resultFrom(result, `results[${i}]`, options.fetch === 'auto')),
          thresholds: { ...DEFAULTS.thresholds, ...thresholds },
        },
        accessOf(request, { mayFetch: options.fetch === 'auto' }),
        signalOf(reply),
      );
      app.counters.limits(answer.limits);
      noteLimits(request, answer.limits);
      return answer;
    },
  );
}

/** @throws ShingledError `invalid-request` or `invalid-utf8`, naming the field below `field` */
function resultFrom(json: ResultJson, field: string, mayFetch: boolean): CollapseResult {
  const body = bodyFrom(json, field);
  const { url = null, select = null, remove = null, snippet, shown = false, observedAt, id, rank } = json;
  if (body === null && url === null && snippet === undefined) {
    throw new ShingledError(
      'invalid-request',
      `${field} has none of url, text, html, features and snippet: give it one.`,
      {
        field,
      },
    );
  }
  if (body === null && !mayFetch && (select !== null || remove !== null)) {
    const detail = 'Elements are chosen of an html, or of a page that is fetched: the index keeps no text.';
    throw new ShingledError('invalid-request', detail, { field: `${field}.${select === null ? 'remove' : 'select'}` });
  }
  return {
    url,
    body,
    select,
    remove,
    snippet: snippet === undefined ? null : snippetFrom(snippet, `${field}.snippet`),
    shown,
    observedAt: timeFrom(observedAt, `${field}.observedAt`),
    ...(id === undefined ? {} : { id }),
    ...(rank === undefined ? {} : { rank }),
  };
}

/** Search engines mark in it what was looked for: it is read as HTML. */
function snippetFrom(snippet: string, field: string): DocumentBody {
  if (snippet.isWellFormed()) return { bytes: Buffer.from(snippet), contentType: 'text/html; charset=utf-8' };
  throw new ShingledError('invalid-utf8', 'The text has half a surrogate pair in it.', { field });
}
