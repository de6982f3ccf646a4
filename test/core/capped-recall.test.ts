import { describe, expect, it } from 'vitest';
import type { Family, PlantedIndex } from '../support/core/families.ts';
import { describeCell, excess, recallOf } from '../support/core/family-recall.ts';

/** Members that are exactly at the threshold; `common` and `own` are what they share with the query. */
function planted(
  direction: PlantedIndex['direction'],
  shingleCount: number,
  family: Omit<Family, 'commonFrom'>,
  listPostingsMax: number,
  ...others: Family[]
): PlantedIndex {
  return { direction, shingleCount, families: [{ ...family, commonFrom: 0 }, ...others], listPostingsMax };
}

const COPIES: Family = { members: 300, size: 300, common: 280, commonFrom: 0, own: 0 };

// `npm run campaign:recall` does the same for 252 families, of up to 10,000 members.
describe('the stated recall of a family', () => {
  it.each([
    ['all common', planted('resemblance', 300, { members: 400, size: 300, common: 150, own: 0 }, 1000)],
    ['half its own', planted('resemblance', 300, { members: 400, size: 300, common: 75, own: 75 }, 1000)],
    ['all its own', planted('queryInMatch', 120, { members: 300, size: 1500, common: 0, own: 36 }, 1000)],
    ['in a longer query', planted('matchInQuery', 1200, { members: 300, size: 60, common: 20, own: 10 }, 1000)],
    ['behind copies', planted('resemblance', 300, { members: 300, size: 300, common: 150, own: 0 }, 1000, COPIES)],
    ['in cut lists', planted('resemblance', 300, { members: 500, size: 300, common: 150, own: 0 }, 64)],
    ['in some cut lists', planted('resemblance', 300, { members: 500, size: 300, common: 30, own: 120 }, 64)],
    ['of long pages in cut lists', planted('queryInMatch', 80, { members: 400, size: 900, common: 64, own: 0 }, 128)],
    ['of few hits in cut lists', planted('queryInMatch', 80, { members: 400, size: 900, common: 24, own: 0 }, 64)],
    ['of short pages in cut lists', planted('matchInQuery', 1000, { members: 400, size: 44, common: 22, own: 0 }, 64)],
  ])('is not above what is found of it, however many candidates are read: %s', (_, index) => {
    for (const cell of recallOf(index, 12, 1997, [16, 64, 256, 1000])) {
      expect([excess(cell) > 3, cell.untrue, describeCell(cell)]).toEqual([false, 0, describeCell(cell)]);
    }
  });

  it('is what is found where all that is shared is common and every list is read: not merely below it', () => {
    const index = planted('resemblance', 300, { members: 1100, size: 300, common: 200, own: 0 }, 2000);
    for (const { candidatesMax, stated, found } of recallOf(index, 10, 1, [100, 256, 1000, 1100])) {
      expect(found).toBeCloseTo(candidatesMax / 1100, 6);
      expect(found - stated).toBeGreaterThan(0);
      expect(found - stated).toBeLessThan(0.002);
    }
  });

  it('is near it where lists are cut', () => {
    const index = planted('resemblance', 300, { members: 1000, size: 300, common: 300, own: 0 }, 64);
    const [{ stated, found } = { stated: 0, found: 0 }] = recallOf(index, 10, 1, [1000]);
    expect(found).toBeLessThan(0.999);
    expect(found - stated).toBeLessThan(0.15);
  });
});
