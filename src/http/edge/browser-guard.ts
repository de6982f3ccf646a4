import helmet from '@fastify/helmet';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { ShingledError } from '../../errors.ts';
import { type Host, isLoopback, readHost } from '../hosts.ts';
import type { HttpOptions } from '../http-options.ts';

/*
 * Which requests that a web page can have sent are taken.
 *
 * Without keys whoever reaches the port may do everything, and the browsers of this machine reach it, with pages of any
 * site in them. A page has two ways. It lets its own name resolve to 127.0.0.1, and is then of the same origin as we are
 * (DNS rebinding): such a request names a host that is not ours. Or it sends what needs no leave, a form, an image, a
 * `no-cors` fetch: then the browser says where the request comes from, in headers that no page can set. `same-site` is as
 * foreign as `cross-site`: another port of localhost is another program, and maybe another user's.
 *
 * With keys neither gains anything: no browser adds a key by itself. Hosts are then only looked at where ALLOWED_HOSTS is
 * set, and origins not at all.
 */

type GuardOptions = Pick<HttpOptions, 'apiKeys' | 'allowedHosts' | 'corsOrigins'>;

export function addBrowserGuard(app: FastifyInstance, { apiKeys, allowedHosts, corsOrigins }: GuardOptions): void {
  const isOpen = apiKeys.length === 0;
  const named = allowedHosts.flatMap((text) => readHost(text) ?? []);
  let ports: readonly number[] = [];
  // of a client's many requests only the first takes the reading of its Host
  let lastOurs: string | undefined;
  app.addHook('onListen', async () => {
    lastOurs = undefined;
    ports = app.addresses().flatMap((address) => (typeof address === 'string' ? [] : address.port));
  });

  const isOurs = ({ name, port }: Host) =>
    named.some((ours) => ours.name === name && (ours.port === null || ours.port === port)) ||
    // before there is a port nobody can have come by one
    (isLoopback(name) && (ports.length === 0 || ports.includes(port ?? HTTP_PORT)));

  const refusal = (request: FastifyRequest): ShingledError | undefined => {
    const malformed = faultOfHost(request);
    if (malformed !== null) return new ShingledError('malformed-request', malformed, { field: 'host' });
    // whoever watches over the process names it as he likes, and hears nothing that is worth a secret
    if (request.routeOptions.url?.startsWith('/health/') === true) return undefined;
    const { host } = request.headers;
    if ((isOpen || named.length > 0) && (host === undefined || host !== lastOurs)) {
      const read = readHost(host ?? '');
      if (read === null || !isOurs(read)) {
        return new ShingledError('unknown-host', 'This service has another name; ALLOWED_HOSTS can give it this one.', {
          field: 'host',
        });
      }
      lastOurs = host;
    }
    if (!isOpen || !isForeign(request, corsOrigins)) return undefined;
    const detail = 'Pages of another origin may call a service without keys only if CORS_ORIGINS names theirs.';
    return new ShingledError('foreign-origin', detail, { field: 'origin' });
  };
  app.addHook('onRequest', (request, _reply, done) => done(refusal(request)));
}

const HTTP_PORT = 80;

/** RFC 9112, §3.2: exactly one Host, which only HTTP/1.0 may leave out. */
function faultOfHost({ raw }: FastifyRequest): string | null {
  let count = 0;
  for (let at = 0; at < raw.rawHeaders.length; at += 2) {
    const name = raw.rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  if (count > 1) return 'A request names one host, not several.';
  return count === 0 && raw.httpVersion === '1.1' ? 'A request names its host.' : null;
}

/** Whether a page of another origin sent this, and may not. */
function isForeign({ headers, method, routeOptions }: FastifyRequest, corsOrigins: readonly string[]): boolean {
  const { origin } = headers;
  if (origin !== undefined && corsOrigins.includes(origin)) return false;
  const site = headers['sec-fetch-site'];
  // no browser, or one of before 2023
  if (site === undefined) return origin !== undefined && !isOwn(origin, headers.host ?? '');
  if (site === 'same-origin' || site === 'none') return false;
  // a link that somebody followed, to a page of ours that the page with the link can neither read nor frame
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !(isLink && (method === 'GET' || method === 'HEAD') && routeOptions.config.scope === undefined);
}

/** A proxy may have ended TLS, so both schemes are ours. */
function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

type ProtectingHeaders = Parameters<FastifyReply['headers']>[0];

/** Headers of every answer that are not helmet's. */
const OWN = new Set(['connection', 'content-length', 'content-type', 'date']);

/**
 * Tells browsers to run, frame and keep nothing of an answer. The headers are the same for all of them, and helmet works
 * them out anew for each, which costs more than sending them: so it is asked once.
 */
export function addProtectingHeaders(app: FastifyInstance): void {
  let headers: ProtectingHeaders = {};
  app.addHook('onReady', async () => {
    headers = await protectingHeaders();
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

async function protectingHeaders(): Promise<ProtectingHeaders> {
  const asked = fastify();
  asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // whoever ends TLS in front of us knows whether it always will
    strictTransportSecurity: false,
  });
  asked.get('/', async () => '');
  const { headers } = await asked.inject('/');
  await asked.close();
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)));
}
