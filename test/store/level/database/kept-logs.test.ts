import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Database } from '../../../../src/store/level/database/database.ts';
import { type LevelDatabase, openLevel } from '../../../../src/store/level/database/level-handle.ts';
import { totalsKey } from '../../../../src/store/level/format/keys.ts';
import type { RowChange } from '../../../../src/store/level/format/rows.ts';
import { TRAIL_BATCHES } from '../../../../src/store/level/writing/batch-log.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/* A log that LevelDB cannot open is passed over and deleted: here it is out of its way just then, which comes to the same. */

const logsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.log'));

async function withoutLogs(folder: string, create: boolean): Promise<LevelDatabase> {
  for (const name of logsIn(folder)) renameSync(join(folder, name), join(folder, '..', `${name}.away`));
  return openLevel(folder, create);
}

const put = (key: string, value: string | Buffer): RowChange => [key, Buffer.from(value)];
const write = (database: Database, seq: number, ...rows: RowChange[]) =>
  database.write('documents', [...rows, put(totalsKey(seq), `totals ${seq}`)]);

/** Three batches that build on one another, the second of more than a part that is parsed at a time. */
async function filled(folder: string): Promise<void> {
  const database = await Database.open(folder, true);
  await write(database, 1, put('a', 'first'), put('b', 'gone later'));
  await write(database, 2, put('c', Buffer.alloc(3_000_000, 'c')), ['b', null]);
  await write(database, 3, put('a', 'last'));
  await database.close();
}

async function rowsOf(database: Database): Promise<Record<string, string | undefined>> {
  const keys = ['a', 'b', 'c', totalsKey(1), totalsKey(2), totalsKey(3)];
  const rows = await Promise.all(keys.map((key) => database.get(key)));
  return Object.fromEntries(rows.map((row, i) => [keys[i]!, row?.subarray(0, 12).toString()]));
}

const WHOLE = {
  a: 'last',
  b: undefined,
  c: 'cccccccccccc',
  [totalsKey(1)]: 'totals 1',
  [totalsKey(2)]: 'totals 2',
  [totalsKey(3)]: 'totals 3',
};

describe('a log that LevelDB passes over', () => {
  it('would be gone', async () => {
    const folder = join(temporaryFolder(), 'db');
    await filled(folder);
    const level = await withoutLogs(folder, false);
    expect(await level.get(totalsKey(1))).toBeUndefined();
    await level.close();
  });

  it('is written once more, in its order and for good, at a start', async () => {
    const folder = join(temporaryFolder(), 'db');
    await filled(folder);
    const database = await Database.open(folder, false, withoutLogs);
    expect(await rowsOf(database)).toEqual(WHOLE);
    await database.close();
    const again = await Database.open(folder, false);
    expect(await rowsOf(again)).toEqual(WHOLE);
    await again.close();
  });

  it('is written at once with those behind it: a kill between leaves none of them older than it was', async () => {
    const folder = join(temporaryFolder(), 'db');
    await filled(folder);
    let batches = 0;
    const database = await Database.open(folder, false, async (location, create) => {
      const level = await withoutLogs(location, create);
      const batch = level.batch.bind(level) as () => object;
      const counted = (...rows: []) => {
        batches++;
        return batch(...rows);
      };
      return Object.assign(level, { batch: counted }) as LevelDatabase;
    });
    expect(batches).toBe(1);
    expect(await rowsOf(database)).toEqual(WHOLE);
    await database.close();
  });

  it('is so too where a process opens its database anew', async () => {
    const folder = join(temporaryFolder(), 'db');
    await filled(folder);
    let isAway = false;
    const database = await Database.open(folder, false, (location, create) =>
      isAway ? withoutLogs(location, create) : openLevel(location, create),
    );
    await write(database, 4, put('d', 'more'));
    isAway = true;
    await database.reopen(async (reader) => {
      expect(String(await reader.get('d'))).toBe('more');
      expect(String(await reader.get(totalsKey(4)))).toBe('totals 4');
    });
    expect(await rowsOf(database)).toEqual(WHOLE);
    await database.close();
  });
});

describe('a log that LevelDB passes over, in a process that ends before it is written once more', () => {
  /** As a kill leaves the folder once LevelDB has opened it. */
  async function killedAfterOpening(folder: string): Promise<void> {
    const left = join(folder, '..', 'left');
    const opening = Database.open(folder, false, async (location, create) => {
      const level = await withoutLogs(location, create);
      cpSync(location, left, { recursive: true });
      return level;
    });
    await (await opening).close();
    rmSync(folder, { recursive: true });
    renameSync(left, folder);
  }

  const namesOf = (folder: string) => readdirSync(folder).filter((name) => name.includes('.log'));

  it('is found by the next one under its second name, which is gone then', async () => {
    const folder = join(temporaryFolder(), 'db');
    await filled(folder);
    await killedAfterOpening(folder);
    expect(namesOf(folder).some((name) => !name.endsWith('.log'))).toBe(true);
    for (let times = 0; times < 2; times++) {
      const database = await Database.open(folder, false);
      expect(await rowsOf(database)).toEqual(WHOLE);
      expect(namesOf(folder)).toEqual(logsIn(folder));
      await database.close();
    }
  });

  it('is found also where that happens several times, and the last process had written it already', async () => {
    const folder = join(temporaryFolder(), 'db');
    await filled(folder);
    await killedAfterOpening(folder);
    await killedAfterOpening(folder);
    const left = join(folder, '..', 'written');
    const database = await Database.open(folder, false, async (location, create) => {
      const level = await openLevel(location, create);
      const syncLogs = level.syncLogs.bind(level);
      const copied = async () => {
        await syncLogs();
        cpSync(location, left, { recursive: true });
      };
      return Object.assign(level, { syncLogs: copied });
    });
    await database.close();
    expect(namesOf(left).some((name) => !name.endsWith('.log'))).toBe(true);
    const again = await Database.open(left, false);
    await write(again, 4, put('a', 'later'));
    expect(await rowsOf(again)).toEqual({ ...WHOLE, a: 'later' });
    expect(namesOf(left)).toEqual(logsIn(left));
    await again.close();
  });

  it('keeps the index from being opened where it cannot be written: nothing is written before it', async () => {
    const folder = join(temporaryFolder(), 'db');
    await filled(folder);
    const failing = Database.open(folder, false, async (location, create) => {
      const level = await withoutLogs(location, create);
      return Object.assign(level, { syncLogs: (): Promise<void> => Promise.reject(new Error('EIO')) });
    });
    await expect(failing).rejects.toThrow('EIO');
    const database = await Database.open(folder, false, withoutLogs);
    expect(await rowsOf(database)).toEqual(WHOLE);
    await database.close();
  });
});

describe('a log that LevelDB reads', () => {
  it('is left as it is, also where it breaks off', async () => {
    const folder = join(temporaryFolder(), 'db');
    await filled(folder);
    const [log] = logsIn(folder);
    const path = join(folder, log!);
    writeFileSync(path, readFileSync(path).subarray(0, -5));
    const database = await Database.open(folder, false);
    expect(await rowsOf(database)).toEqual({ ...WHOLE, a: 'first', [totalsKey(3)]: undefined });
    await database.close();
  });

  it('is left as it is where its rows are in tables, and its batches have fallen off the trail', async () => {
    const folder = join(temporaryFolder(), 'db');
    const database = await Database.open(folder, true);
    await write(database, 1, put('a', 'first'));
    const [log] = logsIn(folder);
    const path = join(folder, log!);
    const bytes = readFileSync(path);
    await write(database, TRAIL_BATCHES + 1, put('a', 'last'), [totalsKey(1), null]);
    await database.close();
    await (await Database.open(folder, false)).close();
    // as if it could not be deleted
    writeFileSync(path, bytes);
    const again = await Database.open(folder, false);
    expect(String(await again.get('a'))).toBe('last');
    await again.close();
  });
});
