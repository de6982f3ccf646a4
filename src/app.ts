import cors from '@fastify/cors';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import { addAuthorization, KeyRing } from './http/callers/auth.ts';
import { Strangers } from './http/callers/strangers.ts';
import { addBuiltPage } from './http/docs/built-page.ts';
import { addOpenApi } from './http/docs/openapi.ts';
import { addBasePath, withoutBasePath } from './http/edge/base-path.ts';
import { addBrowserGuard, addProtectingHeaders } from './http/edge/browser-guard.ts';
import { Connections } from './http/edge/connections.ts';
import { Door, Streams } from './http/edge/door.ts';
import { addGate } from './http/edge/gate.ts';
import { Lanes } from './http/edge/lanes.ts';
import { addListenBeside, answerClientError, createHttpServer } from './http/edge/server.ts';
import { Unread } from './http/edge/unread.ts';
import type { ApiKey, HttpOptions, HttpParts } from './http/http-options.ts';
import type { RouteContext } from './http/routes/bodies.ts';
import { bulkRoutes } from './http/routes/bulk.routes.ts';
import { clustersRoutes } from './http/routes/clusters.routes.ts';
import { compareRoutes } from './http/routes/compare.routes.ts';
import { compositionRoutes } from './http/routes/composition.routes.ts';
import { documentsRoutes } from './http/routes/documents.routes.ts';
import { listingRoutes } from './http/routes/listing.routes.ts';
import { movedBatchRoutes, movedRoutes } from './http/routes/moved.routes.ts';
import { operationRoutes } from './http/routes/operation.routes.ts';
import { similarBatchRoutes, similarRoutes } from './http/routes/similar.routes.ts';
import { addRequestLog, LOG_SERIALIZERS, requestId } from './http/told/logging.ts';
import { addMetrics } from './http/told/metrics.ts';
import { addErrorHandling, sendProblem } from './http/told/problems.ts';
import type { RawQuery } from './http/validation/query-string.ts';
import { validatorCompiler } from './http/validation/validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on callers need one of these keys; there are some, as there were at the start. */
    replaceApiKeys(keys: readonly ApiKey[]): void;
  }
}

/**
 * The whole HTTP service, configured and not listening: the process and the tests build the same one.
 *
 * Closing it closes its connections and nothing of `parts`. To stop while clients are connected, `drain` it.
 */
export function buildApp(options: HttpOptions, parts: HttpParts): FastifyInstance {
  const { limits } = options;
  const proxies = options.trustProxy === false ? [] : [options.trustProxy].flat();
  const connections = new Connections(limits, proxies);
  const lanes = new Lanes(connections, limits.requestsPerConnectionMax);
  const app = fastify({
    loggerInstance: parts.logger.child({}, { serializers: LOG_SERIALIZERS }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    trustProxy: proxies.length > 0 && proxies,
    routerOptions: { querystringParser: (raw: string) => ({ raw }) satisfies RawQuery as never },
    frameworkErrors: (error, request, reply) => {
      sendProblem(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerClientError(connections, error, socket),
    // held by our own hooks, which answer as everything else here does
    return503OnClosing: false,
    serverFactory: (listener) =>
      createHttpServer(withoutBasePath(options.basePath, listener), limits, connections, lanes),
  });
  addListenBeside(app);
  app.setValidatorCompiler(validatorCompiler as never);
  // answers are plain objects of known shape: JSON.stringify is exact about them, and no field can be lost to a schema
  app.setSerializerCompiler(() => JSON.stringify);
  addErrorHandling(app, options.basePath);
  const strangers = new Strangers(options.apiKeys.length > 0);
  addRequestLog(app, strangers);
  addProtection(app, options);
  const keys = new KeyRing(options.apiKeys);
  addAuthorization(app, keys, strangers);
  app.decorate('replaceApiKeys', (replacing: readonly ApiKey[]) => keys.replace(replacing));
  addGate(app, options, parts.lifecycle, strangers);
  const door = new Door(parts.loop, limits.bodyBytesMax);
  door.addTo(app);
  const unread = new Unread(limits.answersBytesMax);
  unread.addTo(app, parts.loop);
  const streams = new Streams(limits.bulkRequestsMax);
  addRoutes(app, options, { ...parts, limits, door, streams, unread });
  return app;
}

function addProtection(app: FastifyInstance, options: HttpOptions): void {
  const { corsOrigins } = options;
  addProtectingHeaders(app);
  addBrowserGuard(app, options);
  if (corsOrigins.length === 0) return;
  app.register(cors, {
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'x-request-id'],
    exposedHeaders: ['x-request-id', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
    maxAge: 600,
  });
}

function addRoutes(app: FastifyInstance, { version, pageFolder, basePath }: HttpOptions, context: RouteContext): void {
  app.register(async (scope) => {
    await addOpenApi(scope, version, basePath);
    addBuiltPage(scope, pageFolder);
    await addMetrics(scope, context);
    const all = [
      similarRoutes,
      similarBatchRoutes,
      documentsRoutes,
      bulkRoutes,
      listingRoutes,
      clustersRoutes,
      compareRoutes,
      compositionRoutes,
      movedRoutes,
      movedBatchRoutes,
      operationRoutes,
    ];
    for (const routes of all) {
      await scope.register((group) => routes(group, context));
    }
    addBasePath(scope, basePath);
  });
}
