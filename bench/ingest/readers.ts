/*
 * What the readers of files take, each alone: bytes in memory (a folder and Parquet from disk) to operations, nothing written.
 *
 *     npm run bench:ingest-readers [-- --json]
 *
 * A row is the median of rounds, by CPU time of the whole process, with the time of the wall beside it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readBulkLine } from '../../src/http/routes/bulk-line.ts';
import { createRecordMap } from '../../src/ingest/fields/record-map.ts';
import { readFolder } from '../../src/ingest/inputs/folder-files.ts';
import { readParquetFile } from '../../src/ingest/inputs/parquet-file.ts';
import { DEFAULT_INGEST_LIMITS as LIMITS } from '../../src/ingest/limits.ts';
import type { IngestItem, OpenedBytes } from '../../src/ingest/port.ts';
import { readerOf } from '../../src/ingest/readers.ts';
import { printRows, type Row, spreadOf } from '../support/table.ts';
import { documentText } from '../support/texts.ts';

const ROUNDS = 5;
const CHUNK_BYTES = 2 ** 20;
const LARGE = { records: 6_000, textBytes: 5_000 };
const SMALL = { records: 30_000, textBytes: 800 };

interface TextRecord {
  readonly url: string;
  readonly text: string;
  readonly date: string;
}

const map = createRecordMap({ fields: {}, urlPrefix: null, bulkLine: readBulkLine });
const parts = { map, limits: LIMITS, table: {}, urlPrefix: null, mtimeMs: null };

function records({ records: count, textBytes }: typeof LARGE): TextRecord[] {
  return Array.from({ length: count }, (_, n) => ({
    url: `https://bench.example/${n}`,
    text: documentText(n, textBytes),
    date: '2026-01-02T03:04:05Z',
  }));
}

function inMemory(content: Buffer): OpenedBytes {
  async function* chunks() {
    for (let byte = 0; byte < content.length; byte += CHUNK_BYTES) {
      yield { bytes: content.subarray(byte, byte + CHUNK_BYTES), byte, begins: false, damage: null };
    }
  }
  return { file: 'bench', chunks: chunks() };
}

async function measured(
  name: string,
  bytes: number,
  expected: number,
  open: () => AsyncIterable<IngestItem | readonly IngestItem[]>,
  target?: string,
): Promise<Row> {
  const [cpu, wall]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const [before, start] = [process.cpuUsage(), performance.now()];
    let count = 0;
    for await (const some of open()) {
      for (const item of [some].flat()) {
        if ('refused' in item) throw new Error(`${name}: ${item.at}: ${item.detail}`);
        count++;
      }
    }
    const { user, system } = process.cpuUsage(before);
    if (count !== expected) throw new Error(`${name}: ${count} items`);
    // the first round warms up
    if (round === 0) continue;
    cpu.push(((expected / (user + system)) * 1e6) | 0);
    wall.push(((expected / (performance.now() - start)) * 1e3) | 0);
  }
  const { value, ...spread } = spreadOf(cpu);
  const megabytes = ((value * bytes) / expected / 1e6) | 0;
  const note = `${megabytes} MB/s, ${(1e6 / value).toFixed(1)} us each`;
  return {
    row: name,
    value,
    ...spread,
    unit: 'records/s',
    wall: spreadOf(wall),
    note,
    ...(target === undefined ? {} : { target }),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
const rows: Row[] = [];
try {
  for (const [name, size, target] of [
    ['5 KB', LARGE, '>= 40000'],
    ['0.8 KB', SMALL, '>= 65000'],
  ] as const) {
    const all = records(size);
    const contents = {
      ndjson: all.map((record) => JSON.stringify(record)).join('\n'),
      json: JSON.stringify(all),
      csv: `url,text,date\n${all.map(({ url, text, date }) => `${url},"${text.replaceAll('"', '""')}",${date}\n`).join('')}`,
    };
    const lines = Buffer.from(
      all.map(({ date, ...record }) => JSON.stringify({ op: 'put', ...record, observedAt: date })).join('\n'),
    );
    const read = (format: 'ndjson' | 'json' | 'csv', content: Buffer) => {
      const reader = readerOf(
        format === 'csv' ? { format, signs: { delimiter: ',', hasQuotes: false } } : { format },
        parts,
      );
      return () => reader(inMemory(content), null);
    };
    rows.push(
      await measured(`NDJSON, our own lines, ${name}`, lines.length, all.length, read('ndjson', lines), target),
    );
    for (const format of ['ndjson', 'json', 'csv'] as const) {
      const content = Buffer.from(contents[format]);
      rows.push(
        await measured(
          `${format}, ${name}`,
          content.length,
          all.length,
          read(format, content),
          format === 'ndjson' ? target : undefined,
        ),
      );
    }
    const parquet = Buffer.from(
      parquetWriteBuffer({
        columnData: (['url', 'text', 'date'] as const).map((column) => ({
          name: column,
          data: all.map((record) => record[column]),
          type: 'STRING' as const,
        })),
        rowGroupSize: 5_000,
      }),
    );
    const path = join(folder, `${name}.parquet`);
    writeFileSync(path, parquet);
    const textBytes = all.reduce((sum, { text }) => sum + text.length, 0);
    rows.push(
      await measured(`Parquet, ${name}`, textBytes, all.length, () => readParquetFile(path, map, LIMITS, null)),
    );
  }
  rows.push(await ofFolder(), await ofUrls());
  printRows('Readers of files', rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function ofFolder(): Promise<Row> {
  const root = join(folder, 'pages');
  const count = 4_000;
  let bytes = 0;
  for (let n = 0; n < count; n++) {
    const page = `<!doctype html><p>${documentText(n, 15_000)}`;
    bytes += page.length;
    mkdirSync(join(root, String(n % 40)), { recursive: true });
    writeFileSync(join(root, String(n % 40), `${n}.html`), page);
  }
  const options = {
    root,
    urlPrefix: 'https://bench.example/',
    include: [],
    exclude: [],
    hidden: false,
    gitignore: false,
  };
  return measured('a folder of pages, 15 KB', bytes, count, () => readFolder(options, LIMITS, null), '>= 13000');
}

async function ofUrls(): Promise<Row> {
  const count = 100_000;
  const xml = Buffer.from(
    `<urlset>${Array.from({ length: count }, (_, n) => `<url><loc>https://bench.example/${n}</loc><lastmod>2026-01-02</lastmod></url>`).join('\n')}</urlset>`,
  );
  const read = readerOf({ format: 'xml-list' }, parts);
  return measured('a sitemap', xml.length, count, () => read(inMemory(xml), null));
}
