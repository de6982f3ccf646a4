import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShingledError } from '../../../src/errors.ts';
import {
  imageBytesMax,
  memoryShares,
  STORE_MEMORY_MB,
  STORE_MEMORY_MB_MIN,
  tailPostings,
} from '../../../src/store/level/memory.ts';
import { inFolder, openFolder } from '../../support/store/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from '../../support/store/level-plans.ts';

const MIB = 2 ** 20;

describe('the memory budget', () => {
  it('is never exceeded by its parts, and used but for the room that contents may come to need', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4096 }), fc.integer({ min: 0, max: 50_000_000 }), (memoryMb, contents) => {
        let postings: number;
        try {
          postings = tailPostings(memoryMb, contents);
        } catch (error) {
          const least = (error as ShingledError).limit!.value;
          expect(least).toBeGreaterThan(memoryMb);
          expect(tailPostings(least, contents)).toBeGreaterThanOrEqual(200_000);
          if (least > 48) expect(() => tailPostings(least - 1, contents)).toThrow();
          return;
        }
        const { cacheBytes, writeBufferBytes, ...shares } = memoryShares(memoryMb);
        const parts = cacheBytes + 2 * writeBufferBytes + contents * (33 / 8 + 2) + postings * 52;
        const others = shares.filterBytesMax + shares.familyBytesMax + shares.holderBytesMax;
        const images = imageBytesMax(memoryMb, contents);
        expect(images).toBeGreaterThanOrEqual(0);
        expect(parts + others + images).toBeLessThanOrEqual(memoryMb * MIB);
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('holds ten million contents by default, with a tail of a million postings', () => {
    expect(tailPostings(STORE_MEMORY_MB, 10_000_000)).toBeGreaterThan(1_000_000);
  });

  it('is what the parts of an open index follow', () =>
    inFolder(async (folder) => {
      for (const memoryMb of [STORE_MEMORY_MB_MIN, 512]) {
        const store = await openFolder(folder, { storeMemoryMb: memoryMb });
        const { tail } = (await store.stats()).index!.memoryBytes;
        const postings = tailPostings(memoryMb, 0);
        expect(tail).toBeGreaterThan(13 * postings);
        expect(tail).toBeLessThanOrEqual(17 * postings);
        await store.apply(putPlan('https://a.example/', contentOf(1, fingerprintsOf(1, 40)), 1000));
        await store.close();
      }
    }));

  it('is refused where it is too small, and the index is given up', () =>
    inFolder(async (folder) => {
      await (await openFolder(folder)).close();
      const message = expect.stringMatching(/^STORE_MEMORY_MB: 20 is too small .* at least 48$/);
      await expect(openFolder(folder, { storeMemoryMb: 20 })).rejects.toMatchObject({
        code: 'invalid-config',
        message,
      });
      await (await openFolder(folder)).close();
    }));
});
