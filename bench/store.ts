/*
 * The index alone: writes a second as the disk syncs them, queries by the number of documents, size and memory.
 *
 *     node bench/store.ts [--documents 4600,50000] [--json]
 *
 * Documents are generated sketches of pages of 5 KB: about 790 shingles, a tenth of them shared with many other pages, and
 * one page in three a near-copy of an earlier one. Every write is acknowledged after its batch is synced.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { coarsen, modulusFor, RECORD_SHINGLES_LEAST } from '../src/core/modulus.ts';
import { createIndexKeyFile } from '../src/identity/index-key.ts';
import { prepareFolder } from '../src/store/level/folder.ts';
import { openLevelStore } from '../src/store/level/open.ts';
import type { NewContent, PutPlan, Store } from '../src/store/port.ts';
import { RETENTION_DEFAULT } from '../src/store/settings.ts';
import { printRows, quantile, type Row } from './support/table.ts';

const SHINGLES = 790;
const COMMON_SHINGLES = 79;
const COMMON_KINDS = 2000;
const FAMILY = 2000;
const QUERIES = 500;
const NOW = 1_700_000_000_000;
/** The records of all that shares anything. */
const EVERYTHING = {
  candidatesMax: 256,
  shingleDigest: null,
  overlapNeeded: () => ({ least: 0, of: () => 0 }),
} as const;

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '4600,50000' }, json: { type: 'boolean', default: false } },
});
const sizes = values.documents.split(',').map(Number);

const random = mulberry32(20_260_713);
// random() has 32 bits, and the lowest bits of a fingerprint decide what is kept
const anyFingerprint = () => Math.floor(random() * 2 ** 20) * 2 ** 20 + Math.floor(random() * 2 ** 20);
const common = Array.from({ length: COMMON_KINDS }, anyFingerprint);
const rows: Row[] = [];

for (const clients of [1, 8, 64]) {
  await withStore(async (store) => {
    rows.push(await putRate(store, clients));
    if (clients === 64) rows.push(await updateRate(store, clients));
  });
}
for (const size of sizes) await withStore((store) => measureQueries(store, size));
await withStore(measureFamily);
printRows('The index in LevelDB', rows);

async function putRate(store: Store, clients: number): Promise<Row> {
  const pages = Array.from({ length: clients === 1 ? 500 : 3000 }, (_, i) => plan(i, page()));
  const rate = await applyAll(store, pages, clients);
  const target = clients === 8 ? { target: '>= 500' } : {};
  return { row: `PUT, new documents, ${clients} clients`, value: rate, unit: 'plans/s', ...target };
}

async function updateRate(store: Store, clients: number): Promise<Row> {
  const pages = Array.from({ length: 3000 }, (_, i) => ({ ...plan(i, page()), observedAt: NOW + 1000 }));
  const rate = await applyAll(store, pages, clients);
  return { row: `PUT, changed documents, ${clients} clients`, value: rate, unit: 'plans/s' };
}

async function applyAll(store: Store, plans: readonly PutPlan[], clients: number): Promise<number> {
  let next = 0;
  const started = performance.now();
  const client = async () => {
    while (next < plans.length) await store.apply(plans[next++]!, { roomWaitMs: 60_000 });
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (plans.length / (performance.now() - started)) * 1000;
}

async function measureQueries(store: Store, size: number): Promise<void> {
  const known: NewContent[] = [];
  for (let from = 0; from < size; from += 1000) {
    const pages = Array.from({ length: Math.min(1000, size - from) }, (_, i) =>
      plan(
        from + i,
        random() < 0.33 && known.length > 0 ? nearCopy(known[Math.floor(random() * known.length)]!) : page(),
      ),
    );
    for (const { content } of pages) known.push(content);
    await applyAll(store, pages, 64);
  }
  const times: number[] = [];
  let found = 0;
  for (let i = 0; i < QUERIES; i++) {
    const query = lookUp(nearCopy(known[Math.floor(random() * known.length)]!));
    const started = performance.now();
    const set = await store.candidates({ keys: query, ...EVERYTHING });
    times.push(performance.now() - started);
    found += set.candidates.length;
  }
  const label = `${size.toLocaleString('en-US')} documents`;
  const note = `48 to 96 look-ups, ${(found / QUERIES).toFixed(0)} records read`;
  rows.push({ row: `query p50, ${label}`, value: quantile(times, 0.5), unit: 'ms', note });
  rows.push({ row: `query p99, ${label}`, value: quantile(times, 0.99), unit: 'ms' });
  const { diskBytes, postings } = await store.stats();
  rows.push({
    row: `on disk, ${label}`,
    value: diskBytes! / size,
    unit: 'bytes/document',
    note: `${(postings / size).toFixed(0)} postings each`,
  });
  rows.push({ row: `anonymous memory, ${label}`, value: anonymousMB(), unit: 'MB' });
}

/** Near-copies of one page whose shingles are all common, asked for by 64 clients at once. */
async function measureFamily(store: Store): Promise<void> {
  const first = page();
  const members = Array.from({ length: FAMILY }, (_, i) => plan(i, nearCopy(first)));
  await applyAll(store, members, 64);
  const keys = lookUp(first);
  const times: number[] = [];
  let cut = 0;
  for (let i = 0; i < 50; i++) {
    const started = performance.now();
    cut = (await store.candidates({ keys, ...EVERYTHING })).cappedShares.length;
    times.push(performance.now() - started);
  }
  const note = `${keys.length} look-ups, ${cut} of them common`;
  rows.push({ row: `query p50, family of ${FAMILY}`, value: quantile(times, 0.5), unit: 'ms', note });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  await Promise.all(Array.from({ length: 64 }, () => store.candidates({ keys, ...EVERYTHING })));
  const elapsed = performance.now() - started;
  delay.disable();
  rows.push({ row: '64 family queries at once', value: (64 / elapsed) * 1000, unit: 'queries/s' });
  rows.push({ row: 'event loop delay p99 meanwhile', value: delay.percentile(99) / 1e6, unit: 'ms', target: '<= 20' });
}

async function withStore(measure: (store: Store) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
  const folder = await prepareFolder({ dataDir, mustExist: false, pid: process.pid });
  createIndexKeyFile(folder.keyFile);
  const store = await openLevelStore({
    folder,
    keyId: '00000000',
    fingerprintId: '1.0000',
    shingleSize: 7,
    indexModulusMax: 8,
    recordModulusMax: 4,
    rankKey: [1, 2],
    retention: RETENTION_DEFAULT,
    now: NOW,
  });
  try {
    await measure(store);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function page(): NewContent {
  return contentOf(
    Array.from({ length: SHINGLES }, (_, i) =>
      // few kinds are in very many pages, as boilerplate is
      i < COMMON_SHINGLES ? common[Math.floor(COMMON_KINDS * random() ** 3)]! : anyFingerprint(),
    ),
  );
}

/** A content that shares nine tenths of what another one keeps. */
function nearCopy(of: NewContent): NewContent {
  const kept = Array.from(of.sample.fingerprints).filter(() => random() > 0.1);
  const { modulus } = of.sample;
  const others = Array.from(
    { length: of.sample.fingerprints.length - kept.length },
    () => Math.floor(anyFingerprint() / modulus) * modulus,
  );
  return {
    ...contentOf([...kept, ...others]),
    shingleCount: of.shingleCount,
    sample: { modulus, fingerprints: sorted([...kept, ...others]) },
  };
}

function sorted(fingerprints: readonly number[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(new Set(fingerprints)).sort();
}

function contentOf(fingerprints: readonly number[]): NewContent {
  const all = sorted(fingerprints);
  const modulus = modulusFor(all.length, 4, RECORD_SHINGLES_LEAST);
  const digest = () =>
    [0, 0, 0, 0]
      .map(() =>
        Math.floor(random() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      )
      .join('');
  return {
    id: digest(),
    shingleDigest: digest(),
    tokenCount: all.length + 6,
    shingleCount: all.length,
    sample: coarsen({ modulus: 1, fingerprints: all }, modulus),
  };
}

/** What a query for resemblance looks up: its fingerprints at m(n; no cap, 48). */
function lookUp(content: NewContent): Float64Array {
  return coarsen(content.sample, modulusFor(content.shingleCount, Number.POSITIVE_INFINITY, 48)).fingerprints;
}

function plan(index: number, content: NewContent): PutPlan {
  const url = `https://${index % 97}.bench.example/page/${index}`;
  return {
    kind: 'put',
    url,
    spelling: url,
    observedAt: NOW,
    receivedAt: NOW,
    bytesDigest: content.id,
    content,
    httpStatus: 200,
    finalUrl: null,
    title: `Page ${index} of the bench`,
    language: 'en',
    meta: null,
  };
}

/** Resident memory that is not a mapped file; all that is resident where the system does not say. */
function anonymousMB(): number {
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024;
  } catch {
    return process.memoryUsage().rss / 2 ** 20;
  }
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), state | 1);
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61);
    return ((hash ^ (hash >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
