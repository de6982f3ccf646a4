import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BackupFile } from '../../../../src/store/level/backups/manifest.ts';
import { prepareRestore } from '../../../../src/store/level/backups/restore.ts';
import { checkAt } from '../../../../src/store/level/check/check-process.ts';
import { readManifest } from '../../../../src/store/level/files/manifest-file.ts';
import { prepareFolder } from '../../../../src/store/level/folder/folder.ts';
import { check, filesOf } from '../../../support/store/level-damage.ts';
import {
  inFolder,
  openFolder,
  TEST_IDENTITY,
  TEST_RANK_KEY,
  type TestOptions,
} from '../../../support/store/level-folder.ts';
import {
  below,
  contentOf,
  deletePlan,
  fingerprintsOf,
  putPlan,
  randomFrom,
} from '../../../support/store/level-plans.ts';

const URL_OF = (i: number) => `https://${i}.example/`;
const put = (i: number) => putPlan(URL_OF(i), contentOf(i, fingerprintsOf(i * 7, 40)), 1000);
const WAITING = { roomWaitMs: 60_000 };

/** Restores a backup as the command does, with a proof. @returns what is wrong with it */
async function restore(backup: string, dataDir: string, indexKeyFile?: string): Promise<readonly string[]> {
  const progress = () => undefined;
  const prepared = await prepareRestore({ backup, dataDir, indexKeyFile, pid: process.pid, progress });
  try {
    const { problems } = await checkAt({ path: prepared.path, ...TEST_IDENTITY, rankKey: TEST_RANK_KEY });
    if (problems.length === 0) await prepared.finish();
    return problems;
  } finally {
    await prepared.release();
  }
}

async function withBackup(folder: string, options: TestOptions = {}): Promise<string> {
  const backupDir = join(folder, 'backups');
  const store = await openFolder(join(folder, 'index'), { backupDir, ...options });
  await Promise.all(Array.from({ length: 60 }, (_, i) => store.apply(put(i))));
  await store.compact();
  await Promise.all(Array.from({ length: 20 }, (_, i) => store.apply(put(100 + i))));
  await store.backup('one');
  await store.close();
  return join(backupDir, 'one');
}

describe('a backup', () => {
  it('taken in the midst of writes has all that was acknowledged before it, whole, and queries go on', () =>
    inFolder(async (folder) => {
      const backupDir = join(folder, 'backups');
      const segments = { flushContents: 100, idleMs: 5 };
      const store = await openFolder(join(folder, 'index'), { backupDir, segments });
      const random = randomFrom(3);
      for (let round = 0; round < 2; round++) {
        const acknowledged = new Set<number>();
        let isTaken = false;
        const writing = (async () => {
          for (let i = 0; !isTaken; i += 50) {
            const numbers = Array.from({ length: 50 }, (_, j) => round * 1_000_000 + i + j);
            await Promise.all(
              numbers.map(async (number) => {
                await store.apply(put(number), WAITING);
                acknowledged.add(number);
              }),
            );
            const victim = numbers[below(random, 50)]!;
            acknowledged.delete(victim);
            await store.apply(deletePlan(URL_OF(victim), 2000), WAITING);
          }
        })();
        while (acknowledged.size < 400) await new Promise((resolve) => setTimeout(resolve, 5));
        const before = [...acknowledged];
        const outcome = await store.backup(`round-${round}`);
        expect(outcome.writesWaitedMs).toBeLessThan(20_000);
        expect((await store.source(URL_OF(before.at(-1)!)))?.state).toBe('live');
        isTaken = true;
        await writing;
        const dataDir = join(folder, `restored-${round}`);
        expect(await restore(join(backupDir, `round-${round}`), dataDir)).toEqual([]);
        const restored = await openFolder(dataDir, { mustExist: true });
        const found = await Promise.all(before.map((number) => restored.source(URL_OF(number))));
        // a victim of the step under way may have gone before the moment of the backup
        expect(found.filter((source) => source === undefined).length).toBeLessThanOrEqual(2);
        await restored.close();
      }
      await store.close();
      expect((await check(join(folder, 'index'))).problems).toEqual([]);
    }));

  it('shares table files with the index, leaves nothing beside itself, and keeps the key to its owner', () =>
    inFolder(async (folder) => {
      const backup = await withBackup(folder);
      expect(readdirSync(backup).sort()).toEqual(['backup.json', 'db', 'high-water', 'index.key']);
      expect(statSync(join(backup, 'index.key')).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(backup, 'index.key'))).toEqual(readFileSync(join(folder, 'index', 'index.key')));
      const tables = readdirSync(join(backup, 'db')).filter((name) => name.endsWith('.ldb'));
      expect(tables.length).toBeGreaterThan(0);
      for (const name of tables) {
        expect(statSync(join(backup, 'db', name)).nlink).toBe(existsSync(join(folder, 'index', 'db', name)) ? 2 : 1);
      }
      expect(readdirSync(join(folder, 'backups'))).toEqual(['one']);
      expect(readdirSync(join(folder, 'index')).sort()).toEqual(['db', 'high-water', 'index.key']);
      const manifest = readFileSync(join(backup, 'db', readFileSync(join(backup, 'db', 'CURRENT'), 'utf8').trim()));
      const { tables: listed } = readManifest(manifest);
      expect(listed.size).toBe(tables.length);
    }));

  it('is refused under a name that is taken, or is none, and where no folder is configured', () =>
    inFolder(async (folder) => {
      const backup = await withBackup(folder);
      const backupDir = join(folder, 'backups');
      const store = await openFolder(join(folder, 'index'), { backupDir });
      await expect(store.backup('one')).rejects.toMatchObject({ code: 'backup-exists', field: 'name' });
      for (const name of ['', '.', '..', '../x', '.hidden', 'a/b', 'a\\b', 'a\0b', 'x'.repeat(101)]) {
        await expect(store.backup(name), name).rejects.toMatchObject({ code: 'invalid-request', field: 'name' });
      }
      await store.backup('x'.repeat(100));
      // what a killed process left is no hindrance
      mkdirSync(join(backupDir, '.two.partial'));
      mkdirSync(join(folder, 'index', 'backup.staging'));
      await store.backup('two');
      expect(existsSync(backup)).toBe(true);
      await store.close();
      const bare = await openFolder(join(folder, 'index'));
      await expect(bare.backup('three')).rejects.toMatchObject({ code: 'backup-not-configured' });
      await bare.close();
    }));

  it('is not taken of an index that lacks a table file or has one of another size: writes go on', () =>
    inFolder(async (folder) => {
      await withBackup(folder);
      const backupDir = join(folder, 'backups');
      const dataDir = join(folder, 'index');
      const store = await openFolder(dataDir, { backupDir });
      const [victim] = filesOf(dataDir, '.ldb');
      appendFileSync(victim!, 'x');
      await expect(store.backup('two')).rejects.toMatchObject({ code: 'index-unreadable' });
      expect(store.damaged).toBe(true);
      rmSync(victim!);
      await expect(store.backup('two')).rejects.toMatchObject({ code: 'index-unreadable' });
      await store.apply(put(500));
      await store.close();
      expect(readdirSync(backupDir)).toEqual(['one']);
      const unwritable = await openFolder(join(folder, 'other'), { backupDir: join(backupDir, 'one', 'backup.json') });
      await expect(unwritable.backup('x')).rejects.toMatchObject({ code: 'storage-full' });
      expect((await unwritable.stats()).index?.segments).toBe(0);
      await unwritable.close();
    }));
});

describe('restoring', () => {
  it('refuses a backup with any file missing, cut, changed or grown, before anything is made of it', () =>
    inFolder(async (folder) => {
      const backup = await withBackup(folder);
      const files = readdirSync(backup, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'db');
      const spoilt = join(folder, 'spoilt');
      for (const name of files) {
        const path = join(spoilt, name);
        const spoil = {
          missing: () => rmSync(path),
          cut: () => truncateSync(path, statSync(path).size - 1),
          changed: () => {
            const bytes = readFileSync(path);
            bytes[bytes.length >> 1]! ^= 1;
            writeFileSync(path, bytes);
          },
          grown: () => appendFileSync(path, 'x'),
        };
        for (const [how, change] of Object.entries(spoil)) {
          cpSync(backup, spoilt, { recursive: true });
          change();
          const isFound = restore(spoilt, join(folder, 'new'));
          await expect(isFound, `${name} ${how}`).rejects.toMatchObject({ code: 'backup-damaged' });
          rmSync(spoilt, { recursive: true });
        }
      }
      expect(existsSync(join(folder, 'new'))).toBe(false);
    }));

  it('refuses a folder with anything in it, and begins again where it was broken off', () =>
    inFolder(async (folder) => {
      const backup = await withBackup(folder);
      const dataDir = join(folder, 'new');
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, 'mine.txt'), 'x');
      await expect(restore(backup, dataDir)).rejects.toMatchObject({ code: 'index-exists' });
      await expect(restore(backup, join(folder, 'index'))).rejects.toMatchObject({ code: 'index-exists' });
      rmSync(join(dataDir, 'mine.txt'));
      mkdirSync(join(dataDir, 'restoring'));
      mkdirSync(join(dataDir, 'db'));
      const started = prepareFolder({ dataDir, mustExist: false, pid: process.pid });
      const message = expect.stringContaining('shingled restore');
      await expect(started).rejects.toMatchObject({ code: 'index-missing', message });
      expect(await restore(backup, dataDir)).toEqual([]);
      expect(readdirSync(dataDir).sort()).toEqual(['db', 'high-water', 'index.key']);
      expect((await check(dataDir)).counts?.sources).toBe(80);
      // nothing is shared
      for (const path of filesOf(dataDir, '.ldb')) expect(statSync(path).nlink).toBe(1);
    }));

  it('leaves the key aside where another file is configured, and asks for it where the backup has none', () =>
    inFolder(async (folder) => {
      const backup = await withBackup(folder);
      const key = join(folder, 'secret.key');
      cpSync(join(backup, 'index.key'), key);
      expect(await restore(backup, join(folder, 'new'), key)).toEqual([]);
      expect(readdirSync(join(folder, 'new')).sort()).toEqual(['db', 'high-water']);
      const path = join(backup, 'backup.json');
      const { seal: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
      const sealed = (changed: object) => {
        const whole = { ...manifest, ...changed };
        const seal = createHash('sha256').update(JSON.stringify(whole)).digest('hex');
        writeFileSync(path, JSON.stringify({ ...whole, seal }));
      };
      sealed({ hasKey: false, files: manifest.files.filter((file: BackupFile) => file.path !== 'index.key') });
      await expect(restore(backup, join(folder, 'other'))).rejects.toMatchObject({ code: 'invalid-config' });
      sealed({ files: [{ ...manifest.files[0], path: '../../etc/passwd' }] });
      await expect(restore(backup, join(folder, 'other'), key)).rejects.toMatchObject({ code: 'backup-damaged' });
    }));
});
