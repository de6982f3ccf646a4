/*
 * Queries over HTTP: by documents in the index, by query threads, and by memory.
 *
 *     npm run bench:queries [-- --sizes 10000,100000,1000000] [--bytes 870] [--threads 0,1,2] [--memory 64,256,512,2048]
 *                           [--rounds 3] [--data-dir FOLDER] [--plot FILE] [--json]
 *
 * One folder grows from size to size; at the largest all kinds of queries are asked, and the service is started again with
 * each setting. A folder that is given is kept; one that has documents is taken for one of the last size. The load comes
 * from this process, which shares the cores with the service. --plot draws the rates of the sizes as SVG.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Line, plotSvg } from './support/plot.ts';
import { fillIndex, type Index, queryRows } from './support/store/store-queries.ts';
import { printRows, type Row } from './support/table.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    bytes: { type: 'string', default: '870' },
    threads: { type: 'string', default: '0,1,2' },
    memory: { type: 'string', default: '64,256,512,2048' },
    rounds: { type: 'string', default: '3' },
    'data-dir': { type: 'string' },
    plot: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const numbers = (list: string) => list.split(',').filter(Boolean).map(Number);
const sizes = numbers(values.sizes).sort((a, b) => a - b);
const rounds = Number(values.rounds);
const bytes = Number(values.bytes);
const rows: Row[] = [];
const bySize: [documents: number, rows: readonly Row[]][] = [];

function add(...more: readonly Row[]): void {
  rows.push(...more);
  // so that a long run says where it is
  for (const { row, value, unit, note = '' } of more)
    console.error(`${new Date().toISOString()} ${row}: ${value.toFixed(0)} ${unit} ${note}`);
}

const given = values['data-dir'];
const dataDir = given ?? mkdtempSync(join(tmpdir(), 'shingled-bench-'));
try {
  const largest: Index = { dataDir, documents: sizes.at(-1)!, bytes };
  if (given === undefined || !existsSync(given)) await grow();
  await addSize(largest, true);
  const variants = [
    ...numbers(values.threads).map((count) => ({ QUERY_THREADS: String(count) })),
    ...numbers(values.memory).map((mb) => ({ STORE_MEMORY_MB: String(mb) })),
  ];
  for (const settings of variants) add(...(await queryRows(largest, { settings, rounds, all: false })));
} finally {
  if (given === undefined) rmSync(dataDir, { recursive: true, force: true });
}
if (values.plot !== undefined) writeFileSync(values.plot, draw());
printRows('Queries over HTTP', rows);

/** All sizes but the largest are asked as the folder comes to them. */
async function grow(): Promise<void> {
  let from = 0;
  for (const documents of sizes) {
    const value = await fillIndex({ dataDir, documents, bytes }, from);
    add({ row: `bulk NDJSON, up to ${documents.toLocaleString('en-US')} × ${bytes} B`, value, unit: 'documents/s' });
    from = documents;
    if (documents === sizes.at(-1)) return;
    await addSize({ dataDir, documents, bytes }, false);
  }
}

async function addSize(index: Index, all: boolean): Promise<void> {
  const measured = await queryRows(index, { settings: {}, rounds, all });
  bySize.push([index.documents, measured]);
  add(...measured);
}

function draw(): string {
  const lines = ['8 clients', '1 client'].map((clients): Line => {
    const points = bySize.map(([documents, measured]): [number, number] => {
      const { value } = measured.find(({ row }) => row.startsWith(`POST /similar, ${clients},`))!;
      return [documents, value];
    });
    return { name: clients, points };
  });
  const title = `POST /similar, texts of ${bytes} bytes`;
  return plotSvg({ title, x: 'documents in the index', y: 'queries/s', lines });
}
