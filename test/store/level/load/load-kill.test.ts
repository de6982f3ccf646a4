import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadPlans, manyPuts } from '../../../support/load/loaded-index.ts';
import { inFolder, NO_FILTERS, openFolder } from '../../../support/store/level-folder.ts';
import { problemsOf } from '../../../support/store/level-rows.ts';

const CHILD = fileURLToPath(new URL('../../../support/load/loading.process.ts', import.meta.url));
const DOCUMENTS = 600;
const WHOLE = ['db', 'high-water', 'index.key'];

/** Loads in another process, and kills it when it has said so many lines. @returns the last one */
async function loadAndKill(folder: string, lines: number): Promise<string> {
  const child = spawn(process.execPath, [...process.execArgv, CHILD, folder, String(DOCUMENTS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = '';
  let said = 0;
  for await (const line of createInterface(child.stdout)) {
    last = line;
    if (++said === lines) child.kill('SIGKILL');
  }
  await exited;
  return last;
}

async function sourcesIn(folder: string): Promise<number> {
  const store = await openFolder(folder, { ...NO_FILTERS, mustExist: true });
  try {
    return (await store.stats()).sources;
  } finally {
    await store.close();
  }
}

describe('a process that is killed while it loads', () => {
  // twelve groups of documents, then a few steps of rows, 256 of postings, and rows again
  for (const lines of [1, 14, 140, 274]) {
    it(`leaves all or nothing, and the next load clears it away (after ${lines} lines)`, () =>
      inFolder(async (folder) => {
        const last = await loadAndKill(folder, lines);
        const isWhole = readdirSync(folder).includes('db');
        if (!isWhole) {
          expect(last).not.toBe('whole');
          expect(readdirSync(folder).includes('loading')).toBe(true);
          await loadPlans(folder, manyPuts(DOCUMENTS));
        }
        expect(await sourcesIn(folder)).toBe(DOCUMENTS);
        expect(await problemsOf(folder)).toEqual([]);
        expect(readdirSync(folder).sort()).toEqual(WHOLE);
      }));
  }

  it('leaves an empty index that was there as it was', () =>
    inFolder(async (folder) => {
      await (await openFolder(folder, NO_FILTERS)).close();
      await loadAndKill(folder, 5);
      expect(await sourcesIn(folder)).toBe(0);
      expect(readdirSync(folder).sort()).toEqual(WHOLE);
    }));
});

describe('an index that is loaded takes the place of an empty one', () => {
  const moves = [
    (creation: string, folder: string) => renameSync(join(folder, 'db'), join(creation, 'replaced')),
    (creation: string, folder: string) => renameSync(join(creation, 'db'), join(folder, 'db')),
    (creation: string, folder: string) => renameSync(join(creation, 'high-water'), join(folder, 'high-water')),
  ];

  for (const count of [0, 1, 2, 3]) {
    it(`though the process is killed after ${count} of its moves${count === 0 ? ', when nothing has happened' : ''}`, () =>
      inFolder((folder) =>
        inFolder(async (other) => {
          await (await openFolder(folder, NO_FILTERS)).close();
          // of the same index, since the key is
          await loadPlans(other, manyPuts(50));
          const creation = join(folder, 'loading');
          mkdirSync(creation);
          for (const name of ['db', 'high-water']) renameSync(join(other, name), join(creation, name));
          for (const move of moves.slice(0, count)) move(creation, folder);
          expect(await sourcesIn(folder)).toBe(count === 0 ? 0 : 50);
          expect(readdirSync(folder).sort()).toEqual(WHOLE);
          expect(await problemsOf(folder)).toEqual([]);
        }),
      ));
  }
});
