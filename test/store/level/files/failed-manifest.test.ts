import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCurrent } from '../../../../src/store/level/files/current.ts';
import { maskedCrc32c } from '../../../../src/store/level/files/log-file.ts';
import { logName, readManifest, tableName } from '../../../../src/store/level/files/manifest-file.ts';
import { fileProblems } from '../../../../src/store/level/files/verify.ts';
import { inFolder, openFolder } from '../../../support/store/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';
import { problemsOf } from '../../../support/store/level-rows.ts';

/*
 * What LevelDB leaves of its MANIFEST where a record of it fails in the midst of a compaction, as campaign:faults has found it:
 * the log that it was bringing into a table is still there, and so are all tables.
 */

const url = (n: number) => `https://failed.example/${n}`;
const plan = (n: number) => putPlan(url(n), contentOf(n, fingerprintsOf(n * 200, 20)), 1000 + n);

/** An index with rows in tables, and some in its log alone. */
async function filled(folder: string): Promise<void> {
  const store = await openFolder(folder);
  for (let n = 0; n < 10; n++) await store.apply(plan(n));
  await store.close();
  const again = await openFolder(folder);
  for (let n = 10; n < 20; n++) await again.apply(plan(n));
  await again.close();
}

/** One record of a MANIFEST, whole in its block. */
function record(bytes: readonly number[]): Buffer {
  const piece = Buffer.from([...Array.from({ length: 6 }, () => 0), 1, ...bytes]);
  piece.writeUInt16LE(bytes.length, 4);
  piece.writeUInt32LE(maskedCrc32c(piece, 6, piece.length), 0);
  return piece;
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const key = [9, ...Buffer.from('z'), 1, 0, 0, 0, 0, 0, 0, 0];

/** That a log became a table on level 2. */
const flush = (log: number, table: number, bytes: number) =>
  record([2, ...varint(log), 9, 0, 3, ...varint(table + 1), 7, 2, ...varint(table), ...varint(bytes), ...key, ...key]);

interface Left {
  readonly db: string;
  /** Adds to the MANIFEST. */
  add(...records: Buffer[]): void;
  readonly firstLog: number;
  readonly nextFile: number;
}

const left = (work: (left: Left, folder: string) => Promise<void>) => () =>
  inFolder(async (folder) => {
    await filled(folder);
    const db = join(folder, 'db');
    const { manifest, live } = await readCurrent(db);
    await work({ db, ...live, add: (...all) => appendFileSync(join(db, manifest), Buffer.concat(all)) }, folder);
  });

async function isWhole(folder: string): Promise<void> {
  const store = await openFolder(folder);
  for (let n = 0; n < 20; n++) expect(await store.source(url(n))).toMatchObject({ url: url(n), state: 'live' });
  await store.close();
  expect(await problemsOf(folder)).toEqual([]);
}

const problemsIn = async (db: string) => {
  const problems: string[] = [];
  for await (const { file, problem } of fileProblems(db, 'full')) problems.push(`${file}: ${problem}`);
  return problems;
};

describe('a MANIFEST in which a record is torn, with others behind it', () => {
  it('counts up to there: nothing is lost, and nothing is called damaged', () =>
    left(async ({ db, add, nextFile }, folder) => {
      const failed = flush(nextFile + 1, nextFile, 1000);
      add(failed.subarray(0, failed.length / 2), failed, flush(nextFile + 1, nextFile + 2, 1000));
      expect((await readCurrent(db)).live).toMatchObject({ damaged: true });
      expect(await problemsIn(db)).toEqual([]);
      await isWhole(folder);
    })());

  it.each(['log', 'table'] as const)('is damage where a %s of the records before is gone', (what) =>
    left(async ({ db, add, nextFile, firstLog }, folder) => {
      const failed = flush(nextFile + 1, nextFile, 1000);
      add(failed.subarray(0, failed.length / 2), failed);
      const table = [...(await readCurrent(db)).live.tables.keys()][0]!;
      rmSync(join(db, what === 'log' ? logName(firstLog) : tableName(table)));
      const bytes = readFileSync(join(db, (await readCurrent(db)).manifest));
      expect(await problemsIn(db)).toContainEqual(expect.stringContaining('MANIFEST'));
      await expect(openFolder(folder)).rejects.toMatchObject({ code: 'index-damaged' });
      expect(readFileSync(join(db, (await readCurrent(db)).manifest))).toEqual(bytes);
    })(),
  );

  it('is damage where a table has another size', () =>
    left(async ({ db, add, nextFile }, folder) => {
      const failed = flush(nextFile + 1, nextFile, 1000);
      add(failed.subarray(0, failed.length / 2), failed);
      const name = readdirSync(db).find((file) => file.endsWith('.ldb'))!;
      appendFileSync(join(db, name), 'x');
      await expect(openFolder(folder)).rejects.toMatchObject({ code: 'index-damaged' });
    })());
});

describe('a MANIFEST in which one log became a table twice', () => {
  it('counts up to the first time, whose record was not synced', () =>
    left(async ({ db, add, nextFile }, folder) => {
      const [first, second] = [nextFile, nextFile + 2];
      for (const table of [first, second]) writeFileSync(join(db, tableName(table)), Buffer.alloc(1000));
      add(flush(nextFile + 1, first, 1000), flush(nextFile + 1, second, 1000));
      const { manifest, bytes, live } = await readCurrent(db);
      expect(live).toMatchObject({ damaged: false });
      expect(readManifest(bytes.subarray(0, live.failedAt!)).tables).not.toContain(first);
      await isWhole(folder);
      expect((await readCurrent(db)).manifest).not.toBe(manifest);
    })());

  it('does not come of any ordinary life', () =>
    inFolder(async (folder) => {
      const store = await openFolder(folder, { segments: { flushContents: 5, idleMs: 1 } });
      for (let round = 0; round < 4; round++) {
        for (let n = 0; n < 20; n++) await store.apply(plan(100 * round + n));
        await store.compact();
        expect((await readCurrent(join(folder, 'db'))).live.failedAt).toBeNull();
      }
      await store.close();
    }));
});
