import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LOCK_FILE } from '../../../src/store/level/folder/lock.ts';
import { made, owner, prepare, WRITER } from '../../support/store/folder-states.ts';
import { inFolder, openFolder } from '../../support/store/level-folder.ts';

describe('the lock of a folder', () => {
  it('names the process that owns it, and leaves that process its index', () =>
    inFolder(async (folder) => {
      const other = await owner(folder);
      for (let i = 0; i < 3; i++) {
        await expect(openFolder(folder)).rejects.toMatchObject({
          code: 'index-locked',
          message: expect.stringContaining(`by process ${other.pid}: stop it first`),
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
      onTestFinished(async () => void (await thread.terminate()));
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
  const child = spawn(process.execPath, [...process.execArgv, WRITER, folder, '1', Array(12).fill(0).join()], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // it would write for ever where nothing stops it
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}
