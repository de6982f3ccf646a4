import { join } from 'node:path';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LevelDatabase, openLevel } from '../../../../src/store/level/database/level-handle.ts';
import { NearRows } from '../../../../src/store/level/database/near-rows.ts';
import { ioError } from '../../../support/model/faulty-level.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/** More rows than are looked up at once. */
const ROWS = 300;
const key = (i: number) => `s${String(i).padStart(3, '0')}`;
const keys = (count: number) => Array.from({ length: count }, (_, i) => key(i));
const values = (count: number) => Array.from({ length: count }, (_, i) => Buffer.from(`value ${i}`));

describe('rows by their keys', () => {
  let level: LevelDatabase;

  beforeEach(async () => {
    level = await openLevel(join(temporaryFolder(), 'index'), true);
    const written = values(ROWS);
    await level.batch(keys(ROWS).map((at, i) => ({ type: 'put', key: at, value: written[i]! })));
  });
  afterEach(() => level.close());

  /** How many of so many rows are looked up at once, and how many in the pool. A clock goes on `rowMs` with each at once. */
  function timed(rowMs: (key: string) => number) {
    const read = { near: 0, far: 0 };
    let now = 1000;
    const counting = {
      getSync: (at: string, options: object) => {
        now += rowMs(at);
        read.near++;
        return level.getSync(at, options);
      },
      getMany: (several: string[], options: object) => {
        read.far += several.length;
        return level.getMany(several, options);
      },
    };
    const rows = new NearRows(counting as unknown as LevelDatabase, () => now);
    const readSome = async (count: number) => {
      Object.assign(read, { near: 0, far: 0 });
      expect(await rows.getMany(keys(count))).toEqual(values(count));
      return { ...read };
    };
    const pass = (ms: number) => {
      now += ms;
    };
    return { rows, read, readSome, pass };
  }

  it('come in the order of the keys, undefined where there is none', async () => {
    const [zero, , two] = values(3);
    expect(await level.rows.getMany([key(2), 'absent', key(0), key(2)])).toEqual([two, undefined, zero, two]);
    expect(await level.rows.getMany([])).toEqual([]);
    expect(await level.rows.get(key(2))).toEqual(two);
    expect(await level.rows.get('absent')).toBeUndefined();
  });

  it('are those of the snapshot, in either way', async () => {
    const snapshot = level.snapshot();
    await level.del(key(0));
    for (const count of [1, ROWS]) expect(await level.rows.getMany(keys(count), snapshot)).toEqual(values(count));
    await snapshot.close();
    expect(await level.rows.get(key(0))).toBeUndefined();
  });

  it('are looked up at once where they are few, in the pool where they are many', async () => {
    const { readSome } = timed(() => 0.004);
    expect(await readSome(200)).toEqual({ near: 200, far: 0 });
    expect(await readSome(257)).toEqual({ near: 0, far: 257 });
  });

  it('take 2 ms of an iteration of the event loop, all that ask together, and the rest of them the pool', async () => {
    const { rows, read, readSome } = timed(() => 0.6);
    expect(await readSome(20)).toEqual({ near: 4, far: 16 });
    await nextIteration();
    Object.assign(read, { near: 0, far: 0 });
    expect(await Promise.all([rows.getMany(keys(2)), rows.getMany(keys(9)), rows.getMany(keys(5))])).toEqual(
      [2, 9, 5].map(values),
    );
    expect(read).toEqual({ near: 4, far: 12 });
    await nextIteration();
    expect(await readSome(2)).toEqual({ near: 2, far: 0 });
  });

  it('go to the pool for a while, once one of them came from the disk', async () => {
    const { readSome, pass } = timed((at) => (at === key(2) ? 9 : 0.004));
    expect(await readSome(20)).toEqual({ near: 3, far: 17 });
    expect(await readSome(2)).toEqual({ near: 0, far: 2 });
    pass(99);
    expect(await readSome(2)).toEqual({ near: 0, far: 2 });
    pass(1);
    expect(await readSome(2)).toEqual({ near: 2, far: 0 });
  });

  it('reject where LevelDB cannot read one, and where it is closed', async () => {
    const rows = new NearRows({
      getSync: () => {
        throw ioError();
      },
    } as unknown as LevelDatabase);
    await expect(rows.get(key(0))).rejects.toThrow('IO error');
    await level.close();
    await expect(level.rows.get(key(0))).rejects.toMatchObject({ code: 'LEVEL_DATABASE_NOT_OPEN' });
  });
});
