/*
 * How fast archives are unpacked and read, on one core:
 *
 *     npm run bench:ingest [-- FOLDER-OF-PAGES] [--rounds 5] [--json]
 *
 * FOLDER-OF-PAGES has a docs.tsv (bench/support/corpus.ts); without it generated texts stand in. MB are 1e6 bytes of the pages
 * themselves. A figure is the median of the rounds, by CPU time of all threads and by the clock; in a round the rows come one
 * after the other.
 *
 *   bytes     what `cat` would do: the plain archive, chunk by chunk
 *   inflate   the members of the .gz, with lengths that are known before, by zlib alone: what unpacking can reach
 *   unpack    openBytes
 *   WARC      openBytes and readWarc
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { openBytes } from '../../src/ingest/unpack/open-bytes.ts';
import { readWarc } from '../../src/ingest/warc/warc.ts';
import { createTextMaker } from '../../test/support/core/make-documents.ts';
import { answerOf, archiveOf, FORMS, type Form, recordOf } from '../../test/support/ingest/archives.ts';
import { corpusDocuments } from '../support/corpus.ts';
import { cpuUsSince } from '../support/measure.ts';
import { printRows, type Row, spreadOf } from '../support/table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'boolean' } },
});
const rounds = Number(values.rounds);
const PAGES = 4000;
const PAGES_BYTES_MAX = 200e6;

function pagesOf(folder: string | undefined): Buffer[] {
  if (folder === undefined) {
    const make = createTextMaker(1);
    return Array.from({ length: PAGES }, (_, i) => Buffer.from(`<html><p>${make.text(200 + (i % 20) * 100)}</p>`));
  }
  let bytes = 0;
  const pages: Buffer[] = [];
  for (const document of corpusDocuments(folder)) {
    pages.push(readFileSync(document.path));
    bytes += pages.at(-1)!.length;
    if (bytes > PAGES_BYTES_MAX) break;
  }
  return pages;
}

const TARGETS: Readonly<Record<string, Pick<Row, 'target'>>> = { 'WARC: gzip': { target: '>= 60' } };

interface Job {
  readonly name: string;
  /** @returns bytes or records that it met, so that nothing is left out */
  readonly run: () => Promise<number>;
}

const pages = pagesOf(positionals[0]);
const payload = pages.reduce((sum, { length }) => sum + length, 0);
const records = pages.map((page, i) => recordOf(answerOf(page), { url: `http://a.example/${i}` }));
const folder = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
try {
  const jobs = FORMS.flatMap((form) => jobsOf(form));
  const found = jobs.map(() => ({ cpu: [] as number[], wall: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { run }] of jobs.entries()) {
      const [usage, startedAt] = [process.cpuUsage(), performance.now()];
      await run();
      found[i]!.wall.push(payload / 1e3 / (performance.now() - startedAt));
      found[i]!.cpu.push(payload / cpuUsSince(usage));
    }
  }
  const rows = jobs.map(({ name }, i): Row => {
    const { cpu, wall } = found[i]!;
    return { row: name, ...spreadOf(cpu), wall: spreadOf(wall), unit: 'MB/s', ...(TARGETS[name] ?? {}) };
  });
  printRows(`${pages.length} pages, ${(payload / 1e6).toFixed(1)} MB, ${rounds} rounds`, rows);
} finally {
  rmSync(folder, { recursive: true });
}

function jobsOf(form: Form): Job[] {
  const path = join(folder, form);
  const { bytes, places } = archiveOf(records, form);
  writeFileSync(path, bytes);
  const unpack = async () => {
    let length = 0;
    for await (const chunk of openBytes(path).chunks) length += chunk.bytes.length;
    return length;
  };
  const read = async () => {
    let count = 0;
    for await (const item of readWarc(openBytes(path), null)) if ('operation' in item) count++;
    if (count !== pages.length) throw new Error(`${count} of ${pages.length} records`);
    return count;
  };
  const inflate = async () => {
    let length = 0;
    for (const { from, to } of places!) length += inflateRawSync(bytes.subarray(from + 10, to - 8)).length;
    return length;
  };
  return [
    ...(form === 'gzip' ? [{ name: `inflate: ${form}`, run: inflate }] : []),
    { name: `${form === 'plain' ? 'bytes' : 'unpack'}: ${form}`, run: unpack },
    { name: `WARC: ${form}`, run: read },
  ];
}
