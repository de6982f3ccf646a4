import { expect, it } from 'vitest';
import { Pages } from '../../../../src/store/level/database/level-handle.ts';

it('asks for few rows at a time, for which an iterator keeps room after its end, and gives all of them', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => index);
  const asked: number[] = [];
  let next = 0;
  const pages = new Pages({
    seek: () => undefined,
    nextv: async (size) => {
      asked.push(size);
      next += size;
      return rows.slice(next - size, next);
    },
    close: async () => undefined,
  });
  const given: number[] = [];
  for (let page = await pages.next(1000); page.length > 0; page = await pages.next(1000 - given.length)) {
    given.push(...page);
    if (given.length === 1000) break;
  }
  await pages.close();
  expect(given).toEqual(rows);
  expect(Math.max(...asked)).toBeLessThanOrEqual(128);
});
