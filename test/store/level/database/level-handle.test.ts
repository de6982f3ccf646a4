import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  closeEmptied,
  type LevelDatabase,
  openLevel,
  pagesOf,
} from '../../../../src/store/level/database/level-handle.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const ROW_BYTES = 4096;
const ROWS = 500;
/** Each is closed while it has a page of 1 MiB. */
const ITERATORS = 400;
const MIB = 2 ** 20;

let level: LevelDatabase;

beforeEach(async () => {
  level = await openLevel(join(temporaryFolder(), 'index'), true);
  const value = Buffer.alloc(ROW_BYTES, 'x');
  await level.batch(Array.from({ length: ROWS }, (_, i) => ({ type: 'put', key: `s${i}`, value })));
});
afterEach(() => level.close());

/** The iterators are held, so that what is measured does not depend on when garbage is collected. */
async function grownBy(close: (iterator: Parameters<typeof closeEmptied>[0]) => Promise<void>): Promise<number> {
  const held: unknown[] = [];
  const before = process.memoryUsage.rss();
  for (let i = 0; i < ITERATORS; i++) {
    const iterator = level.iterator({ gte: 's', lt: 't', fillCache: false, highWaterMarkBytes: MIB });
    held.push(iterator);
    await iterator.nextv(ROWS);
    await close(iterator);
  }
  const grown = process.memoryUsage.rss() - before;
  expect(held).toHaveLength(ITERATORS);
  return grown;
}

it('frees the page of an iterator when it is closed, and not with the object', async () => {
  expect(await grownBy(closeEmptied)).toBeLessThan((ITERATORS * MIB) / 2);
});

it('gives all rows of a range, whatever its end, and closes where a reader stops in the middle', async () => {
  const keys: string[] = [];
  for await (const rows of pagesOf(level, { gte: 's1', lt: 's3' })) keys.push(...rows.map(([key]) => key));
  const all = Array.from({ length: ROWS }, (_, i) => `s${i}`).sort();
  expect(keys).toEqual(all.filter((key) => key >= 's1' && key < 's3'));
  for await (const rows of pagesOf(level, { gte: 's' })) {
    expect(rows.length).toBeGreaterThan(0);
    break;
  }
});
