import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { KnownHolders } from '../../../../src/store/level/database/known-holders.ts';
import { type LevelDatabase, openLevel, readerOf } from '../../../../src/store/level/database/level-handle.ts';
import { DB_FOLDER } from '../../../../src/store/level/folder/folder-parts.ts';
import { holderKey } from '../../../../src/store/level/format/keys.ts';
import { FoundHolders } from '../../../../src/store/level/reading/found-holders.ts';
import type { Content, Store } from '../../../../src/store/port.ts';
import { inFolder, openFolder, TEST_IDENTITY } from '../../../support/store/level-folder.ts';
import { ANY_OVERLAP, contentOf, deletePlan, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';

const text = (i: number) => contentOf(i, fingerprintsOf(i * 1000, 30));
const url = (name: string) => `https://${name}.example/`;

/** Content i as a query meets it. */
async function find(store: Store, i: number): Promise<Content> {
  const { candidates } = await store.candidates({
    ...ANY_OVERLAP,
    keys: text(i).sample.fingerprints.filter((value) => value % TEST_IDENTITY.indexModulusMax === 0),
    candidatesMax: 5,
    shingleDigest: text(i).shingleDigest,
  });
  const found = candidates.find(({ record }) => record.id === text(i).id);
  if (found === undefined) expect.fail(`content ${i} was not found`);
  return found.record;
}

/** The same whether it is given as it was met or by its digest. */
async function holdersOf(store: Store, content: Content, limit = 10): Promise<string[]> {
  const [near, far] = await Promise.all([
    store.holders(content, { limit }),
    store.holders({ id: content.id }, { limit }),
  ]);
  expect(near).toEqual(far);
  return near.map((holder) => `${holder.url} ${holder.state}`);
}

/**
 * A LevelDB that counts the batches of rows that are read from it and the iterators within a table. Those over a whole table
 * belong to the scans after an opening, which are over when they say so.
 */
function counted() {
  const count = { iterators: 0, reads: 0 };
  const scanned = new Set<string>();
  const open = async (location: string, create: boolean): Promise<LevelDatabase> => {
    const level = await openLevel(location, create);
    const keys = level.keys.bind(level);
    const getMany = level.rows.getMany.bind(level.rows);
    level.rows.getMany = (...of) => {
      count.reads++;
      return getMany(...of);
    };
    return Object.assign(level, {
      keys: (...of: Parameters<typeof keys>) => {
        const iterator = keys(...of);
        const from = String(of[0].gte);
        if (from.length > 1) count.iterators++;
        return { all: () => iterator.all().finally(() => void scanned.add(from)) };
      },
    }) as unknown as LevelDatabase;
  };
  /** Until it is known which contents have several holders. */
  const ready = async () => {
    await vi.waitUntil(() => scanned.has('r'), { timeout: 60_000 });
    Object.assign(count, { iterators: 0, reads: 0 });
  };
  return { open, count, ready };
}

describe('the holders of what a query met', () => {
  it('are read at one go, one row each, where nobody but the owner holds it', () =>
    inFolder(async (folder) => {
      const { open, count, ready } = counted();
      const store = await openFolder(folder, { openLevel: open });
      for (const i of [1, 2, 3]) await store.apply(putPlan(url(`a${i}`), text(i), 1000));
      const met = await Promise.all([1, 2, 3].map((i) => find(store, i)));
      await ready();
      const all = await Promise.all(met.map((content) => store.holders(content, { limit: 10 })));
      expect(all.flat().map((holder) => holder.url)).toEqual([url('a1'), url('a2'), url('a3')]);
      expect(count).toEqual({ iterators: 0, reads: 1 });
      await store.close();
    }));

  it('are read in two steps where there are many, and in one where there are a few, also of those that came since', () =>
    inFolder(async (folder) => {
      const { open, count, ready } = counted();
      const store = await openFolder(folder, { openLevel: open });
      const names = Array.from({ length: 40 }, (_, i) => `n${String(i).padStart(2, '0')}`);
      for (const name of names.slice(0, 4)) await store.apply(putPlan(url(name), text(1), 1000));
      const met = await find(store, 1);
      await ready();
      for (const [some, iterators] of [
        [4, 0],
        [9, 0],
        [40, 1],
      ] as const) {
        for (const name of names.slice(0, some)) await store.apply(putPlan(url(name), text(1), 1000));
        Object.assign(count, { iterators: 0, reads: 0 });
        const holders = await store.holders(met, { limit: 50 });
        expect(holders.map((holder) => holder.url)).toEqual(names.slice(0, some).map(url));
        expect(count).toEqual({ iterators, reads: 1 });
      }
      await store.close();
    }));

  it('are as many as are asked for', () =>
    inFolder(async (folder) => {
      const { open, count, ready } = counted();
      const store = await openFolder(folder, { openLevel: open });
      for (const name of ['c', 'a', 'd', 'b']) await store.apply(putPlan(url(name), text(1), 1000));
      const met = await find(store, 1);
      await ready();
      expect((await store.holders(met, { limit: 10 })).map((holder) => holder.url)).toEqual(
        ['a', 'b', 'c', 'd'].map(url),
      );
      expect(count).toEqual({ iterators: 0, reads: 1 });
      expect(await holdersOf(store, met, 1)).toEqual([`${url('a')} live`]);
      expect(await holdersOf(store, met, 3)).toEqual(['a', 'b', 'c'].map((name) => `${url(name)} live`));
      expect(await store.holders(met, { limit: 10, after: url('b') })).toHaveLength(2);
      expect(await store.holders(met, { limit: 0 })).toEqual([]);
      await store.close();
    }));

  it('are all there as soon as another source has it, also after the next opening', () =>
    inFolder(async (folder) => {
      let store = await openFolder(folder);
      await store.apply(putPlan(url('a'), text(1), 1000));
      const met = await find(store, 1);
      expect(await holdersOf(store, met)).toEqual([`${url('a')} live`]);
      await store.apply(putPlan(url('b'), text(1), 2000));
      expect(await holdersOf(store, met)).toEqual([`${url('a')} live`, `${url('b')} live`]);
      await store.close();
      store = await openFolder(folder);
      const again = await find(store, 1);
      for (let times = 0; times < 20; times++) {
        expect(await holdersOf(store, again)).toEqual([`${url('a')} live`, `${url('b')} live`]);
      }
      await store.close();
    }));

  it('are those of now where the owner has gone over to another content, was deleted, or left it to the next', () =>
    inFolder(async (folder) => {
      const store = await openFolder(folder);
      await store.apply(putPlan(url('a'), text(1), 1000));
      const met = await find(store, 1);
      await store.apply(putPlan(url('a'), text(2), 2000));
      expect(await holdersOf(store, met)).toEqual([`${url('a')} past`]);
      for (const locator of ['', 'of another store', `99 ${url('a')}`, `0 ${url('nobody')}`]) {
        expect(await holdersOf(store, { ...met, locator })).toEqual([`${url('a')} past`]);
      }
      await store.apply(putPlan(url('b'), text(1), 3000));
      await store.apply(deletePlan(url('a'), 4000));
      expect(await holdersOf(store, met)).toEqual([`${url('b')} live`]);
      await store.apply(putPlan(url('a'), text(1), 4500));
      // the owner then is a further holder now
      expect(await holdersOf(store, met)).toEqual([`${url('a')} live`, `${url('b')} live`]);
      await store.apply(deletePlan(url('a'), 4600));
      const metLater = await find(store, 1);
      await store.apply(deletePlan(url('b'), 5000));
      expect(await holdersOf(store, metLater)).toEqual([]);
      await store.apply(putPlan(url('c'), text(1), 6000));
      expect(await holdersOf(store, metLater)).toEqual([`${url('c')} live`]);
      await store.close();
    }));

  it('are named once where the next owner was seen among the further holders just before it became the owner', () =>
    inFolder(async (folder) => {
      const before = await openFolder(folder);
      for (const name of ['a', 'b']) await before.apply(putPlan(url(name), text(1), 1000));
      await before.close();
      const { open, count, ready } = counted();
      const [isRead, maySee] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const openLate: typeof open = async (location, create) => {
        const level = await open(location, create);
        const keys = level.keys.bind(level);
        const late = (...of: Parameters<typeof keys>) => {
          const iterator = keys(...of);
          if (of[0].gte !== 'r') return iterator;
          return {
            all: async () => {
              const page = await iterator.all();
              isRead.resolve();
              await maySee.promise;
              return page;
            },
          };
        };
        return Object.assign(level, { keys: late }) as unknown as LevelDatabase;
      };
      const store = await openFolder(folder, { openLevel: openLate });
      await isRead.promise;
      // b is a further holder on the page that was read
      await store.apply(deletePlan(url('a'), 2000));
      maySee.resolve();
      await ready();
      const met = await find(store, 1);
      expect(await holdersOf(store, met)).toEqual([`${url('b')} live`]);
      Object.assign(count, { iterators: 0, reads: 0 });
      await store.holders(met, { limit: 10 });
      expect(count).toEqual({ iterators: 0, reads: 1 });
      await store.close();
    }));

  it('are named once where it is not told yet that the owner is a further holder no longer', () =>
    inFolder(async (folder) => {
      const store = await openFolder(folder);
      for (const name of ['a', 'b']) await store.apply(putPlan(url(name), text(1), 1000));
      await store.apply(deletePlan(url('a'), 2000));
      const met = await find(store, 1);
      await store.close();
      const known = new KnownHolders(1e6);
      known.add(holderKey(Number.parseInt(met.locator!, 10), url('b')));
      known.haveAll();
      const level = await openLevel(join(folder, DB_FOLDER), false);
      const holders = await new FoundHolders(readerOf(level), known).first(met, 10);
      expect(holders?.map((holder) => holder.url)).toEqual([url('b')]);
      await level.close();
    }));
});
