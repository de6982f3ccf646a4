import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/store/level/database/database.ts';
import { Table } from '../../../src/store/level/format/keys.ts';
import type { OutageNews } from '../../../src/store/level/outage/outage.ts';
import { FaultyLevel, ioError, type Seen } from '../../support/model/faulty-level.ts';
import {
  expectSound,
  isFound,
  killed,
  numbers,
  put,
  putAll,
  SMALL,
  settled,
  URL_OF,
} from '../../support/model/outage-steps.ts';
import { until } from '../../support/model/patience.ts';
import { endWorkers } from '../../support/model/worker-end.ts';
import { inFolder, openFolder } from '../../support/store/level-folder.ts';
import { deletePlan } from '../../support/store/level-plans.ts';

const refused = { code: 'storage-full', retryAfterS: 5 };

const isDocuments = (write: Seen) => write.includes('s');
/** Of a flush it has shingle counts too. */
const isMergeList = (write: Seen) => write === 'gn';
const isClearing = (write: Seen) => write === 'clear';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a sync that fails', () => {
  it.each([{ failure: 'lost' }, { failure: 'kept' }] as const)(
    'of the list of segments ($failure): memory has the one on disk before anything is cleared',
    ({ failure }) =>
      inFolder(async (folder) => {
        const level = new FaultyLevel();
        const store = await openFolder(folder, { ...SMALL, openLevel: level.open });
        await putAll(store, numbers(0, 17));
        await settled(store);
        // three segments at most, which are merged once nothing is added any more: once, where nothing goes wrong
        const failed = level.failNext(failure, isMergeList);
        await putAll(store, numbers(17, 26));
        await failed;
        await until(() => store.writable);
        await expectSound(await killed(store, folder), numbers(0, 26));
        await store.close();
        await expectSound(folder, numbers(0, 26));
      }),
  );

  it('of plans while more tails wait than there is room for does not keep writing from coming back', () =>
    inFolder(async (folder) => {
      const level = new FaultyLevel();
      const store = await openFolder(folder, { ...SMALL, openLevel: level.open });
      // the first of these batches makes eight tails at once; the second fails while they wait for the worker
      let batches = 0;
      const failed = level.failNext('kept', (write) => isDocuments(write) && ++batches === 2);
      const first = putAll(store, numbers(0, 64));
      const second = new Promise((resolve) => setImmediate(resolve)).then(() => putAll(store, numbers(64, 128)));
      await failed;
      await Promise.all([first, second]);
      await until(() => store.writable);
      await putAll(store, numbers(128, 140));
      await store.close();
      await expectSound(folder, numbers(0, 140));
    }));

  it('of a batch that the look at all keys had seen brings back what it deleted', () =>
    inFolder(async (folder) => {
      const before = await openFolder(folder, SMALL);
      await putAll(before, numbers(0, 3));
      await before.close();
      // the keys of sources are looked at once the deletion is there, and before it is lost
      const gate = Promise.withResolvers<void>();
      const { keys } = Database.prototype;
      let looked = false;
      vi.spyOn(Database.prototype, 'keys').mockImplementation(async function (this: Database, range) {
        if (range.gte !== Table.source) return keys.call(this, range);
        await gate.promise;
        const found = await keys.call(this, range);
        looked = true;
        return found;
      });
      const level = new FaultyLevel();
      const store = await openFolder(folder, { ...SMALL, segments: {}, openLevel: level.open });
      await store.apply(put(4));
      await store.apply(deletePlan(URL_OF(1), 5000), { relaxed: true });
      gate.resolve();
      await until(() => looked);
      await new Promise((resolve) => setTimeout(resolve, 50));
      void level.failNext('lost', (write) => write === 'sync');
      await expect(store.apply(put(3))).rejects.toMatchObject(refused);
      await until(() => store.writable);
      expect(await store.source(URL_OF(1))).toBeDefined();
      expect(await store.apply(deletePlan(URL_OF(1), 6000))).toMatchObject({ status: 'deleted' });
      await store.close();
      await expectSound(folder, [0, 2, 4]);
    }));

  it('of the high-water mark ends acknowledging until it goes on in a new file', () =>
    inFolder(async (folder) => {
      const news: OutageNews[] = [];
      const store = await openFolder(folder, { ...SMALL, onNews: (told) => news.push(told) });
      await putAll(store, numbers(0, 3));
      const { open } = await import('node:fs/promises');
      const file = await open(join(folder, 'high-water'));
      const prototype = Object.getPrototypeOf(file) as { write(): Promise<unknown> };
      await file.close();
      vi.spyOn(prototype, 'write').mockRejectedValueOnce(ioError());
      await store.apply(put(3));
      await until(() => news.some(({ what }) => what === 'resumed'));
      expect(news).toMatchObject([{ what: 'stopped', kind: 'mark' }, { what: 'resumed' }]);
      await putAll(store, numbers(4, 8));
      await expectSound(await killed(store, folder), numbers(0, 8));
      await store.close();
    }));
});

describe('a torn record in the log', () => {
  it('ends acknowledging where rows were being cleared, whatever the error says', () =>
    inFolder(async (folder) => {
      const level = new FaultyLevel();
      const store = await openFolder(folder, { ...SMALL, openLevel: level.open });
      const failed = level.failNext('torn', isClearing);
      await putAll(store, numbers(0, 64));
      await failed;
      const acknowledged = numbers(0, 64);
      for (const i of numbers(64, 90)) {
        await store.apply(put(i)).then(
          () => acknowledged.push(i),
          (error: unknown) => expect(error).toMatchObject(refused),
        );
      }
      await until(() => store.writable);
      expect(store.damaged).toBe(false);
      await expectSound(await killed(store, folder), acknowledged);
      await store.close();
    }));

  it('ends acknowledging where documents were written, and where they were deleted', () =>
    inFolder(async (folder) => {
      const level = new FaultyLevel();
      const store = await openFolder(folder, { ...SMALL, openLevel: level.open });
      await putAll(store, numbers(0, 30));
      for (const work of [() => store.apply(put(30)), () => store.apply(deletePlan(URL_OF(3), 2000))]) {
        void level.failNext('torn', isDocuments);
        const outcomes = await Promise.allSettled([work(), store.apply(put(31))]);
        expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
        await until(() => store.writable);
      }
      await putAll(store, [30, 31]);
      await expectSound(await killed(store, folder), numbers(0, 32));
      await store.close();
    }));
});

describe('the thread that writes segments', () => {
  it.each(['flush', 'merge'])('may end at any moment of a %s: nothing is lost, and another one goes on', (kind) =>
    inFolder(async (folder) => {
      const ending = endWorkers({ kind, times: 3, afterMsMax: 4 });
      try {
        const store = await openFolder(folder, SMALL);
        let count = 0;
        for (; ending.left() > 0; count += 40) {
          await putAll(store, numbers(count, count + 40));
          // merges begin where nothing more is to be flushed
          await settled(store);
        }
        expect(store.damaged).toBe(false);
        await expectSound(await killed(store, folder), numbers(0, count));
        await store.close();
      } finally {
        ending.stop();
      }
    }),
  );
});

describe('what was acknowledged before it was synced', () => {
  it('and is lost with a failed sync is said to be lost, and its numbers are not given again', () =>
    inFolder(async (folder) => {
      const level = new FaultyLevel();
      const store = await openFolder(folder, { ...SMALL, openLevel: level.open });
      await putAll(store, numbers(0, 4));
      const { relaxedLosses } = store;
      await Promise.all(numbers(4, 7).map((i) => store.apply(put(i), { relaxed: true })));
      void level.failNext('lost', (write) => write === 'sync');
      await expect(store.apply(put(7))).rejects.toMatchObject(refused);
      await until(() => store.writable);
      expect(store.relaxedLosses).toBe(relaxedLosses + 1);
      expect(await store.source(URL_OF(5))).toBeUndefined();
      await putAll(store, numbers(7, 9));
      await store.sync();
      await expectSound(await killed(store, folder), [...numbers(0, 4), 7, 8]);
      await store.close();
    }));
});

describe('a system without an open file to give', () => {
  it('is told of as such, and does no harm for good', () =>
    inFolder(async (folder) => {
      const level = new FaultyLevel();
      const store = await openFolder(folder, { ...SMALL, openLevel: level.open });
      await putAll(store, numbers(0, 40));
      await settled(store);
      level.failReads(ioError('Too many open files'));
      await expect(isFound(store, 1)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 });
      await expect(store.source(URL_OF(1))).rejects.toMatchObject({ code: 'overloaded' });
      level.failReads(undefined);
      expect([await isFound(store, 1), store.damaged]).toEqual([true, false]);
      level.failReads(ioError());
      await expect(store.source(URL_OF(1))).rejects.toMatchObject({ code: 'index-unreadable' });
      level.failReads(undefined);
      expect(store.damaged).toBe(true);
      await store.close();
    }));
});
