import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NewSources } from '../../../../../src/store/level/load/sources/new-sources.ts';
import { RowArena } from '../../../../../src/store/level/load/sources/row-arena.ts';
import { RUN_MAX, SeenSources } from '../../../../../src/store/level/load/sources/seen-sources.ts';
import { SortedRuns } from '../../../../../src/store/level/load/sources/sorted-runs.ts';
import { STORE_LIMIT_ROWS } from '../../../../../src/store/limits.ts';
import { inFolder } from '../../../../support/store/level-folder.ts';

const MIB = 2 ** 20;

/** Keys as those of sources: few characters, so that many begin alike, a NUL in the middle, none at the end. */
const PART = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '\u007e'), maxLength: 12 });
const KEY = fc.tuple(PART, PART).map(([host, path]) => `s${host}\0u${path}/`);
const ROWS = fc
  .array(fc.tuple(KEY, fc.uint8Array({ maxLength: 30 })), { maxLength: 400 })
  .map((rows) => [...new Map(rows)].map(([key, value]) => [key, Buffer.from(value)] as const));

const inOrder = (rows: readonly (readonly [string, Buffer])[]) => rows.toSorted(([a], [b]) => (a < b ? -1 : 1));

describe('rows in memory', () => {
  it('come in the order of their keys, and are found by them, before and after they were sorted', () =>
    fc.assert(
      fc.property(ROWS, ROWS, fc.nat(400), (rows, later, askedFrom) => {
        const arena = new RowArena();
        for (const [i, [key, value]] of rows.entries()) {
          arena.add(key, value);
          if (i >= askedFrom) expect(arena.get(key)).toEqual(value);
        }
        const byKey = new Map(rows);
        for (const [key] of [...rows, ...later]) expect(arena.get(key)).toEqual(byKey.get(key));
        expect([...arena.rows()]).toEqual(inOrder(rows));
        arena.clear();
        for (const [key, value] of later) arena.add(key, value);
        expect([...arena.rows()]).toEqual(inOrder(later));
        for (const [key, value] of later) expect(arena.get(key)).toEqual(value);
      }),
    ));

  it('come in order where thousands begin alike', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `scom.example\0https://example.com/${(i * 7919) % 20_000}`);
    const arena = new RowArena();
    for (const key of keys) arena.add(key, Buffer.from(key));
    expect([...arena.rows()].map(([key]) => key)).toEqual(keys.toSorted());
  });
});

describe('rows that are sorted outside memory', () => {
  it('come in order however many runs they are in, and are found in their run alone', () =>
    fc.assert(
      fc.asyncProperty(ROWS, fc.constantFrom(200, 3000, 1e9), (rows, memoryBytes) =>
        inFolder(async (folder) => {
          const runs = new SortedRuns(folder, memoryBytes);
          const runOf = rows.map(([key, value]) => {
            runs.endRunIfFull();
            runs.add(key, value);
            return runs.run;
          });
          expect(readdirSync(folder).length).toBe(runs.run);
          for (const [i, [key, value]] of rows.entries()) {
            expect(runs.get(key, runOf[i]!)).toEqual(value);
            if (runOf[i]! > 0) expect(runs.get(key, runOf[i]! - 1)).toBeUndefined();
          }
          expect([...runs.rows()].map(([key, value]) => [key, Buffer.from(value)])).toEqual(inOrder(rows));
        }),
      ),
      { numRuns: 50 },
    ));
});

describe('memory for rows that are to be sorted', () => {
  it('is no more than places of 32 bits reach, with the largest groups beside, whatever STORE_MEMORY_MB is', () => {
    const { minimum, maximum } = STORE_LIMIT_ROWS.storeMemoryMb;
    const memoryOf = (megabytes: number) => new SortedRuns('none', (megabytes * MIB) / 8).memoryBytes;
    expect(memoryOf(minimum)).toBe((minimum * MIB) / 8);
    expect(memoryOf(maximum)).toBeLessThan(2 ** 31);
  });
});

describe('runs that are not as they were written', () => {
  const keyOf = (i: number) => `sexample.host\0https://host.example/${i}`;

  for (const [what, change] of [
    ['cut', (path: string) => truncateSync(path, 10)],
    ['gone', rmSync],
  ] as const) {
    it(`end the sorting with a code where one is ${what}`, () =>
      inFolder((folder) => {
        const runs = new SortedRuns(folder, 1);
        for (let i = 0; i < 3; i++) {
          runs.endRunIfFull();
          runs.add(keyOf(i), Buffer.from([i]));
        }
        change(join(folder, '1.run'));
        const unreadable = expect.objectContaining({ code: 'index-unreadable' });
        expect(() => runs.get(keyOf(1), 1)).toThrow(unreadable);
        expect(() => [...runs.rows()]).toThrow(unreadable);
        return Promise.resolve();
      }));
  }
});

describe('sources that were met', () => {
  it('are known by their run, as the table grows', () => {
    const seen = new SeenSources();
    const keyOf = (i: number) => `sexample.host\0https://host.example/${i}`;
    const runOf = (i: number) => Math.floor(i / 15);
    for (let i = 0; i < 20_000; i++) expect(seen.add(keyOf(i), runOf(i))).toBe(true);
    for (let i = 0; i < 20_000; i++) {
      expect(seen.runOf(keyOf(i))).toBe(Math.min(RUN_MAX, runOf(i)));
      expect(seen.add(keyOf(i), 0)).toBe(false);
    }
    expect(seen.has(keyOf(20_000))).toBe(false);
    expect(seen.runOf(keyOf(20_000))).toBeUndefined();
  });

  it('have their rows where there are more runs than have a number', () =>
    inFolder((folder) => {
      const sources = new NewSources(new SortedRuns(mkdtempSync(join(folder, 'runs')), 1));
      const keyOf = (i: number) => `sexample.host\0https://host.example/${i}`;
      const count = RUN_MAX + 5;
      for (let i = 0; i < count; i++) {
        sources.runs.endRunIfFull();
        expect(sources.meet(keyOf(i))).toBe(true);
        sources.runs.add(keyOf(i), Buffer.from([i % 256]));
      }
      expect(sources.runs.run).toBe(count - 1);
      for (const i of [0, 1, RUN_MAX - 1, RUN_MAX, count - 2, count - 1]) {
        expect(sources.get(keyOf(i))).toEqual(Buffer.from([i % 256]));
      }
      expect(sources.get(keyOf(count))).toBeUndefined();
      return Promise.resolve();
    }));
});
