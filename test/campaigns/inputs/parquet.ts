import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readParquetFile } from '../../../src/ingest/inputs/parquet-file.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { type CopyOf, compared, otherReaders } from '../../support/ingest/parquet/other-readers.ts';
import { storedRows } from '../../support/ingest/parquet/stored-rows.ts';
import { checkFooter } from '../../support/ingest/parquet/strict-footer.ts';
import { recordMap } from '../../support/ingest/record-map.ts';
import { rewrite } from '../../support/ingest/rewritten.ts';

/*
 * node test/campaigns/inputs/parquet.ts FOLDER [--python /path/to/python]
 *
 * Every Parquet file of a folder is read with all its columns, and copied twice: whole, and without every third row. Each copy
 * is read back: its footer by strict types, what it stores value by value, and all of it by the readers that Python has.
 * Exits with 1 where something throws that is no refusal, or a copy is not what it should be.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { python: { type: 'string', default: 'python3' } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('name a folder of Parquet files');

const counts = new Map<string, number>();
const faults: string[] = [];
const copies: (CopyOf & { readonly name: string })[] = [];
const count = (what: string, more = 1) => counts.set(what, (counts.get(what) ?? 0) + more);

function fault(name: string, what: string): void {
  count('faults');
  faults.push(`${name}: ${what}`);
}

/** Names without numbers, so that refusals of one kind are counted together. */
const kindOf = (message: string) => message.replaceAll(/\d+/g, 'N').replaceAll(/\/\S+/g, 'FILE').slice(0, 150);

async function read(path: string, name: string): Promise<void> {
  const map = recordMap({ meta: ['*'] }, 'https://files.example/');
  try {
    for await (const item of readParquetFile(path, map, DEFAULT_INGEST_LIMITS, null)) {
      if (!('refused' in item)) count('rows that are documents');
      else if (item.refused === 'unreadable' || item.refused === 'malformed') {
        count(`read: ${kindOf(item.detail ?? item.refused)}`);
      } else count(`rows: ${item.refused}`);
    }
    count('files read');
  } catch (error) {
    fault(name, `reading threw ${String(error)}`);
  }
}

async function copy(path: string, name: string, out: string, keeps: (record: number) => boolean): Promise<void> {
  let records = 0;
  try {
    const made = await rewrite([path], out, (_input, record) => keeps(record));
    records = made.records;
    if (made.lost > 0) {
      count('copies that lost rows which cannot be read');
      return;
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === undefined) return fault(name, `copying threw ${String(error)}`);
    count(`not copied: ${kindOf(message)}`);
    return;
  }
  count('copies');
  const rows = Array.from({ length: records }, (_, row) => row).filter((row) => keeps(row + 1));
  try {
    const [before, after] = [readFileSync(path), readFileSync(out)];
    checkFooter(after);
    const [had, has] = [await storedRows(before), await storedRows(after)];
    for (const [column, cells] of Object.entries(had)) {
      const should = rows.map((row) => cells[row]);
      if (JSON.stringify(has[column] ?? []) !== JSON.stringify(should)) fault(name, `other values in ${column}`);
    }
    copies.push({ original: path, copy: out, count: records, rows: rows.length === records ? null : rows, name });
  } catch (error) {
    fault(name, `the copy cannot be read: ${String(error)}`);
  }
}

const work = mkdtempSync(join(tmpdir(), 'shingled-parquet-'));
try {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.parq(uet)?$/.test(name));
  for (const [at, name] of names.entries()) {
    const path = join(folder, name);
    count('files');
    await read(path, name);
    await copy(path, name, join(work, `${at}.parquet`), () => true);
    await copy(path, name, join(work, `${at}-some.parquet`), (record) => record % 3 !== 0);
  }
  const readers = otherReaders(values.python);
  console.log(`other readers: ${readers.join(', ') || 'none'}`);
  if (readers.length > 0) {
    for (const [at, verdicts] of compared(values.python, copies).entries()) {
      for (const [reader, verdict] of Object.entries(verdicts)) {
        const isRefused = verdict.startsWith('refused: ');
        count(
          `${reader}: ${isRefused ? 'does not read the original' : verdict === 'same' ? 'the same' : 'not the same'}`,
        );
        if (!isRefused && verdict !== 'same') fault(copies[at]!.name, `${reader}: ${verdict.slice(0, 300)}`);
      }
    }
  }
} finally {
  rmSync(work, { recursive: true });
}
for (const line of faults) console.log(line);
console.table(Object.fromEntries([...counts].sort()));
process.exitCode = faults.length === 0 ? 0 : 1;
