/*
 * What it takes to copy an input without a tenth of its records, from disk to disk, each row in a process of its own:
 *
 *     npm run bench:rewrite [-- --megabytes 500] [--json]
 *
 * MB are 1e6 bytes of the records, unpacked, of some 5 KB each. Beside the time it says how much memory the process had at the
 * most.
 */
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteFile } from 'hyparquet-writer';
import { findInputs } from '../../src/ingest/inputs/inputs.ts';
import { planRewrite } from '../../src/ingest/rewrite/rewrite-inputs.ts';
import { answerOf, recordOf } from '../../test/support/ingest/archives.ts';
import { openParts } from '../../test/support/ingest/rewritten.ts';
import { inOwnProcess } from '../support/measure.ts';
import { printRows, type Row } from '../support/table.ts';
import { documentText } from '../support/texts.ts';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '500' },
    json: { type: 'boolean' },
    folder: { type: 'string' },
    job: { type: 'string' },
    round: { type: 'string' },
  },
});
const TEXT_BYTES = 5000;
const COUNT = Math.ceil((Number(values.megabytes) * 1e6) / TEXT_BYTES);
const GROUP_ROWS = 10_000;
/** Texts are made once, and told apart by their URLs. */
const TEXTS = values.job === undefined ? Array.from({ length: 1000 }, (_, n) => documentText(n, TEXT_BYTES)) : [];
const recordAt = (n: number) => ({ url: `https://bench.example/${n}`, text: TEXTS[n % TEXTS.length]! });

const line = (n: number) => Buffer.from(`${JSON.stringify(recordAt(n))}\n`);
const warc = (n: number) => recordOf(answerOf(`<p>${recordAt(n).text}`), { url: recordAt(n).url });
const MEMBER_RECORDS = 500;

/** Each file by its name, of what is written one after the other. */
const FILES: Readonly<Record<string, (write: (bytes: Buffer | string) => void, n: number) => void>> = {
  'lines.ndjson': (write, n) => write(line(n)),
  'lines.ndjson.gz': (write, n) => inMembers(write, n, gzipSync),
  'lines.ndjson.zst': (write, n) => inMembers(write, n, zstdCompressSync),
  'list.json': (write, n) => write(`${n === 0 ? '[' : ','}${JSON.stringify(recordAt(n))}${n === COUNT - 1 ? ']' : ''}`),
  'table.csv': (write, n) => {
    const { url, text } = recordAt(n);
    write(`${n === 0 ? 'url,text\n' : ''}${url},"${text.replaceAll('"', '""')}"\n`);
  },
  'crawl.warc': (write, n) => write(warc(n)),
  'crawl.warc.gz': (write, n) => write(gzipSync(warc(n))),
};

function inMembers(write: (bytes: Buffer) => void, n: number, pack: (bytes: Buffer) => Buffer): void {
  if (n % MEMBER_RECORDS !== 0) return;
  const count = Math.min(MEMBER_RECORDS, COUNT - n);
  write(pack(Buffer.concat(Array.from({ length: count }, (_, at) => line(n + at)))));
}

async function makeFiles(folder: string): Promise<void> {
  for (const [name, make] of Object.entries(FILES)) {
    const file = createWriteStream(join(folder, name));
    for (let n = 0; n < COUNT; n++) {
      make((bytes) => file.write(bytes), n);
      if (file.writableNeedDrain) await once(file, 'drain');
    }
    file.end();
    await finished(file);
  }
  const numbers = Array.from({ length: COUNT }, (_, n) => n);
  const columnData = (['url', 'text'] as const).map((name) => ({
    ...{ name, type: 'STRING' as const, data: numbers.map((n) => recordAt(n)[name]) },
  }));
  parquetWriteFile({ filename: join(folder, 'table.parquet'), columnData, rowGroupSize: GROUP_ROWS });
  for (const n of numbers) {
    if (n % 1000 === 0) mkdirSync(join(folder, 'pages', String(n / 1000)), { recursive: true });
    writeFileSync(join(folder, 'pages', String(Math.floor(n / 1000)), `${n}.html`), recordAt(n).text);
  }
}

interface Copied {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMib: number;
  readonly records: number;
}

async function copy(folder: string, name: string, out: string): Promise<Copied> {
  const startedAt = performance.now();
  const plan = await planRewrite(await findInputs([join(folder, name)]), openParts(), join(folder, 'out', out));
  const to = { stdout: async () => {}, temporaryFolder: folder, signal: null, passed: () => {} };
  const { records } = await plan.write({ keeps: (_input, record) => record % 10 !== 0, lastRecords: null }, to);
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const ms = performance.now() - startedAt;
  rmSync(join(folder, 'out', out), { recursive: true });
  return { ms, cpuMs: (userCPUTime + systemCPUTime) / 1e3, peakMib: maxRSS / 1024, records };
}

const JOBS = [
  ...[...Object.keys(FILES), 'table.parquet', 'pages'].map((name) => [name, name] as const),
  ...([
    ['crawl.warc', 'packed.warc.gz'],
    ['lines.ndjson', 'packed.ndjson.gz'],
    ['lines.ndjson', 'packed.ndjson.zst'],
  ] as const),
];

if (values.job !== undefined) {
  const [from, to] = values.job.split(' to ') as [string, string];
  console.log(JSON.stringify(await copy(values.folder!, from, to)));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
  process.argv.push('--folder', folder);
  try {
    mkdirSync(join(folder, 'out'));
    await makeFiles(folder);
    const rows = JOBS.map(([from, to]): Row => {
      const name = `${from} to ${to}`;
      const { ms, cpuMs, peakMib, records } = inOwnProcess<Copied>(
        import.meta.filename,
        { name, work: () => copy(folder, from, to) },
        0,
      );
      const note = `${(ms / 1e3).toFixed(1)} s, ${((cpuMs * 1e3) / records).toFixed(1)} us of CPU each, ${peakMib.toFixed(0)} MiB`;
      return { row: from === to ? from : name, value: (COUNT * TEXT_BYTES) / 1e3 / ms, unit: 'MB/s', note };
    });
    printRows(`${COUNT} records of ${TEXT_BYTES} bytes, nine of ten kept`, rows);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
