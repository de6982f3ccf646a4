import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listBackups, noteVerified } from '../../../../src/store/level/backups/list.ts';
import { readManifest } from '../../../../src/store/level/backups/manifest.ts';
import { pruneBackups } from '../../../../src/store/level/backups/prune.ts';
import { inFolder } from '../../../support/store/level-folder.ts';
import { reseal, snapshotOf, withBackups } from '../../../support/store/made-backup.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const COUNTS = { sources: 7, contents: 7, postings: 7, versions: 7 };

const prune = (folder: string, keep: number, isTrial = false) =>
  pruneBackups({ folder, keep, isTrial, progress: () => undefined });
const noteProven = async (path: string) => noteVerified(path, await readManifest(path), COUNTS);
const states = async (folder: string) =>
  (await listBackups(folder)).backups.map(({ name, state }) => `${name} ${state}`);

/** Turns a bit of the first table file over: its size is as it was. */
function flip(backup: string): void {
  const path = readdirSync(join(backup, 'db')).find((name) => name.endsWith('.ldb'))!;
  const bytes = readFileSync(join(backup, 'db', path));
  bytes[bytes.length >> 1]! ^= 1;
  // a file of its own: the others share the old one
  rmSync(join(backup, 'db', path));
  writeFileSync(join(backup, 'db', path), bytes);
}

describe('the list of backups', () => {
  it('has the newest first, what each holds, and what is wrong with those that are not whole', () =>
    inFolder(async (folder) => {
      const backups = await withBackups(folder, NAMES.slice(0, 4));
      await noteProven(join(backups, 'b'));
      reseal(join(backups, 'c'), { totals: null });
      await noteProven(join(backups, 'c'));
      // another backup since then
      reseal(join(backups, 'd'), { totals: null });
      rmSync(join(backups, 'a', 'high-water'));
      mkdirSync(join(backups, 'e'));
      writeFileSync(join(backups, 'e', 'backup.json'), '{}');
      mkdirSync(join(backups, 'no-backup'));
      mkdirSync(join(backups, '.f.partial'));
      writeFileSync(join(backups, 'notes.txt'), 'x');
      const { backups: entries, more } = await listBackups(backups);
      expect(more).toBe(0);
      expect(
        entries.map(({ name, createdAt, documents, state, problem }) => [name, createdAt, documents, state, problem]),
      ).toEqual([
        ['d', '2026-01-04T00:00:00.000Z', null, 'unverified', null],
        ['c', '2026-01-03T00:00:00.000Z', 7, 'verified', null],
        ['b', '2026-01-02T00:00:00.000Z', 2, 'verified', null],
        ['a', '2026-01-01T00:00:00.000Z', 1, 'damaged', 'high-water is missing.'],
        ['e', null, null, 'damaged', 'backup.json cannot be read.'],
      ]);
      expect(entries[1]!.files).toBeGreaterThan(4);
      expect(entries[1]!.bytes).toBeGreaterThan(1000);
      // taken again under its name, it is another one
      reseal(join(backups, 'b'), { createdAt: '2026-01-02T00:00:01.000Z' });
      expect(await states(backups)).toContain('b unverified');
    }));

  it('of a folder that is not there, or is none, is refused', () =>
    inFolder(async (folder) => {
      await expect(listBackups(join(folder, 'x'))).rejects.toMatchObject({ code: 'backup-missing' });
      writeFileSync(join(folder, 'x'), '');
      await expect(listBackups(join(folder, 'x'))).rejects.toMatchObject({ code: 'invalid-config' });
    }));
});

describe('old backups', () => {
  it('are deleted but for the newest, and nothing else is touched', () =>
    inFolder(async (folder) => {
      const backups = await withBackups(folder, NAMES);
      await noteProven(join(backups, 'b'));
      await noteProven(join(backups, 'd'));
      mkdirSync(join(backups, '.x.partial'));
      mkdirSync(join(backups, 'other'));
      // of a deletion that was killed
      mkdirSync(join(backups, '.y.deleting'));
      const before = snapshotOf(backups);
      expect(await prune(backups, 2, true)).toEqual({ kept: ['e', 'd'], deleted: ['c', 'b', 'a'], leftAlone: [] });
      expect(snapshotOf(backups)).toEqual(before);
      expect(await prune(backups, 2)).toEqual({ kept: ['e', 'd'], deleted: ['c', 'b', 'a'], leftAlone: [] });
      expect(readdirSync(backups).sort()).toEqual(['.d.verified', '.x.partial', 'd', 'e', 'other']);
      expect(await prune(backups, 2)).toEqual({ kept: ['e', 'd'], deleted: [], leftAlone: [] });
      expect(await prune(backups, 9)).toEqual({ kept: ['e', 'd'], deleted: [], leftAlone: [] });
    }));

  it('that are damaged do not count, and stay: also where only reading them shows it', () =>
    inFolder(async (folder) => {
      const backups = await withBackups(folder, NAMES);
      flip(join(backups, 'e'));
      appendFileSync(join(backups, 'd', 'high-water'), 'x');
      expect(await states(backups)).toEqual([
        'e unverified',
        'd damaged',
        'c unverified',
        'b unverified',
        'a unverified',
      ]);
      const { kept, deleted, leftAlone } = await prune(backups, 1);
      expect([kept, deleted]).toEqual([['c'], ['b', 'a']]);
      expect(leftAlone).toEqual([
        { name: 'd', problem: expect.stringContaining('high-water has') },
        { name: 'e', problem: expect.stringContaining('is not what was written') },
      ]);
      expect(readdirSync(backups).sort()).toEqual(['c', 'd', 'e']);
    }));

  it('stay where they are the newest that was proven, and where nothing would be left', () =>
    inFolder(async (folder) => {
      const backups = await withBackups(folder, NAMES);
      await noteProven(join(backups, 'a'));
      await noteProven(join(backups, 'b'));
      expect(await prune(backups, 2)).toEqual({ kept: ['e', 'd', 'b'], deleted: ['c', 'a'], leftAlone: [] });
      for (const name of ['b', 'd', 'e']) flip(join(backups, name));
      const { kept, deleted, leftAlone } = await prune(backups, 1);
      expect([kept, deleted, leftAlone.map(({ name }) => name)]).toEqual([[], [], ['e', 'd', 'b']]);
      for (const keep of [0, -1, 1.5, Number.NaN]) {
        await expect(prune(backups, keep)).rejects.toMatchObject({ code: 'invalid-request', field: 'keep' });
      }
      expect(existsSync(join(backups, 'b'))).toBe(true);
    }));
});
