/*
 * What it takes to remove the copies from a corpus: NDJSON to NDJSON, from disk to disk, in a process of its own.
 *
 *     npm run bench:dedupe [-- --documents 1000000 --bytes 5000 --folder DIR] [--json]
 *
 * With --folder the corpus is made there once, and all stays.
 *
 * Of the texts 39 % are in families of about ten, in which up to a fiftieth of the words is changed, and one in twenty is that
 * of another document. Making the file is not counted. Afterwards each line is looked at: what was removed is as alike as was
 * asked to what stays for it, which was kept, and each record is either kept, byte for byte, or removed.
 */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { dedupeInputs } from '../../src/commands/dedupe/dedupe-commands.ts';
import type { DedupeReport, RemovedLine } from '../../src/commands/dedupe/port.ts';
import { createIngestSources } from '../../src/commands/ingest-sources.ts';
import { readConfig } from '../../src/config.ts';
import { inOwnProcess } from '../support/measure.ts';
import { printRows, type Row } from '../support/table.ts';
import { documentText } from '../support/texts.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    bytes: { type: 'string', default: '5000' },
    threshold: { type: 'string', default: '.8' },
    folder: { type: 'string' },
    json: { type: 'boolean' },
    job: { type: 'string' },
    round: { type: 'string' },
  },
});
const [documents, bytes, threshold] = [Number(values.documents), Number(values.bytes), Number(values.threshold)];
const FIELDS = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: null, format: null },
  ...{ include: [], exclude: [], gitignore: false },
};
/** One in so many is a copy, of one so far before it. */
const [COPY_EVERY, COPY_DISTANCE] = [20, 1003];

function lineOf(n: number): string {
  const isCopy = n % COPY_EVERY === 7 && n > COPY_DISTANCE;
  const text = documentText(isCopy ? n - COPY_DISTANCE : n, bytes);
  return `${JSON.stringify({ url: `https://bench.example/${n}`, text, date: new Date(1.6e12 + 1000 * n).toISOString() })}\n`;
}

async function makeFile(path: string): Promise<void> {
  const file = createWriteStream(path);
  for (let n = 0; n < documents; n++) {
    file.write(lineOf(n));
    if (file.writableNeedDrain) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}

interface Measured {
  readonly report: DedupeReport;
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMib: number;
}

async function dedupe(folder: string): Promise<Measured> {
  const { config } = readConfig({});
  const sources = createIngestSources(config, (async function* () {})());
  const request = {
    ...({ inputs: [join(folder, 'pages.ndjson')], fields: FIELDS, threshold, by: 'resemblance', floor: null } as const),
    ...({ keep: 'oldest', against: null, work: null } as const),
    ...{ kept: join(folder, 'kept.ndjson'), removed: join(folder, 'removed.ndjson') },
  };
  const startedAt = performance.now();
  const report = await dedupeInputs(config, process.pid, request, {
    ...{ sources, signal: new AbortController().signal, stdout: async () => {}, progress: () => undefined },
  });
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const ms = performance.now() - startedAt;
  return { report, ms, cpuMs: (userCPUTime + systemCPUTime) / 1e3, peakMib: maxRSS / 1024 };
}

/** How many removals do not hold, and how many records are neither kept nor removed, or both, or not what they were. */
async function faultsIn(folder: string): Promise<{ readonly removals: number; readonly records: number }> {
  const lines = (name: string) => createInterface({ input: createReadStream(join(folder, name)) });
  const keptFor = new Map<number, number>();
  let [removals, records] = [0, 0];
  for await (const text of lines('removed.ndjson')) {
    const { record, keptRecord, resemblance } = JSON.parse(text) as RemovedLine;
    if (resemblance.estimate < threshold) removals++;
    keptFor.set(record, keptRecord);
  }
  for (const kept of keptFor.values()) if (keptFor.has(kept)) removals++;
  const digest = (text: string) => hash('sha1', text);
  const kept = lines('kept.ndjson')[Symbol.asyncIterator]();
  let n = 0;
  for await (const text of lines('pages.ndjson')) {
    if (keptFor.has(n++)) continue;
    const next = await kept.next();
    if (next.done === true || digest(next.value) !== digest(text)) records++;
  }
  if ((await kept.next()).done !== true) records++;
  return { removals, records };
}

if (values.job !== undefined) {
  console.log(JSON.stringify(await dedupe(values.folder!)));
} else {
  const isOwn = values.folder === undefined;
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'shingled-bench-'));
  if (isOwn) process.argv.push('--folder', folder);
  mkdirSync(folder, { recursive: true });
  try {
    const path = join(folder, 'pages.ndjson');
    if (!existsSync(path)) await makeFile(path);
    for (const name of ['kept.ndjson', 'removed.ndjson']) rmSync(join(folder, name), { force: true });
    const { report, ms, cpuMs, peakMib } = inOwnProcess<Measured>(
      import.meta.filename,
      { name: 'dedupe', work: () => dedupe(folder) },
      0,
    );
    const faults = await faultsIn(folder);
    const removed = Object.values(report.removed).reduce((sum, number) => sum + number, 0);
    const rows: Row[] = [
      {
        ...{ row: `${documents} texts of ${bytes} bytes, NDJSON to NDJSON`, value: ms / 1000, unit: 's' },
        note: `${(cpuMs / 1000).toFixed(1)} s of CPU, ${((1000 * cpuMs) / documents).toFixed(1)} us a record`,
      },
      ...Object.entries(report.phasesMs).map(([phase, took]) => ({ row: `… ${phase}`, value: took / 1000, unit: 's' })),
      { row: 'read and written', value: (statSync(path).size + report.bytes) / 1e6, unit: 'MB' },
      { row: 'memory of the process, at the most', value: peakMib, unit: 'MiB' },
      { row: 'removed', value: removed, unit: '', note: JSON.stringify(report.removed) },
      { row: 'removals that do not hold', value: faults.removals, unit: '' },
      { row: 'records neither kept nor removed, or changed', value: faults.records, unit: '' },
    ];
    printRows('a corpus without its copies', rows);
  } finally {
    if (isOwn) rmSync(folder, { recursive: true });
  }
}
