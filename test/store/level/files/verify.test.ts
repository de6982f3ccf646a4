import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { damagedTables } from '../../../../src/store/level/files/verify.ts';
import { check, filesOf, filledWhole } from '../../../support/level-damage.ts';
import { inFolder, openFolder } from '../../../support/level-folder.ts';
import { below, randomFrom } from '../../../support/level-plans.ts';

const FLIPS = 300;

async function sentences(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const sentence of damagedTables(join(dataDir, 'db'), 'full')) found.push(sentence);
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
      expect(await sentences(folder)).toEqual([]);
      const random = randomFrom(5);
      let unseen = 0;
      for (let i = 0; i < FLIPS; i++) {
        const path = paths[below(random, paths.length)]!;
        const { size } = statSync(path);
        const offset = below(random, size);
        const found = await withFlip(path, offset, below(random, 8), () => sentences(folder));
        if (found.length === 0) {
          // only what fills the footer up says nothing
          expect(size - offset).toBeLessThanOrEqual(48);
          unseen++;
        } else expect(found).toEqual([expect.stringContaining(path.slice(-10))]);
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
      const onVerified = vi.fn();
      const store = await openFolder(copy, { onVerified, listPostingsMax: 2 });
      await vi.waitUntil(() => onVerified.mock.calls.length > 0);
      expect(store.damaged).toBe(true);
      await store.close();
    }));

  it('may go away meanwhile', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      const tables = damagedTables(join(folder, 'db'), 'gentle');
      const next = tables.next();
      for (const path of filesOf(folder, '.ldb')) rmSync(path);
      expect(await next).toEqual({ done: true, value: undefined });
    }));
});
