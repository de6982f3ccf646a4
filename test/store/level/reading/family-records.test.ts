import { describe, expect, it } from 'vitest';
import { contentRecord } from '../../../../src/store/contents.ts';
import { type LevelDatabase, openLevel } from '../../../../src/store/level/database/level-handle.ts';
import { locatorOf, openCompared, sealContent } from '../../../../src/store/level/format/content-values.ts';
import { contentKey } from '../../../../src/store/level/format/keys.ts';
import { FamilyRecords } from '../../../../src/store/level/reading/family-records.ts';
import type { Content, Store } from '../../../../src/store/port.ts';
import { inFolder, openFolder, TEST_IDENTITY } from '../../../support/store/level-folder.ts';
import { ANY_OVERLAP, contentOf, deletePlan, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';

const FAMILY = 100;
const BYTES = 64 * 1024;

/** Members differ in one shingle. */
const member = (i: number) => contentOf(i, Float64Array.of(...fingerprintsOf(7, 30), 1_000_000 + 8 * i));
const url = (i: number) => `https://host${i}.example/`;

function openMember(number: number): Content {
  const key = contentKey(number);
  const value = sealContent(key, { ...contentRecord(member(number), 1), locator: locatorOf(number, url(number)) });
  return openCompared(key, value, true);
}

describe('records of families', () => {
  it('are there while they are met, and never take more than they may', () => {
    const families = new FamilyRecords(BYTES);
    const records = Array.from({ length: 1000 }, (_, i) => openMember(i));
    for (const [i, record] of records.entries()) {
      families.keep(i, record);
      expect(families.get(0)).toBe(records[0]);
    }
    const kept = records.filter((_, i) => families.get(i) !== undefined);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.length * 700).toBeLessThanOrEqual(families.bytes);
    expect(families.bytes).toBeLessThanOrEqual(BYTES + 2 * 1024);
  });

  it('count once, however often they are read', () => {
    const families = new FamilyRecords(BYTES);
    families.keep(1, openMember(1));
    const { bytes } = families;
    families.keep(1, openMember(1));
    expect(families.bytes).toBe(bytes);
  });

  it('are read once for a large family, without those that were deleted since', () =>
    withFamily(async (store, rowsRead) => {
      const first = await find(store);
      expect([first.length, rowsRead()]).toEqual([FAMILY, FAMILY]);
      expect(await find(store)).toEqual(first);
      expect(rowsRead()).toBe(0);
      await store.apply(deletePlan(url(3), 2000));
      await store.apply(putPlan(url(FAMILY), member(FAMILY), 2000));
      rowsRead();
      const found = await find(store);
      expect(rowsRead()).toBe(1);
      const ids = [...first.map(({ record }) => record.id).filter((id) => id !== member(3).id), member(FAMILY).id];
      expect(new Set(found.map(({ record }) => record.id))).toEqual(new Set(ids));
      expect(found).toHaveLength(FAMILY);
    }));

  it('are read once for a long list of URLs, which says what each shows now', () =>
    withFamily(async (store, rowsRead) => {
      const urls = Array.from({ length: FAMILY + 1 }, (_, i) => url(i));
      const first = await store.getMany(urls);
      expect(rowsRead()).toBe(FAMILY);
      expect(await store.getMany(urls)).toEqual(first);
      expect(rowsRead()).toBe(0);
      await store.apply(deletePlan(url(3), 2000));
      await store.apply(putPlan(url(4), member(FAMILY), 2000));
      await store.apply(putPlan(url(FAMILY), member(5), 2000));
      rowsRead();
      const idsAfter = urls.map((_, i) => (i === 3 ? undefined : member(i === 4 ? FAMILY : i === FAMILY ? 5 : i).id));
      const known = await store.getMany(urls);
      expect(known.map((one) => (typeof one === 'object' ? one.content.id : one))).toEqual(idsAfter);
      expect(rowsRead()).toBe(1);
    }));

  it('of a few URLs are not kept', () =>
    withFamily(async (store, rowsRead) => {
      for (let times = 0; times < 2; times++) {
        await store.getMany([url(1), url(2)]);
        expect(rowsRead()).toBe(2);
      }
    }));
});

/** @param work is given also how many rows of contents were read since it last asked */
async function withFamily(work: (store: Store, rowsRead: () => number) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    let rows = 0;
    const open = async (location: string, create: boolean): Promise<LevelDatabase> => {
      const level = await openLevel(location, create);
      const getMany = level.rows.getMany.bind(level.rows);
      level.rows.getMany = (keys, ...of) => {
        rows += keys.filter((key) => key.startsWith('c')).length;
        return getMany(keys, ...of);
      };
      return level;
    };
    const store = await openFolder(folder, { openLevel: open });
    for (let i = 0; i < FAMILY; i++) await store.apply(putPlan(url(i), member(i), 1000));
    const rowsRead = () => {
      const read = rows;
      rows = 0;
      return read;
    };
    rowsRead();
    await work(store, rowsRead);
    await store.close();
  });
}

async function find(store: Store) {
  const { candidates } = await store.candidates({
    ...ANY_OVERLAP,
    keys: member(0).sample.fingerprints.filter((value) => value % TEST_IDENTITY.indexModulusMax === 0),
    candidatesMax: 256,
  });
  return candidates;
}
