import { expect, it } from 'vitest';
import { BatchLog } from '../../../src/store/level/batch-log.ts';
import type { Database } from '../../../src/store/level/database.ts';
import type { HighWater } from '../../../src/store/level/high-water.ts';
import { TRAIL_BATCHES } from '../../../src/store/level/trail.ts';

it('has LevelDB bring into tables what is half a trail old, so that no log can lose more than the trail shows', async () => {
  const done: string[] = [];
  const database = {
    write: async () => void done.push('write'),
    flush: async () => void done.push('flush'),
  } as unknown as Database;
  const highWater = { advance: () => undefined } as unknown as HighWater;
  const totals = { nextContent: 0, sources: 0, contents: 0, postings: 0 };
  const log = new BatchLog(database, highWater, { seq: 3 * (TRAIL_BATCHES / 2) - 2, totals });
  for (let i = 0; i < 3; i++) await log.write('rows', [], totals, true);
  expect(done).toEqual(['write', 'flush', 'write', 'write']);
});
