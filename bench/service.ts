/*
 * What a client feels: latency and throughput of the whole service over HTTP, in a process of its own on this machine.
 *
 *     npm run bench [-- FOLDER-OF-PAGES] [--json]
 *
 * The load generator shares the cores with the service. FOLDER-OF-PAGES (a docs.tsv with at least 10,000 pages) adds the
 * row on memory; without it generated pages of the same size stand in, and the row says so.
 */
import { readFileSync } from 'node:fs';
import type { SimilarAnswer } from '../src/service/api.ts';
import { corpusDocuments } from './support/corpus.ts';
import {
  bulk,
  call,
  eventLoopDelayMs,
  inParallel,
  type ServiceProcess,
  startService,
} from './support/service-process.ts';
import { printRows, quantile, type Row } from './support/table.ts';
import { documentText, edited, textOf } from './support/texts.ts';

const TEXT_BYTES = 5_000;
const INDEXED = 4_600;
const ROUNDS = 5;

const rows: Row[] = [];
await withService(async (service) => {
  rows.push(await bulkRate(service), ...(await queryLatency(service)), await putRate(service));
});
await withService(async (service) => rows.push(...(await unlessRates(service))));
await withService(async (service) => rows.push(await lagUnderLoad(service)));
await withService(async (service) => rows.push(await memoryOfPages(service)));
printRows('The service over HTTP', rows);

async function withService(measure: (service: ServiceProcess) => Promise<unknown>): Promise<void> {
  const service = await startService();
  try {
    await measure(service);
  } finally {
    await service.stop();
  }
}

function text(data: string): { type: string; data: string } {
  return { type: 'text/plain; charset=utf-8', data };
}

async function bulkRate(service: ServiceProcess): Promise<Row> {
  const rates: number[] = [];
  const share = INDEXED / ROUNDS;
  for (let round = 0; round < ROUNDS; round++) {
    const documents = Array.from({ length: share }, (_, i) => round * share + i).map((index) => ({
      url: `https://bench.example/${index}`,
      text: documentText(index, TEXT_BYTES),
    }));
    const started = performance.now();
    await bulk(service.client, documents);
    rates.push((share / (performance.now() - started)) * 1000);
  }
  return spread('bulk NDJSON, 5 KB text', rates, 'documents/s', '>= 1500');
}

/** The same in turn, all in one index: as they are, and unless similar; then with near-copies among them. */
async function unlessRates(service: ServiceProcess): Promise<Row[]> {
  const share = INDEXED / ROUNDS;
  const unless = { unless: 'similar', thresholds: { resemblance: 0.9 } } as const;
  const kinds = [
    { name: 'every line new', copies: 0, more: {}, target: '>= 1500' },
    // a line is a look-up, for which a query has 4 ms
    { name: 'every line new, unless similar', copies: 0, more: unless, target: '>= 250' },
    { name: 'one in four a near-copy of the line before, unless similar', copies: 4, more: unless, target: '>= 250' },
  ];
  const rates = kinds.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { copies, more }] of kinds.entries()) {
      const first = (round * kinds.length + at) * share;
      const documents = Array.from({ length: share }, (_, i) => {
        const isCopy = copies > 0 && i % copies === 1;
        const own = textOf(first + i, TEXT_BYTES);
        const words = isCopy ? edited(textOf(first + i - 1, TEXT_BYTES), i, 0.002) : own;
        return { url: `https://unless.example/${first + i}`, text: words, ...more };
      });
      const started = performance.now();
      await bulk(service.client, documents);
      rates[at]!.push((share / (performance.now() - started)) * 1000);
    }
  }
  return kinds.map(({ name, target }, at) =>
    spread(`bulk NDJSON, 5 KB text, ${name}`, rates[at]!, 'documents/s', target),
  );
}

async function queryLatency(service: ServiceProcess): Promise<Row[]> {
  const latencies: number[] = [];
  for (let i = 0; i < 1_200; i++) {
    const query = edited(documentText((i * 37) % INDEXED, TEXT_BYTES), i, 0.01);
    const started = performance.now();
    await call<SimilarAnswer>(service.client, 'POST', '/similar', text(query));
    if (i >= 200) latencies.push(performance.now() - started);
  }
  const row = (q: number, target: string): Row => ({
    row: `POST /similar, 5 KB text, ${INDEXED.toLocaleString('en-US')} indexed, one client, p${q * 100}`,
    value: quantile(latencies, q),
    unit: 'ms',
    target,
    note: 'N = 1,000',
  });
  return [row(0.5, '<= 4'), row(0.99, '<= 15')];
}

async function putRate(service: ServiceProcess): Promise<Row> {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const indexes = Array.from({ length: 800 }, (_, i) => 100_000 + round * 800 + i);
    const bodies = new Map(indexes.map((index) => [index, documentText(index, TEXT_BYTES)]));
    const started = performance.now();
    await inParallel(indexes, 8, async (index) => {
      await call(service.client, 'PUT', `/documents?url=https://bench.example/${index}`, text(bodies.get(index)!));
    });
    rates.push((indexes.length / (performance.now() - started)) * 1000);
  }
  return spread('PUT, 5 KB text, 8 clients, acknowledged = fsynced', rates, 'documents/s', '>= 500');
}

/** 64 queries that each meet a family of 5,000 near-copies, and ten pages of 1 MB, at once. */
async function lagUnderLoad(service: ServiceProcess): Promise<Row> {
  const base = textOf(42, 3_000);
  const family = Array.from({ length: 5_000 }, (_, i) => ({
    url: `https://family.example/${i}`,
    text: edited(base, i, 0.004),
  }));
  await bulk(service.client, family);
  const page = `<html><body>${Array.from({ length: 200 }, (_, i) => `<p>${textOf(i, 5_200)}</p>`).join('')}</body></html>`;
  const delays: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await eventLoopDelayMs(service.client);
    const queries = Array.from(
      { length: 64 },
      (_, i) => () =>
        call(service.client, 'POST', '/similar?deadlineMs=60000', text(edited(base, 9_000 + round * 64 + i, 0.004))),
    );
    const pages = Array.from(
      { length: 10 },
      (_, i) => () =>
        call(service.client, 'POST', '/similar?deadlineMs=60000', {
          type: 'text/html',
          data: page.replace('<p>', `<p>${i} ${round} `),
        }),
    );
    await Promise.all([...queries, ...pages].map((start) => start()));
    delays.push(await eventLoopDelayMs(service.client));
  }
  return spread('event loop delay p99, 64 family queries and ten 1 MB pages', delays, 'ms', '<= 20');
}

async function memoryOfPages(service: ServiceProcess): Promise<Row> {
  const folder = process.argv[2]?.startsWith('--') === false ? process.argv[2] : undefined;
  const { indexed, refused } = await bulk(service.client, folder === undefined ? generatedPages() : realPages(folder));
  return {
    row: `anonymous memory after indexing 10,000 ${folder === undefined ? 'generated' : 'real'} pages`,
    value: service.anonymousBytes() / 2 ** 20,
    unit: 'MiB',
    target: '<= 400',
    note: `${indexed} indexed, ${refused} refused`,
  };
}

function* realPages(folder: string): Generator<{ url: string; html: string }> {
  for (const { url, path } of corpusDocuments(folder).slice(0, 10_000)) yield { url, html: readFileSync(path, 'utf8') };
}

function* generatedPages(): Generator<{ url: string; html: string }> {
  for (let i = 0; i < 10_000; i++)
    yield { url: `https://page.example/${i}`, html: `<p>${documentText(i, 27_000)}</p>` };
}

function spread(row: string, values: readonly number[], unit: string, target: string): Row {
  return {
    row,
    value: quantile(values, 0.5),
    unit,
    minimum: Math.min(...values),
    maximum: Math.max(...values),
    target,
    note: `median of ${values.length}`,
  };
}
