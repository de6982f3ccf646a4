import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { checkBackup } from '../../src/commands/index-commands.ts';
import { listUrls, migrateIndex } from '../../src/commands/upgrade-commands.ts';
import { openIndex } from '../../src/open-index.ts';
import {
  FORMAT_READ_LEAST,
  FORMAT_VERSION,
  openDescription,
  sealDescription,
} from '../../src/store/level/format/values.ts';
import { backupOf, FORMATS, restored, URLS } from '../support/process/format-fixtures.ts';
import { runHere } from '../support/process/run-here.ts';
import { filesOf } from '../support/store/level-damage.ts';
import { inFolder } from '../support/store/level-folder.ts';
import { withLevel } from '../support/store/level-rows.ts';
import { configOf, log } from '../support/store/made-index.ts';

const { pid } = process;
const quiet = () => undefined;

describe('shingled urls', () => {
  const listed = async (config: ReturnType<typeof configOf>, backup: string | null = null) => {
    const texts: string[] = [];
    const result = await listUrls(config, pid, backup, async (more) => void texts.push(...more));
    const lines = texts.join('').trimEnd().split('\n');
    return { ...result, lines: lines.map((line) => JSON.parse(line) as { op: string; url: string }) };
  };

  it.each(FORMATS)('lists what a backup and an index of format %i know, and changes neither', (format) =>
    inFolder(async (folder) => {
      const config = await restored(folder, format);
      const before = filesOf(config.DATA_DIR, '').map((path) => [path, readFileSync(path)]);
      const { lines, ...result } = await listed(config);
      expect(result).toEqual({ path: config.DATA_DIR, urls: URLS, isWhole: true });
      expect(lines.find(({ url }) => url === 'https://a.example/tale')).toEqual({
        ...{ op: 'put', url: 'https://a.example/tale', observedAt: '2026-01-01T00:00:00.000Z' },
        meta: { shelf: 3, tags: ['novel'] },
      });
      expect(lines.find(({ op }) => op === 'gone')).toEqual({
        ...{ op: 'gone', url: 'https://g.example/gone', observedAt: '2026-01-07T00:00:00.000Z', status: 404 },
      });
      expect(filesOf(config.DATA_DIR, '').map((path) => [path, readFileSync(path)])).toEqual(before);
      const backup = backupOf(format);
      expect((await listed(configOf(join(folder, 'nowhere')), backup)).lines).toEqual(lines);
      expect(existsSync(join(folder, 'nowhere'))).toBe(false);
      expect(await checkBackup(config, pid, backup, quiet)).toMatchObject({ problems: [] });
    }),
  );

  it('lists what it can of a damaged index without a key, and says that this is not all', () =>
    inFolder(async (folder) => {
      const { DATA_DIR } = await restored(folder, FORMAT_VERSION);
      rmSync(join(DATA_DIR, 'index.key'));
      const run = () => runHere(['urls', '--data-dir', DATA_DIR], {});
      const whole = await run();
      expect(whole).toMatchObject({ code: EXIT_CODES.done, err: `${URLS} URLs are in ${DATA_DIR}.\n` });
      expect(whole.out.trimEnd().split('\n')).toHaveLength(URLS);
      // the rows of URLs lie behind those of records and postings
      const [table] = filesOf(DATA_DIR, '.ldb');
      const bytes = readFileSync(table!);
      for (let at = 0; at < bytes.length - 8000; at += 50) bytes[at]! ^= 1;
      writeFileSync(table!, bytes);
      const part = await run();
      expect(part).toMatchObject({ code: EXIT_CODES.damaged, err: expect.stringContaining('cannot be read') });
      writeFileSync(table!, '');
      expect(await run()).toMatchObject({ code: EXIT_CODES.damaged, out: '', err: expect.stringContaining('0 URLs') });
    }));

  it('is refused where there is no index, another process has it, or its format is not read', () =>
    inFolder(async (folder) => {
      const refused = (config = configOf(join(folder, 'index')), backup: string | null = null) =>
        expect(listed(config, backup)).rejects;
      await refused().toMatchObject({ code: 'index-missing' });
      await refused(configOf(folder)).toMatchObject({ code: 'index-missing' });
      await refused(configOf(folder), folder).toMatchObject({ code: 'backup-missing' });
      const cut = backupOf(FORMAT_VERSION);
      rmSync(join(cut, 'db'), { recursive: true });
      await refused(configOf(folder), cut).toMatchObject({ code: 'backup-damaged' });
      const config = await restored(folder, FORMAT_VERSION);
      await migrateIndex(config, pid, null, () => undefined);
      const { store } = await openIndex(config, pid, log);
      await refused(config).toMatchObject({ code: 'index-locked' });
      await store.close();
      await withLevel(join(config.DATA_DIR), async (level) => {
        const description = openDescription('m', (await level.get('m'))!);
        await level.put('m', sealDescription('m', { ...description, formatVersion: FORMAT_READ_LEAST - 1 }));
      });
      await refused(config).toMatchObject({ code: 'index-mismatch' });
    }));
});
