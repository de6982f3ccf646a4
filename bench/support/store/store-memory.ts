import { MemoryStore } from '../../../test/support/memory-store/memory-store.ts';
import { quantile, type Row } from '../table.ts';
import { Asker, IDENTITY, ingest, residentMiB, STORE_SETTINGS, timeQueries } from './store-index.ts';
import type { Sketches } from './store-sketches.ts';

const QUERIES = 2000;

/** The store of the tests beside, which keeps everything in objects of JavaScript and nothing on disk. */
export async function memoryRows(sketches: Sketches, documents: number): Promise<Row[]> {
  const description = { formatVersion: 1, indexId: 'bench', createdAt: 0, ...IDENTITY };
  const before = residentMiB().anonymous;
  const store = new MemoryStore(description, STORE_SETTINGS);
  const { perSecond } = await ingest(store, (index) => sketches.plan(index), { to: documents, clients: 64 });
  const asker = new Asker(store);
  const queries = Array.from({ length: QUERIES }, (_, i) => sketches.nearCopy((i * 7919) % documents));
  await timeQueries(asker, queries, 8);
  const { times } = await timeQueries(asker, queries, 1);
  const at = `${documents.toLocaleString('en-US')} documents`;
  return [
    { row: `memory store: ingest, ${at}`, value: perSecond, unit: 'documents/s' },
    { row: `memory store: query p50, ${at}`, value: quantile(times, 0.5), unit: 'ms' },
    { row: `memory store: query p99, ${at}`, value: quantile(times, 0.99), unit: 'ms' },
    { row: `memory store: anonymous memory, ${at}`, value: residentMiB().anonymous - before, unit: 'MiB' },
  ];
}
