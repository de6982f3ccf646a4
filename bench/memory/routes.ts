/*
 * What memory each route takes that reads: one key with 200 connections, each with one request after the other, for ten minutes
 * a route. Resident memory is to be as it was after the first half minute, in which caches and heaps come to their sizes.
 *
 *     npm run bench:memory [-- --minutes 10] [--hog WORD] [--connections 200] [--json]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOGS } from '../support/load/fair-hogs.ts';
import { loadFamily, loadKnown, startLoad, stopped } from '../support/load/fair-process.ts';
import { startService } from '../support/service-process.ts';
import { printRows, type Row } from '../support/table.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    hog: { type: 'string', default: '' },
    connections: { type: 'string', default: '200' },
    json: { type: 'boolean' },
  },
});
const MIB = 2 ** 20;
const SETTLE_MS = 30_000;
const LOOK_MS = 500;
const ROUTES = [
  '64 lists',
  '64 counts',
  '64 changes',
  '64 dry',
  '8 exports',
  '64 answers',
  '64 thorough',
  '64 clusters',
];
const SECRET = 'h'.repeat(20);

const wanted = (name: string) => ROUTES.some((route) => name.startsWith(route)) && name.includes(values.hog);
const rows: Row[] = [];
for (const hog of Object.keys(HOGS).filter(wanted)) rows.push(await measured(hog));
printRows('What a route adds to resident memory', rows);

/** In a service of its own, so that nothing of another route is in it. */
async function measured(hog: string): Promise<Row> {
  const service = await startService({ API_KEYS: `hog:read+write:${SECRET}`, RATE_LIMIT_PER_MINUTE: '0' });
  try {
    await loadKnown(service, SECRET);
    await loadFamily(service, SECRET);
    const connections = Number(values.connections);
    const load = await startLoad({ port: service.port, secret: SECRET, role: hog, originPort: 0, connections });
    await sleep(SETTLE_MS);
    const before = service.residentBytes();
    let most = before;
    for (let left = Number(values.minutes) * 60_000 - SETTLE_MS; left > 0; left -= LOOK_MS) {
      await sleep(Math.min(LOOK_MS, left));
      most = Math.max(most, service.residentBytes());
    }
    const { statuses } = await stopped(load);
    const note = `${(before / MIB).toFixed(0)} MiB after 30 s; answers ${JSON.stringify(statuses)}`;
    return { row: hog, value: (most - before) / MIB, unit: 'MiB more', target: '<= 100', note };
  } finally {
    await service.stop();
  }
}
