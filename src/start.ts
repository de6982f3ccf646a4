import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { openParts, type Process } from './commands/open-parts.ts';
import { limitsFrom } from './config/setting.ts';
import type { Config } from './config.ts';
import { ShingledError } from './errors.ts';
import { loadClient } from './fetch/exchange/exchange.ts';
import type { HttpOptions } from './http/http-options.ts';
import { drain, type Lifecycle, settle } from './http/lifecycle.ts';
import { HTTP_LIMIT_ROWS, HTTP_LIMITS } from './http/limits.ts';
import type { StatsAnswer } from './service/api.ts';
import { WARM_UP_DOCUMENTS_LEAST } from './service/upkeep/warm-up.ts';

type Parts = Awaited<ReturnType<typeof openParts>>;

/** A service that listens. */
export interface RunningService {
  /** Stops accepting, finishes what is under way within DRAIN_TIMEOUT_MS, then closes the index. Idempotent. */
  stop(): Promise<void>;
  /** Callers need one of these keys from now on; without effect where the service was started without keys. */
  replaceKeys(keys: Config['API_KEYS']): void;
}

/**
 * Puts the parts together in the order in which they need each other, and listens.
 *
 * @throws ShingledError `invalid-config`, `index-missing`, `index-locked`, `index-mismatch` or `index-damaged`; whatever
 *   was open by then is closed again
 */
export async function startService(config: Config, { version, pid }: Process, log: Logger): Promise<RunningService> {
  await probe(config);
  const parts = await openParts(config, { version, pid }, log);
  try {
    const lifecycle: Lifecycle = { phase: 'opening' };
    const { service, loop, probes } = parts;
    const app = buildApp(httpOptions(config, version), { service, loop, lifecycle, logger: log, probes });
    await app.ready();
    await loadClient();
    await settle(app);
    await parts.queries?.whenReady();
    const stats = await service.stats();
    sayWhatHolds(config, stats, log);
    await listen(app, config, log);
    parts.ownPorts.push((app.server.address() as AddressInfo).port);
    service.start();
    const becomeReady = () => {
      if (lifecycle.phase === 'opening') lifecycle.phase = 'ready';
    };
    if (stats.sources < WARM_UP_DOCUMENTS_LEAST) becomeReady();
    else void warmUp(service, log).then(becomeReady);
    const stop = async () => {
      await drain(app, lifecycle, config.DRAIN_TIMEOUT_MS);
      await parts.close();
      log.info('stopped; everything acknowledged is on disk');
    };
    let stopped: Promise<void> | null = null;
    return {
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
      replaceKeys: (keys) => app.replaceApiKeys(keys),
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function warmUp(service: Parts['service'], log: Logger): Promise<void> {
  const beganAt = performance.now();
  log.info('answering, and ready once what answers is warm');
  await service.warmUp();
  log.info({ warmUpMs: Math.round(performance.now() - beganAt) }, 'warm');
}

function httpOptions(config: Config, version: string): HttpOptions {
  return {
    version,
    pageFolder: fileURLToPath(new URL('../dist/page', import.meta.url)),
    apiKeys: config.API_KEYS,
    basePath: config.BASE_PATH,
    allowedHosts: config.ALLOWED_HOSTS,
    corsOrigins: config.CORS_ORIGINS,
    rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
    trustProxy: config.TRUST_PROXY.length > 0 && config.TRUST_PROXY,
    limits: { ...HTTP_LIMITS, ...limitsFrom(config, '', HTTP_LIMIT_ROWS) },
  };
}

function sayWhatHolds({ DATA_DIR, API_KEYS }: Config, { sources }: StatsAnswer, log: Logger): void {
  log.info(
    `the index in ${resolve(DATA_DIR)} holds ${sources.toLocaleString('en')} ${sources === 1 ? 'document' : 'documents'}`,
  );
  if (API_KEYS.length === 0)
    log.info('without API_KEYS everybody on this machine may do everything, and nobody else anything');
  else log.info(keysText(API_KEYS));
}

/** Which keys there are, without their secrets. */
export const keysText = (keys: Config['API_KEYS']): string =>
  `callers need one of the API keys: ${keys.map(({ name }) => name).join(', ')}`;

/** A name with two addresses: who asks for it may try only one of them. */
const LOCALHOST = { name: 'localhost', first: '127.0.0.1', second: '::1' };

const firstOf = (host: string) => (host === LOCALHOST.name ? LOCALHOST.first : host);

/** Listens for a moment: where that cannot be, no index is opened or made. */
async function probe({ HOST: host, PORT: port }: Config): Promise<void> {
  const server = createServer().listen({ host: firstOf(host), port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFault(error, host, port);
  }
  server.close();
  await once(server, 'close');
}

async function listen(app: FastifyInstance, { HOST: host, PORT: port }: Config, log: Logger): Promise<void> {
  try {
    await app.listen({ host: firstOf(host), port, listenTextResolver: (address) => `listening on ${address}` });
    if (host !== LOCALHOST.name) return;
    await app.listenBeside(LOCALHOST.second).catch((error: unknown) => {
      log.warn({ err: error }, `not listening on ${LOCALHOST.second}, the other address of ${LOCALHOST.name}`);
    });
  } catch (error) {
    throw listenFault(error, host, port);
  }
}

function listenFault(error: unknown, host: string, port: number): unknown {
  const fault = LISTEN_FAULTS[(error as NodeJS.ErrnoException).code ?? ''];
  return fault === undefined ? error : new ShingledError('invalid-config', fault(host, port), { cause: error });
}

const NO_HOST = (host: string) =>
  `HOST: there is no host named ${host}; allowed: a name or an address of this machine, or 0.0.0.0 for all`;
const NOT_HERE = (host: string) =>
  `HOST: ${host} is not an address of this machine; allowed: one that is, or 0.0.0.0 for all`;

const LISTEN_FAULTS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `PORT: another process listens on ${port} of ${host}; allowed: a free port, or 0 to take any`,
  EACCES: (host, port) =>
    `PORT: this user may not listen on ${port} of ${host}; allowed: 1024 to 65535, or 0 to take any`,
  EADDRNOTAVAIL: NOT_HERE,
  // a machine without IPv6, say
  EAFNOSUPPORT: NOT_HERE,
  EINVAL: NOT_HERE,
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NO_HOST,
};
