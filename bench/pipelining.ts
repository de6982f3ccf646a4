/*
 * What clients come to who send many requests before they read an answer, or never read: memory, and how long somebody else
 * waits meanwhile.
 *
 *     npm run bench:pipelining [-- PART-OF-A-ROW] [--json]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from './support/service-process.ts';
import { printRows, type Row } from './support/table.ts';

const CONNECTIONS = 50;
const REQUESTS = 10_000;
const LASTS_MS = 3_000;
const MIB = 2 ** 20;
const FLOOD = new URL('support/load/flood-child.ts', import.meta.url).pathname;

const KEY = 'secret-of-the-bench';
const AUTHORIZED = `host: localhost\r\nauthorization: Bearer ${KEY}\r\n`;
const HOST = 'host: localhost\r\n';
const TEXT = 'how does that novel begin it was the best of times it was the worst of times';
const KINDS: Readonly<Record<string, string>> = {
  'GET /openapi.json': `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`,
  'GET /openapi.json, HTTP/1.0': `GET /openapi.json HTTP/1.0\r\nconnection: keep-alive\r\n${HOST}\r\n`,
  'GET /openapi.json, absolute': `GET http://localhost/openapi.json HTTP/1.1\r\n${HOST}\r\n`,
  'HEAD /openapi.json': `HEAD /openapi.json HTTP/1.1\r\n${HOST}\r\n`,
  'GET /docs/static/swagger-ui-bundle.js': `GET /docs/static/swagger-ui-bundle.js HTTP/1.1\r\n${HOST}\r\n`,
  'OPTIONS /documents': `OPTIONS /documents HTTP/1.1\r\n${HOST}\r\n`,
  'GET /health/live': `GET /health/live HTTP/1.1\r\n${HOST}\r\n`,
  'GET /health/ready': `GET /health/ready HTTP/1.1\r\n${HOST}\r\n`,
  '401': `GET /stats HTTP/1.1\r\n${HOST}\r\n`,
  '404': `GET /nothing HTTP/1.1\r\n${HOST}\r\n`,
  '405': `DELETE /stats HTTP/1.1\r\n${HOST}\r\n`,
  '400, no host': 'GET /stats HTTP/1.1\r\n\r\n',
  '417': `POST /similar HTTP/1.1\r\n${HOST}expect: x\r\ncontent-length: 0\r\n\r\n`,
  '413': `POST /similar HTTP/1.1\r\n${AUTHORIZED}content-type: text/plain\r\ncontent-length: 99999999\r\n\r\n`,
  'GET /stats': `GET /stats HTTP/1.1\r\n${AUTHORIZED}\r\n`,
  'GET /metrics': `GET /metrics HTTP/1.1\r\n${AUTHORIZED}\r\n`,
  'POST /similar': `POST /similar HTTP/1.1\r\n${AUTHORIZED}content-type: text/plain\r\ncontent-length: ${TEXT.length}\r\n\r\n${TEXT}`,
  'empty lines': '\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n',
  'line feeds alone': `GET /health/live HTTP/1.1\n${HOST.replace('\r', '')}\n`,
};

const only = process.argv[2]?.startsWith('--') === false ? process.argv[2] : '';
const rows: Row[] = [];
for (const [name, request] of Object.entries(KINDS)) {
  for (const mode of ['read', 'unread'] as const) {
    const row = `${name}, ${mode}`;
    if (row.includes(only)) rows.push(...(await flood(row, request, mode)));
  }
}
printRows(`${CONNECTIONS} connections of ${REQUESTS.toLocaleString('en-US')} requests each, sent at once`, rows);

async function flood(name: string, request: string, mode: 'read' | 'unread'): Promise<Row[]> {
  const service = await startService({ API_KEYS: `bench:read+write+admin:${KEY}`, RATE_LIMIT_PER_MINUTE: '0' });
  const before = service.residentBytes();
  const seen = { asked: 0, failed: 0, worstMs: 0, most: before };
  const watch = setInterval(() => {
    seen.most = Math.max(seen.most, service.residentBytes());
  }, 20);
  const child = spawn(process.execPath, [FLOOD, ...[service.port, CONNECTIONS, REQUESTS].map(String), mode, request]);
  await once(child.stdout, 'data');
  const endsAt = performance.now() + LASTS_MS;
  while (performance.now() < endsAt) {
    const started = performance.now();
    if (!(await servesAnother(service.port))) seen.failed++;
    seen.asked++;
    seen.worstMs = Math.max(seen.worstMs, performance.now() - started);
    await sleep(5);
  }
  child.kill('SIGKILL');
  clearInterval(watch);
  await service.stop();
  const note = `${seen.failed} of ${seen.asked} failed`;
  return [
    { row: `${name}: memory`, value: (seen.most - before) / MIB, unit: 'MiB', target: '<= 100' },
    { row: `${name}: others`, value: seen.worstMs, unit: 'ms', target: '<= 250', note },
  ];
}

/** Somebody else's call, over a connection of its own. */
async function servesAnother(port: number): Promise<boolean> {
  const headers = { authorization: `Bearer ${KEY}`, connection: 'close' };
  const answer = await fetch(`http://127.0.0.1:${port}/stats`, { headers }).catch(() => null);
  await answer?.text();
  return answer?.status === 200;
}
