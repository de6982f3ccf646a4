/*
 * Memory of `shingled ingest` into an index that has a document, and of a service that is given the same documents by HTTP bulk:
 * each a whole process from its start to its end, with the flags of its start script, and no query threads in the service.
 *
 *     npm run bench:ingest-memory [-- --documents 40000] [--text-bytes 5000] [--row-group-mb 64] [--only NAME] [--json]
 *
 * Anonymous memory is looked at twenty times a second (RssAnon of /proc/PID/status), at the most from its start to its end. The
 * most of all memory, mapped files of LevelDB among it, is told by the system (VmHWM). The inputs:
 *
 *   ndjson, csv      lines, rows
 *   gz               the lines in one member
 *   warc             a record a document, each in a member of its own
 *   parquet          row groups of --row-group-mb in pages of 1 MiB, all of whose columns are read
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished, pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip, gzipSync } from 'node:zlib';
import { parquetWriteFile } from 'hyparquet-writer';
import { answerOf, recordOf } from '../../test/support/ingest/archives.ts';
import { type Peak, Watch } from '../support/memory-watch.ts';
import { bulk, startService } from '../support/service-process.ts';
import { shingledScript } from '../support/shingled-script.ts';
import { printRows, type Row } from '../support/table.ts';
import { documentText } from '../support/texts.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '40000' },
    'text-bytes': { type: 'string', default: '5000' },
    'row-group-mb': { type: 'string', default: '64' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const COUNT = Number(values.documents);
const TEXT_BYTES = Number(values['text-bytes']);
const GROUP_ROWS = Math.ceil((Number(values['row-group-mb']) * 2 ** 20) / TEXT_BYTES);
const MIB = 2 ** 20;
/** What ingest may take beside what the service takes. */
const BESIDE_MIB = 64;

const documentAt = (n: number) => ({ url: `https://host${n % 97}.example/${n}`, text: documentText(n, TEXT_BYTES) });
const lineOf = (n: number) => `${JSON.stringify(documentAt(n))}\n`;

type Make = (path: string) => Promise<void>;

const FILES: Readonly<Record<string, Make>> = {
  'documents.ndjson': (path) => written(path, lineOf),
  'documents.csv': (path) =>
    written(path, (n) => {
      const { url, text } = documentAt(n);
      return `${n === 0 ? 'url,text\n' : ''}${url},"${text}"\n`;
    }),
  'documents.ndjson.gz': async (path) => {
    const plain = `${path}.plain`;
    await written(plain, lineOf);
    await pipeline(createReadStream(plain), createGzip({ level: 1 }), createWriteStream(path));
    rmSync(plain);
  },
  'documents.warc.gz': (path) =>
    written(path, (n) => {
      const { url, text } = documentAt(n);
      return gzipSync(recordOf(answerOf(text), { url }), { level: 1 });
    }),
  'documents.parquet': async (path) => {
    const numbers = Array.from({ length: COUNT }, (_, n) => n);
    const columnData = (['url', 'text'] as const).map((name) => ({
      ...{ name, type: 'STRING' as const, data: numbers.map((n) => documentAt(n)[name]) },
    }));
    parquetWriteFile({ filename: path, columnData, rowGroupSize: GROUP_ROWS, pageSize: MIB });
  },
};

const folder = mkdtempSync(join(tmpdir(), 'shingled-memory-'));
try {
  await measureAll();
} finally {
  rmSync(folder, { recursive: true });
}

async function measureAll(): Promise<void> {
  const rows: Row[] = [];
  const http = await overHttp();
  rows.push(rowOf('HTTP bulk', http));
  console.error(noteOf(http));
  for (const [name, make] of Object.entries(FILES)) {
    if (!name.includes(values.only)) continue;
    const path = join(folder, name);
    await make(path);
    const found = await ingest(path);
    const row = `ingest of ${name}, ${(statSync(path).size / MIB).toFixed(0)} MiB`;
    const beside = found.anonymousMib - http.anonymousMib;
    rows.push(rowOf(row, found), {
      ...{ row: '  … beside HTTP bulk', value: beside, unit: 'MiB', target: `<= ${BESIDE_MIB}` },
    });
    console.error(`${row}: ${found.anonymousMib.toFixed(0)} MiB, ${noteOf(found)}`);
    rmSync(path);
  }
  printRows(`Memory of ${COUNT} documents of ${TEXT_BYTES} bytes`, rows);
}

function rowOf(row: string, peak: Peak): Row {
  return { row, value: peak.anonymousMib, unit: 'MiB anonymous', note: noteOf(peak) };
}

function noteOf({ residentMib, seconds, cpuSeconds }: Peak): string {
  return `${residentMib.toFixed(0)} MiB with mapped files; ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU`;
}

async function written(path: string, at: (n: number) => string | Buffer): Promise<void> {
  const file = createWriteStream(path);
  for (let n = 0; n < COUNT; n++) if (!file.write(at(n))) await once(file, 'drain');
  file.end();
  await finished(file);
}

/** By the command line, in a process of its own, behind another one that has made the index. */
async function ingest(path: string): Promise<Peak> {
  const first = join(folder, 'first.ndjson');
  const file = createWriteStream(first);
  file.end(`${JSON.stringify({ url: 'https://first.example/', text: documentText(COUNT, TEXT_BYTES) })}\n`);
  await finished(file);
  const dataDir = mkdtempSync(join(folder, 'index-'));
  await shingled(dataDir, first);
  const peak = await shingled(dataDir, path);
  rmSync(dataDir, { recursive: true });
  return peak;
}

async function shingled(dataDir: string, path: string): Promise<Peak> {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const { flags, settings } = shingledScript();
  const child = spawn(process.execPath, [...flags, main, 'ingest', path, '--json'], {
    env: { ...process.env, ...settings, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const watch = new Watch(child.pid!);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`ingest ended with ${code}`);
  return watch.end();
}

async function overHttp(): Promise<Peak> {
  const path = join(folder, 'http.ndjson');
  await written(path, lineOf);
  const service = await startService({ QUERY_THREADS: '0' });
  const watch = new Watch(service.pid);
  try {
    await bulk(service.client, [{ url: 'https://first.example/', text: documentText(COUNT, TEXT_BYTES) }]);
    let some: { url: string; text: string }[] = [];
    const send = async () => {
      await bulk(service.client, some);
      some = [];
    };
    for await (const line of createInterface({ input: createReadStream(path) })) {
      some.push(JSON.parse(line) as { url: string; text: string });
      if (some.length === 5000) await send();
    }
    await send();
  } finally {
    // with it, as the command closes its index
    await service.stop();
    rmSync(path);
  }
  return watch.end();
}
