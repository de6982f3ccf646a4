import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { buildApp } from '../../../src/app.ts';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../../src/extract/limits.ts';
import { GuardedFetcher } from '../../../src/fetch/guarded-fetcher.ts';
import { Door } from '../../../src/http/edge/door.ts';
import { HTTP_LIMITS } from '../../../src/http/limits.ts';
import { acceptBodies } from '../../../src/http/routes/bodies.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { SERVICE_LIMITS } from '../../../src/service/limits.ts';
import { createService } from '../../../src/service/service.ts';
import { EventLoop } from '../../../src/sharing/turns.ts';
import { RETENTION_DEFAULT } from '../../../src/store/settings.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../../src/workers/limits.ts';
import { createDocumentPipeline } from '../../../src/workers/pool.ts';
import { MemoryStore } from '../../../test/support/memory-store/memory-store.ts';
import { cpuUsSince, type Measured } from '../measure.ts';
import { SHINGLE_SIZE, sketcherOf } from './text-jobs.ts';

/*
 * Posted texts of 5 KB through the app as the service builds it: gate, limits, metrics, request log and all, with routes
 * that only this bench adds. The load comes from a process of its own (http-load.ts).
 */

/** What is done with a body once it was read whole; all answer alike. `nothing` is what the others are compared with. */
export type HttpUse = 'nothing' | 'sketch' | 'sketch and digests';

interface Answer {
  readonly shingles: number;
  readonly sampled: number;
}

/** By number, for it is calls that V8 compiles after: for less time or more, the slower use would be measured colder. */
const WARM_UP_REQUESTS = 40_000;
const MEASURED_MS = 1000;
const RECORD_MODULUS = 4;

/** Requests answered, and the CPU time of this process, which is the server's alone. */
export async function measureHttp(use: HttpUse): Promise<Measured> {
  const { app, answered, close } = await listen(use);
  const { port } = app.server.address() as { port: number };
  const script = fileURLToPath(new URL('./http-load.ts', import.meta.url));
  const load = spawn(process.execPath, [script, `http://127.0.0.1:${port}/bench`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const failed = once(load, 'exit').then(() => {
    throw new Error('the load ended');
  });
  const measured = (async () => {
    while (answered().documents < WARM_UP_REQUESTS) await sleep(50);
    return runFor(MEASURED_MS, answered);
  })();
  try {
    return await Promise.race([measured, failed]);
  } finally {
    load.removeAllListeners('exit');
    load.kill('SIGKILL');
    app.server.closeAllConnections();
    await close();
  }
}

async function runFor(cpuMs: number, answered: () => Pick<Measured, 'bytes' | 'documents'>): Promise<Measured> {
  const started = performance.now();
  const before = process.cpuUsage();
  const { bytes, documents } = answered();
  for (;;) {
    await sleep(50);
    const cpuUs = cpuUsSince(before);
    if (cpuUs < 1000 * cpuMs) continue;
    const now = answered();
    const wallMs = performance.now() - started;
    return { bytes: now.bytes - bytes, documents: now.documents - documents, cpuUs, wallMs };
  }
}

/** The app, listening, with POST /bench. */
async function listen(use: HttpUse) {
  const { app, loop, documents, close } = buildService();
  let count = 0;
  let bytes = 0;
  const answer = answerBy(use, documents);
  app.register(async (scope) => {
    acceptBodies(scope, ['document'], { limits: HTTP_LIMITS, door: new Door(loop, HTTP_LIMITS.bodyBytesMax), loop });
    scope.post('/bench', { config: { scope: 'read' } }, (request: FastifyRequest) => {
      const body = request.body as Buffer;
      count++;
      bytes += body.length;
      return answer(body, request.headers['content-type'] ?? null);
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, answered: () => ({ bytes, documents: count }), close };
}

function answerBy(use: HttpUse, documents: ReturnType<typeof createDocumentPipeline>) {
  if (use === 'nothing') return async (body: Buffer): Promise<Answer> => ({ shingles: body.length, sampled: 0 });
  if (use === 'sketch') {
    const sketcher = sketcherOf('WASM');
    return async (bytes: Buffer, contentType: string | null): Promise<Answer> => {
      const { text } = extract({ bytes, contentType }, DEFAULT_EXTRACT_LIMITS);
      const { shingleCount, sample } = sketcher.sketch(text, RECORD_MODULUS);
      return { shingles: shingleCount, sampled: sample.fingerprints.length };
    };
  }
  return async (bytes: Buffer, contentType: string | null): Promise<Answer> => {
    const input = { bytes, contentType, select: null, remove: null, modulusMax: RECORD_MODULUS, keepText: false };
    const { sketch } = await documents.process(input, { caller: 'bench' });
    return { shingles: sketch.shingleCount, sampled: sketch.sample.fingerprints.length };
  };
}

/** The service as it is by default, but for its index, which is in memory and is asked nothing. */
function buildService() {
  const identity = deriveIdentity(new Uint8Array(32).fill(1), SHINGLE_SIZE);
  const { keyId, fingerprintId, rankKey } = identity;
  const store = new MemoryStore(
    {
      formatVersion: 1,
      indexId: '00'.repeat(16),
      keyId,
      fingerprintId,
      shingleSize: SHINGLE_SIZE,
      indexModulusMax: 8,
      recordModulusMax: RECORD_MODULUS,
      createdAt: 0,
    },
    { rankKey, retention: RETENTION_DEFAULT },
  );
  const documents = createDocumentPipeline({ ...DEFAULT_PIPELINE_LIMITS, identity, limits: DEFAULT_EXTRACT_LIMITS });
  const fetcher = new GuardedFetcher();
  const loop = new EventLoop(SERVICE_LIMITS.sliceMs);
  const service = createService({
    store,
    fetcher,
    documents,
    identity,
    limits: SERVICE_LIMITS,
    loop,
    now: Date.now,
    version: 'bench',
  });
  const app: FastifyInstance = buildApp(
    {
      version: 'bench',
      pageFolder: null,
      basePath: '',
      apiKeys: [],
      allowedHosts: [],
      corsOrigins: [],
      rateLimitPerMinute: 0,
      trustProxy: false,
      limits: HTTP_LIMITS,
    },
    {
      service,
      loop,
      lifecycle: { phase: 'ready' },
      logger: pino({ level: 'error' }),
      probes: {
        damaged: () => store.damaged,
        writable: () => store.writable,
        writeQueue: async () => ({ length: 0, ageMs: 0 }),
        fetchRefusals: () => [],
        queryThreads: () => [],
      },
    },
  );
  const close = async () => {
    await app.close();
    await service.close();
    await fetcher.close();
    await documents.close();
    await store.close();
  };
  return { app, loop, documents, close };
}
