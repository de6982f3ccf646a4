import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  backupIndex,
  checkBackup,
  checkIndex,
  compactIndex,
  repairIndex,
  restoreIndex,
} from '../src/commands/index-commands.ts';
import { type Config, readConfig } from '../src/config.ts';
import { openIndex } from '../src/open-index.ts';
import { openDescription } from '../src/store/level/format/values.ts';
import { inFolder } from './support/store/level-folder.ts';
import { withLevel } from './support/store/level-rows.ts';
import { indexStats, log } from './support/store/made-index.ts';

const { pid } = process;
const quiet = () => undefined;
const UNUSUAL = { SHINGLE_SIZE: '5', INDEX_MODULUS: '32', RECORD_MODULUS: '2' };
const MADE = { shingleSize: 5, indexModulusMax: 32, recordModulusMax: 2 };

const configOf = (DATA_DIR: string, more: Record<string, string> = {}): Config =>
  readConfig({ DATA_DIR, STORE_MEMORY_MB: '48', ...more }).config;

async function opened(config: Config) {
  const { store, identity } = await openIndex(config, pid, log);
  await store.close();
  return { ...store.description, identity };
}

describe('what an index fixes', () => {
  it('is read from it by every command, and need not be set again', () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'index');
      const backup = join(folder, 'backup');
      const first = await opened(configOf(dataDir, UNUSUAL));
      expect(first).toMatchObject(MADE);
      const bare = configOf(dataDir);
      const again = await opened(bare);
      expect(again).toEqual(first);
      expect(again.identity.fingerprint.shingleSize).toBe(5);
      expect(again.identity.fingerprintId).toBe(again.fingerprintId);
      expect(await indexStats(bare, { version: 'x', pid })).toMatchObject(MADE);
      expect((await checkIndex(bare, pid, quiet)).problems).toEqual([]);
      await compactIndex(bare, pid, log);
      await backupIndex(bare, pid, backup);
      expect((await checkBackup(bare, pid, backup, quiet)).problems).toEqual([]);
      const restored = configOf(join(folder, 'restored'));
      await restoreIndex(restored, pid, backup, quiet);
      expect(await opened(restored)).toMatchObject(MADE);
      await repairIndex(bare, pid, quiet);
      expect(await opened(configOf(dataDir, UNUSUAL))).toMatchObject(MADE);
    }));

  it('may be set again one by one, and where that contradicts, each is named with the way out', () =>
    inFolder(async (folder) => {
      await opened(configOf(folder, UNUSUAL));
      for (const [name, value] of Object.entries(UNUSUAL)) {
        expect(await opened(configOf(folder, { [name]: value }))).toMatchObject(MADE);
        const other = configOf(folder, { [name]: '4' });
        const message = `${name}: the index was made with ${value}, this start has 4. Leave ${name} out: the index knows its own.`;
        await expect(openIndex(other, pid, log)).rejects.toMatchObject({ code: 'index-mismatch', message });
      }
      const other = configOf(folder, { SHINGLE_SIZE: '4' });
      await expect(checkIndex(other, pid, quiet)).rejects.toMatchObject({ code: 'index-mismatch' });
    }));

  it('has one modulus that the other allows, where both are set', () => {
    const message = 'RECORD_MODULUS: 16 is too large; allowed: at most INDEX_MODULUS (8)';
    const both = { INDEX_MODULUS: '8', RECORD_MODULUS: '16' };
    expect(() => readConfig(both)).toThrow(expect.objectContaining({ code: 'invalid-config', message }));
  });

  it('gives way to what is set where an index is created', () =>
    inFolder(async (folder) => {
      const made = (name: string, more: Record<string, string>) => opened(configOf(join(folder, name), more));
      expect(await made('a', {})).toMatchObject({ shingleSize: 7, indexModulusMax: 8, recordModulusMax: 4 });
      expect(await made('b', { INDEX_MODULUS: '2' })).toMatchObject({ indexModulusMax: 2, recordModulusMax: 2 });
      expect(await made('c', { RECORD_MODULUS: '16' })).toMatchObject({ indexModulusMax: 16, recordModulusMax: 16 });
    }));

  it('is asked for by a repair that cannot read it, and never guessed', () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'index');
      await opened(configOf(dataDir, UNUSUAL));
      await withLevel(dataDir, (level) => level.del('m'));
      const message = expect.stringMatching(/Set SHINGLE_SIZE, INDEX_MODULUS and RECORD_MODULUS .*: 7, 8, 4 where/);
      await expect(repairIndex(configOf(dataDir), pid, quiet)).rejects.toMatchObject({
        code: 'invalid-config',
        message,
      });
      expect((await repairIndex(configOf(dataDir, UNUSUAL), pid, quiet)).rows.description).toBe(true);
      expect(await opened(configOf(dataDir))).toMatchObject(MADE);
      const made = await withLevel(dataDir, async (level) => openDescription('m', (await level.get('m'))!));
      expect(made).toMatchObject(MADE);
    }));
});
