import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createIndexKeyFile } from '../../../src/identity/index-key.ts';
import { prepareFolder } from '../../../src/store/level/folder.ts';
import { LOCK_FILE } from '../../../src/store/level/lock.ts';
import { openLevelStore } from '../../../src/store/level/open.ts';
import { RETENTION_DEFAULT } from '../../../src/store/settings.ts';
import { inFolder, openFolder, TEST_IDENTITY, TEST_RANK_KEY } from '../../support/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from '../../support/level-plans.ts';

const WRITER = fileURLToPath(new URL('../../support/level-writer.ts', import.meta.url));
/** What a loser must not touch; the high-water mark moves on with the winner's writes. */
const FILES = ['index.key', 'db/CURRENT'];
const CONTENT = contentOf(1, fingerprintsOf(0, 30));

const prepare = (dataDir: string, more = {}) => prepareFolder({ dataDir, mustExist: false, pid: process.pid, ...more });

/** An index with one document. */
async function made(dataDir: string): Promise<void> {
  const store = await openFolder(dataDir);
  await store.apply(putPlan('https://a.example/', CONTENT, 1000));
  await store.close();
}

/** Another process that has the index open and some documents in it, until it is killed. */
async function owner(dataDir: string) {
  const child = spawn(process.execPath, [WRITER, dataDir, '1', Array(12).fill(0).join()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acknowledged = 0;
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      acknowledged += chunk.toString().split('\n').length - 1;
      if (acknowledged > 50) resolve();
    });
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { pid: child.pid!, kill };
}

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

describe('the lock of a folder', () => {
  it('names the process that owns it, and leaves that process its index', () =>
    inFolder(async (folder) => {
      const other = await owner(folder);
      for (let i = 0; i < 3; i++) {
        await expect(openFolder(folder)).rejects.toMatchObject({
          code: 'index-locked',
          message: expect.stringContaining(`pid ${other.pid}`),
        });
      }
      await other.kill();
      // what it left behind is stale
      expect(existsSync(join(folder, LOCK_FILE))).toBe(true);
      const store = await openFolder(folder);
      expect((await store.stats()).sources).toBeGreaterThan(0);
      await store.close();
    }));

  it('is not given twice within a process, and LevelDB keeps its own lock meanwhile', () =>
    inFolder(async (folder) => {
      const store = await openFolder(folder);
      await expect(openFolder(folder)).rejects.toMatchObject({
        code: 'index-locked',
        message: expect.stringContaining('this process'),
      });
      const thread = new Worker(WRITER, { argv: [folder, '1', '0'], stdout: true });
      const refusal = await new Promise((resolve) => thread.once('error', resolve));
      expect(refusal).toMatchObject({ message: expect.stringContaining('this process') });
      // our file gone: the process still knows, and another one is stopped by LevelDB, whose lock no refusal has dropped
      rmSync(join(folder, LOCK_FILE));
      await expect(openFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining('this process') });
      const { code, text } = await secondProcess(folder);
      expect(text).toContain('index-locked');
      expect(code).not.toBe(0);
      await store.close();
    }));

  it('of an owner that cannot be judged is put back when LevelDB says that the index is in use', () =>
    inFolder(async (folder) => {
      const other = await owner(folder);
      const path = join(folder, LOCK_FILE);
      const elsewhere = JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), host: 'another-container' });
      writeFileSync(path, elsewhere);
      await expect(openFolder(folder)).rejects.toMatchObject({ code: 'index-locked' });
      expect(readFileSync(path, 'utf8')).toBe(elsewhere);
      await other.kill();
      await (await openFolder(folder)).close();
    }));

  it('of a process whose number is used again does not count', () =>
    inFolder(async (folder) => {
      await made(folder);
      const path = join(folder, LOCK_FILE);
      const prepared = await prepare(folder);
      const mine = JSON.parse(readFileSync(path, 'utf8')) as { start: string | null };
      await prepared.release();
      for (const stale of [
        { ...mine, pid: 1, start: 'another' },
        { ...mine, start: 'another' },
        { ...mine, pid: 2 ** 22 + 1 },
      ]) {
        writeFileSync(path, JSON.stringify(stale));
        await (await openFolder(folder)).close();
      }
      for (const broken of ['', '{', 'null', '{"pid":"x"}']) {
        writeFileSync(path, broken);
        await (await openFolder(folder)).close();
      }
      expect(readdirSync(folder).sort()).toEqual(['db', 'high-water', 'index.key']);
    }));
});

function secondProcess(folder: string): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [WRITER, folder, '1', Array(12).fill(0).join()], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}
