import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Database } from '../../../../src/store/level/database/database.ts';
import { HostMarks } from '../../../../src/store/level/database/host-marks.ts';
import { KnownKeys } from '../../../../src/store/level/database/known-keys.ts';
import { type LevelDatabase, openLevel } from '../../../../src/store/level/database/level-handle.ts';
import { readDescription } from '../../../../src/store/level/folder/description.ts';
import { DB_FOLDER, HIGH_WATER_FILE } from '../../../../src/store/level/folder/folder-parts.ts';
import { HighWater } from '../../../../src/store/level/folder/high-water.ts';
import { seqOfTotalsKey } from '../../../../src/store/level/format/keys.ts';
import { Disk } from '../../../../src/store/level/outage/disk.ts';
import { Outage } from '../../../../src/store/level/outage/outage.ts';
import { readTrail } from '../../../../src/store/level/writing/batch-log.ts';
import { Writer } from '../../../../src/store/level/writing/writer.ts';
import type { WritePlan } from '../../../../src/store/port.ts';
import { RETENTION_DEFAULT } from '../../../../src/store/settings.ts';
import { inFolder, openFolder, TEST_RANK_KEY } from '../../../support/store/level-folder.ts';
import {
  ANY_OVERLAP,
  contentOf,
  deletePlan,
  digest,
  fingerprintsOf,
  putPlan,
} from '../../../support/store/level-plans.ts';
import { problemsOf, withLevel } from '../../../support/store/level-rows.ts';

const text = (i: number) => contentOf(i, fingerprintsOf(i * 1000, 30));
const put = (i: number) => putPlan(`https://${i}.example/`, text(i), 1000);

/** A LevelDB that notes what is written to it: the tables of a batch and whether it is synced, and flushes. */
function noted() {
  const notes: string[] = [];
  const open = async (location: string, create: boolean): Promise<LevelDatabase> => {
    const level = await openLevel(location, create);
    const batch = level.batch.bind(level) as unknown as (
      rows: { key: string }[],
      options: { sync: boolean },
    ) => Promise<void>;
    const compactRange = level.compactRange.bind(level);
    return Object.assign(level, {
      batch: (rows: { key: string }[], options: { sync: boolean }) => {
        const tables = [...new Set(rows.map(({ key }) => key.charAt(0)))].sort().join('');
        notes.push(`${tables}${options.sync ? ' synced' : ''}`);
        return batch(rows, options);
      },
      compactRange: (from: string, to: string) => {
        notes.push('flush');
        return compactRange(from, to);
      },
    }) as unknown as LevelDatabase;
  };
  const taken = () => notes.splice(0);
  return { open, taken };
}

/** A writer alone, on an index that is there, whose first batch waits until it is let go; and the numbers of all batches. */
async function held(folder: string) {
  const seqs: number[] = [];
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const open = async (location: string, create: boolean): Promise<LevelDatabase> => {
    const level = await openLevel(location, create);
    const batch = level.batch.bind(level) as unknown as (rows: { key: string }[], options: object) => Promise<void>;
    return Object.assign(level, {
      batch: async (rows: { key: string; type: string }[], options: object) => {
        const totals = rows.filter(({ key, type }) => key.startsWith('n') && type === 'put');
        seqs.push(...totals.map(({ key }) => seqOfTotalsKey(key)));
        if (seqs.length === 1) await gate;
        return batch(rows, options);
      },
    }) as unknown as LevelDatabase;
  };
  const database = await Database.open(join(folder, DB_FOLDER), false, open);
  const highWater = await HighWater.open(join(folder, HIGH_WATER_FILE));
  const outage = new Outage({ retryMs: 1000 });
  const parts = { database, highWater, known: new KnownKeys(0), marks: new HostMarks(), outage };
  const settings = { rankKey: TEST_RANK_KEY, retention: RETENTION_DEFAULT };
  const description = await readDescription(database);
  const trail = await readTrail(database, highWater.value);
  const writer = new Writer({ ...parts, description, settings, disk: new Disk(folder, 0) }, trail);
  const close = async () => {
    await writer.turn();
    await highWater.close();
    await database.close();
  };
  return { writer, seqs, letGo, close };
}

describe('the writer', () => {
  it('puts three rows for a new document, and one for its batch', () =>
    inFolder(async (folder) => {
      const { open, taken } = noted();
      const store = await openFolder(folder, { openLevel: open });
      taken();
      await store.apply(put(1));
      expect(taken()).toEqual(['clns synced']);
      await store.close();
    }));

  it('syncs no batch of relaxed plans, and all of them before anything after them counts as durable', () =>
    inFolder(async (folder) => {
      const { open, taken } = noted();
      const store = await openFolder(folder, { openLevel: open });
      taken();
      await store.apply(put(1), { relaxed: true });
      await store.apply(put(2), { relaxed: true });
      expect(taken()).toEqual(['clns', 'clns']);
      const query = { ...ANY_OVERLAP, keys: text(1).sample.fingerprints, candidatesMax: 5 };
      expect((await store.candidates(query)).found).toBe(1);
      await store.apply(put(3));
      expect(taken()).toEqual(['clns synced']);
      await store.sync();
      expect(taken()).toEqual([]);
      await Promise.all([store.apply(put(4), { relaxed: true }), store.apply(put(5))]);
      expect(taken()).toEqual(['clns synced']);
      await store.apply(put(6), { relaxed: true });
      taken();
      await store.sync();
      expect(taken()).toEqual(['n synced']);
      await store.close();
      expect(await problemsOf(folder)).toEqual([]);
    }));

  it('gives a content to its next holder when its owner is deleted, and keeps no trace of that one', () =>
    inFolder(async (folder) => {
      const urls = ['https://first.example/', 'https://second.example/', 'https://third.example/'];
      const store = await openFolder(folder);
      for (const [i, url] of urls.entries()) {
        await store.apply(putPlan(url, text(1), 1000, { bytesDigest: digest(i) }));
      }
      for (const [i, url] of urls.slice(0, 2).entries()) {
        await store.apply(deletePlan(url, 2000));
        const holders = await store.holders({ id: text(1).id }, { limit: 5 });
        expect(holders.map((holder) => holder.url)).toEqual(urls.slice(i + 1));
      }
      await store.close();
      await withLevel(folder, async (level) => {
        const rows = await level.iterator().all();
        const naming = (part: string) =>
          rows.filter(([key, value]) => `${key}${value.toString('latin1')}`.includes(part));
        expect([naming('first.example').length, naming('second.example').length]).toEqual([0, 0]);
        expect(naming('third.example').map(([key]) => key.charAt(0))).toEqual(['c', 's', 't']);
      });
      expect(await problemsOf(folder)).toEqual([]);
    }));

  it('finds all that was written in several segments after a clean stop', () =>
    inFolder(async (folder) => {
      const plans = Array.from({ length: 40 }, (_, i) => put(i));
      const store = await openFolder(folder, { segments: { flushContents: 16 } });
      await Promise.all(plans.map((plan) => store.apply(plan)));
      await store.close();
      const again = await openFolder(folder);
      const query = { ...ANY_OVERLAP, keys: text(39).sample.fingerprints, candidatesMax: 5 };
      expect((await again.candidates(query)).found).toBe(1);
      expect(await again.stats()).toMatchObject({ contents: 40, postings: 40 * 30 });
      await again.close();
    }));

  it('gives every batch a number of its own, also those of the posting index that come while another one waits', () =>
    inFolder(async (folder) => {
      await (await openFolder(folder)).close();
      const { writer, seqs, letGo, close } = await held(folder);
      const commit = (i: number) =>
        new Promise((resolve, reject) => void writer.commit([{ request: put(i), resolve, reject }]));
      const first = commit(1);
      while (seqs.length === 0) await turn();
      // waits until the first is on disk; the rows of the index come after it
      const second = commit(2);
      for (let turns = 0; turns < 50; turns++) await turn();
      const rows = [writer.commitRows(() => []), writer.commitRows(() => [])];
      letGo();
      await Promise.all([first, second, ...rows]);
      expect(seqs.map((seq) => seq - seqs[0]!)).toEqual([0, 1, 2, 3]);
      await close();
      expect(await problemsOf(folder)).toEqual([]);
    }));

  it('refuses what was resolved over a batch that fails, even where no disk is to blame', () =>
    inFolder(async (folder) => {
      await (await openFolder(folder)).close();
      const { writer, seqs, letGo, close } = await held(folder);
      letGo();
      const commit = (plan: WritePlan) =>
        new Promise((resolve, reject) => void writer.commit([{ request: plan, resolve, reject }]));
      await commit(put(1));
      const gate = Promise.withResolvers<void>();
      const write = vi.spyOn(Database.prototype, 'write').mockImplementationOnce(() => gate.promise);
      const failing = commit(deletePlan('https://1.example/', 2000));
      while (write.mock.calls.length === 0) await turn();
      const over = commit(putPlan('https://1.example/', text(2), 3000));
      for (let turns = 0; turns < 50; turns++) await turn();
      gate.reject(new Error('a mistake'));
      await expect(failing).rejects.toThrow('a mistake');
      await expect(over).rejects.toMatchObject({ code: 'storage-full' });
      await commit(putPlan('https://1.example/', text(3), 4000));
      write.mockRestore();
      expect(seqs.map((seq) => seq - seqs[0]!)).toEqual([0, 1]);
      await close();
      expect(await problemsOf(folder)).toEqual([]);
    }));
});
