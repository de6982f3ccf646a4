import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { locatorOf, openContent, sealContent } from '../../../../src/store/level/format/content-values.ts';
import {
  contentKey,
  deathKey,
  holderKey,
  lexicalKey,
  pastKey,
  Table,
  versionKey,
} from '../../../../src/store/level/format/keys.ts';
import { sealNothing } from '../../../../src/store/level/format/value-bytes.ts';
import { sealNumber } from '../../../../src/store/level/format/values.ts';
import { sealVersion } from '../../../../src/store/level/format/version-values.ts';
import { check, filesOf, filled, filledWhole, text, URLS } from '../../../support/store/level-damage.ts';
import { inFolder, TEST_IDENTITY } from '../../../support/store/level-folder.ts';
import { keysOf, problemsOf, withLevel } from '../../../support/store/level-rows.ts';

/** Tables whose rows are not copied: of one row, or of which only the last counts. */
const ONE_ROW: readonly string[] = [Table.description, Table.totals, Table.segments];

/** Names of rows like this one; all buckets of a segment are taken, so theirs lies beyond. */
function neighbours(key: string, table: string): string[] {
  const at = table === Table.bucket ? 'p'.length + 4 : key.length - 1;
  return [...'!0123456789'].map((other) => key.slice(0, at) + other + key.slice(at + 1));
}

describe('check', () => {
  it('finds nothing wrong with a sound index, and counts it', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      const counts = { sources: 20, contents: 24, postings: 24 * 40, versions: 26 };
      expect(await check(folder)).toEqual({ problems: [], counts });
    }));

  it('misses no row that is deleted, of any table', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      for (const table of Object.values(Table)) {
        const [key, value] = await withLevel(folder, async (level) => {
          const keys = await keysOf(level, table);
          const victim = keys.at(-1)!;
          const found = await level.get(victim);
          await level.del(victim);
          return [victim, found!] as const;
        });
        const problems = await problemsOf(folder);
        expect(problems.length, `table ${table}`).toBeGreaterThan(0);
        await withLevel(folder, (level) => level.put(key, value));
      }
      expect(await problemsOf(folder)).toEqual([]);
    }));

  it('misses no row that nobody promised and no value that was changed', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      for (const table of Object.values(Table)) {
        for (const change of ['copied', 'changed'] as const) {
          if (change === 'copied' && ONE_ROW.includes(table)) continue;
          const undo = await withLevel(folder, async (level) => {
            const keys = await keysOf(level, table);
            const key = keys[Math.floor(keys.length / 2)]!;
            const value = (await level.get(key))!;
            if (change === 'copied') {
              const other = neighbours(key, table).find((name) => !keys.includes(name))!;
              await level.put(other, value);
              return { type: 'del', key: other } as const;
            }
            const changed = Buffer.from(value);
            changed[changed.length >> 1]! ^= 1;
            await level.put(key, changed);
            return { type: 'put', key, value } as const;
          });
          // only the last row of the totals is more than a number
          const isTrail = table === Table.totals;
          const problems = await problemsOf(folder);
          if (!isTrail) expect(problems.length, `${change} in table ${table}`).toBeGreaterThan(0);
          await withLevel(folder, (level) => level.batch([undo]));
        }
      }
      expect(await problemsOf(folder)).toEqual([]);
    }));

  it('misses no row that is sealed well and does not belong', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const url = 'https://stranger.example/';
      const nothing = (key: string) => [key, sealNothing(key)] as const;
      const { id } = text(0);
      const version = {
        state: 'live',
        httpStatus: 200,
        contentId: id,
        bytesDigest: id,
        sketch: null,
        again: [],
      } as const;
      const record = await withLevel(folder, (level) => level.get(contentKey(3)));
      const whole = openContent(contentKey(3), record!);
      const strange = { ...whole, locator: locatorOf(3, url) };
      const strangers = [
        nothing(holderKey(3, url)),
        nothing(pastKey(5000, 3, url)),
        nothing(deathKey(3)),
        [contentKey(3), sealContent(contentKey(3), strange)],
        [contentKey(3), sealContent(contentKey(3), { ...whole, shingleCount: 41, locator: locatorOf(3, URLS[3]!) })],
        [contentKey(77), sealContent(contentKey(77), strange)],
        [versionKey(URLS[0]!, 500), sealVersion(versionKey(URLS[0]!, 500), version)],
        [versionKey(url, 500), sealVersion(versionKey(url, 500), version)],
        [lexicalKey(text(77).id), sealNumber(lexicalKey(text(77).id), 3)],
        // the digest of a past content, which no source asks for, names another one
        [lexicalKey(text(0).id), sealNumber(lexicalKey(text(0).id), 3)],
      ] as const;
      for (const [key, value] of strangers) {
        const before = await withLevel(folder, async (level) => {
          const found = await level.get(key);
          await level.put(key, value);
          return found;
        });
        expect((await problemsOf(folder)).length, `a row of table ${key[0]}`).toBeGreaterThan(0);
        await withLevel(folder, (level) => (before === undefined ? level.del(key) : level.put(key, before)));
      }
      expect(await problemsOf(folder)).toEqual([]);
    }));

  it('reports a table file that makes LevelDB abort, and lives', () =>
    inFolder(async (folder) => {
      await filled(folder);
      await withLevel(folder, (level) => level.compactRange('a', 'z'));
      for (const path of filesOf(folder, '.ldb')) {
        const file = openSync(path, 'r+');
        writeSync(file, Buffer.alloc(Math.min(600, statSync(path).size >> 1), 0xaa), 0, undefined, 20);
        closeSync(file);
      }
      const { problems, counts } = await check(folder);
      expect(problems.length).toBeGreaterThan(0);
      expect(counts).toBeNull();
    }));

  it('refuses an index of other settings', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const other = { ...TEST_IDENTITY, keyId: 'ffffffff' } as unknown as typeof TEST_IDENTITY;
      await expect(check(folder, other)).rejects.toMatchObject({ code: 'index-mismatch' });
    }));
});
