import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Damage } from '../../../../src/store/level/damage/damage.ts';
import { Verification } from '../../../../src/store/level/damage/verification.ts';
import { type FileProblem, fileProblems } from '../../../../src/store/level/files/verify.ts';
import { check, filesOf, filledWhole, text } from '../../../support/store/level-damage.ts';
import { inFolder, openFolder } from '../../../support/store/level-folder.ts';
import { below, putPlan, randomFrom } from '../../../support/store/level-plans.ts';
import { withLevel } from '../../../support/store/level-rows.ts';

const FLIPS = 300;

async function problemsIn(dataDir: string, pace: 'gentle' | 'full' = 'full'): Promise<FileProblem[]> {
  const found: FileProblem[] = [];
  for await (const problem of fileProblems(join(dataDir, 'db'), pace)) found.push(problem);
  return found;
}

/** Turns one bit over, and back. */
async function withFlip<T>(path: string, offset: number, bit: number, work: () => Promise<T>): Promise<T> {
  const sound = readFileSync(path);
  const damaged = Buffer.from(sound);
  damaged[offset]! ^= 1 << bit;
  writeFileSync(path, damaged);
  try {
    return await work();
  } finally {
    writeFileSync(path, sound);
  }
}

describe('table files', () => {
  it('are found damaged whichever bit of them changes, and by name', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      const paths = filesOf(folder, '.ldb');
      expect(await problemsIn(folder)).toEqual([]);
      const random = randomFrom(5);
      let unseen = 0;
      for (let i = 0; i < FLIPS; i++) {
        const path = paths[below(random, paths.length)]!;
        const { size } = statSync(path);
        const offset = below(random, size);
        const found = await withFlip(path, offset, below(random, 8), () => problemsIn(folder));
        if (found.length === 0) {
          // only what fills the footer up says nothing
          expect(size - offset).toBeLessThanOrEqual(48);
          unseen++;
        } else expect(found).toEqual([expect.objectContaining({ file: path.slice(-10), isDamage: true })]);
      }
      expect(unseen).toBeLessThan(FLIPS / 4);
    }));

  it('are looked through after opening, so that the index says of itself that it is damaged; and by a check', () =>
    inFolder(async (folder) => {
      const [whole, copy] = [join(folder, 'whole'), join(folder, 'copy')];
      await filledWhole(whole);
      // in the filter of some file: nothing is wrong with any row that is found
      const path = filesOf(whole, '.ldb')[0]!;
      const bytes = readFileSync(path);
      const filterAt = bytes.length - 48 - Number(bytes.readUInt8(bytes.length - 47)) - 60;
      bytes[filterAt]! ^= 4;
      writeFileSync(path, bytes);
      cpSync(whole, copy, { recursive: true });
      expect((await check(whole)).problems).toEqual([expect.stringMatching(/\.ldb is damaged: the checksum/)]);
      const onDamage = vi.fn();
      const store = await openFolder(copy, { onDamage, listPostingsMax: 2 });
      // who has closed it by then was spared the thread
      expect(store.damaged).toBe(false);
      await vi.waitUntil(() => onDamage.mock.calls.length > 0, { timeout: 60_000 });
      expect(onDamage.mock.lastCall).toEqual([expect.objectContaining({ file: basename(path) })]);
      expect(store.damaged).toBe(true);
      await store.close();
    }));

  it('that the MANIFEST names are all that count: not what a kill has left, nor what is replaced meanwhile', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      writeFileSync(join(folder, 'db', '000999.ldb'), 'begun');
      expect(await problemsIn(folder)).toEqual([]);
      const [first, ...others] = filesOf(folder, '.ldb').filter((path) => !path.endsWith('000999.ldb'));
      const inUse = fileProblems(join(folder, 'db'), 'gentle');
      const next = inUse.next();
      await withLevel(folder, (level) => level.compactRange('\0', '\u007f'));
      expect([first, ...others].some((path) => existsSync(path!))).toBe(false);
      expect(await next).toEqual({ done: true, value: undefined });
    }));

  it('are missing where the MANIFEST names them and they are not there', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      const [first, second] = filesOf(folder, '.ldb');
      rmSync(first!);
      truncateSync(second!, statSync(second!).size - 1);
      expect(await problemsIn(folder, 'gentle')).toEqual([
        { file: basename(first!), problem: 'it is missing', isDamage: true, errno: 'ENOENT' },
        expect.objectContaining({ file: basename(second!), problem: expect.stringContaining('LevelDB wrote') }),
      ]);
    }));

  it('that the disk does not give back are damaged, others are looked at later; none keeps the next from being seen', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      // LevelDB brings its log into a table when it opens
      for (let n = 60; filesOf(folder, '.ldb').length < 3; n++) {
        const store = await openFolder(folder);
        await store.apply(putPlan(`https://more${n}.example/`, text(n), 4000));
        await store.close();
      }
      const [lost, busy, changed] = filesOf(folder, '.ldb');
      const kept = readFileSync(busy!);
      for (const path of [lost!, busy!]) rmSync(path);
      // there is nothing at address 0
      symlinkSync('/proc/self/mem', lost!);
      // an error that says nothing of the bytes
      symlinkSync(busy!, busy!);
      appendFileSync(changed!, 'x');
      const damaged = [
        { file: basename(lost!), problem: 'the disk does not give back what is in it (EIO)' },
        { file: basename(changed!), problem: expect.stringContaining('LevelDB wrote') },
      ];
      expect(await problemsIn(folder)).toEqual([
        { ...damaged[0], isDamage: true, errno: 'EIO' },
        { file: basename(busy!), problem: 'it cannot be read (ELOOP)', isDamage: false, errno: 'ELOOP' },
        { ...damaged[1], isDamage: true, errno: null },
      ]);
      const passes = { count: 0 };
      const later: FileProblem[] = [];
      const damage = new Damage(folder, () => undefined);
      const verification = new Verification({
        location: join(folder, 'db'),
        damage,
        onUnverified: (problem) => void later.push(problem),
        onPass: () => {
          passes.count++;
          // of those that were looked at already, none is again
          rmSync(changed!, { force: true });
        },
        retryMs: 1,
      });
      verification.begin();
      await vi.waitUntil(() => passes.count > 2, { timeout: 60_000 });
      expect(later.map(({ file }) => file)).toEqual([basename(busy!)]);
      rmSync(busy!);
      writeFileSync(busy!, kept);
      const before = passes.count;
      await vi.waitUntil(() => passes.count > before, { timeout: 60_000 });
      await new Promise((resolve) => setTimeout(resolve, 20));
      // the last pass had nothing left to look at
      expect(passes.count).toBeLessThanOrEqual(before + 2);
      expect(damage.parts).toEqual(damaged);
      verification.begin();
      await vi.waitUntil(() => damage.parts.length > 2, { timeout: 60_000 });
      expect(damage.parts[2]).toEqual({ file: basename(changed!), problem: 'it is missing' });
      verification.stop();
    }));

  it('that are gone are not called missing while nobody can read whether they count: they are looked at again', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      const [first, second] = filesOf(folder, '.ldb');
      const current = join(folder, 'db', 'CURRENT');
      const named = readFileSync(current);
      for (const path of [first!, second!]) rmSync(path);
      const seen = new Set<string>();
      const problems = fileProblems(join(folder, 'db'), 'full', seen);
      expect((await problems.next()).value).toMatchObject({ file: basename(first!), problem: 'it is missing' });
      rmSync(current);
      // an error that says nothing of the bytes
      symlinkSync(current, current);
      const unread = { file: 'CURRENT', problem: 'it cannot be read (ELOOP)', isDamage: false, errno: 'ELOOP' };
      expect((await problems.next()).value).toEqual(unread);
      expect([...seen]).toEqual([basename(first!)]);
      rmSync(current);
      writeFileSync(current, named);
    }));

  it('are not judged by a MANIFEST that is damaged, or that CURRENT does not name: these are', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      const current = join(folder, 'db', 'CURRENT');
      const manifest = readFileSync(current, 'latin1').trim();
      const bytes = readFileSync(join(folder, 'db', manifest));
      // what a kill leaves of the last change counts as little for LevelDB
      writeFileSync(join(folder, 'db', manifest), Buffer.concat([bytes, Buffer.from([1, 2, 3])]));
      expect(await problemsIn(folder)).toEqual([]);
      bytes[9]! ^= 1;
      writeFileSync(join(folder, 'db', manifest), bytes);
      const broken = { problem: 'a part of it cannot be read', isDamage: true, errno: null };
      expect((await problemsIn(folder))[0]).toEqual({ file: manifest, ...broken });
      rmSync(join(folder, 'db', manifest));
      const missing = { problem: 'it is missing', isDamage: true, errno: 'ENOENT' };
      expect(await problemsIn(folder)).toEqual([{ file: manifest, ...missing }]);
      writeFileSync(current, 'MANIFEST');
      expect(await problemsIn(folder)).toEqual([expect.objectContaining({ file: 'CURRENT', isDamage: true })]);
      rmSync(current);
      expect(await problemsIn(folder)).toEqual([{ file: 'CURRENT', ...missing }]);
    }));
});

describe('an index that was met damaged', () => {
  it('says in which file, also where that was met after all were looked through', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      const onVerified = vi.fn();
      const onDamage = vi.fn();
      const store = await openFolder(folder, { onVerified, onDamage, backupDir: `${folder}/backups` });
      await vi.waitUntil(() => onVerified.mock.calls.length > 0, { timeout: 60_000 });
      expect([store.damaged, (await store.stats()).damage]).toEqual([false, []]);
      // after the files were looked through
      appendFileSync(filesOf(folder, '.ldb')[0]!, 'x');
      await expect(store.backup('one')).rejects.toMatchObject({ code: 'index-unreadable' });
      await vi.waitUntil(() => onDamage.mock.calls.some(([part]) => part.file !== null), { timeout: 60_000 });
      expect(store.damaged).toBe(true);
      const { damage } = await store.stats();
      expect(damage.map(({ file }) => file)).toEqual(expect.arrayContaining([null, expect.stringMatching(/\.ldb$/)]));
      await store.close();
    }));
});
