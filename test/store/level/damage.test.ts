import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { postingRank } from '../../../src/core/rank.ts';
import { type CheckReport, runCheck } from '../../../src/store/level/check-process.ts';
import { prepareFolder } from '../../../src/store/level/folder.ts';
import {
  contentKey,
  expiryKey,
  holderKey,
  lexicalKey,
  postingKey,
  shingleKey,
  Table,
  totalsKey,
  versionKey,
} from '../../../src/store/level/keys.ts';
import { sealNothing } from '../../../src/store/level/value-bytes.ts';
import {
  FORMAT_VERSION,
  openDescription,
  sealDescription,
  sealDigest,
  sealNumber,
  sealVersion,
} from '../../../src/store/level/values.ts';
import { inFolder, openFolder, TEST_IDENTITY, TEST_RANK_KEY } from '../../support/level-folder.ts';
import { contentOf, deletePlan, fingerprintsOf, gonePlan, putPlan } from '../../support/level-plans.ts';
import { keysOf, problemsOf, withLevel } from '../../support/level-rows.ts';

const URLS = Array.from({ length: 20 }, (_, i) => `https://${i}.example/`);
const text = (i: number) => contentOf(i, fingerprintsOf(i * 15, 40));

/** An index in which every table has rows. */
async function filled(dataDir: string): Promise<void> {
  const store = await openFolder(dataDir);
  for (const [i, url] of URLS.entries()) await store.apply(putPlan(url, text(i), 1000));
  for (const [i, url] of URLS.slice(0, 5).entries()) await store.apply(putPlan(url, text(i + 50), 2000));
  await store.apply(gonePlan(URLS[7]!, 2000));
  await store.close();
}

async function check(dataDir: string, identity = TEST_IDENTITY): Promise<CheckReport> {
  const folder = await prepareFolder({ dataDir, mustExist: true, pid: process.pid });
  return runCheck({ folder, ...identity, rankKey: TEST_RANK_KEY });
}

const filesOf = (dataDir: string, ending: string) =>
  readdirSync(join(dataDir, 'db'))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(dataDir, 'db', name));

describe('check', () => {
  it('finds nothing wrong with a sound index, and counts it', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const counts = { sources: 20, contents: 25, postings: 25 * 40, versions: 26 };
      expect(await check(folder)).toEqual({ problems: [], counts });
    }));

  it('misses no row that is deleted, of any table', () =>
    inFolder(async (folder) => {
      await filled(folder);
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
      await filled(folder);
      for (const table of Object.values(Table)) {
        for (const change of ['copied', 'changed'] as const) {
          if (change === 'copied' && (table === Table.description || table === Table.totals)) continue;
          const undo = await withLevel(folder, async (level) => {
            const keys = await keysOf(level, table);
            const key = keys[Math.floor(keys.length / 2)]!;
            const value = (await level.get(key))!;
            if (change === 'copied') {
              const other = [...'!0123456789']
                .map((last) => key.slice(0, -1) + last)
                .find((name) => !keys.includes(name))!;
              await level.put(other, value);
              return { type: 'del', key: other } as const;
            }
            const changed = value.length === 0 ? Buffer.of(1) : Buffer.from(value);
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
      const rank = postingRank(TEST_RANK_KEY, 4711, 3);
      const version = { state: 'live', httpStatus: 200, contentId: text(0).id, bytesDigest: text(0).id } as const;
      const strangers = [
        nothing(holderKey(3, url)),
        nothing(expiryKey(5000, 3, url)),
        [postingKey(4711, rank, 3), Buffer.alloc(0)],
        [versionKey(URLS[0]!, 500), sealVersion(versionKey(URLS[0]!, 500), version)],
        [lexicalKey(text(77).id), sealNumber(lexicalKey(text(77).id), 3)],
        [shingleKey(text(77).id, 3), sealDigest(shingleKey(text(77).id, 3), text(77).id)],
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

describe('opening', () => {
  it('names every setting in which the index differs', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const other = {
        keyId: 'ffffffff',
        fingerprintId: '2.0000',
        shingleSize: 10,
        indexModulusMax: 32,
        recordModulusMax: 8,
      };
      for (const [name, value] of Object.entries(other)) {
        await expect(openFolder(folder, { [name]: value })).rejects.toMatchObject({
          code: 'index-mismatch',
          message: `${name}: the index was made with ${TEST_IDENTITY[name as keyof typeof other]}, this start has ${value}.`,
        });
      }
      await expect(openFolder(folder, other)).rejects.toMatchObject({ message: expect.stringMatching(/(.*\n){4}/) });
      await withLevel(folder, async (level) => {
        const description = openDescription('m', (await level.get('m'))!);
        await level.put('m', sealDescription('m', { ...description, formatVersion: FORMAT_VERSION + 1 }));
      });
      await expect(openFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining('formatVersion') });
    }));

  it('notices batches that are missing, in the middle or at the end', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const last = (await withLevel(folder, (level) => keysOf(level, Table.totals))).length - 1;
      const middle = totalsKey(3);
      const value = await withLevel(folder, async (level) => {
        const found = (await level.get(middle))!;
        await level.del(middle);
        return found;
      });
      await expect(openFolder(folder)).rejects.toMatchObject({
        code: 'index-damaged',
        message: `Of the last ${last + 1} batches of writes 1 are missing.`,
      });
      await withLevel(folder, (level) =>
        level.batch([
          { type: 'put', key: middle, value },
          { type: 'del', key: totalsKey(last) },
        ]),
      );
      await expect(openFolder(folder)).rejects.toMatchObject({
        code: 'index-damaged',
        message: expect.stringContaining(`ends at ${last - 1}, it had reached ${last}`),
      });
    }));

  it('notices a log that ends too early, as after a power cut without syncs', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const [log] = filesOf(folder, '.log');
      truncateSync(log!, statSync(log!).size >> 1);
      await expect(openFolder(folder)).rejects.toMatchObject({ code: 'index-damaged' });
    }));

  it.each(['MANIFEST', 'high-water'])('refuses a folder whose %s cannot be read', (part) =>
    inFolder(async (folder) => {
      await filled(folder);
      if (part === 'high-water') writeFileSync(join(folder, part), Buffer.alloc(600));
      else
        for (const name of readdirSync(join(folder, 'db'))) if (name.startsWith(part)) rmSync(join(folder, 'db', name));
      await expect(openFolder(folder)).rejects.toMatchObject({ code: 'index-damaged' });
    }),
  );

  it('believes the slot of the high-water mark that is whole', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const path = join(folder, 'high-water');
      for (const slot of [0, 512]) {
        const whole = readFileSync(path);
        const torn = Buffer.from(whole);
        torn.fill(0x55, slot, slot + 8);
        writeFileSync(path, torn);
        await (await openFolder(folder)).close();
        writeFileSync(path, whole);
      }
    }));
});

describe('a damaged row', () => {
  it('is counted and left out of candidates, and an error elsewhere', () =>
    inFolder(async (folder) => {
      await filled(folder);
      await withLevel(folder, async (level) => {
        const record = Buffer.from((await level.get(contentKey(10)))!);
        record[40]! ^= 4;
        await level.put(contentKey(10), record);
        // content 12 in place of 11: its rank betrays it
        const posting = (await keysOf(level, Table.posting)).find((key) => key.endsWith('\u000b'))!;
        await level.batch([
          { type: 'del', key: posting },
          { type: 'put', key: `${posting.slice(0, -1)}\u000c`, value: Buffer.alloc(0) },
        ]);
      });
      const store = await openFolder(folder);
      const query = { keys: text(10).sample.fingerprints, candidatesMax: 100 };
      const { candidates, unreadable } = await store.candidates(query);
      expect(candidates.map(({ record }) => record.id)).not.toContain(text(10).id);
      expect(candidates.length).toBeGreaterThan(2);
      expect(unreadable).toBeGreaterThanOrEqual(1);
      const all = await Promise.all(
        URLS.map((_, i) => store.candidates({ keys: text(i).sample.fingerprints, candidatesMax: 0 })),
      );
      expect(all.some((found) => found.unreadable > 0)).toBe(true);
      expect([store.damaged, store.writable]).toEqual([true, true]);
      await expect(store.content(text(10).id)).rejects.toMatchObject({ code: 'index-unreadable' });
      // one plan that meets it fails, those beside it do not
      const outcomes = await Promise.allSettled([
        store.apply(putPlan('https://new.example/', text(99), 3000)),
        store.apply(deletePlan(URLS[10]!, 3000)),
        store.apply(deletePlan(URLS[11]!, 3000)),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await store.source(URLS[10]!)).toMatchObject({ url: URLS[10] });
      await store.close();
    }));
});

it('a source that is deleted leaves no row behind', () =>
  inFolder(async (folder) => {
    const count = () => withLevel(folder, async (level) => (await level.keys({ gt: 'n\u0080' }).all()).length);
    const tables = () => withLevel(folder, async (level) => (await level.keys().all()).map((key) => key[0]));
    await filled(folder);
    expect(await count()).toBeGreaterThan(0);
    const store = await openFolder(folder);
    for (const url of URLS) await store.apply(deletePlan(url, 3000));
    await store.close();
    expect([...new Set(await tables())]).toEqual(['m', 'n']);
  }));
