import { describe, expect, it } from 'vitest';
import { postedKey } from '../../../../src/core/query/posted-key.ts';
import { Disk } from '../../../../src/store/level/outage/disk.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { openPostings } from './posting-fixture.ts';

const FLUSH_CONTENTS = 16;

describe('a disk without room for a merge', () => {
  it('leaves segments as they are, and has them merged when there is room again: no query misses any', async () => {
    const index = await openPostings({
      ...{ rankKey: [3, 5], listPostingsMax: 1000, flushContents: FLUSH_CONTENTS, idleMs: 1e9 },
    });
    let contents = 0;
    const add = async (flushes: number, segmentsAre: (count: number) => boolean) => {
      for (const end = contents + flushes * FLUSH_CONTENTS; contents < end; contents++) {
        await index.add(contents, Float64Array.of(7, postedKey(1000 + contents)), postedKey(2 ** 31 + contents));
      }
      await index.until(({ segments, segmentsGone }) => segmentsAre(segments) && segmentsGone === 0);
      const { lists } = await index.lists(Float64Array.of(7));
      expect(lists[0]!.contents.length).toBe(contents);
    };
    index.room = false;
    await add(10, (count) => count >= 9);
    index.room = true;
    await add(1, (count) => count < 6);
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
