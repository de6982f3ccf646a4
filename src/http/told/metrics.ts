import type { FastifyInstance } from 'fastify';
import fastifyMetrics from 'fastify-metrics';
import type { LimitReached, StatsAnswer, WrittenSimilar } from '../../service/api.ts';
import type { HttpParts } from '../http-options.ts';
import { problems } from './responses.ts';

/*
 * Prometheus metrics: names after its conventions (base units, `_total` for counters), all of them below `shingled_` but
 * those of the process and of Node. What happens in a request is counted as it happens; sizes and queues are read when
 * somebody asks.
 */

type Client = FastifyInstance['metrics']['client'];
type Registry = InstanceType<Client['Registry']>;

/** What routes count. */
export interface Counters {
  similar(brief: WrittenSimilar['brief']): void;
  limits(reached: readonly LimitReached[]): void;
  /** @param result what became of it, or of so many, or the code of the error */
  document(result: string, times?: number): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    counters: Counters;
    /** Only to get at the client library behind fastify-metrics. */
    metricsLibrary: FastifyInstance['metrics'];
  }
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** GET /metrics (scope admin) and `app.counters`. Each app has its own registry: two in one process do not mix. */
export async function addMetrics(app: FastifyInstance, parts: HttpParts): Promise<void> {
  await app.register(fastifyMetrics.default, {
    name: 'metricsLibrary',
    endpoint: null,
    defaultMetrics: { enabled: false },
    routeMetrics: { enabled: false },
  });
  const { client } = app.metricsLibrary;
  const registry = new client.Registry();
  await app.register(fastifyMetrics.default, {
    promClient: { ...client, register: registry } as Client,
    endpoint: null,
    defaultMetrics: { enabled: true, register: registry },
    routeMetrics: {
      enabled: { histogram: true, summary: false },
      overrides: {
        histogram: {
          name: 'shingled_http_request_duration_seconds',
          help: 'Time from the head of a request to the end of its answer.',
          buckets: SECONDS,
          registers: [registry],
        },
        summary: { name: 'unused', registers: [new client.Registry()] },
      },
    },
  });
  addGauges(client, registry, parts);
  addPage(app, registry);
  app.decorate('counters', createCounters(client, registry));
}

function addPage(app: FastifyInstance, registry: Registry): void {
  let page: Promise<string> | null = null;
  app.get(
    '/metrics',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'metrics',
        tags: ['operation'],
        summary: 'Metrics for Prometheus',
        description: 'Needs the scope `admin` where keys are configured.',
        response: {
          200: {
            description: 'Metrics in the text format.',
            content: { 'text/plain': { schema: { type: 'string' }, example: 'shingled_index_sources 4600\n' } },
          },
          ...problems(),
        },
      },
    },
    async (_request, reply) => {
      // a page takes milliseconds to write: who asks while one is being written gets the same
      page ??= registry.metrics().finally(() => {
        page = null;
      });
      return reply.type(registry.contentType).send(await page);
    },
  );
}

function createCounters(client: Client, registry: Registry): Counters {
  const registers = [registry];
  const matches = new client.Histogram({
    name: 'shingled_matches',
    help: 'Matches in an answer.',
    buckets: [0, 1, 2, 5, 10, 25, 50, 100, 250, 1000],
    registers,
  });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new client.Counter({ name: `shingled_${name}_total`, help, labelNames, registers });
  const limits = counter('limits_reached', 'Answers that a limit cut, by limit.', 'limit');
  const capped = counter('capped_lists', 'Posting lists that were read only to their cap.');
  const documents = counter('documents', 'Documents written, and bulk lines refused, by result.', 'result');
  const countLimits = (reached: readonly LimitReached[]) => {
    for (const { code, affected } of reached) {
      limits.inc({ limit: code });
      if (code === 'capped-lists') capped.inc(affected);
    }
  };
  return {
    similar(brief) {
      matches.observe(brief.matches);
      countLimits(brief.limits);
    },
    limits: countLimits,
    document: (result, times = 1) => documents.inc({ result }, times),
  };
}

/** Statistics are read once for all gauges of a page. */
const STATS_SHARED_MS = 100;

function sharedStats({ service }: HttpParts): () => Promise<StatsAnswer> {
  let readAt = Number.NEGATIVE_INFINITY;
  let read: Promise<StatsAnswer> | undefined;
  return () => {
    if (read === undefined || performance.now() - readAt > STATS_SHARED_MS) {
      readAt = performance.now();
      read = service.stats();
    }
    return read;
  };
}

function addGauges(client: Client, registry: Registry, parts: HttpParts): void {
  const { service, probes } = parts;
  const stats = sharedStats(parts);
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | null | Promise<number | null>) =>
    new client.Gauge({
      name: `shingled_${name}`,
      help,
      registers,
      async collect() {
        const value = await read();
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  gauge('index_sources', 'URLs in the index.', async () => (await stats()).sources);
  gauge('index_contents', 'Distinct contents in the index.', async () => (await stats()).contents);
  gauge('index_postings', 'Postings in the index.', async () => (await stats()).postings);
  gauge('index_disk_bytes', 'Bytes of the index on disk.', async () => (await stats()).diskBytes);
  gauge('disk_free_bytes', 'Bytes free beside the index.', async () => (await stats()).freeBytes);
  gauge('index_segments', 'Sorted pieces that a look-up reads.', async () => (await stats()).index?.segments ?? null);
  gauge(
    'index_tail_contents',
    'Contents whose postings are in memory only.',
    async () => (await stats()).index?.tailContents ?? null,
  );
  new client.Gauge({
    name: 'shingled_index_memory_bytes',
    help: 'Memory of the index by part.',
    labelNames: ['part'],
    registers,
    async collect() {
      for (const [part, bytes] of Object.entries((await stats()).index?.memoryBytes ?? {})) this.set({ part }, bytes);
    },
  });
  gauge('index_writable', '0 while the disk refuses writes.', () => Number(probes.writable()));
  gauge('index_damaged', '1 after a value of the index could not be read.', () => Number(probes.damaged()));
  gauge('write_queue_length', 'Writes that wait for the committer.', async () => (await probes.writeQueue()).length);
  gauge('write_queue_age_seconds', 'How long the oldest waits.', async () => (await probes.writeQueue()).ageMs / 1000);
  gauge('requests_in_flight', 'Requests being worked for, by what they take.', () => service.load.requestsInFlight);
  gauge('requests_waiting', 'Requests that wait for that.', () => service.load.requestsWaiting);
  addThreadMetrics(client, registers, probes);
  gauge('documents_waiting', 'Documents that wait for a worker.', () => service.load.documentsWaiting);
  new client.Counter({
    name: 'shingled_fetch_refusals_total',
    help: 'Fetches that were refused or failed, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of probes.fetchRefusals()) this.inc({ reason }, count);
    },
  });
}

/** Of each query thread. */
function addThreadMetrics(client: Client, registers: Registry[], probes: HttpParts['probes']): void {
  new client.Gauge({
    name: 'shingled_query_thread_questions',
    help: 'Questions that a query thread has in hand.',
    labelNames: ['thread'],
    registers,
    collect() {
      for (const [thread, { inHand }] of probes.queryThreads().entries()) this.set({ thread }, inHand);
    },
  });
  new client.Counter({
    name: 'shingled_query_thread_questions_total',
    help: 'Questions that a query thread has answered, or given back to the main thread.',
    labelNames: ['thread', 'result'],
    registers,
    collect() {
      this.reset();
      for (const [thread, { answered, givenBack }] of probes.queryThreads().entries()) {
        this.inc({ thread, result: 'answered' }, answered);
        this.inc({ thread, result: 'given back' }, givenBack);
      }
    },
  });
}
