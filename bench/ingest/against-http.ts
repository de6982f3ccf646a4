/*
 * `shingled ingest` of a file of lines against HTTP bulk of the same lines, each into an index that has a document: documents a
 * second, and CPU time a document of all threads of the process that writes. Both are on disk at the end. Each has the flags of
 * its start script. Opening the index and compiling what is hot take a second of CPU, which few documents would pay for; closing
 * the index, which a service that goes on leaves for later, is told apart.
 *
 *     npm run bench:ingest-http [-- --documents 100000] [--json]
 */
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { run } from '../../src/run.ts';
import { cpuUsSince, inOwnProcess } from '../support/measure.ts';
import { bulk, startService } from '../support/service-process.ts';
import { shingledScript } from '../support/shingled-script.ts';
import { printRows, type Row } from '../support/table.ts';
import { documentText } from '../support/texts.ts';

interface Found {
  readonly perSecond: number;
  readonly cpuUs: number;
  /** Of closing the index, a document. */
  readonly closingUs: number;
}

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    folder: { type: 'string', default: '' },
    job: { type: 'string', default: '' },
    round: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});
/** Of the longer texts there are fewer: all lines are held in memory. */
const SIZES: readonly {
  readonly what: string;
  readonly bytes: number;
  readonly part: number;
  readonly target: string;
}[] = [
  { what: '5 KB', bytes: 5000, part: 0.4, target: '>= 8000' },
  { what: '0.8 KB', bytes: 870, part: 1, target: '>= 13000' },
];
const inThatProcess = (): never => {
  throw new Error('It is done by the process that is told of the job.');
};

if (values.job !== '') console.log(JSON.stringify(await ingest(values.folder)));
else await measureAll();

async function measureAll(): Promise<void> {
  const rows: Row[] = [];
  for (const { what, bytes, part, target } of SIZES) {
    const count = Math.ceil(Number(values.documents) * part);
    const folder = mkdtempSync(join(tmpdir(), 'shingled-ingest-'));
    process.argv.push('--folder', folder);
    const lines = Array.from({ length: count }, (_, i) => lineOf(`https://host${i % 97}.example/${i}`, i, bytes));
    writeFileSync(join(folder, 'lines.ndjson'), lines.join(''));
    writeFileSync(join(folder, 'first.ndjson'), lineOf('https://first.example/', count, bytes));
    const http = await overHttp(folder);
    const found = inOwnProcess<Found>(
      import.meta.filename,
      { name: 'ingest', work: inThatProcess, flags: shingledScript().flags },
      0,
    );
    rows.push(
      { row: `HTTP bulk, ${what} texts`, value: http.perSecond, unit: 'documents/s', note: cpuNote(http) },
      {
        ...{ row: `ingest of NDJSON, ${what} texts, fsynced`, value: found.perSecond, unit: 'documents/s' },
        ...{ note: cpuNote(found), target },
      },
      {
        ...{ row: `CPU of ingest to that of HTTP bulk, ${what} texts`, value: found.cpuUs / http.cpuUs, unit: '' },
        target: '<= 1',
      },
    );
    rmSync(folder, { recursive: true });
  }
  printRows('ingest and HTTP bulk', rows);
}

function lineOf(url: string, n: number, bytes: number): string {
  return `${JSON.stringify({ op: 'put', url, text: documentText(n, bytes) })}\n`;
}

function cpuNote({ cpuUs, closingUs }: Found): string {
  const closing = closingUs === 0 ? '' : `, and ${closingUs.toFixed(0)} to close the index`;
  return `${cpuUs.toFixed(0)} us of CPU a document${closing}`;
}

async function ingest(folder: string): Promise<Found> {
  const shingled = async (name: string) => {
    const out: string[] = [];
    let cpuUs = 0;
    // the summary comes when all is on disk, before the index is closed
    const write = (text: string) => {
      cpuUs ||= cpuUsSince();
      out.push(text);
    };
    const nothing = () => undefined;
    const host = {
      argv: [process.execPath, 'shingled', 'ingest', join(folder, name), '--json'],
      env: { DATA_DIR: join(folder, 'index') },
      pid: process.pid,
      stdout: { isTTY: false, write },
      stderr: { write: (text: string) => process.stderr.write(text) },
      ...{ umask: nothing, listeners: () => [], once: nothing, on: nothing, off: nothing, exit: nothing },
    };
    const code = await run(host as unknown as NodeJS.Process, '0');
    if (code !== 0) throw new Error(`ingest ended with ${code}`);
    return { summary: JSON.parse(out.join('')) as { read: number; elapsedMs: number }, cpuUs };
  };
  await shingled('first.ndjson');
  const before = process.cpuUsage();
  const { summary, cpuUs } = await shingled('lines.ndjson');
  const { read, elapsedMs } = summary;
  const writtenUs = cpuUs - before.user - before.system;
  return {
    ...{ perSecond: (read / elapsedMs) * 1000, cpuUs: writtenUs / read },
    closingUs: (cpuUsSince(before) - writtenUs) / read,
  };
}

async function overHttp(folder: string): Promise<Found> {
  const service = await startService({ QUERY_THREADS: '0' });
  try {
    const documentsIn = async (name: string) => {
      const read = [];
      for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
        read.push(JSON.parse(line) as { url: string; text: string });
      }
      return read;
    };
    await bulk(service.client, await documentsIn('first.ndjson'));
    const documents = await documentsIn('lines.ndjson');
    const [startedAt, cpuBefore] = [performance.now(), cpuMsOf(service.pid)];
    await bulk(service.client, documents);
    const perSecond = (documents.length / (performance.now() - startedAt)) * 1000;
    return { perSecond, cpuUs: ((cpuMsOf(service.pid) - cpuBefore) * 1000) / documents.length, closingUs: 0 };
  } finally {
    await service.stop();
  }
}

/** Of all threads of a process so far; the system counts in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
