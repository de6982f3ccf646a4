/*
 * Ten times as much as the service can do, for minutes: two callers with 200 connections each, who send the next request as
 * soon as the one before is answered, and beside them one who asks 25 times a second, and a health check each 100 ms.
 *
 *     npm run bench:overload [-- --seconds 180] [--json]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadKnown, startLoad, stopped } from './support/load/fair-process.ts';
import { RawClient, rawRequest } from './support/raw-client.ts';
import { startService } from './support/service-process.ts';
import { printRows, quantile, type Row } from './support/table.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '180' }, json: { type: 'boolean' } },
});
const seconds = Number(values.seconds);
const CONNECTIONS = 200;
const HEALTH_EVERY_MS = 100;
const MIB = 2 ** 20;

const SECRETS = { one: '1'.repeat(20), other: '2'.repeat(20), polite: '3'.repeat(20) };
const service = await startService({
  API_KEYS: Object.entries(SECRETS)
    .map(([name, secret]) => `${name}:read+write:${secret}`)
    .join(','),
  RATE_LIMIT_PER_MINUTE: '0',
});
try {
  printRows('Ten times too much', await measured());
} finally {
  await service.stop();
}

async function measured(): Promise<Row[]> {
  const { port } = service;
  await loadKnown(service, SECRETS.one);
  const start = (role: string, secret: string) =>
    startLoad({ port, secret, role, originPort: 0, connections: CONNECTIONS });
  const loads = [await start('eager', SECRETS.one), await start('eager', SECRETS.other)];
  loads.push(await start('polite', SECRETS.polite));
  for (const load of loads) load.send('begin');
  const health: number[] = [];
  const memory: number[] = [];
  const client = new RawClient(port);
  for (let tick = 0; tick < (seconds * 1000) / HEALTH_EVERY_MS; tick++) {
    const { ms } = await client.ask(rawRequest('GET', '/health/ready', SECRETS.one));
    health.push(ms);
    if (tick % 10 === 0) memory.push(service.residentBytes() / MIB);
    await sleep(HEALTH_EVERY_MS);
  }
  client.close();
  const [one, other, polite] = await Promise.all(loads.map(stopped));
  const refused = [one!, other!].flatMap(({ statuses }) =>
    Object.entries(statuses).flatMap(([status, count]) => (Number(status) >= 400 || status === '0' ? count : 0)),
  );
  const after = (share: number) => memory[Math.floor(memory.length * share)]!;
  const worst = Math.max(one!.refusalWorst ?? 0, other!.refusalWorst ?? 0);
  return [
    { row: 'answers of two callers with 200 connections each', value: one!.served + other!.served, unit: 'a second' },
    { row: '… median', value: Math.max(one!.p50!, other!.p50!), unit: 'ms' },
    { row: '… p99', value: Math.max(one!.p99!, other!.p99!), unit: 'ms' },
    { row: 'refused', value: refused.reduce((sum, count) => sum + count, 0), unit: 'requests' },
    { row: '… at the longest', value: worst, unit: 'ms', target: '<= 100' },
    { row: 'a caller of 25 a second, served', value: polite!.served, unit: 'a second' },
    { row: '… p99', value: polite!.p99!, unit: 'ms', target: '<= 250' },
    { row: '/health/ready, p99', value: quantile(health, 0.99), unit: 'ms', target: '<= 100' },
    { row: 'memory after a third of the time', value: after(1 / 3), unit: 'MiB' },
    { row: '… at the end', value: memory.at(-1)!, unit: 'MiB' },
    { row: '… at the most', value: Math.max(...memory), unit: 'MiB' },
  ];
}
