import { describe, expect, it } from 'vitest';
import { postedKey } from '../../../../src/core/query/posted-key.ts';
import { positionOf } from '../../../../src/store/level/segments/rows/sort.ts';
import { openPostings } from './posting-fixture.ts';

const RANK_KEY = [3, 5] as const;

describe('lists beyond their buckets', () => {
  it('are read as far as is told, no more rows of them than that takes', async () => {
    const limits = { listPostingsMax: 100, keptPostingsMax: 16_000 };
    const size = 10_000;
    const index = await openPostings({ rankKey: RANK_KEY, ...limits, flushContents: 4000, imageBytesMax: 2 ** 24 });
    const key = postedKey(0x9e37_79b9);
    const positions: number[] = [];
    for (let content = 0; content < size; content++) {
      positions.push(positionOf(RANK_KEY, key, content));
      await index.add(content, Float64Array.of(key), postedKey(2 ** 32 - 1 - content));
    }
    await index.compact();
    await index.until(({ memoryBytes, segments }) => memoryBytes.images > 0 && segments === 1);
    positions.sort((a, b) => a - b);
    // 9,900 lie in rows of 4,096
    for (const [most, expected] of [
      [100, 0],
      [101, 1],
      [4196, 1],
      [4197, 2],
      [9999, 3],
      [10_000, 3],
      [16_000, 3],
    ] as const) {
      const rows = index.rowsRead();
      const { lists, shares } = await index.lists(Float64Array.of(key), most);
      expect([most, index.rowsRead() - rows]).toEqual([most, expected]);
      const lowest = positions.slice(0, most);
      expect(lists[0]!.contents.toSorted()).toEqual(Uint32Array.from(lowest, (at) => at % 2 ** 32).sort());
      expect([lists[0]!.cut, shares[0]]).toEqual(most < size ? [true, most / size] : [false, undefined]);
    }
    await index.close();
  });
});
