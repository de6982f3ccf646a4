import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLevel } from '../../../../src/store/level/database/level-handle.ts';
import { readLog } from '../../../../src/store/level/files/log-file.ts';
import { readManifest, tableName, tableNumber } from '../../../../src/store/level/files/manifest-file.ts';
import { sealManifest } from '../../../../src/store/level/files/manifest-writer.ts';
import { checkBlocks, TableFile } from '../../../../src/store/level/files/table-file.ts';
import { TableSet } from '../../../../src/store/level/files/table-set.ts';
import { ByteReader } from '../../../../src/store/level/format/byte-reader.ts';
import { keptMemory } from '../../../support/fetch/kept-memory.ts';
import { inFolder } from '../../../support/store/level-folder.ts';
import { below, randomFrom } from '../../../support/store/level-plans.ts';

const KEY = fc.string({
  unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
  minLength: 1,
});
/** Of one host, so that keys have much in common; and of any bytes. */
const ANY_KEY = fc.oneof(
  KEY,
  KEY.map((end) => `scom.example\0https://example.com/${end}`),
);
const VALUE = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 3000, maxLength: 9000 }));

const sortedRows = (rows: readonly (readonly [string, Uint8Array])[]) =>
  [...new Map(rows)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, Buffer.from(value)] as const);

async function made(folder: string, rows: readonly (readonly [string, Buffer])[], tableBytes: number): Promise<void> {
  const tables = new TableSet(folder, tableBytes);
  for (const [key, value] of rows) tables.add(key, value);
  await tables.finish();
  await tables.close();
}

const MIB = 2 ** 20;

const moduleOf = (path: string) => JSON.stringify(new URL(`../../../../src/store/level/${path}`, import.meta.url).href);

/** Where files may grow to 512 KiB: what is said of tables, of their end, and of rows that are to be sorted. */
const FULL = `
import { TableSet } from ${moduleOf('files/table-set.ts')};
import { SortedRuns } from ${moduleOf('load/sources/sorted-runs.ts')};
const codeOf = async (work) => { try { await work(); return null; } catch ({ code }) { return code; } };
const tables = new TableSet(process.argv[1], 2 ** 24);
const runs = new SortedRuns(process.argv[1], 1);
const all = (add) => { for (let i = 0; i < 2000; i++) add('s' + String(i).padStart(5, '0'), Buffer.alloc(1000)); };
const told = [await codeOf(() => all((key, value) => tables.add(key, value))), await codeOf(() => tables.finish())];
all((key, value) => runs.add(key, value));
console.log(JSON.stringify([...told, await codeOf(() => runs.endRunIfFull())]));
await tables.close();
`;

/** Where no file can be opened any more: what is said of rows of a table and of a run, one by one and in order. */
const NO_FILES = `
import { openSync } from 'node:fs';
import { TableSet } from ${moduleOf('files/table-set.ts')};
import { SortedRuns } from ${moduleOf('load/sources/sorted-runs.ts')};
const codeOf = (work) => { try { work(); return null; } catch ({ code }) { return code; } };
const tables = new TableSet(process.argv[1], 1);
const runs = new SortedRuns(process.argv[1], 1);
for (const rows of [tables, runs]) rows.add('s1', Buffer.alloc(10));
runs.endRunIfFull();
try { for (;;) openSync('/dev/null'); } catch {}
console.log(JSON.stringify([() => tables.get('s1'), () => runs.get('s1', 0), () => [...runs.rows()]].map(codeOf)));
`;

/** Runs a script on a folder, with less of something. @returns its status, and what it says in JSON */
function limited(limit: string, script: string, folder: string): [number | null, unknown] {
  const run = `ulimit ${limit}; exec "$0" --input-type=module --eval "$1" "$2"`;
  const { stdout, status } = spawnSync('sh', ['-c', run, process.execPath, script, folder], { encoding: 'utf8' });
  return [status, JSON.parse(stdout)];
}

const tablesIn = (folder: string) => readdirSync(folder).filter((name) => tableNumber(name) !== undefined);

describe('a database that is made of sorted rows', () => {
  it('is opened by LevelDB, which finds every row, and nothing else', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(ANY_KEY, VALUE), { maxLength: 300 }),
        fc.array(ANY_KEY, { maxLength: 20 }),
        fc.constantFrom(1, 5000, 1 << 24),
        (unsorted, others, tableBytes) =>
          inFolder(async (folder) => {
            const rows = sortedRows(unsorted);
            await made(folder, rows, tableBytes);
            const level = await openLevel(folder, false);
            try {
              expect(await level.iterator().all()).toEqual(rows);
              expect(await level.getMany(rows.map(([key]) => key))).toEqual(rows.map(([, value]) => value));
              const byKey = new Map(rows);
              for (const key of others) expect(await level.get(key)).toEqual(byKey.get(key));
            } finally {
              await level.close();
            }
          }),
      ),
      { numRuns: 40 },
    ));

  it('has files that read the same without LevelDB, and whose every block is sound', () =>
    inFolder(async (folder) => {
      const rows = sortedRows(fc.sample(fc.tuple(ANY_KEY, VALUE), { numRuns: 500, seed: 7 }));
      await made(folder, rows, 100_000);
      const names = tablesIn(folder);
      expect(names.length).toBeGreaterThan(3);
      const read = names.flatMap((name) => {
        expect([...checkBlocks(readFileSync(join(folder, name)))].length).toBeGreaterThan(0);
        return [...TableFile.open(join(folder, name)).rows('', '\u0080', () => expect.unreachable())];
      });
      expect(read.map(({ key, value }) => [key, value])).toEqual(rows);
    }));

  it('gives its rows while it is made, from files that are whole and from the last one', () =>
    inFolder(async (folder) => {
      const random = randomFrom(11);
      const tables = new TableSet(folder, 60_000);
      const keyOf = (i: number) => `c${String(i).padStart(6, '0')}`;
      const rowOf = (i: number) => Buffer.alloc(i % 700, i);
      for (let i = 0; i < 2000; i++) {
        tables.add(keyOf(i), rowOf(i));
        const asked = below(random, i + 2);
        expect(tables.get(keyOf(asked))).toEqual(asked > i ? undefined : rowOf(asked));
      }
      expect(tables.get('c')).toBeUndefined();
      await tables.finish();
      await tables.close();
      const level = await openLevel(folder, false);
      expect((await level.keys().all()).length).toBe(2000);
      await level.close();
    }));

  it('keeps no room to write in for a file that is whole', () =>
    inFolder(async (folder) => {
      const tables = new TableSet(folder, 1);
      const before = await keptMemory();
      for (let i = 0; i < 100; i++) tables.add(`c${String(i).padStart(3, '0')}`, Buffer.alloc(100));
      // of 30 MiB, had each its own
      expect((await keptMemory()) - before).toBeLessThan(10 * MIB);
      expect(tables.get('c007')).toEqual(Buffer.alloc(100));
      await tables.finish();
      await tables.close();
    }));

  it('refuses a row out of order', () =>
    inFolder(async (folder) => {
      const tables = new TableSet(folder, 1);
      tables.add('b', Buffer.alloc(1));
      for (const key of ['a', 'b']) expect(() => tables.add(key, Buffer.alloc(1))).toThrow('order');
      await tables.close();
    }));

  it('says so where the disk refuses a file', () =>
    inFolder(async (folder) => {
      const tables = new TableSet(folder, 1);
      tables.add('a', Buffer.alloc(1));
      rmSync(folder, { recursive: true });
      expect(() => tables.add('b', Buffer.alloc(1))).toThrow(expect.objectContaining({ code: 'storage-full' }));
      await expect(tables.finish()).rejects.toMatchObject({ code: 'storage-full' });
      await tables.close();
    }));

  it('says so where the disk refuses a file in the middle', () =>
    inFolder(async (folder) => {
      expect(limited('-f 1024', FULL, folder)).toEqual([0, ['storage-full', 'storage-full', 'storage-full']]);
    }));

  it('blames the system, and not the index, where no file can be opened', () =>
    inFolder(async (folder) => {
      expect(limited('-n 100', NO_FILES, folder)).toEqual([0, ['overloaded', 'overloaded', 'overloaded']]);
    }));

  it('has nothing in it where no row was added', () =>
    inFolder(async (folder) => {
      await made(folder, [], 1);
      const level = await openLevel(folder, false);
      expect(await level.keys().all()).toEqual([]);
      await level.close();
    }));
});

describe('a MANIFEST that is made', () => {
  const tableOf = (number: number, bytes: number) => ({
    number,
    bytes,
    path: '',
    first: `a${number}`,
    last: `b${number}`,
  });

  it('reads the same, in as many pieces as a log takes', () => {
    const tables = Array.from({ length: 3000 }, (_, i) => tableOf(i + 2, 1000 + i));
    const read = readManifest(sealManifest(tables, 3002));
    expect(read).toMatchObject({ firstLog: 0, previousLog: 0, nextFile: 3002, whole: true, failedAt: null });
    expect([...read.tables]).toEqual(tables.map(({ number, bytes }) => [number, bytes]));
  });

  it('puts tables on the first level that holds them all', () => {
    const megabyte = 1_000_000;
    const levels = [1, 100, 101, 1000, 1001, 10_000, 10_001, 100_001].map((size) => {
      const tables = Array.from({ length: size }, (_, i) => tableOf(i + 2, megabyte));
      const [record] = readLog(sealManifest(tables, size + 2)).records;
      const reader = new ByteReader(record!);
      reader.varint();
      reader.sized();
      for (let field = 0; field < 9; field++) reader.varint();
      return reader.varint();
    });
    expect(levels).toEqual([2, 2, 3, 3, 4, 4, 5, 6]);
  });

  it('is where LevelDB has them, too', () =>
    inFolder(async (folder) => {
      await made(folder, sortedRows(fc.sample(fc.tuple(ANY_KEY, VALUE), { numRuns: 200, seed: 3 })), 50_000);
      const level = await openLevel(folder, false);
      expect(level.getProperty('leveldb.num-files-at-level2')).toBe(String(tablesIn(folder).length));
      expect(tableName(2)).toBe('000002.ldb');
      await level.close();
    }));
});
