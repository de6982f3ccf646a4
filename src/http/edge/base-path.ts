import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';

/*
 * The service below a path that a proxy does not take off (BASE_PATH). The path is taken off here, before anything else
 * looks at a request: routes, logs, metrics and limits know the rest alone. What comes without it is answered as well:
 * health checks, Prometheus and a CLI on the same machine come past the proxy. A path is no lock; keys are.
 */

/** An origin, which a request for a proxy names in front of its path (RFC 9112, §3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * A target without the base path, or as it was where it does not lie below it.
 *
 * @param basePath empty, or `/a/b`
 */
export function belowBasePath(basePath: string, target: string): string {
  const origin = ORIGIN.exec(target)?.[0] ?? '';
  const isBelow = basePath !== '' && target.startsWith(`${basePath}/`, origin.length);
  return isBelow ? origin + target.slice(origin.length + basePath.length) : target;
}

/** Hands requests on without the base path. */
export function withoutBasePath(basePath: string, listener: RequestListener): RequestListener {
  if (basePath === '') return listener;
  // not fastify's rewriteUrl: it logs both targets, with their query strings
  return (request, response) => {
    request.url = belowBasePath(basePath, request.url ?? '');
    listener(request, response);
  };
}

/** Leads from the base path to itself with a slash, without which the page's relative addresses mean something else. */
export function addBasePath(app: FastifyInstance, basePath: string): void {
  if (basePath === '' || app.hasRoute({ method: 'GET', url: basePath })) return;
  app.get(basePath, { schema: { hide: true } }, (_request, reply) => reply.redirect(`${basePath}/`, 308));
}
