import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../../src/store/level/database/database.ts';
import { type LevelDatabase, openLevel } from '../../../../src/store/level/database/level-handle.ts';
import type { RowChange } from '../../../../src/store/level/format/rows.ts';
import { ioError } from '../../../support/model/faulty-level.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const ROWS = ['a', 'z'] as const;
const row = (key: string): RowChange[] => [[key, Buffer.from('1')]];

/** A LevelDB that notes which batches it was asked to sync, and compacts a range when it is let go. */
function held() {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const synced: boolean[] = [];
  const open = async (location: string, create: boolean): Promise<LevelDatabase> => {
    const level = await openLevel(location, create);
    const batch = level.batch.bind(level) as unknown as (rows: object[], options: { sync: boolean }) => Promise<void>;
    const compactRange = level.compactRange.bind(level);
    return Object.assign(level, {
      batch: (rows: object[], options: { sync: boolean }) => {
        synced.push(options.sync);
        return batch(rows, options);
      },
      compactRange: async (from: string, to: string) => {
        if (from === ROWS[0]) {
          begun.resolve();
          await gate.promise;
        }
        return compactRange(from, to);
      },
    }) as unknown as LevelDatabase;
  };
  return { open, synced, begun: begun.promise, letGo: gate.resolve };
}

/** The file handles of Node, to let a call of one fail. */
async function handles(folder: string) {
  const file = await open(join(folder, 'any'), 'w');
  await file.close();
  return Object.getPrototypeOf(file) as { datasync(): Promise<void> };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a batch while a range is being compacted', () => {
  it('is synced by us: LevelDB would end the process where that failed', async () => {
    const folder = temporaryFolder();
    const { open: openHeld, synced, begun, letGo } = held();
    const database = await Database.open(folder, true, openHeld);
    await database.write('documents', row('b'));
    const compacted = database.compactRange(...ROWS);
    await begun;
    const datasync = vi.spyOn(await handles(folder), 'datasync');
    await database.write('documents', row('c'));
    expect(synced).toEqual([true, false]);
    expect(datasync).toHaveBeenCalled();
    datasync.mockRejectedValueOnce(ioError());
    await expect(database.write('documents', row('d'))).rejects.toMatchObject({ code: 'storage-full' });
    expect(database.log.isRefused).toBe(true);
    letGo();
    await compacted;
    await database.reopen();
    await database.write('documents', row('e'));
    expect(synced.at(-1)).toBe(true);
    await database.close();
  });

  it('waits for no second compaction of a range: that one waits for the first', async () => {
    const { open: openHeld, begun, letGo } = held();
    const database = await Database.open(temporaryFolder(), true, openHeld);
    const first = database.compactRange(...ROWS);
    await begun;
    let ended = false;
    const second = database.compactRange('b', 'c').then(() => {
      ended = true;
    });
    await database.write('documents', row('c'));
    expect(ended).toBe(false);
    letGo();
    await Promise.all([first, second]);
    await database.close();
  });
});

it('takes a write while it is opened anew, by the new handle', async () => {
  const database = await Database.open(temporaryFolder(), true);
  let written: Promise<void> | undefined;
  await database.reopen(async () => {
    written = database.write('documents', row('b'));
    await turn();
  });
  await written;
  expect(await database.get('b')).toEqual(Buffer.from('1'));
  expect(database.log.isRefused).toBe(false);
  await database.close();
});
