import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIndexKeyFile } from '../../../../src/identity/index-key.ts';
import { LOCK_FILE } from '../../../../src/store/level/folder/lock.ts';
import { openLevelStore } from '../../../../src/store/level/open.ts';
import { RETENTION_DEFAULT } from '../../../../src/store/settings.ts';
import { made, owner, prepare } from '../../../support/store/folder-states.ts';
import { inFolder, openFolder, TEST_IDENTITY, TEST_RANK_KEY } from '../../../support/store/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';

/** What a loser must not touch; the high-water mark moves on with the winner's writes. */
const FILES = ['index.key', 'db/CURRENT'];

describe('the folder of an index', () => {
  it('becomes one where it is absent or empty, and says that it is new', () =>
    inFolder(async (folder) => {
      const nested = join(folder, 'a', 'b');
      mkdirSync(join(folder, 'lost+found'));
      for (const dataDir of [nested, folder]) {
        const prepared = await prepare(dataDir);
        expect([prepared.isNew, prepared.isKeyOutside]).toEqual([true, false]);
        await prepared.release();
        if (dataDir === nested) rmSync(join(folder, 'a'), { recursive: true });
      }
      await made(nested);
      const again = await prepare(nested);
      expect(again.isNew).toBe(false);
      await again.release();
      expect(readdirSync(nested).sort()).toEqual(['db', 'high-water', 'index.key']);
    }));

  it('is refused where it must exist and is absent, empty or never finished', () =>
    inFolder(async (folder) => {
      const missing = expect.objectContaining({ code: 'index-missing' });
      await expect(prepare(join(folder, 'no'), { mustExist: true })).rejects.toEqual(missing);
      expect(existsSync(join(folder, 'no'))).toBe(false);
      await expect(prepare(folder, { mustExist: true })).rejects.toEqual(missing);
      await (await prepare(folder)).release();
      await expect(prepare(folder, { mustExist: true })).rejects.toEqual(missing);
    }));

  it('is refused, untouched, where it holds other things', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'thesis.txt'), 'mine');
      await expect(prepare(folder)).rejects.toMatchObject({
        code: 'index-missing',
        message: expect.stringContaining('thesis.txt'),
      });
      expect(readdirSync(folder)).toEqual(['thesis.txt']);
      await expect(prepare(join(folder, 'thesis.txt'))).rejects.toMatchObject({ code: 'invalid-config' });
    }));

  it.each(['index.key', 'high-water', 'db', 'db/CURRENT'])('is refused when it has lost %s', (part) =>
    inFolder(async (folder) => {
      await made(folder);
      rmSync(join(folder, part), { recursive: true });
      await expect(openFolder(folder)).rejects.toMatchObject({
        code: 'index-damaged',
        message: expect.stringContaining(part),
      });
      expect(existsSync(join(folder, LOCK_FILE))).toBe(false);
    }),
  );

  it('is not sent to a repair that cannot help where its key is lost', () =>
    inFolder(async (folder) => {
      await made(folder);
      rmSync(join(folder, 'index.key'));
      await expect(openFolder(folder)).rejects.toThrow(/INDEX_KEY_FILE if it lies elsewhere/);
      rmSync(join(folder, 'high-water'));
      await expect(openFolder(folder)).rejects.not.toThrow(/Run "shingled repair"/);
    }));

  it('needs no key of its own where the key lies elsewhere', () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'data');
      await made(dataDir);
      rmSync(join(dataDir, 'index.key'));
      const prepared = await prepare(dataDir, { indexKeyFile: join(folder, 'secret') });
      expect(prepared).toMatchObject({ isNew: false, isKeyOutside: true, keyFile: join(folder, 'secret') });
      await prepared.release();
    }));

  it('begins again where a creation was cut off, at whatever step', () =>
    inFolder(async (folder) => {
      const steps: ((path: string) => Promise<void>)[] = [
        async (path) => writeFileSync(join(path, `${LOCK_FILE}.77`), 'half a lock'),
        async (path) => (await prepare(path)).release(),
        async (path) => {
          const { keyFile, release } = await prepare(path);
          writeFileSync(keyFile, 'shingled-ind');
          await release();
        },
        async (path) => {
          const { keyFile, release } = await prepare(path);
          createIndexKeyFile(keyFile);
          const creation = dirname(keyFile);
          await release();
          // as if the process was killed instead
          mkdirSync(join(creation, 'db'), { recursive: true });
          writeFileSync(join(creation, 'db', 'CURRENT'), 'MANIFEST-000001');
          writeFileSync(join(creation, 'high-water.new'), '');
        },
      ];
      for (const [i, step] of steps.entries()) {
        const dataDir = join(folder, String(i));
        mkdirSync(dataDir);
        await step(dataDir);
        await made(dataDir);
        const store = await openFolder(dataDir, { mustExist: true });
        expect((await store.stats()).sources).toBe(1);
        await store.close();
        expect(readdirSync(dataDir).filter((name) => name.startsWith('creating'))).toEqual([]);
      }
    }));

  it('is whole where a creation was cut off after its database had moved to its place', () =>
    inFolder(async (folder) => {
      for (const moved of [['high-water'], ['index.key', 'high-water']]) {
        const dataDir = join(folder, String(moved.length));
        await made(dataDir);
        const creation = join(dataDir, 'creating.x');
        mkdirSync(creation);
        for (const name of moved) renameSync(join(dataDir, name), join(creation, name));
        const store = await openFolder(dataDir, { mustExist: true });
        expect((await store.stats()).sources).toBe(1);
        await store.close();
        expect(readdirSync(dataDir).sort()).toEqual(['db', 'high-water', 'index.key']);
      }
    }));

  it('is made by one of two processes that cannot see each other, and the other changes nothing', () =>
    inFolder(async (folder) => {
      const slow = await prepare(folder);
      createIndexKeyFile(slow.keyFile);
      const path = join(folder, LOCK_FILE);
      const mine = JSON.parse(readFileSync(path, 'utf8')) as object;
      writeFileSync(path, JSON.stringify({ ...mine, host: 'another-container' }));
      const quick = await owner(folder);
      const before = FILES.map((name) => readFileSync(join(folder, name), 'latin1'));
      const lock = readFileSync(path, 'utf8');
      const opening = openLevelStore({
        ...{ ...TEST_IDENTITY, rankKey: TEST_RANK_KEY, retention: RETENTION_DEFAULT },
        ...{ now: 1_700_000_000_000, folder: slow },
      });
      await expect(opening).rejects.toMatchObject({ code: 'index-locked' });
      expect(FILES.map((name) => readFileSync(join(folder, name), 'latin1'))).toEqual(before);
      expect(readFileSync(path, 'utf8')).toBe(lock);
      await quick.kill();
      const store = await openFolder(folder, { mustExist: true });
      expect((await store.stats()).sources).toBeGreaterThan(0);
      await store.close();
    }));

  it.runIf(existsSync('/proc/self'))('is refused at once where a file system has no room for folders', async () => {
    await expect(prepare('/proc/shingled/data')).rejects.toMatchObject({ code: 'invalid-config' });
  });

  it('has nothing left in the log of LevelDB after a clean stop, so that the next start is short', () =>
    inFolder(async (folder) => {
      const store = await openFolder(folder);
      await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          store.apply(putPlan(`https://a.example/${i}`, contentOf(i, fingerprintsOf(i, 40)), 1000)),
        ),
      );
      await store.close();
      const logs = readdirSync(join(folder, 'db')).filter((name) => name.endsWith('.log'));
      expect(logs).toHaveLength(1);
      expect(readFileSync(join(folder, 'db', logs[0]!)).byteLength).toBe(0);
    }));

  it('is not thrown away for a mark of its creation that was left behind', () =>
    inFolder(async (folder) => {
      await made(folder);
      writeFileSync(join(folder, 'creating'), '');
      const store = await openFolder(folder, { mustExist: true });
      expect((await store.stats()).sources).toBe(1);
      expect(existsSync(join(folder, 'creating'))).toBe(false);
      await store.close();
    }));
});
