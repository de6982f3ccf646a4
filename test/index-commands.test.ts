import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../src/config.ts';
import {
  backupIndex,
  backupsIn,
  checkBackup,
  checkIndex,
  compactIndex,
  pruneBackupsIn,
  repairIndex,
  restoreIndex,
} from '../src/index-commands.ts';
import { createLogger } from '../src/logger.ts';
import { openIndex } from '../src/open-index.ts';
import { indexStats } from '../src/start.ts';
import { contentKey } from '../src/store/level/keys.ts';
import { LOCK_FILE } from '../src/store/level/lock.ts';
import { FORMAT_VERSION, openDescription, sealDescription } from '../src/store/level/values.ts';
import { filesOf } from './support/level-damage.ts';
import { inFolder } from './support/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from './support/level-plans.ts';
import { withLevel } from './support/level-rows.ts';
import { snapshotOf } from './support/made-backup.ts';
import { spawnService } from './support/spawn-service.ts';

const DOCUMENTS = 30;
const { pid } = process;
const log = await createLogger('silent', false);
const quiet = () => undefined;

const configOf = (DATA_DIR: string, more: Record<string, string> = {}): Config =>
  readConfig({ DATA_DIR, STORE_MEMORY_MB: '48', ...more }).config;

/** An index as a service leaves it, some of it in table files. */
async function made(dataDir: string): Promise<Config> {
  const config = configOf(dataDir);
  for (const part of [0, 1]) {
    const { store } = await openIndex(config, pid, log);
    for (let i = 0; i < DOCUMENTS / 2; i++) {
      const number = part * 1000 + i;
      await store.apply(putPlan(`https://${number}.example/`, contentOf(number, fingerprintsOf(number * 9, 40)), 1000));
    }
    await store.close();
  }
  return config;
}

async function madeBackup(folder: string): Promise<{ config: Config; backup: string }> {
  const config = await made(join(folder, 'index'));
  const backup = join(folder, 'backups', 'one');
  await backupIndex(config, pid, backup);
  return { config, backup };
}

describe('shingled check of a backup', () => {
  it('proves it without changing it, notes that beside it, and it restores as ever', () =>
    inFolder(async (folder) => {
      const { config, backup } = await madeBackup(folder);
      const before = snapshotOf(backup);
      expect((await backupsIn(config, join(folder, 'backups'))).backups[0]).toMatchObject({ state: 'unverified' });
      const { problems, counts, advice } = await checkBackup(config, pid, backup, quiet);
      expect([problems, counts?.sources, advice]).toEqual([[], DOCUMENTS, null]);
      expect(snapshotOf(backup)).toEqual(before);
      expect(readdirSync(join(folder, 'backups')).sort()).toEqual(['.one.verified', 'one']);
      const [entry] = (await backupsIn(configOf(folder, { BACKUP_DIR: join(folder, 'backups') }), null)).backups;
      expect(entry).toMatchObject({ name: 'one', state: 'verified', documents: DOCUMENTS, problem: null });
      rmSync(join(folder, 'backups', '.one.verified'));
      const restored = await restoreIndex(configOf(join(folder, 'new')), pid, backup, quiet);
      expect(restored.counts.sources).toBe(DOCUMENTS);
      expect(snapshotOf(backup)).toEqual(before);
      // which has proven it as well
      expect((await backupsIn(config, join(folder, 'backups'))).backups[0]).toMatchObject({ state: 'verified' });
    }));

  it('finds what is damaged in it, and takes its note back', () =>
    inFolder(async (folder) => {
      const { config, backup } = await madeBackup(folder);
      await checkBackup(config, pid, backup, quiet);
      const path = filesOf(backup, '.ldb')[0]!;
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      rmSync(path);
      writeFileSync(path, bytes);
      const { problems, counts, advice } = await checkBackup(config, pid, backup, quiet);
      expect(problems).toEqual([expect.stringContaining(`db/${basename(path)} is not what was written`)]);
      expect([counts, advice]).toEqual([null, expect.stringContaining('Take another backup')]);
      expect((await backupsIn(config, join(folder, 'backups'))).backups[0]).toMatchObject({ state: 'unverified' });
    }));

  it('finds what was damaged before it was taken, which no sum of its files tells', () =>
    inFolder(async (folder) => {
      const config = await made(join(folder, 'index'));
      await withLevel(join(folder, 'index'), (level) => level.del(contentKey(3)));
      const backup = join(folder, 'one');
      await backupIndex(config, pid, backup);
      const before = snapshotOf(backup);
      const { problems, advice } = await checkBackup(config, pid, backup, quiet);
      expect(problems).toContain('Content 3 has lost its record.');
      expect(advice).toContain('Take another backup');
      expect(snapshotOf(backup)).toEqual(before);
      await expect(restoreIndex(configOf(join(folder, 'new')), pid, backup, quiet)).rejects.toMatchObject({
        code: 'backup-damaged',
      });
    }));

  it('clears away what a killed one has left, and waits for no other one', () =>
    inFolder(async (folder) => {
      const { config, backup } = await madeBackup(folder);
      const checking = join(folder, 'backups', '.one.checking');
      mkdirSync(join(checking, 'db'), { recursive: true });
      writeFileSync(join(checking, 'db', 'CURRENT'), 'x');
      writeFileSync(join(checking, LOCK_FILE), JSON.stringify({ pid: 2 ** 22 + 1 }));
      expect((await checkBackup(config, pid, backup, quiet)).problems).toEqual([]);
      const both = await Promise.allSettled([1, 2].map(() => checkBackup(config, pid, backup, quiet)));
      expect(both).toContainEqual({ status: 'fulfilled', value: expect.objectContaining({ problems: [] }) });
      expect(both).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'index-locked' }) });
      expect(readdirSync(join(folder, 'backups')).sort()).toEqual(['.one.verified', 'one']);
    }));

  it('says of what is no backup what it is', () =>
    inFolder(async (folder) => {
      const config = await made(join(folder, 'index'));
      await expect(checkBackup(config, pid, join(folder, 'nowhere'), quiet)).rejects.toMatchObject({
        code: 'backup-missing',
      });
      await expect(checkBackup(config, pid, folder, quiet)).rejects.toMatchObject({ code: 'backup-missing' });
      const { problems } = await checkBackup(config, pid, join(folder, 'index'), quiet);
      expect(problems).toEqual([expect.stringContaining('shingled check --data-dir')]);
      const { backup } = await madeBackup(join(folder, 'more'));
      const other = configOf(join(folder, 'index'), { SHINGLE_SIZE: '5' });
      await expect(checkBackup(other, pid, backup, quiet)).rejects.toMatchObject({
        code: 'index-mismatch',
        message: expect.stringContaining('SHINGLE_SIZE'),
      });
    }));
});

describe('a backup', () => {
  it('is opened by no command, since that would spoil it', () =>
    inFolder(async (folder) => {
      const { backup } = await madeBackup(folder);
      const before = snapshotOf(backup);
      const config = configOf(backup);
      const commands: Record<string, () => Promise<unknown>> = {
        serve: () => openIndex(config, pid, log),
        check: () => checkIndex(config, pid, quiet),
        stats: () => indexStats(config, { version: 'x', pid }, log),
        backup: () => backupIndex(config, pid, join(folder, 'two')),
        compact: () => compactIndex(config, pid, log),
        repair: () => repairIndex(config, pid, quiet),
      };
      const message = expect.stringContaining(`shingled check ${backup}`);
      for (const [name, command] of Object.entries(commands)) {
        await expect(command(), name).rejects.toMatchObject({ code: 'folder-is-backup', message });
      }
      await expect(restoreIndex(config, pid, backup, quiet)).rejects.toMatchObject({ code: 'invalid-config' });
      const { backup: another } = await madeBackup(join(folder, 'more'));
      await expect(restoreIndex(config, pid, another, quiet)).rejects.toMatchObject({ code: 'index-exists' });
      expect(snapshotOf(backup)).toEqual(before);
    }));

  it('needs BACKUP_DIR or a folder to be listed', async () => {
    await expect(backupsIn(configOf('x'), null)).rejects.toMatchObject({ code: 'invalid-config' });
    const how = { keep: 1, isTrial: false };
    await expect(pruneBackupsIn(configOf('x'), null, how, quiet)).rejects.toMatchObject({ code: 'invalid-config' });
  });
});

describe('an index that another process uses', () => {
  it('is left alone by all commands, also where that one lives in another container', { timeout: 30_000 }, () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'index');
      const service = await spawnService({ DATA_DIR: dataDir, STORE_MEMORY_MB: '48' });
      try {
        const path = join(dataDir, LOCK_FILE);
        const owner = JSON.parse(readFileSync(path, 'utf8')) as object;
        const config = configOf(dataDir);
        for (const text of [JSON.stringify(owner), JSON.stringify({ ...owner, host: 'another-container' })]) {
          writeFileSync(path, text);
          for (const command of [
            () => checkIndex(config, pid, quiet),
            () => backupIndex(config, pid, join(folder, 'two')),
            () => repairIndex(config, pid, quiet),
            () => compactIndex(config, pid, log),
          ]) {
            await expect(command()).rejects.toMatchObject({ code: 'index-locked' });
            expect(readFileSync(path, 'utf8')).toBe(text);
          }
        }
        const text = 'it was the best of times it was the worst of times';
        const options = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: text };
        expect((await fetch(`${service.url}/documents?url=https://a.example/`, options)).status).toBe(201);
        expect(readdirSync(folder)).toEqual(['index']);
      } finally {
        await service.stop();
      }
      expect((await checkIndex(configOf(dataDir), pid, quiet)).counts?.sources).toBe(1);
    }),
  );
});

describe('shingled check', () => {
  it('names every damaged file, whatever LevelDB makes of them, and says what to do', () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'index');
      const config = await made(dataDir);
      const paths = filesOf(dataDir, '.ldb');
      expect(paths.length).toBeGreaterThan(1);
      for (const path of paths) writeFileSync(path, readFileSync(path).fill(0xaa, 0, 200));
      const { problems, advice } = await checkIndex(config, pid, quiet);
      for (const path of paths)
        expect(problems).toContainEqual(expect.stringContaining(`${basename(path)} is damaged`));
      expect(advice).toMatch(/shingled restore.+shingled repair/);
      expect(readdirSync(dataDir).sort()).toEqual(['db', 'high-water', 'index.key']);
    }));

  it('says of a folder that is no index, of one of another format, and of a file that cannot be read, what is so', () =>
    inFolder(async (folder) => {
      const failing = (dataDir: string) => checkIndex(configOf(dataDir), pid, quiet);
      await expect(failing(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'index-missing' });
      mkdirSync(join(folder, 'empty'));
      await expect(failing(join(folder, 'empty'))).rejects.toMatchObject({ code: 'index-missing' });
      mkdirSync(join(folder, 'other'));
      writeFileSync(join(folder, 'other', 'a.txt'), 'x');
      const message = expect.stringContaining('holds no index, but other files (a.txt)');
      await expect(failing(join(folder, 'other'))).rejects.toMatchObject({ code: 'index-missing', message });
      await expect(failing(join(folder, 'other', 'a.txt'))).rejects.toMatchObject({ code: 'invalid-config' });

      const dataDir = join(folder, 'index');
      await made(dataDir);
      const copy = join(folder, 'copy');
      cpSync(dataDir, copy, { recursive: true });
      await withLevel(copy, async (level) => {
        const description = openDescription('m', (await level.get('m'))!);
        await level.put('m', sealDescription('m', { ...description, formatVersion: FORMAT_VERSION + 1 }));
      });
      const format = expect.stringContaining(`has format ${FORMAT_VERSION + 1}`);
      await expect(failing(copy)).rejects.toMatchObject({ code: 'index-mismatch', message: format });

      const path = filesOf(dataDir, '.ldb')[0]!;
      const bytes = readFileSync(path);
      rmSync(path);
      symlinkSync(path, path);
      const unread = expect.stringContaining(`db/${basename(path)} cannot be read (ELOOP)`);
      await expect(failing(dataDir)).rejects.toMatchObject({ code: 'index-unreadable', message: unread });
      rmSync(path);
      writeFileSync(path, bytes);
      expect((await failing(dataDir)).problems).toEqual([]);
    }));
});
