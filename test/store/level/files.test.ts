import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChildDied, inChild } from '../../../src/store/level/child/child.ts';
import { type LevelDatabase, openLevel } from '../../../src/store/level/database/level-handle.ts';
import { liveFiles, MergedRows } from '../../../src/store/level/files/merged-rows.ts';
import { inFolder } from '../../support/store/level-folder.ts';
import { below, randomFrom } from '../../support/store/level-plans.ts';

const END = '\u00ff';

type Rows = [key: string, value: string][];

const mine = (folder: string): Rows =>
  [...new MergedRows(folder).rows('', END)].map(([key, value]) => [key, value.toString('latin1')]);

const theirs = async (level: LevelDatabase): Promise<Rows> =>
  (await level.iterator().all()).map(([key, value]) => [key, value.toString('latin1')]);

/** Values that pack well, that do not, that are empty, and a few long ones that span blocks. */
function valueFrom(random: () => number): Buffer {
  const length = random() < 0.05 ? 40_000 : [0, 10, 100, 5000][below(random, 4)]!;
  if (random() < 0.5) return Buffer.alloc(length, 'abc'.slice(0, 1 + below(random, 3)));
  return Buffer.from(Uint8Array.from({ length }, () => below(random, 256)));
}

/** A database of random rows, many written over or deleted, in tables of all levels and in a log. */
async function random(folder: string, seed: number, compactions: number): Promise<LevelDatabase> {
  const level = await openLevel(folder, true);
  const next = randomFrom(seed);
  for (let round = 0; round <= compactions; round++) {
    for (let i = 0; i < 40; i++) {
      const keys = Array.from({ length: 8 }, () => `${'spc'[below(next, 3)]}${below(next, 200)}`);
      await level.batch(
        keys.map((key) => (next() < 0.3 ? { type: 'del', key } : { type: 'put', key, value: valueFrom(next) })),
      );
    }
    if (round < compactions) await level.compactRange(round % 2 === 0 ? 'a' : 'p', 'z');
  }
  return level;
}

describe('the files of LevelDB, read without it', () => {
  it('say what LevelDB says: newest values, no deleted rows, packed blocks, several levels, logs', () =>
    inFolder(async (folder) => {
      for (const [seed, compactions] of [
        [1, 0],
        [2, 1],
        [3, 3],
        [4, 6],
      ] as const) {
        const path = join(folder, String(seed));
        mkdirSync(path);
        const level = await random(path, seed, compactions);
        const expected = await theirs(level);
        await level.close();
        expect(expected.length).toBeGreaterThan(100);
        const merged = new MergedRows(path);
        expect(merged.losses).toEqual({ manifest: true, missing: [], unreadable: [], blocks: new Set(), logPlaces: 0 });
        expect(mine(path)).toEqual(expected);
        const part = [...merged.rows('p', 'q')].map(([key]) => key);
        expect(part).toEqual(expected.map(([key]) => key).filter((key) => key >= 'p' && key < 'q'));
      }
    }));

  it('are read whole without CURRENT or MANIFEST, where LevelDB had left no other file behind', () =>
    inFolder(async (folder) => {
      const level = await random(folder, 5, 3);
      await level.compactRange('\0', '\u007f');
      const expected = await theirs(level);
      await level.close();
      const live = liveFiles(folder)!;
      expect([...live.tables.values()]).toEqual(
        [...live.tables.keys()].map((number) => statSync(join(folder, `${String(number).padStart(6, '0')}.ldb`)).size),
      );
      rmSync(join(folder, 'CURRENT'));
      expect(new MergedRows(folder).losses.manifest).toBe(false);
      expect(mine(folder)).toEqual(expected);
    }));

  it('with any byte changed or any file cut lose nothing or tell of it, and never throw', () =>
    inFolder(async (folder) => {
      const level = await random(folder, 6, 2);
      const expected = new Map(await theirs(level));
      await level.close();
      const once = new Set([...expected].map(([key, value]) => `${key} ${value}`));
      const next = randomFrom(7);
      const files = readdirSync(folder).filter((name) => /\.(ldb|log)$|^MANIFEST/.test(name));
      let [changes, seen] = [0, 0];
      for (let round = 0; round < 120; round++) {
        const path = join(folder, files[below(next, files.length)]!);
        const whole = readFileSync(path);
        if (whole.length === 0) continue;
        changes++;
        const at = below(next, whole.length);
        if (round % 6 === 5) truncateSync(path, at);
        else {
          const bytes = Buffer.from(whole);
          bytes[at]! ^= 1 << below(next, 8);
          writeFileSync(path, bytes);
        }
        const merged = new MergedRows(folder);
        const rows = [...merged.rows('', END)].map(([key, value]) => `${key} ${value.toString('latin1')}`);
        const { manifest, missing, unreadable, blocks, logPlaces } = merged.losses;
        const isTold = !manifest || missing.length + unreadable.length + blocks.size + logPlaces > 0;
        const isAll = rows.length === once.size && rows.every((row) => once.has(row));
        // what is cut off a log looks like the end of it: the high-water mark tells
        if (!isAll && !path.endsWith('.log')) expect(isTold, `${path} at ${at}`).toBe(true);
        seen += Number(isTold);
        writeFileSync(path, whole);
      }
      expect(seen).toBeGreaterThan(changes / 2);
      expect(mine(folder)).toEqual([...expected]);
    }));
});

describe('a child process', () => {
  it('that ends without an answer is told from one that fails', () =>
    inFolder(async (path) => {
      await expect(inChild('no-such-entry', import.meta.url, {}, () => undefined)).rejects.toBeInstanceOf(ChildDied);
      const input = { path, rankKey: [1, 2] };
      const beside = new URL('../../../src/store/level/check/check-process.ts', import.meta.url).href;
      await expect(inChild('check.process', beside, input, () => undefined)).rejects.toMatchObject({
        code: 'index-damaged',
      });
    }));
});
