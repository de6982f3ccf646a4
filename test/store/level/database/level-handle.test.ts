import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LevelDatabase, openLevel, Pages, pagesOf } from '../../../../src/store/level/database/level-handle.ts';
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

it('frees the page of an iterator when it is closed, and not with the object', async () => {
  // held, so that what is measured does not depend on when garbage is collected
  const held: unknown[] = [];
  const before = process.memoryUsage.rss();
  for (let i = 0; i < ITERATORS; i++) {
    const iterator = level.iterator({ gte: 's', lt: 't', fillCache: false, highWaterMarkBytes: MIB });
    const pages = new Pages(iterator);
    held.push(iterator);
    expect((await pages.next(ROWS)).length).toBeGreaterThan(0);
    await pages.close();
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan((ITERATORS * MIB) / 2);
  expect(held).toHaveLength(ITERATORS);
});

it('closes where nothing was read, in a database without rows too', async () => {
  await level.clear();
  for (const isRead of [false, true]) {
    const pages = new Pages(level.iterator({ gte: 's', lt: 't' }));
    if (isRead) expect(await pages.next(10)).toEqual([]);
    await pages.close();
  }
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
