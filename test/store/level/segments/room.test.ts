import { describe, expect, it } from 'vitest';
import { Disk } from '../../../../src/store/level/disk.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { openPostings } from './posting-fixture.ts';

const FLUSH_CONTENTS = 16;

describe('a disk without room for a merge', () => {
  it('leaves segments as they are, and has them merged when there is room again: no query misses any', async () => {
    const index = await openPostings({
      ...{ rankKey: [3, 5], listPostingsMax: 1000, flushContents: FLUSH_CONTENTS, idleMs: 1e9 },
    });
    let contents = 0;
    const add = async (flushes: number) => {
      for (const end = contents + flushes * FLUSH_CONTENTS; contents < end; contents++) {
        await index.add(contents, Float64Array.of(7, 1000 + contents), 2 ** 39 + contents);
      }
      await index.settled();
      const { lists } = await index.lists(Float64Array.of(7));
      expect(lists[0]!.contents.length).toBe(contents);
      return index.stats().segments;
    };
    index.room = false;
    const unmerged = await add(10);
    expect(unmerged).toBeGreaterThanOrEqual(9);
    index.room = true;
    expect(await add(1)).toBeLessThan(6);
    expect(index.stats().segmentsGone).toBe(0);
    expect(index.failures).toEqual([]);
    await index.close();
  });

  it('is one with less free than the merge and the reserve take', async () => {
    const folder = temporaryFolder();
    const free = await new Disk(folder, 0).freeBytes();
    expect(await new Disk(folder, 0).hasRoom(1)).toBe(true);
    expect(await new Disk(folder, 0).hasRoom(4 * free!)).toBe(false);
    expect(await new Disk(folder, 4 * free!).hasRoom(1)).toBe(false);
  });
});
