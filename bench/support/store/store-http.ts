import { bulk, call, type ServiceProcess, startService } from '../service-process.ts';
import { quantile, type Row } from '../table.ts';
import { documentText, edited } from '../texts.ts';
import { residentMiB, untilIdle } from './store-index.ts';
import { type Load, loadHttp, request } from './store-load.ts';

const TEXT = 'text/plain; charset=utf-8';
/** 138 words, and about 800. */
const SMALL_BYTES = 870;
const LARGE_BYTES = 5000;
const PUTS = 20_000;
const BULK = 20_000;
const QUERIES = 20_000;
const WARM_UP = 4000;
const CLIENTS = 8;

interface HttpRows {
  readonly documents: number;
  add(...rows: readonly Row[]): void;
}

/** A real service over HTTP: writes, then queries among so many documents of either size. */
export async function httpRows({ documents, add }: HttpRows): Promise<void> {
  await withService(async (service, port) => {
    const puts = Array.from({ length: Math.min(PUTS, documents) }, (_, i) =>
      request(port, 'PUT', `/documents?url=https://put.example/${i}`, TEXT, documentText(i, LARGE_BYTES)),
    );
    const { times, perSecond } = await loadHttp(port, 32, puts);
    add({
      ...{ row: 'HTTP: PUT, 5 KB text, 32 clients, fsynced', value: perSecond, unit: 'documents/s', target: '>= 4000' },
      note: `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
    });
    const lines = Array.from({ length: Math.min(BULK, documents) }, (_, i) => ({
      url: `https://bulk.example/${i}`,
      text: documentText(1_000_000 + i, LARGE_BYTES),
    }));
    const started = performance.now();
    await bulk(service.client, lines);
    const value = (lines.length / (performance.now() - started)) * 1000;
    add({ row: 'HTTP: bulk NDJSON, 5 KB text', value, unit: 'documents/s', target: '>= 12000' });
  });
  await withService((service, port) => similarRows(service, port, { documents, add, bytes: LARGE_BYTES }));
  await withService((service, port) => similarRows(service, port, { documents, add, bytes: SMALL_BYTES }));
}

async function similarRows(
  service: ServiceProcess,
  port: number,
  { documents, add, bytes }: HttpRows & { bytes: number },
): Promise<void> {
  const size = bytes === SMALL_BYTES ? '0.8 KB text' : '5 KB text';
  const started = performance.now();
  await bulk(service.client, texts(documents, bytes));
  const value = (documents / (performance.now() - started)) * 1000;
  const at = `${documents.toLocaleString('en-US')} documents`;
  add({ row: `HTTP: bulk NDJSON, ${size}, ${at}`, value, unit: 'documents/s', note: 'texts are made meanwhile' });
  const queries = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      request(port, 'POST', '/similar', TEXT, edited(documentText(((from + i) * 7919) % documents, bytes), i, 0.01)),
    );
  await untilIdle(service.pid);
  await loadHttp(port, CLIENTS, queries(0, WARM_UP));
  const load = await loadHttp(port, CLIENTS, queries(WARM_UP, QUERIES));
  add(...latencyRows(`HTTP: POST /similar, ${size}, ${CLIENTS} clients, ${at}`, load, bytes === SMALL_BYTES));
  const { anonymous, mapped } = residentMiB(service.pid);
  add({
    ...{ row: `HTTP: anonymous memory of the service, ${size}, ${at}`, value: anonymous, unit: 'MiB' },
    ...{ target: '<= 614', note: `mapped files ${mapped.toFixed(0)} MiB apart` },
  });
  const stats = await call<{ diskBytes?: number }>(service.client, 'GET', '/stats');
  if (stats.diskBytes !== undefined) {
    add({ row: `HTTP: on disk, ${size}, ${at}`, value: stats.diskBytes / documents, unit: 'bytes/document' });
  }
}

function latencyRows(row: string, { times, perSecond }: Load, isSmall: boolean): Row[] {
  return [
    { row, value: perSecond, unit: 'queries/s', target: isSmall ? '>= 4500' : '>= 2500' },
    { row: `${row}, p50`, value: quantile(times, 0.5), unit: 'ms', target: isSmall ? '<= 1.5' : '<= 2.5' },
    { row: `${row}, p99`, value: quantile(times, 0.99), unit: 'ms', target: isSmall ? '<= 8' : '<= 12' },
  ];
}

function* texts(count: number, bytes: number): Generator<{ url: string; text: string }> {
  for (let i = 0; i < count; i++) yield { url: `https://similar.example/${i}`, text: documentText(i, bytes) };
}

async function withService(measure: (service: ServiceProcess, port: number) => Promise<void>): Promise<void> {
  const service = await startService();
  try {
    await measure(service, service.port);
  } finally {
    await service.stop();
  }
}
