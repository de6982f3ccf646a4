import { describe, expect, it, vi } from 'vitest';
import { type LevelDatabase, openLevel } from '../../../src/store/level/database.ts';
import type { Store } from '../../../src/store/port.ts';
import { inFolder, openFolder, TEST_IDENTITY } from '../../support/level-folder.ts';
import { contentOf, deletePlan, fingerprintsOf, putPlan } from '../../support/level-plans.ts';

const text = (i: number) => contentOf(i, fingerprintsOf(i * 1000, 30));
const url = (name: string) => `https://${name}.example/`;
const ANY = () => ({ least: 0, of: () => 0 });

/** Asks for candidates as a query does, so that the store knows who holds them. */
async function find(store: Store, i: number): Promise<void> {
  const { candidates } = await store.candidates({
    keys: text(i).sample.fingerprints.filter((value) => value % TEST_IDENTITY.indexModulusMax === 0),
    candidatesMax: 5,
    shingleDigest: text(i).shingleDigest,
    overlapNeeded: ANY,
  });
  expect(candidates.map(({ record }) => record.id)).toContain(text(i).id);
}

const holdersOf = async (store: Store, i: number) =>
  (await store.holders(text(i).id, { limit: 10 })).map((holder) => `${holder.url} ${holder.state}`);

/** A LevelDB that counts its iterators and the batches of rows that are read from it. */
function counted() {
  const count = { iterators: 0, reads: 0 };
  const open = async (location: string, create: boolean): Promise<LevelDatabase> => {
    const level = await openLevel(location, create);
    const [keys, getMany] = [level.keys.bind(level), level.getMany.bind(level)];
    return Object.assign(level, {
      keys: (...of: Parameters<typeof keys>) => {
        count.iterators++;
        return keys(...of);
      },
      getMany: (...of: Parameters<typeof getMany>) => {
        count.reads++;
        return getMany(...of);
      },
    }) as unknown as LevelDatabase;
  };
  return { open, count };
}

describe('the holders of what was a candidate', () => {
  it('are read at one go, one row each, where nobody but the owner holds it', () =>
    inFolder(async (folder) => {
      const { open, count } = counted();
      const store = await openFolder(folder, { openLevel: open });
      for (const i of [1, 2, 3]) await store.apply(putPlan(url(`a${i}`), text(i), 1000));
      for (const i of [1, 2, 3]) await find(store, i);
      await vi.waitUntil(() => count.iterators > 0);
      Object.assign(count, { iterators: 0, reads: 0 });
      const all = await Promise.all([1, 2, 3].map((i) => holdersOf(store, i)));
      expect(all).toEqual([[`${url('a1')} live`], [`${url('a2')} live`], [`${url('a3')} live`]]);
      expect(count).toEqual({ iterators: 0, reads: 1 });
      await store.close();
    }));

  it('are all there as soon as another source has it, also after the next opening', () =>
    inFolder(async (folder) => {
      let store = await openFolder(folder);
      await store.apply(putPlan(url('a'), text(1), 1000));
      await find(store, 1);
      expect(await holdersOf(store, 1)).toEqual([`${url('a')} live`]);
      await store.apply(putPlan(url('b'), text(1), 2000));
      expect(await holdersOf(store, 1)).toEqual([`${url('a')} live`, `${url('b')} live`]);
      await store.close();
      store = await openFolder(folder);
      await find(store, 1);
      for (let times = 0; times < 20; times++) {
        expect(await holdersOf(store, 1)).toEqual([`${url('a')} live`, `${url('b')} live`]);
      }
      await store.close();
    }));

  it('are those of now where the owner has gone over to another content, was deleted, or left it to the next', () =>
    inFolder(async (folder) => {
      const store = await openFolder(folder);
      await store.apply(putPlan(url('a'), text(1), 1000));
      await find(store, 1);
      await store.apply(putPlan(url('a'), text(2), 2000));
      expect(await holdersOf(store, 1)).toEqual([`${url('a')} past`]);
      await store.apply(putPlan(url('b'), text(1), 3000));
      await store.apply(deletePlan(url('a'), 4000));
      expect(await holdersOf(store, 1)).toEqual([`${url('b')} live`]);
      await find(store, 1);
      await store.apply(deletePlan(url('b'), 5000));
      expect(await holdersOf(store, 1)).toEqual([]);
      await store.apply(putPlan(url('c'), text(1), 6000));
      expect(await holdersOf(store, 1)).toEqual([`${url('c')} live`]);
      await store.close();
    }));
});
