import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** The real service as a child process on a free port over an index of its own, and a client for it. */
export interface ServiceProcess {
  readonly client: Pool;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Its process; where it was started with a preload, with a channel to it. */
  readonly child: ChildProcess;
  /** Anonymous resident memory of the process, bytes; mapped files apart. */
  anonymousBytes(): number;
  /** All resident memory, bytes. */
  residentBytes(): number;
  stop(): Promise<void>;
}

/**
 * Starts `src/main.ts` with the given environment added and waits until it is ready.
 *
 * @param preload a module to run before it, in its process
 */
export async function startService(
  environment: Record<string, string> = {},
  preload: URL | null = null,
): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
  const port = await freePort();
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const { flags, settings } = startScript();
  const before = preload === null ? [] : ['--import', preload.href];
  const child = spawn(process.execPath, [...flags, ...before, main], {
    env: {
      ...process.env,
      ...settings,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit', ...(preload === null ? [] : (['ipc'] as const))],
  });
  const client = new Pool(`http://127.0.0.1:${port}`, { connections: 64, bodyTimeout: 0, headersTimeout: 0 });
  await ready(child, client);
  return {
    client,
    port,
    pid: child.pid!,
    child,
    dataDir,
    anonymousBytes: () => memoryBytes(child.pid!, 'RssAnon'),
    residentBytes: () => memoryBytes(child.pid!, 'VmRSS'),
    stop: async () => {
      await client.close();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** Memory of any process, bytes (on Linux). */
export function memoryBytes(pid: number, field: 'RssAnon' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
}

/** What `npm start` gives to Node: flags, and its environment. */
function startScript(): { flags: string[]; settings: Record<string, string> } {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string };
  };
  const words = manifest.scripts.start.split(' ');
  const settings = Object.fromEntries(words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=')));
  return { flags: words.filter((word) => word.startsWith('--')), settings };
}

async function ready(child: ChildProcess, client: Pool): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} before it was ready`);
    try {
      const { statusCode, body } = await client.request({ method: 'GET', path: '/health/ready' });
      await body.dump();
      if (statusCode === 200) return;
    } catch {
      // not listening yet
    }
    await sleep(50);
  }
  throw new Error('the service was not ready within 30 s');
}

/** A port of this machine that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** One request; throws unless the status is 2xx. Returns the parsed JSON. */
export async function call<T>(
  client: Pool,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: { type: string; data: Uint8Array | string },
): Promise<T> {
  const response = await client.request({
    method,
    path,
    ...(body === undefined ? {} : { body: body.data, headers: { 'content-type': body.type } }),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}

/**
 * Node measures from one tick of a timer to the next, so that an idle process shows this much; what is above it is delay
 * (measured: an idle process shows 10.1 ms at a resolution of 10 ms, 20.1 at 20).
 */
const TIMER_RESOLUTION_MS = 10;

/** p99 of the event loop delay since the last call, from the service's own metrics. */
export async function eventLoopDelayMs(client: Pool): Promise<number> {
  const { body } = await client.request({ method: 'GET', path: '/metrics' });
  const line = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await body.text());
  if (line === null) throw new Error('/metrics has no nodejs_eventloop_lag_p99_seconds');
  return Number(line[1]) * 1000 - TIMER_RESOLUTION_MS;
}

/** Runs `work` over all items, `width` at a time, in order of start. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Indexes documents by bulk NDJSON requests of at most ~32 MiB; throws on the first refused line unless told to skip. */
export async function bulk(
  client: Pool,
  documents: Iterable<{ url: string; html?: string; text?: string; unless?: 'similar'; thresholds?: object }>,
): Promise<{ indexed: number; refused: number }> {
  let lines: string[] = [];
  let bytes = 0;
  const totals = { indexed: 0, refused: 0 };
  const send = async () => {
    if (lines.length === 0) return;
    const response = await client.request({
      method: 'POST',
      path: '/documents',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.join(''),
    });
    const answers = (await response.body.text()).trim().split('\n');
    if (response.statusCode !== 200) throw new Error(`bulk: ${response.statusCode} ${answers[0]}`);
    for (const answer of answers) {
      const parsed = JSON.parse(answer) as { status?: number };
      if (parsed.status === undefined) continue;
      if (parsed.status < 300) totals.indexed++;
      else totals.refused++;
    }
    lines = [];
    bytes = 0;
  };
  for (const document of documents) {
    const line = `${JSON.stringify({ op: 'put', ...document })}\n`;
    if (bytes + line.length > 32 * 2 ** 20 || lines.length === 5_000) await send();
    lines.push(line);
    bytes += line.length;
  }
  await send();
  return totals;
}
