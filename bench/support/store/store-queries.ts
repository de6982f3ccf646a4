import { setTimeout as sleep } from 'node:timers/promises';
import { projectedRate, threadsCpuMs, threadsCpuUs } from '../cpu-by-thread.ts';
import { bulk, call, type ServiceProcess, startService } from '../service-process.ts';
import { quantile, type Row, spreadOf } from '../table.ts';
import { documentText, edited } from '../texts.ts';
import { cpuMs, residentMiB, untilIdle } from './store-index.ts';
import { type Load, loadHttp, request } from './store-load.ts';

/* Queries to a real service over an index that stays in its folder: the same rows with one setting and another. */

const TEXT = 'text/plain; charset=utf-8';
const NDJSON = 'application/x-ndjson';
const QUERIES = 6000;
/** The first queries compile code, and read rows from disk. One client is answered by another thread than many are. */
const WARM_UP = 12_000;
const LINES = 500;
/** A start verifies the newest files for a while, which takes of the same core. */
const VERIFIED_MS = 20_000;
/** Of the first queries after a start: one part after the other. */
const FIRST_QUERIES = 1_000;
const FIRST_MS = 20_000;

export interface Index {
  readonly dataDir: string;
  readonly documents: number;
  /** Of a text. */
  readonly bytes: number;
}

const urlOf = (index: number) => `https://similar.example/${index}`;

/** Adds documents `from` to `index.documents` to the folder. @returns documents a second */
export async function fillIndex({ dataDir, documents, bytes }: Index, from: number): Promise<number> {
  return withService({ DATA_DIR: dataDir }, async (service) => {
    const texts = function* () {
      for (let i = from; i < documents; i++) yield { url: urlOf(i), text: documentText(i, bytes) };
    };
    const started = performance.now();
    await bulk(service.client, texts());
    const perSecond = ((documents - from) / (performance.now() - started)) * 1000;
    await untilIdle(service.pid);
    return perSecond;
  });
}

export interface Asked {
  readonly settings: Readonly<Record<string, string>>;
  readonly rounds: number;
  /** All kinds of queries, where not only POST /similar. */
  readonly all: boolean;
}

/** Rows of one service over the index. */
export async function queryRows(index: Index, { settings, rounds, all }: Asked): Promise<Row[]> {
  const name = `${index.documents.toLocaleString('en-US')} × ${index.bytes} B${named(settings)}`;
  return withService({ ...settings, DATA_DIR: index.dataDir }, async (service) => {
    const asker = new Asker(service, index);
    const first = all ? await firstQueries(service, asker) : null;
    await sleep(VERIFIED_MS);
    await untilIdle(service.pid);
    await loadHttp(service.port, 8, asker.posts(WARM_UP));
    const rows: Row[] = [];
    const measure = async (what: string, clients: number, make: () => Buffer[], lines = 1) => {
      const row = `${what}, ${clients} ${clients === 1 ? 'client' : 'clients'}, ${name}`;
      rows.push(...(await ratedRows(service, row, { rounds, clients, make, lines })));
    };
    await measure('POST /similar', 8, () => asker.posts(QUERIES));
    if (first !== null) rows.push(...firstRows(first, rows[0]!, name));
    await loadHttp(service.port, 1, asker.posts(WARM_UP));
    await measure('POST /similar', 1, () => asker.posts(QUERIES / 3));
    if (all) {
      await measure('GET /similar?url=', 8, () => asker.gets(QUERIES));
      await measure('POST /similar, lines of NDJSON', 2, () => asker.batches(QUERIES / LINES), LINES);
      rows.push(...(await besideWrites(service, asker, name)));
    }
    rows.push({ row: `anonymous memory, ${name}`, value: residentMiB(service.pid).anonymous, unit: 'MiB' });
    return rows;
  });
}

/** Loads one after the other, from the moment at which the service says that it is ready. */
async function firstQueries({ port }: ServiceProcess, asker: Asker): Promise<Load[]> {
  const loads: Load[] = [];
  const since = performance.now();
  while (performance.now() - since < FIRST_MS) loads.push(await loadHttp(port, 8, asker.posts(FIRST_QUERIES)));
  return loads;
}

/** The slowest of them beside a later row. */
function firstRows(first: readonly Load[], later: Row, name: string): Row[] {
  const rates = first.map(({ perSecond }) => perSecond);
  const slowest = first[rates.indexOf(Math.min(...rates))]!;
  const note = `${first.length} times ${FIRST_QUERIES} queries; ${latencies(slowest.times)}`;
  const row = `… in the first ${FIRST_MS / 1000} s after ready, the slowest ${FIRST_QUERIES} queries, ${name}`;
  return [{ row, value: slowest.perSecond / later.value, unit: 'of that rate', target: '>= 0.7', note }];
}

interface Rated {
  readonly rounds: number;
  readonly clients: number;
  readonly make: () => Buffer[];
  /** Queries in a request. */
  readonly lines: number;
}

async function ratedRows(
  service: ServiceProcess,
  row: string,
  { rounds, clients, make, lines }: Rated,
): Promise<Row[]> {
  const rates: number[] = [];
  const cpuUs: number[] = [];
  const times: number[] = [];
  const threadsBefore = threadsCpuMs(service.pid);
  let queries = 0;
  for (let round = 0; round < rounds; round++) {
    const requests = make();
    queries += requests.length * lines;
    const before = cpuMs(service.pid);
    const load = await loadHttp(service.port, clients, requests);
    cpuUs.push(((cpuMs(service.pid) - before) * 1000) / (requests.length * lines));
    rates.push(load.perSecond * lines);
    times.push(...load.times);
  }
  const cpu = threadsCpuUs(threadsBefore, threadsCpuMs(service.pid), queries);
  const parts = Object.entries(cpu).map(([name, us]) => `${name} ${us.toFixed(0)}`);
  const note = `${latencies(times)}, ${quantile(cpuUs, 0.5).toFixed(0)} µs of CPU each: ${parts.join(', ')}`;
  const rated: Row = { row, unit: 'queries/s', ...spreadOf(rates), note };
  const projected = [8, 16].map((cores): Row => {
    const { rate, bound } = projectedRate(cpu, cores);
    return {
      row: `… on ${cores} cores, by CPU time`,
      value: Math.round(rate),
      unit: 'queries/s',
      note: `bound by ${bound}`,
    };
  });
  return clients === 8 && cpu.queries > 0 ? [rated, ...projected] : [rated];
}

/** Queries while 2,000 documents a second are written, each in a request of its own. */
async function besideWrites(service: ServiceProcess, asker: Asker, name: string): Promise<Row[]> {
  const PER_SECOND = 2000;
  let written = 0;
  const since = performance.now();
  let isOver = false;
  const writer = async () => {
    while (!isOver) {
      if (written >= ((performance.now() - since) / 1000) * PER_SECOND) await sleep(1);
      else {
        const i = written++;
        const data = documentText(50_000_000 + i, asker.index.bytes);
        await call(service.client, 'PUT', `/documents?url=https://new.example/${i}`, { type: TEXT, data });
      }
    }
  };
  const writers = Array.from({ length: 32 }, writer);
  const { times, perSecond }: Load = await loadHttp(service.port, 8, asker.posts(2 * QUERIES));
  isOver = true;
  await Promise.all(writers);
  const writes = written / ((performance.now() - since) / 1000);
  const note = `${latencies(times)}; ${writes.toFixed(0)} writes/s, fsynced`;
  return [{ row: `POST /similar while documents come, 8 clients, ${name}`, value: perSecond, unit: 'queries/s', note }];
}

/** Requests for near-copies of what is in the index, other ones each time. */
class Asker {
  readonly index: Index;
  private readonly port: number;
  private next = 0;

  constructor({ port }: ServiceProcess, index: Index) {
    this.port = port;
    this.index = index;
  }

  posts(count: number): Buffer[] {
    return this.some(count, (i) => request(this.port, 'POST', '/similar', TEXT, this.copy(i)));
  }

  gets(count: number): Buffer[] {
    return this.some(count, (i) =>
      Buffer.from(`GET /similar?url=${encodeURIComponent(urlOf(i))} HTTP/1.1\r\nhost: 127.0.0.1:${this.port}\r\n\r\n`),
    );
  }

  batches(count: number): Buffer[] {
    return this.some(count, () => {
      const lines = this.some(LINES, (i) => JSON.stringify({ document: { text: this.copy(i) } }));
      return request(this.port, 'POST', '/similar', NDJSON, `${lines.join('\n')}\n`);
    });
  }

  private some<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, () => make((this.next++ * 7919) % this.index.documents));
  }

  private copy(i: number): string {
    return edited(documentText(i, this.index.bytes), this.next, 0.01);
  }
}

async function withService<T>(
  environment: Record<string, string>,
  use: (service: ServiceProcess) => Promise<T>,
): Promise<T> {
  const service = await startService(environment);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

const named = (settings: Asked['settings']) =>
  Object.entries(settings)
    .map(([setting, value]) => `, ${setting}=${value}`)
    .join('');

const latencies = (times: readonly number[]) =>
  `p50 ${quantile(times, 0.5).toFixed(2)}, p99 ${quantile(times, 0.99).toFixed(1)} ms`;
