import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import type { JsonLimits } from '../../json/json.ts';
import type { DocumentReference } from '../../service/api.ts';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../service/composition/composition-options.ts';
import type { CompositionOptions } from '../../service/composition/composition-shapes.ts';
import { signalOf } from '../abort.ts';
import { essenceOf } from '../bodies/content-type.ts';
import { hasScope } from '../callers/auth.ts';
import { accessOf } from '../callers/caller.ts';
import { DOCUMENT_BODY } from '../schemas/common.schema.ts';
import {
  CompositionAnswer,
  CompositionBodyQuery,
  type CompositionBodyQueryValues,
  CompositionRequest,
  type CompositionRequestJson,
} from '../schemas/composition.schema.ts';
import { noteLimits } from '../told/logging.ts';
import { CODES, json, problems } from '../told/responses.ts';
import { acceptBodies, needBody, type RouteContext } from './bodies.ts';
import { metaFrom, referenceFrom, timeFrom } from './requests.ts';

export async function compositionRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  const { service, limits } = context;
  acceptBodies(app, ['json', 'document'], context);

  app.post<{ Querystring: CompositionBodyQueryValues; Body: unknown }>(
    '/composition',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'composition',
        tags: ['similar'],
        summary: 'What a document is made of',
        description:
          'The fewest contents of the index, as greed finds them, that explain the document: how much each does, which passages are whose, and how much nothing explains. The document as it is, with options in the query string; or JSON with both. Stores nothing.',
        querystring: CompositionBodyQuery,
        body: { content: { 'application/json': { schema: CompositionRequest }, ...DOCUMENT_BODY } },
        response: {
          200: json('What it is made of.', CompositionAnswer),
          ...problems(CODES.body, CODES.json, CODES.known, CODES.version, CODES.document, CODES.fetch),
        },
      },
    },
    async (request, reply) => {
      const { reference, options } = questionOf(request, limits);
      const access = accessOf(request, { mayFetch: hasScope(request, 'fetch') });
      const answer = await service.compose(reference, options, access, signalOf(reply));
      app.counters.limits(answer.limits);
      noteLimits(request, answer.limits);
      return answer;
    },
  );
}

interface Question {
  readonly reference: DocumentReference;
  readonly options: CompositionOptions;
}

type Asked = FastifyRequest<{ Querystring: CompositionBodyQueryValues; Body: unknown }>;

function questionOf(request: Asked, limits: JsonLimits): Question {
  if (!Buffer.isBuffer(request.body)) {
    needBody(request);
    const field = Object.keys(request.query)[0];
    if (field === undefined) return compositionFrom(request.body as CompositionRequestJson);
    const detail = `${field} stands in the query string; with ${essenceOf(request) ?? 'JSON'} options stand in the body.`;
    throw new ShingledError('invalid-request', detail, { field });
  }
  const {
    url = null,
    select = null,
    remove = null,
    meta,
    excludeHosts = [],
    excludeUrls = [],
    ...same
  } = request.query;
  const body = { bytes: request.body, contentType: request.headers['content-type'] ?? null };
  const exclude = { hosts: excludeHosts, urls: excludeUrls };
  return {
    reference: { url, body, select, remove, at: null },
    options: optionsFrom({ ...same, exclude, meta: metaFrom(meta, limits) }),
  };
}

/** What JSON asks for. @throws ShingledError `invalid-request` or `invalid-utf8` */
function compositionFrom({ document, ...options }: CompositionRequestJson): Question {
  return { reference: referenceFrom(document, 'document'), options: optionsFrom(options) };
}

function optionsFrom(json: Omit<CompositionRequestJson, 'document'>): CompositionOptions {
  const { exclude, hosts = null, urlPrefix = null, meta = null, seenAfter, ...same } = json;
  return {
    ...DEFAULT_COMPOSITION_OPTIONS,
    ...same,
    exclude: { ...DEFAULT_COMPOSITION_OPTIONS.exclude, ...exclude },
    only: { hosts, urlPrefix, meta, seenAfter: timeFrom(seenAfter ?? undefined, 'seenAfter') },
  };
}
