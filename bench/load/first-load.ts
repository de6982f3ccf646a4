/*
 * The first load of an index, and beside it the same documents by the online path: documents a second, CPU of all threads,
 * memory and temporary files.
 *
 *     npm run bench:first-load [-- --documents 1000000] [--online 200000] [--only texts|sketches] [--json]
 *
 * Texts of 870 bytes, 138 words, are read from a file of NDJSON, as the command line reads one. Sketches are ready ones of
 * 130 shingles and 32 postings, read from a file of 1.1 KB each; those of the online path are made meanwhile. Every row is of a process of its own, with the flags of `bin/shingled`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inOwnProcess } from '../support/measure.ts';
import { shingledScript } from '../support/shingled-script.ts';
import { printRows, type Row } from '../support/table.ts';
import { JOBS, type LoadFound, loadedSketches } from './load-jobs.ts';
import { writeSketches } from './load-sketches.ts';
import { writeTexts } from './load-texts.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    online: { type: 'string', default: '200000' },
    only: { type: 'string', default: '' },
    folder: { type: 'string', default: '' },
    job: { type: 'string', default: '' },
    round: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});
const TEXT_BYTES = 870;
const inThatProcess = (): never => {
  throw new Error('It is done by the process that is told of the job.');
};

if (values.job !== '') {
  const count = Number(values.job.startsWith('online') ? values.online : values.documents);
  const found = await JOBS[values.job]!(values.folder === '' ? tmpdir() : values.folder, count);
  console.log(JSON.stringify(found));
} else await measureAll();

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-first-load-'));
  process.argv.push('--folder', folder);
  const { flags, settings } = shingledScript();
  Object.assign(process.env, settings);
  const rows: Row[] = [];
  const add = (kind: string, what: string, target: string) => {
    if (!kind.includes(values.only)) return;
    for (const name of [kind, `online-${kind}`]) {
      const found = inOwnProcess<LoadFound>(import.meta.filename, { name, work: inThatProcess, flags }, 0);
      rows.push(
        ...rowsOf(
          name === kind ? `first load, ${what}` : `online, relaxed, ${what}`,
          found,
          name === kind ? target : undefined,
        ),
      );
      for (const { row, value, unit, note } of rows.slice(-2)) console.error(`${row}: ${value} ${unit}; ${note ?? ''}`);
    }
  };
  try {
    if ('texts'.includes(values.only)) await writeTexts(folder, Number(values.documents), TEXT_BYTES);
    if ('sketches'.includes(values.only)) await writeSketches(folder, loadedSketches(), Number(values.documents));
    add('texts', '0.8 KB texts', '>= 35000');
    add('sketches', '32 postings from ready sketches', '>= 40000');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  printRows('First load', rows);
}

function rowsOf(row: string, found: LoadFound, target: string | undefined): Row[] {
  const { documents, wallMs, cpuUs, mainUs, anonymousMiB, temporaryBytes } = found;
  const temporary =
    temporaryBytes === null ? '' : `; temporary files ${(temporaryBytes / documents).toFixed(0)} bytes each`;
  return [
    {
      ...{
        row: `${row}, ${documents.toLocaleString('en-US')}`,
        value: (documents / wallMs) * 1000,
        unit: 'documents/s',
      },
      ...(target === undefined ? {} : { target }),
      note: `${(cpuUs / documents).toFixed(1)} µs of CPU each, ${(mainUs / documents).toFixed(1)} of the main thread${temporary}`,
    },
    { row: '  … memory of its own, at the most', value: anonymousMiB, unit: 'MiB', target: '<= 2048' },
  ];
}
