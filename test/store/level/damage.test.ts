import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentKey, POSTING_VALUE, Table, totalsKey } from '../../../src/store/level/keys.ts';
import { FORMAT_VERSION, openDescription, sealDescription } from '../../../src/store/level/values.ts';
import { filesOf, filled, text, URLS } from '../../support/level-damage.ts';
import { inFolder, openFolder, TEST_IDENTITY } from '../../support/level-folder.ts';
import { ANY_OVERLAP, deletePlan, putPlan } from '../../support/level-plans.ts';
import { keysOf, withLevel } from '../../support/level-rows.ts';

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
          { type: 'put', key: `${posting.slice(0, -1)}\u000c`, value: POSTING_VALUE },
        ]);
      });
      const store = await openFolder(folder);
      const query = { keys: text(10).sample.fingerprints, candidatesMax: 100, ...ANY_OVERLAP };
      const { candidates, unreadable } = await store.candidates(query);
      expect(candidates.map(({ record }) => record.id)).not.toContain(text(10).id);
      expect(candidates.length).toBeGreaterThan(2);
      expect(unreadable).toBeGreaterThanOrEqual(1);
      const all = await Promise.all(
        URLS.map((_, i) => store.candidates({ keys: text(i).sample.fingerprints, candidatesMax: 0, ...ANY_OVERLAP })),
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
