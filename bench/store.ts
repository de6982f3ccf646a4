/*
 * The index: writes a second, queries by the number of documents, bytes on disk, reopening, checking and memory.
 *
 *     npm run bench:store [-- --documents 1000000] [--grow 0] [--rounds 3] [--only REGEX] [--json]
 *     npm run bench:store -- --loaded 10000,1000000 [--memory 1024,4096] [--rounds 3] [--plot FILE] [--json]
 *
 * The second is of queries alone, to an index of each size that a first load made, with each STORE_MEMORY_MB. --plot draws
 * the rates as SVG.
 *
 * Documents are sketches made from their index (store-sketches.ts), of the size of short pages: 130 shingles, 32
 * postings; and of texts of 5 KB: 800 shingles, 100 postings. Making them is part of every figure of writes. A query is
 * what the service does between the sketch and the answer: look up, count, compare, estimate; the documents that are asked
 * for are near-copies of indexed ones. The rows over HTTP are of a real service in a process of its own, which shares the
 * cores with the load.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSketches } from './load/load-jobs.ts';
import { plotSvg } from './support/plot.ts';
import { httpRows } from './support/store/store-http.ts';
import { ingest, openIndex, type Rate } from './support/store/store-index.ts';
import { memoryRows } from './support/store/store-memory.ts';
import { diskRows, familyRows, queryRows, reopenRows, residentRow } from './support/store/store-rows.ts';
import { Sketches } from './support/store/store-sketches.ts';
import { printRows, type Row } from './support/table.ts';

/** Queries a second by the size of the index. */
type Rates = { readonly name: string; readonly points: [documents: number, perSecond: number][] };

const SMALL = 130;
const LARGE = 800;
const CLIENTS = 64;
/** Two batches of the committer. */
const BULK_CLIENTS = 1024;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    // queries are measured again when there are so many
    grow: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    loaded: { type: 'string', default: '' },
    memory: { type: 'string', default: '1024' },
    plot: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const numbers = (list: string) => list.split(',').filter(Boolean).map(Number);
const documents = Number(values.documents);
const rounds = Number(values.rounds);
const loaded = numbers(values.loaded);
const memory = numbers(values.memory);
const wanted = new RegExp(values.only);
const rows: Row[] = [];
const scale = `${documents.toLocaleString('en-US')} documents`;
const SYNCED = `${scale}, ${BULK_CLIENTS} under way, each fsynced`;

function add(...more: readonly Row[]): void {
  rows.push(...more);
  // so that a long run says where it is
  for (const { row, value, unit } of more) console.error(`${new Date().toISOString()} ${row}: ${value} ${unit}`);
}

await (loaded.length > 0 ? allLoaded() : allSections());
printRows('The index in LevelDB', rows);

async function allSections(): Promise<void> {
  await section('bulk, 100 postings', () => bulkRow(LARGE, 'ingest, 100 postings each', '>= 20000'));
  await section('bulk, relaxed', () =>
    bulkRow(SMALL, 'ingest, 32 postings each, relaxed, one sync at the end', '>= 40000', true),
  );
  await section('fsynced', async () => {
    await withFolder(async (dataDir) => {
      const count = Math.min(documents, 200_000);
      const rate = await fill(dataDir, SMALL, count, CLIENTS);
      add(rateRow('ingest, each fsynced, 64 clients', rate, '>= 15000', `${count.toLocaleString('en-US')} documents`));
    });
  });
  await section('queries|family|disk|reopen|check|memory|bulk, 32', () => withFolder(largeIndex));
  await section('memory store', async () =>
    add(...(await memoryRows(new Sketches(SMALL), Math.min(documents, 100_000)))),
  );
  await section('http', () => httpRows({ documents, add }));
}

/** Queries alone, to indexes of all sizes that are asked for. */
async function allLoaded(): Promise<void> {
  const rates = memory.map((megabytes): Rates => ({ name: `${megabytes} MB`, points: [] }));
  for (const size of loaded) await withFolder((dataDir) => loadedIndex(dataDir, size, rates));
  if (values.plot !== undefined) {
    const title = 'Queries in process, of 8 under way, two cores';
    writeFileSync(values.plot, plotSvg({ title, x: 'documents in the index', y: 'queries/s', lines: rates }));
  }
}

async function section(name: string, measure: () => Promise<unknown>): Promise<void> {
  if (name.split('|').some((part) => wanted.test(part))) await measure();
}

async function bulkRow(shingles: number, row: string, target: string, relaxed = false): Promise<void> {
  await withFolder(async (dataDir) => {
    const rate = await fill(dataDir, shingles, documents, BULK_CLIENTS, relaxed);
    add(rateRow(row, rate, target, relaxed ? scale : SYNCED));
  });
}

/** One large index for all rows that need one. */
async function largeIndex(dataDir: string): Promise<void> {
  const sketches = new Sketches(SMALL);
  const store = await openIndex(dataDir);
  const more = (from: number, to: number) =>
    ingest(store, (index) => sketches.plan(index), { from, to, clients: BULK_CLIENTS });
  try {
    add(rateRow('ingest, 32 postings each', await more(0, documents), '>= 25000', SYNCED));
    await section('queries', async () => add(...(await queryRows(store, sketches, { documents, rounds }))));
    const grow = Number(values.grow);
    if (grow > documents) {
      const { perSecond } = await more(documents, grow);
      add({ row: `ingest of the others up to ${grow.toLocaleString('en-US')}`, value: perSecond, unit: 'documents/s' });
      add(...(await queryRows(store, sketches, { documents: grow, rounds })));
    }
    await section('family', async () => add(...(await familyRows(store, sketches, rounds))));
    add(residentRow('memory after all that, of the process with the index'));
    await section('disk', () => store.compact());
  } finally {
    await store.close();
  }
  await section('disk', async () => add(...(await diskRows(dataDir))));
  await section('reopen', async () => add(...(await reopenRows(dataDir, SMALL))));
}

/** Queries to an index that a first load made, which is opened with one size of memory after the other. */
async function loadedIndex(dataDir: string, size: number, rates: readonly Rates[]): Promise<void> {
  const sketches = new Sketches(SMALL);
  const startedAt = performance.now();
  await loadSketches(dataDir, size);
  const perSecond = (size / (performance.now() - startedAt)) * 1000;
  add({ row: `first load, ${size.toLocaleString('en-US')}`, value: perSecond, unit: 'documents/s' });
  for (const [i, megabytes] of memory.entries()) {
    const store = await openIndex(dataDir, megabytes);
    try {
      const measured = await queryRows(store, sketches, { documents: size, rounds });
      rates[i]!.points.push([size, measured.find(({ row }) => row.startsWith('queries,'))!.value]);
      add(...measured.map((row) => ({ ...row, row: `${row.row}, ${megabytes} MB` })));
      add(residentRow(`memory, ${megabytes} MB`));
    } finally {
      await store.close();
    }
  }
}

function rateRow(row: string, { perSecond, cpuUs }: Rate, target: string, note: string): Row {
  return { row, value: perSecond, unit: 'documents/s', target, note: `${note}; ${cpuUs.toFixed(1)} µs of CPU each` };
}

async function fill(dataDir: string, shingles: number, to: number, clients: number, relaxed = false): Promise<Rate> {
  const sketches = new Sketches(shingles);
  const store = await openIndex(dataDir);
  try {
    return await ingest(store, (index) => sketches.plan(index), { to, clients, relaxed });
  } finally {
    await store.close();
  }
}

async function withFolder(measure: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
  try {
    await measure(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
