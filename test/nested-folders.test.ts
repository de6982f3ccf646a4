import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { refuseNested } from '../src/nested-folders.ts';

const root = mkdtempSync(join(tmpdir(), 'shingled-nested-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(`${root}/data/db`, { recursive: true });
mkdirSync(`${root}/beside`);
symlinkSync(`${root}/data`, `${root}/link-to-data`);
symlinkSync(`${root}/data/db`, `${root}/link-into-data`);
symlinkSync(root, `${root}/link-to-root`);
symlinkSync(`${root}/nowhere`, `${root}/link-to-nowhere`);

const refusal = (backups: string, dataDir: string) =>
  refuseNested('BACKUP_DIR', join(root, backups), join(root, dataDir)).then(
    () => null,
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  );

describe('backups and the index', () => {
  it.each([
    ['data', 'data'],
    ['data/', 'data'],
    ['data/backups', 'data'],
    ['data/not/there/yet', 'data'],
    ['data/db', 'data'],
    ['beside/../data/b', 'data'],
    ['link-to-data', 'data'],
    ['link-to-data/b', 'data'],
    ['link-into-data', 'data'],
    ['data/b', 'link-to-data'],
    ['link-to-root/data/b', 'data'],
    ['new/backups', 'new'],
    ['link-to-root/new/backups', 'new'],
    ['new', 'new'],
  ])('in %s of %s are refused', async (backups, dataDir) => {
    const refused = await refusal(backups, dataDir);
    expect(refused).toMatch(/^invalid-config BACKUP_DIR: ".+" is, or lies in, the folder of the index, .+; allowed: /);
  });

  it.each([
    ['.', 'data'],
    ['link-to-root', 'data'],
    ['data', 'data/db'],
    ['new', 'new/data'],
    ['beside', 'beside/new/data'],
  ])('in %s, with the index inside of it in %s, are refused', async (backups, dataDir) => {
    expect(await refusal(backups, dataDir)).toMatch(
      /^invalid-config BACKUP_DIR: the folder of the index, .+, lies in /,
    );
  });

  it.each([
    ['beside', 'data'],
    ['data2', 'data'],
    ['data', 'data2'],
    ['new/backups', 'new/index'],
    ['link-to-root/beside', 'data'],
    ['link-to-nowhere', 'data'],
    ['..data', 'data'],
  ])('side by side, in %s and %s, are fine', async (backups, dataDir) => {
    expect(await refusal(backups, dataDir)).toBeNull();
  });
});
