import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  backupIndex,
  backupsIn,
  checkBackup,
  checkIndex,
  compactIndex,
  pruneBackupsIn,
  repairIndex,
  restoreIndex,
} from '../../src/commands/index-commands.ts';
import { openIndex } from '../../src/open-index.ts';
import { LOCK_FILE } from '../../src/store/level/folder/lock.ts';
import { contentKey } from '../../src/store/level/format/keys.ts';
import { filesOf } from '../support/store/level-damage.ts';
import { inFolder } from '../support/store/level-folder.ts';
import { withLevel } from '../support/store/level-rows.ts';
import { snapshotOf } from '../support/store/made-backup.ts';
import { configOf, DOCUMENTS, indexStats, log, madeBackup, madeIndex } from '../support/store/made-index.ts';

const { pid } = process;
const quiet = () => undefined;

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
      const config = await madeIndex(join(folder, 'index'));
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
      const config = await madeIndex(join(folder, 'index'));
      await expect(checkBackup(config, pid, join(folder, 'nowhere'), quiet)).rejects.toMatchObject({
        code: 'backup-missing',
        message: expect.stringContaining(`There is no file or folder ${join(folder, 'nowhere')}`),
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
        stats: () => indexStats(config, { version: 'x', pid }),
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
