/*
 * What one key can do to others: each kind of hog at full load, and beside it a caller who always wants more and one who
 * asks 25 times a second, both for small queries and, every fifth time, a put. Each caller is a process of its own; all of
 * them share the cores with the service, unless it is to have one for itself (on Linux).
 *
 * What is fair is measured, too: what an eager caller keeps beside another one just like him. And of what he keeps beside a hog
 * the clients' work may be to blame, which shares the cores. So a row also says which part of the service's CPU time went into
 * his answers, by what each costs when he is alone.
 *
 *     npm run bench:fair [-- --seconds 8] [--hog WORD] [--apart] [--json]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOGS } from './support/load/fair-hogs.ts';
import type { LoadResult } from './support/load/fair-load.ts';
import { loadFamily, loadKnown, startLoad, stopped } from './support/load/fair-process.ts';
import { freePort, type ServiceProcess, startService } from './support/service-process.ts';
import { printRows, type Row } from './support/table.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    hog: { type: 'string', default: '' },
    apart: { type: 'boolean', default: false },
    json: { type: 'boolean' },
  },
});
const seconds = Number(values.seconds);
/** Until a hog holds all it can get. */
const SETTLE_MS = 2500;
const WARM_UP_MS = 1000;
/** In place of a hog, another caller with small queries: the role of his load. */
const EQUAL = 'eager';

const SECRETS = { hog: 'h'.repeat(20), eager: 'e'.repeat(20), polite: 'p'.repeat(20) };

/** Where the slow origins of a hog listen. */
const originPort = await freePort();
const rows: Row[] = [];
const service = await startService({
  API_KEYS: Object.entries(SECRETS)
    .map(([name, secret]) => `${name}:read+fetch+write:${secret}`)
    .join(','),
  RATE_LIMIT_PER_MINUTE: '0',
  FETCH_ALLOWED_PRIVATE: '127.0.0.0/8',
  FETCH_PORTS: String(originPort),
});
try {
  if (values.apart) {
    execFileSync('taskset', ['-a', '-pc', '0', String(service.pid)]);
    execFileSync('taskset', ['-a', '-pc', '1', String(process.pid)]);
  }
  await loadKnown(service, SECRETS.hog);
  await loadFamily(service, SECRETS.hog);
  await run(service, null);
  const alone = await run(service, null);
  console.error(`alone: eager ${show(alone.eager)}; polite ${show(alone.polite)}`);
  const costMs = alone.cpuMs / (alone.eager.served + alone.polite.served);
  for (const hog of [EQUAL, ...Object.keys(HOGS).filter((name) => name.includes(values.hog))]) {
    const beside = await run(service, hog);
    rows.push(
      {
        row: `${hog}: an eager caller keeps`,
        value: beside.eager.served / alone.eager.served,
        unit: 'of its rate',
        ...(hog === EQUAL ? {} : { target: '>= 0.4' }),
      },
      { row: '… of the CPU time of the service', value: (beside.eager.served * costMs) / beside.cpuMs, unit: '' },
      { row: '… p99', value: beside.eager.p99 ?? Number.POSITIVE_INFINITY, unit: 'ms', target: '<= 250' },
      {
        row: '… a polite caller keeps',
        value: beside.polite.served / alone.polite.served,
        unit: 'of its rate',
        target: '>= 0.9',
      },
      { row: '… p99', value: beside.polite.p99 ?? Number.POSITIVE_INFINITY, unit: 'ms', target: '<= 250' },
    );
    // as they come: a whole run takes minutes
    console.error(
      `${hog}: eager ${show(beside.eager)}; polite ${show(beside.polite)}; hog ${JSON.stringify(beside.hog?.statuses)}`,
    );
  }
} finally {
  await service.stop();
}
printRows('One key against others', rows);

interface Run {
  readonly eager: LoadResult;
  readonly polite: LoadResult;
  readonly hog: LoadResult | null;
  /** CPU time of the service in a second, ms. */
  readonly cpuMs: number;
}

async function run({ port, pid }: ServiceProcess, hog: string | null): Promise<Run> {
  const start = (role: string, secret: string) => startLoad({ port, secret, role, originPort });
  const hogLoad = hog === null ? null : await start(hog, SECRETS.hog);
  if (hog !== null) await sleep(SETTLE_MS);
  const loads = await Promise.all([start('eager', SECRETS.eager), start('polite', SECRETS.polite)]);
  await sleep(WARM_UP_MS);
  for (const child of [...loads, ...(hogLoad === null ? [] : [hogLoad])]) child.send('begin');
  const cpuBefore = cpuMsOf(pid);
  await sleep(seconds * 1000);
  const cpuMs = (cpuMsOf(pid) - cpuBefore) / seconds;
  const [eager, polite] = await Promise.all(loads.map(stopped));
  const result = { eager: eager!, polite: polite!, hog: hogLoad === null ? null : await stopped(hogLoad), cpuMs };
  await sleep(1000);
  return result;
}

/** CPU time of a process and all its threads so far (on Linux, whose ticks are 10 ms). */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function show({ served, p50, p99, worst, statuses }: LoadResult): string {
  const ms = [p50, p99, worst].map((time) => (time ?? Number.NaN).toFixed(0)).join('/');
  return `${served.toFixed(0)} a second, ${ms} ms (median/p99/worst) ${JSON.stringify(statuses)}`;
}
