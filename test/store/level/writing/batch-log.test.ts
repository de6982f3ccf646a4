import { expect, it } from 'vitest';
import type { Database } from '../../../../src/store/level/database/database.ts';
import type { HighWater } from '../../../../src/store/level/folder/high-water.ts';
import { BatchLog, TRAIL_BATCHES } from '../../../../src/store/level/writing/batch-log.ts';

const totals = { nextContent: 0, sources: 0, contents: 0, postings: 0 };

/** A batch log after `seq` batches, and what it does. */
function noted(seq: number) {
  const done: string[] = [];
  const database = {
    write: async (_kind: string, _changes: unknown, sync: boolean) => void done.push(sync ? 'synced' : 'written'),
    flush: async () => void done.push('flush'),
    syncAll: async () => void done.push('all'),
  } as unknown as Database;
  const highWater = { advance: () => void done.push('mark') } as unknown as HighWater;
  return { log: new BatchLog(database, highWater, { seq, totals }), done };
}

it('has LevelDB bring into tables what is half a trail old, so that no log can lose more than the trail shows', async () => {
  const { log, done } = noted(3 * (TRAIL_BATCHES / 2) - 2);
  for (let i = 0; i < 3; i++) await log.write('rows', [], totals, true);
  expect(done.filter((what) => what !== 'mark')).toEqual(['synced', 'flush', 'synced', 'synced']);
});

it('syncs all logs before a batch that is synced behind others that were not, and moves the mark only then', async () => {
  const { log, done } = noted(10);
  for (const sync of [false, false, true, true]) await log.write('documents', [], totals, sync);
  expect(done).toEqual(['written', 'written', 'all', 'synced', 'mark', 'synced', 'mark']);
});
