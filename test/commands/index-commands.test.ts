import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupIndex, checkIndex, compactIndex, repairIndex } from '../../src/commands/index-commands.ts';
import { LOCK_FILE } from '../../src/store/level/folder/lock.ts';
import { FORMAT_VERSION, openDescription, sealDescription } from '../../src/store/level/format/values.ts';
import { spawnService } from '../support/process/spawn-service.ts';
import { filesOf } from '../support/store/level-damage.ts';
import { inFolder } from '../support/store/level-folder.ts';
import { withLevel } from '../support/store/level-rows.ts';
import { configOf, log, madeIndex } from '../support/store/made-index.ts';

const { pid } = process;
const quiet = () => undefined;

describe('an index that another process uses', () => {
  it('is left alone by all commands, also where that one lives in another container', () =>
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
    }));
});

describe('shingled check', () => {
  it('names every damaged file, whatever LevelDB makes of them, and says what to do', () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'index');
      const config = await madeIndex(dataDir);
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
      await madeIndex(dataDir);
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

describe('shingled repair', () => {
  it('takes the memory that is set: of an index that needs more it says so, as a start does', () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'index');
      const config = await madeIndex(dataDir);
      // less than any index takes stands here for an index of many millions
      const repairing = repairIndex({ ...config, STORE_MEMORY_MB: 47 }, pid, quiet);
      const message = expect.stringContaining('STORE_MEMORY_MB: 47 is too small');
      await expect(repairing).rejects.toMatchObject({ code: 'invalid-config', message });
      expect((await checkIndex(config, pid, quiet)).problems).toEqual([]);
      expect(readdirSync(folder)).toEqual(['index']);
      expect((await repairIndex(config, pid, quiet)).totals.sources).toBe(30);
    }));
});
