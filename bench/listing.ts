/*
 * Lists: sources a second, the first page of a host, counts by host, an export over HTTP, and deleting by a selection.
 *
 *     npm run bench:listing [-- --documents 1000000] [--rounds 5] [--json]
 *
 * Documents are sketches made from their index, of 20 hosts a thousand, each with a title; every tenth has changed once. Rows in
 * process are of the service over LevelDB, without HTTP. The export is of a real service over the same folder, in a process of
 * its own, which shares the cores with who reads it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import type { Identity } from '../src/identity/identity.ts';
import { openIndex } from '../src/open-index.ts';
import type { Selection } from '../src/service/api.ts';
import type { ServiceParts } from '../src/service/context.ts';
import { SERVICE_LIMITS } from '../src/service/limits.ts';
import { createService, type Service } from '../src/service/service.ts';
import { EventLoop } from '../src/sharing/turns.ts';
import type { PutPlan, Store } from '../src/store/port.ts';
import { createPrng } from '../test/support/prng.ts';
import { startService } from './support/service-process.ts';
import { ingest, residentMiB, untilIdle } from './support/store/store-index.ts';
import { Sketches } from './support/store/store-sketches.ts';
import { printRows, quantile, type Row, spreadOf } from './support/table.ts';

const SHINGLES = 20;
const HOSTS_PER_DOCUMENT = 0.02;
const CHANGED = 10;
const PAGE = 100;
const FIRST_PAGES = 2000;
const EVERYTHING = { caller: 'bench', mayFetch: false };
const BULK_CLIENTS = 1024;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const documents = Number(values.documents);
const hosts = Math.max(1, Math.round(documents * HOSTS_PER_DOCUMENT));
const rounds = Array.from({ length: Number(values.rounds) }, (_, round) => round);
const prng = createPrng(14);
const rows: Row[] = [];
const dataDir = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
try {
  const sketches = new Sketches(SHINGLES);
  const { store } = await open();
  await ingest(store, (index) => planOf(sketches, index, index), {
    to: documents,
    clients: BULK_CLIENTS,
    relaxed: true,
  });
  const changed = { to: documents / CHANGED, clients: BULK_CLIENTS, relaxed: true };
  await ingest(store, (index) => planOf(sketches, index * CHANGED, documents + index), changed);
  await store.close();
  await measure();
  await exportOverHttp();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
printRows(`Lists of ${documents.toLocaleString('en-US')} documents`, rows);

/** @param content of which document; another one than at first: it has changed */
function planOf(sketches: Sketches, index: number, content: number): PutPlan {
  const url = `${originOf(index % hosts)}section/page-${index}.html`;
  const plan = sketches.plan(content);
  const observedAt = (plan.observedAt ?? 0) + (content === index ? 0 : 1000);
  return { ...plan, url, spelling: url, observedAt, title: `The title of page ${index}`, language: 'en' };
}

function originOf(host: number): string {
  return `https://www.host-${host}.example/`;
}

async function measure(): Promise<void> {
  const { store, identity } = await open();
  const service = serviceOver(store, identity);
  // after a start what is known of keys is read in the background
  await untilIdle();
  await perSecond('port: sources, 512 a page', async () =>
    pages((after) => store.sources({ after, limit: 512 }, { versionsMax: 0 })),
  );
  await perSecond('service: list, 1,000 a page, to the end', () => listAll(service, {}), '>= 200000');
  await perSecond('… of those that have a meta: none', () => listAll(service, { meta: { kind: 'none' } }), '>= 200000');
  await perSecond('service: counts by host, to the end', () => countAll(service));
  await perSecond('service: export with versions, one in ten has two', async () => {
    let lines = 0;
    for await (const line of service.export({}, null, EVERYTHING)) if ('versions' in line) lines++;
    if (lines !== documents) throw new Error(`${lines} documents were exported`);
  });
  await firstPages(service);
  await forget(service);
  await service.close();
  await store.close();
}

function open() {
  return openIndex(readConfig({ DATA_DIR: dataDir }).config, process.pid, pino({ level: 'silent' }));
}

function serviceOver(store: Store, identity: Identity): Service {
  const parts = {
    ...{ store, limits: SERVICE_LIMITS, loop: new EventLoop(SERVICE_LIMITS.sliceMs), now: Date.now, version: 'bench' },
    identity,
    documents: { queued: 0 },
  };
  // to list takes no more of it
  return createService(parts as unknown as ServiceParts);
}

async function perSecond(row: string, work: () => Promise<unknown>, target?: string): Promise<void> {
  const rates: number[] = [];
  const cpu: number[] = [];
  for (const _ of rounds) {
    const begun = process.cpuUsage();
    const started = performance.now();
    await work();
    rates.push((documents / (performance.now() - started)) * 1000);
    const { user, system } = process.cpuUsage(begun);
    cpu.push((user + system) / documents);
  }
  const note = `${quantile(cpu, 0.5).toFixed(2)} µs of CPU each`;
  rows.push({ row, ...spreadOf(rates), unit: 'documents/s', note, ...(target === undefined ? {} : { target }) });
}

async function pages(read: (after: string | undefined) => Promise<{ after: string | null }>): Promise<void> {
  let after: string | null = null;
  do after = (await read(after ?? undefined)).after;
  while (after !== null);
}

async function listAll(service: Service, selection: Selection): Promise<void> {
  let cursor: string | null = null;
  do cursor = (await service.list(selection, { limit: 1000, cursor }, EVERYTHING)).cursor;
  while (cursor !== null);
}

async function countAll(service: Service): Promise<void> {
  let cursor: string | null = null;
  let counted = 0;
  do {
    const page = await service.countByHost({}, { limit: 1000, cursor }, EVERYTHING);
    counted += page.hosts.length;
    cursor = page.cursor;
  } while (cursor !== null);
  if (counted !== hosts) throw new Error(`${counted} hosts were counted`);
}

async function firstPages(service: Service): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < FIRST_PAGES; i++) {
    const host = new URL(originOf(prng.below(hosts))).hostname;
    const started = performance.now();
    const { documents: found } = await service.list({ host }, { limit: PAGE, cursor: null }, EVERYTHING);
    times.push(performance.now() - started);
    if (found.length === 0) throw new Error(`${host} has no document`);
  }
  const row = `service: first page of a host, N = ${FIRST_PAGES}`;
  rows.push({ row: `${row}, p50`, value: quantile(times, 0.5), unit: 'ms', target: '<= 5' });
  rows.push({ row: '… p99', value: quantile(times, 0.99), unit: 'ms', target: '<= 5' });
}

/** A hundredth of all documents: those of some hosts. */
async function forget(service: Service): Promise<void> {
  let deleted = 0;
  const started = performance.now();
  for (let host = 0; deleted < documents / 100; host++) {
    const selection = { host: new URL(originOf(host)).hostname };
    const { confirm } = await service.forgetSelected(selection, { dryRun: true, confirm: null }, EVERYTHING);
    deleted += (await service.forgetSelected(selection, { dryRun: false, confirm }, EVERYTHING)).deleted;
  }
  const value = (deleted / (performance.now() - started)) * 1000;
  rows.push({ row: 'service: deleted host by host, 50 documents each, fsynced', value, unit: 'documents/s' });
}

async function exportOverHttp(): Promise<void> {
  const service = await startService({ DATA_DIR: dataDir, INDEX_MUST_EXIST: 'true' });
  try {
    const rates: number[] = [];
    const bytesEach: number[] = [];
    await untilIdle(service.pid);
    const before = residentMiB(service.pid).anonymous;
    for (const _ of rounds) {
      const started = performance.now();
      const { body } = await service.client.request({ method: 'GET', path: '/documents/export' });
      let bytes = 0;
      let tail = '';
      for await (const chunk of body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        tail = (tail + chunk.subarray(-200).toString()).slice(-200);
      }
      if (!tail.includes('"complete":true')) throw new Error(`the export ended with ${tail}`);
      rates.push(bytes / (performance.now() - started) / 1000);
      bytesEach.push(bytes / documents);
    }
    const grown = residentMiB(service.pid).anonymous - before;
    const note = `${quantile(bytesEach, 0.5).toFixed(0)} bytes a document; ${grown.toFixed(0)} MiB more memory afterwards`;
    rows.push({ row: 'HTTP: export, one client', ...spreadOf(rates), unit: 'MB/s', note });
  } finally {
    await service.stop();
  }
}
