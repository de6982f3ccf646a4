import type { FastifyInstance } from 'fastify';
import { ShingledError } from '../../errors.ts';
import type { CollapseResult } from '../../service/api.ts';
import { signalOf } from '../abort.ts';
import { hasScope, requireScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import {
  CollapseRequest,
  type CollapseRequestJson,
  COLLAPSE_DEFAULTS as DEFAULTS,
  type ResultJson,
} from '../schemas/collapse.schema.ts';
import { CollapseAnswer } from '../schemas/collapsed.schema.ts';
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
  const { url, select = null, remove = null, shown = false, observedAt, id, rank } = json;
  const [title, snippet] = [shownFrom(json.title, `${field}.title`), shownFrom(json.snippet, `${field}.snippet`)];
  if (body === null && url === undefined && title === null && snippet === null) {
    const detail = `${field} has none of url, text, html, features, title and snippet: give it one.`;
    throw new ShingledError('invalid-request', detail, { field });
  }
  if (body === null && !mayFetch && (select !== null || remove !== null)) {
    const detail = 'Elements are chosen of an html, or of a page that is fetched: the index keeps no text.';
    throw new ShingledError('invalid-request', detail, { field: `${field}.${select === null ? 'remove' : 'select'}` });
  }
  return {
    // a program that has none sends null, as of a URL that is empty
    url: url === undefined ? null : (url ?? ''),
    body,
    select,
    remove,
    title,
    snippet,
    shown,
    observedAt: timeFrom(observedAt, `${field}.observedAt`),
    ...(id === undefined ? {} : { id }),
    ...(rank === undefined ? {} : { rank }),
  };
}

/** What is shown of a result, as UTF-8. */
function shownFrom(html: string | null | undefined, field: string): Uint8Array | null {
  if (html === undefined || html === null) return null;
  if (html.isWellFormed()) return Buffer.from(html);
  throw new ShingledError('invalid-utf8', 'The text has half a surrogate pair in it.', { field });
}
