import { ClassicLevel } from 'classic-level';
import { describe, expect, it } from 'vitest';
import { type LevelDatabase, openLevel } from '../../../../src/store/level/database/level-handle.ts';
import type { Store } from '../../../../src/store/port.ts';
import { inFolder, openFolder } from '../../../support/store/level-folder.ts';
import { ANY_OVERLAP, contentOf, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';

const text = (i: number) => contentOf(i, fingerprintsOf(i * 1000, 30));
const put = (i: number) => putPlan(`https://${i}.example/`, text(i), 1000);
const refused = { code: 'storage-full', retryAfterS: 5 };

/** A LevelDB that behaves as one whose disk is full: from the first refused write on, that handle writes no more. */
function failingDisk() {
  const disk = { full: false, opened: 0 };
  const open = async (location: string, create: boolean): Promise<LevelDatabase> => {
    const level = await openLevel(location, create);
    const batch = level.batch.bind(level) as (...args: unknown[]) => Promise<void>;
    let isBroken = false;
    disk.opened++;
    const failing = async (...args: unknown[]) => {
      isBroken ||= disk.full;
      if (isBroken) throw Object.assign(new Error('No space left on device'), { code: 'LEVEL_IO_ERROR' });
      return batch(...args);
    };
    return Object.assign(level, { batch: failing }) as LevelDatabase;
  };
  return { disk, open };
}

/** Whether no handle of this process has the database open. */
async function isAlone(location: string): Promise<boolean> {
  const level = new ClassicLevel(location, { multithreading: false });
  return level.open({ createIfMissing: false }).then(
    () => level.close().then(() => true),
    () => false,
  );
}

async function untilWritable(store: Store): Promise<void> {
  while (!store.writable) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a disk that refuses a write', () => {
  it('fails the plans of that batch, leaves nothing of them, and keeps reads going', () =>
    inFolder(async (folder) => {
      const { disk, open } = failingDisk();
      const store = await openFolder(folder, { openLevel: open, diskRetryMs: 20 });
      await store.apply(put(1));
      disk.full = true;
      const outcomes = await Promise.allSettled([store.apply(put(2)), store.apply(put(3))]);
      expect(outcomes).toMatchObject([{ reason: refused }, { reason: refused }]);
      expect(store.writable).toBe(false);
      await expect(store.apply(put(4))).rejects.toMatchObject(refused);
      expect(await store.source('https://1.example/')).toBeDefined();
      expect(await store.source('https://2.example/')).toBeUndefined();
      expect(await store.content(text(2).id)).toBeUndefined();
      expect(
        (await store.candidates({ keys: text(1).sample.fingerprints, candidatesMax: 5, ...ANY_OVERLAP })).found,
      ).toBe(1);
      expect(await store.stats()).toMatchObject({ sources: 1, contents: 1, postings: 30 });
      expect(store.damaged).toBe(false);
      await store.close();
    }));

  it('is tried again until it takes writes, which then go on by themselves', () =>
    inFolder(async (folder) => {
      const { disk, open } = failingDisk();
      const store = await openFolder(folder, { openLevel: open, diskRetryMs: 10 });
      await store.apply(put(1));
      disk.full = true;
      await expect(store.apply(put(2))).rejects.toMatchObject(refused);
      // two tries fail meanwhile, and reads wait for the handle that is exchanged
      const tries = disk.opened + 2;
      const { fingerprints } = text(1).sample;
      while (disk.opened < tries) {
        const reads = Array.from({ length: 20 }, () =>
          store.candidates({ keys: fingerprints, candidatesMax: 5, ...ANY_OVERLAP }),
        );
        for (const { found, unreadable } of await Promise.all(reads)) expect([found, unreadable]).toEqual([1, 0]);
      }
      disk.full = false;
      await untilWritable(store);
      expect(await store.apply(put(2))).toMatchObject({ status: 'created', contentIsNew: true });
      await store.close();
      const again = await openFolder(folder);
      expect(await again.stats()).toMatchObject({ sources: 2, contents: 2, postings: 60 });
      await again.close();
    }));

  it('has its database opened anew while no other handle of it is open, also where the index is closed meanwhile', () =>
    inFolder(async (folder) => {
      const { disk, open } = failingDisk();
      let shared = 0;
      // takes a while, in which nobody else may have the database open: not the worker, for the last segment
      const reopen = async (location: string, create: boolean) => {
        for (let looks = 0; disk.opened > 0 && looks < 100; looks++) {
          shared += Number(!(await isAlone(location)));
          await new Promise((resolve) => setTimeout(resolve, 3));
        }
        return open(location, create);
      };
      const store = await openFolder(folder, { openLevel: reopen, diskRetryMs: 50 });
      await store.apply(put(1));
      disk.full = true;
      await expect(store.apply(put(2))).rejects.toMatchObject(refused);
      await store.close();
      expect(shared).toBe(0);
      const again = await openFolder(folder);
      expect(await again.stats()).toMatchObject({ sources: 1, contents: 1, postings: 30 });
      await again.close();
    }));

  it('is not written to at all while less is free than is kept in reserve', () =>
    inFolder(async (folder) => {
      const store = await openFolder(folder, { freeBytesMin: Number.MAX_SAFE_INTEGER, diskRetryMs: 10 });
      await expect(store.apply(put(1))).rejects.toMatchObject({
        code: 'storage-full',
        limit: { name: 'freeBytesMin' },
      });
      expect(store.writable).toBe(false);
      expect(await store.stats()).toMatchObject({ sources: 0 });
      await store.close();
    }));

  it('that cannot even be opened again makes reads fail, until it can', () =>
    inFolder(async (folder) => {
      const { disk, open } = failingDisk();
      let refusals = 0;
      const reopen = (location: string, create: boolean) => {
        if (disk.opened === 0 || refusals++ > 1) return open(location, create);
        return Promise.reject(new Error('Read-only file system'));
      };
      const store = await openFolder(folder, { openLevel: reopen, diskRetryMs: 10 });
      await store.apply(put(1));
      disk.full = true;
      await expect(store.apply(put(2))).rejects.toMatchObject(refused);
      disk.full = false;
      while (refusals === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      const meanwhile = new Set<unknown>();
      while (!store.writable) {
        const read = store.source('https://1.example/').then(() => 'read');
        meanwhile.add(await read.catch(({ code }: { code: string }) => code));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(meanwhile).toContain('overloaded');
      expect([...meanwhile].filter((what) => what !== 'overloaded' && what !== 'read')).toEqual([]);
      // it was the disk, not the index
      expect(store.damaged).toBe(false);
      expect(refusals).toBeGreaterThan(2);
      expect(await store.source('https://1.example/')).toBeDefined();
      expect(store.damaged).toBe(false);
      await store.close();
    }));
});
