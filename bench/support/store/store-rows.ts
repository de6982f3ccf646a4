import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { Sample } from '../../../src/core/sketch/modulus.ts';
import { runCheck } from '../../../src/store/level/check/check-process.ts';
import { prepareFolder } from '../../../src/store/level/folder/folder.ts';
import type { Content, Store } from '../../../src/store/port.ts';
import { quantile, type Row } from '../table.ts';
import {
  Asker,
  bytesOf,
  IDENTITY,
  ingest,
  ingestSteadily,
  openIndex,
  residentMiB,
  STORE_SETTINGS,
  timeQueries,
  untilIdle,
} from './store-index.ts';
import { planOf, Sketches } from './store-sketches.ts';

const CHILD = fileURLToPath(new URL('./store-child.ts', import.meta.url));
const QUERIES = 3000;
const IN_FLIGHT = 8;
const FAMILY = 5000;
const FAMILY_FROM = 2 ** 29;
const FAMILY_QUERIES = 200;
/** Numbers of documents that come while queries are timed, and of those that the kill finds in the tail. */
const STEADY_FROM = 2 ** 27;
const TAIL_FROM = 2 ** 28;
const STEADY_RATE = 10_000;
const STEADY_QUERIES = 1000;
/** A tail is flushed at 57,344. */
const TAIL = 57_000;

/** Latency of one at a time, rate of eight, and latency while documents come. */
export async function queryRows(
  store: Store,
  sketches: Sketches,
  { documents, rounds }: { documents: number; rounds: number },
): Promise<Row[]> {
  const asker = new Asker(store);
  const queries = (round: number) =>
    Array.from({ length: QUERIES }, (_, i) => sketches.nearCopy((i * 7919 + round * 104_729) % documents));
  const { perSecond: atFirst } = await timeQueries(asker, queries(99), IN_FLIGHT);
  const settledS = await untilIdle();
  await timeQueries(asker, queries(97), IN_FLIGHT);
  const at = `${documents.toLocaleString('en-US')} documents`;
  const one: number[][] = [];
  const rates: number[] = [];
  const cpus: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const { times, matches } = await timeQueries(asker, queries(round), 1);
    one.push(times);
    found += matches.filter(({ length }) => length > 0).length;
    const { perSecond, cpuUs } = await timeQueries(asker, queries(round + rounds), IN_FLIGHT);
    rates.push(perSecond);
    cpus.push(cpuUs);
  }
  const note = `${((100 * found) / (QUERIES * rounds)).toFixed(1)} % found a match`;
  const steady = new Sketches(sketches.shingles, 2);
  const asked = timeQueries(asker, queries(98).slice(0, STEADY_QUERIES), 1);
  const rate = await ingestSteadily(store, (i) => steady.plan(STEADY_FROM + documents + i), STEADY_RATE, asked);
  const { times: meanwhile } = await asked;
  return [
    spread(`query p50, ${at}`, one, 0.5, documents <= 1_000_000 ? '<= 0.12' : '<= 0.75', note),
    spread(`query p99, ${at}`, one, 0.99, documents <= 1_000_000 ? '<= 0.6' : '<= 5'),
    {
      row: `queries, ${IN_FLIGHT} in flight, ${at}`,
      value: quantile(rates, 0.5),
      ...range(rates),
      unit: 'queries/s',
      ...(documents > 1_000_000 ? {} : { target: '>= 6000' }),
      note: `${quantile(cpus, 0.5).toFixed(0)} µs of CPU each`,
    },
    {
      ...{ row: '… right after the load, while segments are merged', value: atFirst, unit: 'queries/s' },
      note: `for ${settledS.toFixed(0)} s`,
    },
    {
      ...{ row: 'query p99 while documents are fsynced', value: quantile(meanwhile, 0.99), unit: 'ms', target: '<= 8' },
      note: `${rate.toFixed(0)} documents/s; p50 ${quantile(meanwhile, 0.5).toFixed(2)} ms`,
    },
  ];
}

/** Members of one large family, so that all their lists are cut. */
export async function familyRows(store: Store, sketches: Sketches, rounds: number): Promise<Row[]> {
  const plan = (index: number) => planOf(FAMILY_FROM + index, sketches.familyMember(index));
  await ingest(store, plan, { to: FAMILY, clients: 512 });
  const asker = new Asker(store);
  const queries = Array.from({ length: FAMILY_QUERIES }, (_, i) => sketches.familyMember(FAMILY + i));
  await timeQueries(asker, queries, 1);
  const rows: number[][] = [];
  let near = 0;
  for (let round = 0; round < rounds; round++) {
    const { times, matches } = await timeQueries(asker, queries, 1);
    rows.push(times);
    near += matches.filter((ten, i) => ten.filter(isNear).length === nearestOf(queries[i]!, sketches, ten)).length;
  }
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const { perSecond } = await timeQueries(asker, queries.slice(0, 64), IN_FLIGHT);
  delay.disable();
  return [
    spread(`query p50, member of a family of ${FAMILY}`, rows, 0.5, '<= 1.5'),
    spread(`query p99, member of a family of ${FAMILY}`, rows, 0.99, '<= 5'),
    {
      ...{
        row: 'of these, ten of ten with r >= 0.9, where there are ten',
        value: (100 * near) / (FAMILY_QUERIES * rounds),
        unit: '%',
      },
      target: '>= 100',
    },
    {
      ...{ row: 'event loop delay p99, 64 such, 8 in flight', value: delay.percentile(99) / 1e6, unit: 'ms' },
      ...{ target: '<= 10', note: `${perSecond.toFixed(0)} queries/s` },
    },
  ];
}

const isNear = (resemblance: number) => resemblance >= 0.9;

/** How many of ten matches can have r >= 0.9: all, or by comparing with every member as many as there are. */
function nearestOf(query: Content<Sample>, sketches: Sketches, found: readonly number[]): number {
  if (found.filter(isNear).length === 10) return 10;
  const kept = new Set(query.sample.fingerprints);
  let near = 0;
  for (let i = 0; i < FAMILY && near < 10; i++) {
    const other = sketches.familyMember(i).sample.fingerprints;
    const shared = other.filter((value) => kept.has(value)).length;
    near += Number(isNear(shared / (kept.size + other.length - shared)));
  }
  return near;
}

/** Of a closed index that was compacted. */
export async function diskRows(dataDir: string): Promise<Row[]> {
  const store = await openIndex(dataDir);
  const { postings, contents } = await store.stats();
  await store.close();
  const total = readdirSync(join(dataDir, 'db')).reduce(
    (sum, name) => sum + statSync(join(dataDir, 'db', name)).size,
    0,
  );
  const records = (await bytesOf(dataDir, 'c')) / contents;
  return [
    {
      ...{
        row: 'postings on disk, compacted',
        value: (await bytesOf(dataDir, 'pq')) / (postings + contents),
        unit: 'bytes/posting',
      },
      ...{ target: '<= 6.5', note: `${postings.toLocaleString('en-US')} of shingles, and one of a digest a document` },
    },
    { row: 'record on disk', value: records, unit: 'bytes/document', note: 'sample, digests, keys, all in' },
    { row: 'all of the index on disk', value: total / contents, unit: 'bytes/document' },
  ];
}

/** Reopening after a clean stop, checking all, and reopening after SIGKILL with a full tail. */
export async function reopenRows(dataDir: string, shingles: number): Promise<Row[]> {
  const cleanMs = await reopened(dataDir);
  const folder = await prepareFolder({ dataDir, mustExist: true, pid: process.pid });
  const started = performance.now();
  const { problems, counts } = await runCheck({ folder, ...IDENTITY, ...STORE_SETTINGS });
  const checkS = (performance.now() - started) / 1000;
  const note = problems.length === 0 ? `sound: ${JSON.stringify(counts)}` : problems.slice(0, 3).join('; ');
  const rows: Row[] = [
    { row: 'reopen after a clean stop', value: cleanMs, unit: 'ms', target: '<= 150' },
    { row: 'check of all of it', value: checkS, unit: 's', target: '<= 60', note },
  ];
  const child = spawn(
    process.execPath,
    [CHILD, 'fill', dataDir, String(shingles), String(TAIL_FROM), String(TAIL_FROM + TAIL)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('error', reject);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await ended;
  const killedMs = await reopened(dataDir);
  rows.push({
    ...{ row: 'reopen after SIGKILL with a full tail', value: killedMs, unit: 'ms', target: '<= 1000' },
    note: `${TAIL.toLocaleString('en-US')} documents in the tail`,
  });
  return rows;
}

export function residentRow(row: string): Row {
  const { anonymous, mapped } = residentMiB();
  return { row, value: anonymous, unit: 'MiB', note: `anonymous; mapped files ${mapped.toFixed(0)} MiB apart` };
}

/** ms that a new process takes to open the index. */
async function reopened(dataDir: string): Promise<number> {
  const child = spawn(process.execPath, [CHILD, 'open', dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  return Number(printed);
}

/** The q-quantile of each round: their median, least and most. */
function spread(row: string, times: readonly number[][], q: number, target: string, note?: string): Row {
  const values = times.map((round) => quantile(round, q));
  return {
    row,
    value: quantile(values, 0.5),
    ...range(values),
    unit: 'ms',
    target,
    ...(note === undefined ? {} : { note }),
  };
}

const range = (values: readonly number[]) => ({ minimum: Math.min(...values), maximum: Math.max(...values) });
