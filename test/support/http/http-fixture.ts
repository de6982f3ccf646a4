import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { buildApp } from '../../../src/app.ts';
import type { HttpOptions, Probes } from '../../../src/http/http-options.ts';
import type { Lifecycle } from '../../../src/http/lifecycle.ts';
import { HTTP_LIMITS, type HttpLimits } from '../../../src/http/limits.ts';
import type { Service } from '../../../src/service/service.ts';
import { createServiceFixture, type FixtureOptions, type ServiceFixture } from '../service/service-fixture.ts';

/* The app as the process builds it, over a whole service in memory; what it logs is kept. */

export interface HttpFixture {
  readonly app: FastifyInstance;
  readonly parts: ServiceFixture;
  readonly lifecycle: Lifecycle;
  readonly probes: { damaged: boolean; writable: boolean };
  /** Every line logged so far, as text. */
  readonly log: string[];
  close(): Promise<void>;
}

export interface HttpFixtureOptions extends FixtureOptions {
  readonly http?: Partial<Omit<HttpOptions, 'limits'>>;
  readonly httpLimits?: Partial<HttpLimits>;
  readonly logLevel?: string;
  /** The service with some of its uses replaced. */
  readonly wrapService?: (service: Service) => Partial<Service>;
}

export async function createHttpFixture(options: HttpFixtureOptions = {}): Promise<HttpFixture> {
  const parts = createServiceFixture(options);
  const lifecycle: Lifecycle = { phase: 'ready' };
  const probes = { damaged: false, writable: true };
  const log: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  const app = buildApp(
    {
      version: '1.2.3',
      pageFolder: null,
      basePath: '',
      apiKeys: [],
      // raw clients say `localhost`, whatever the port
      allowedHosts: ['localhost'],
      corsOrigins: [],
      rateLimitPerMinute: 0,
      trustProxy: false,
      ...options.http,
      // a machine that runs other tests as well is late at times
      limits: { ...HTTP_LIMITS, eventLoopDelayMsMax: 0, ...options.httpLimits },
    },
    {
      service: withUses(parts.service, options.wrapService?.(parts.service) ?? {}),
      loop: parts.loop,
      lifecycle,
      logger: pino({ level: options.logLevel ?? 'trace' }, sink),
      probes: probesOf(probes),
    },
  );
  await app.ready();
  return {
    app,
    parts,
    lifecycle,
    probes,
    log,
    async close() {
      await app.close();
      await parts.close();
    },
  };
}

/** A service whose named uses are others; its getters stay getters. */
function withUses(service: Service, uses: Partial<Service>): Service {
  return Object.assign(Object.create(service) as Service, uses);
}

function probesOf(state: { damaged: boolean; writable: boolean }): Probes {
  return {
    damaged: () => state.damaged,
    writable: () => state.writable,
    writeQueue: async () => ({ length: 3, ageMs: 250 }),
    fetchRefusals: () => [['address-not-public', 2]],
    queryThreads: () => [{ inHand: 1, answered: 20, givenBack: 3 }],
  };
}

/** Lines of NDJSON as values. */
export function linesOf(body: string): unknown[] {
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

export const NDJSON = { 'content-type': 'application/x-ndjson' };
export const JSON_TYPE = { 'content-type': 'application/json' };
export const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
