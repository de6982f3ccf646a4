import { closeSync, existsSync, openSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableName } from '../../../../src/store/level/files/manifest-file.ts';
import type { Store } from '../../../../src/store/port.ts';
import { compareWays, loadRandomPuts } from '../../../support/load/both-ways.ts';
import {
  applyPlans,
  beginLoad,
  inBatches,
  loadPlans,
  manyPuts,
  type PutOnly,
} from '../../../support/load/loaded-index.ts';
import { inFolder, NO_FILTERS, openFolder } from '../../../support/store/level-folder.ts';
import { ANY_OVERLAP, contentOf, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';
import { problemsOf } from '../../../support/store/level-rows.ts';

/** What an open file is; '' where it was closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

describe('a load into an empty index', () => {
  it(
    'comes to the same rows, outcomes and answers as the online path, and goes on as it does',
    { timeout: 120_000 },
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.integer({ min: 1, max: 200 }),
          fc.constantFrom({ listPostingsMax: 3 }, { listPostingsMax: 1000 }),
          // of the former, parts of 48 postings are sorted at a time
          fc.constantFrom({ storeMemoryMb: 0.01 }, { storeMemoryMb: 1 }),
          (seed, batch, lists, memory) => loadRandomPuts(seed, { ...lists, ...memory }, batch),
        ),
        // `campaign:loads` draws more
        { numRuns: 4 },
      ),
  );

  it('loads nothing into an index in which nothing is', async () => {
    await compareWays([], {}, 1, async (loaded) => {
      expect((await loaded.stats()).sources).toBe(0);
    });
  });

  it('cuts the lists of a family of 1,250 where merges would, and reads the same of them', {
    timeout: 60_000,
  }, async () => {
    const common = fingerprintsOf(1, 3);
    const plans = Array.from({ length: 1250 }, (_, i) =>
      putPlan(`https://family.example/${i}`, contentOf(i, [...common, ...fingerprintsOf(100 + 5 * i, 5)]), 1000 + i),
    ) as PutOnly[];
    const ask = (store: Store) =>
      store.candidates({ ...ANY_OVERLAP, keys: Float64Array.from(common).sort(), candidatesMax: 50 });
    // K·16 = 800 of them are kept
    await compareWays(plans, { listPostingsMax: 50 }, 175, async (loaded, online) => {
      const [mine, theirs] = [await ask(loaded), await ask(online)];
      expect(mine.candidates.map(({ record }) => record.id)).toEqual(theirs.candidates.map(({ record }) => record.id));
      expect(mine.shares.every((share) => share > 0.02 && share < 0.08)).toBe(true);
      expect((await loaded.stats()).index?.segments).toBe(1);
    });
  });

  it('gives one content to all who say it, documents without shingles too', async () => {
    const contents = [contentOf(1, fingerprintsOf(1, 40)), contentOf(2, []), contentOf(3, fingerprintsOf(1, 40))];
    const plans = Array.from({ length: 300 }, (_, i) =>
      putPlan(`https://same.example/${i % 200}`, contents[i % 3]!, 1000 + i),
    ) as PutOnly[];
    await compareWays(plans, {}, 64, async (loaded, online) => {
      for (const { id } of contents) {
        const page = { limit: 1000 };
        expect(await loaded.holders({ id }, page)).toEqual(await online.holders({ id }, page));
      }
    });
  });

  it('refuses a plan as the online path does, and loads the others', async () => {
    const sound = putPlan('https://a.example/', contentOf(1, fingerprintsOf(1, 40)), 1000);
    const broken = { ...sound, url: 'https://a.example/é' };
    await compareWays([sound, broken, { ...sound, url: 'https://b.example/' }] as PutOnly[], {}, 10);
  });

  it('takes the place of an index in which nothing is any more, and never gives its numbers again', async () => {
    await inFolder(async (folder) => {
      const store = await openFolder(folder, NO_FILTERS);
      const first = putPlan('https://a.example/', contentOf(1, fingerprintsOf(1, 40)), 1000);
      await applyPlans(store, [first, { kind: 'delete', url: first.url, receivedAt: 1001 }]);
      const { indexId, createdAt } = store.description;
      await store.close();
      await loadPlans(folder, [first as PutOnly]);
      expect(await problemsOf(folder)).toEqual([]);
      expect(readdirSync(folder).sort()).toEqual(['db', 'high-water', 'index.key']);
      const loaded = await openFolder(folder, { ...NO_FILTERS, mustExist: true });
      expect(loaded.description).toMatchObject({ indexId, createdAt });
      expect((await loaded.content(first.content.id))?.locator).toBe('1 https://a.example/');
      await loaded.close();
    });
  });

  it('is not begun where the index holds documents, and leaves it as it is', async () => {
    await inFolder(async (folder) => {
      const store = await openFolder(folder, NO_FILTERS);
      await applyPlans(store, [putPlan('https://a.example/', contentOf(1, fingerprintsOf(1, 40)), 1000)]);
      await store.close();
      expect(await beginLoad(folder)).toBeNull();
      expect(readdirSync(folder).sort()).toEqual(['db', 'high-water', 'index.key']);
    });
  });
});

describe('a load that does not come to its end', () => {
  const plans = manyPuts(500);

  for (const phase of ['documents', 'rows', 'postings'] as const) {
    it(`leaves nothing where it is stopped among ${phase}`, () =>
      inFolder(async (folder) => {
        const stopping = new AbortController();
        const progress = (told: { phase: string }) => told.phase === phase && stopping.abort(new Error('stopped'));
        const { signal } = stopping;
        await expect(loadPlans(folder, plans, {}, { progress, signal })).rejects.toThrow('stopped');
        expect(readdirSync(folder)).toEqual([]);
        await loadPlans(folder, plans);
        expect(await problemsOf(folder)).toEqual([]);
      }));
  }

  it('leaves an empty index as it was', () =>
    inFolder(async (folder) => {
      await (await openFolder(folder, NO_FILTERS)).close();
      const load = await beginLoad(folder);
      async function* broken() {
        yield* inBatches(plans, [], 100);
        throw new Error('the file ends in the middle');
      }
      await expect(load!.run(broken())).rejects.toThrow('the file ends in the middle');
      expect(readdirSync(folder).sort()).toEqual(['db', 'high-water', 'index.key']);
      const store = await openFolder(folder, { ...NO_FILTERS, mustExist: true });
      expect((await store.stats()).sources).toBe(0);
      await store.close();
    }));

  it('ends where a record that it wrote cannot be believed', () =>
    inFolder(async (folder) => {
      const load = await beginLoad(folder);
      const changed = manyPuts(2000);
      const again = changed.map((plan, i) => ({ ...plan, url: changed[(i + 1) % changed.length]!.url }));
      async function* flipped() {
        yield* inBatches(changed, [], 100);

        const file = openSync(join(folder, 'loading', 'db', tableName(2)), 'r+');
        writeSync(file, 'changed', 100);
        closeSync(file);
        yield* inBatches(again, [], 100);
      }
      await expect(load!.run(flipped())).rejects.toMatchObject({ code: 'index-unreadable' });
      expect(readdirSync(folder)).toEqual([]);
    }));

  it('has no file open any more', () =>
    inFolder(async (folder) => {
      const open = () => readdirSync('/proc/self/fd').map((name) => targetOf(`/proc/self/fd/${name}`));
      for (const steps of [4, 8]) {
        const stopping = new AbortController();
        let rows = 0;
        const progress = ({ phase }: { phase: string }) =>
          phase === 'rows' && ++rows === steps && stopping.abort(new Error('stopped'));
        const many = manyPuts(5000);
        const run = { progress, signal: stopping.signal };
        await expect(loadPlans(folder, many, { storeMemoryMb: 0.1 }, run)).rejects.toThrow('stopped');
        expect(open().filter((path) => path.startsWith(folder))).toEqual([]);
      }
    }));

  it('ends where the disk has no room for it, and says so', () =>
    inFolder(async (folder) => {
      const freeBytesMin = 2 ** 60;
      await expect(loadPlans(folder, plans, { freeBytesMin })).rejects.toMatchObject({ code: 'storage-full' });
      expect(existsSync(join(folder, 'db'))).toBe(false);
      expect(readdirSync(folder)).toEqual([]);
    }));
});
