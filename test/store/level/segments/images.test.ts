import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ImagePart, imageBytes, sizeFor } from '../../../../src/store/level/segments/images/image-layout.ts';
import { Images } from '../../../../src/store/level/segments/images.ts';
import type { Segment } from '../../../../src/store/level/segments/rows/segment-list.ts';
import type { Job } from '../../../../src/store/level/segments/write/jobs.ts';
import type { SegmentWorker } from '../../../../src/store/level/segments/write/segment-worker.ts';
import { openPostings } from './posting-fixture.ts';

function segmentOf(number: number, postings: number): Segment {
  return {
    ...{ segment: number, level: 0, bits: 16, contentBytes: 3, firstContent: 0, lastContent: 2 ** 20 },
    ...{ postings, bytes: 7 * postings, deadBefore: 0, longest: [] },
  };
}

/** A part of the size that one of so many postings has. */
function partOf(postings: number, sliceBits: number): ImagePart {
  const memory = new SharedArrayBuffer(imageBytes(postings, sliceBits, 3));
  return { memory, ...sizeFor(postings, sliceBits, 3), longLists: 0 };
}

const made: { segment: number; index: number }[] = [];
const worker = {
  run: async (job: Job) => {
    if (job.kind !== 'image') throw new Error(job.kind);
    made.push({ segment: job.input.segment, index: job.slice.index });
    return { image: partOf(job.input.postings / 2 ** job.slice.bits, job.slice.bits) };
  },
} as unknown as SegmentWorker;

async function makeAll(images: Images, segments: readonly Segment[]): Promise<number> {
  let steps = 0;
  for (let next = images.next(segments, worker); next !== undefined; next = images.next(segments, worker)) {
    await next();
    steps++;
  }
  return steps;
}

describe('the images of all segments', () => {
  it('never take more than their bytes, and the smallest segments have theirs first', async () => {
    const sizes = fc.array(fc.integer({ min: 1000, max: 3_000_000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, sizes, fc.integer({ min: 0, max: 30_000_000 }), async (before, after, bytesMax) => {
        const images = new Images(bytesMax);
        images.wanted = true;
        for (const postings of [before, after]) {
          const first = postings === before ? 1 : 1000;
          const segments = postings.map((size, i) => segmentOf(first + i, size));
          images.keep(segments);
          expect(images.bytes).toBeLessThanOrEqual(bytesMax);
          await makeAll(images, segments);
          expect(images.bytes).toBeLessThanOrEqual(bytesMax);
          const ascending = segments.toSorted((a, b) => a.postings - b.postings);
          const whole = ascending.map(({ segment }) => images.isWhole(segment));
          expect(whole.lastIndexOf(true)).toBe(whole.filter(Boolean).length - 1);
          const none = ascending.slice(whole.lastIndexOf(true) + 2);
          expect(none.every(({ segment }) => images.of(segment) === undefined)).toBe(true);
        }
      }),
      { seed: 6, numRuns: 60 },
    );
  });

  it('are made from the first query on, and not again', async () => {
    const images = new Images(2 ** 27);
    const segments = [segmentOf(1, 2_000_000), segmentOf(2, 5000)];
    expect(images.next(segments, worker)).toBeUndefined();
    images.wanted = true;
    made.length = 0;
    expect(await makeAll(images, segments)).toBe(5);
    expect(made.map(({ segment }) => segment)).toEqual([2, 1, 1, 1, 1]);
    images.keep(segments);
    expect(await makeAll(images, segments)).toBe(0);
  });

  it('make room for those of smaller segments, a slice of a large one after the other', async () => {
    const large = segmentOf(1, 4_000_000);
    const images = new Images(28_000_000);
    images.wanted = true;
    await makeAll(images, [large]);
    expect(images.isWhole(1)).toBe(true);
    const others = Array.from({ length: 6 }, (_, i) => segmentOf(2 + i, 300_000));
    expect(images.slicesFor(others[0]!, 0)).toBe(0);
    // more than there is room for, as where segments were listed that others have merged
    for (const each of others) images.add(each, [partOf(each.postings, 0)]);
    images.keep([large, ...others]);
    expect(images.bytes).toBeLessThanOrEqual(28_000_000);
    expect(images.of(1)!.bytes).toBeGreaterThan(6_500_000);
    expect(others.every(({ segment }) => images.isWhole(segment))).toBe(true);
  });

  it('give way to those of a smaller segment that came without one', async () => {
    const [large, small] = [segmentOf(1, 4_000_000), segmentOf(2, 300_000)];
    const images = new Images(28_000_000);
    images.wanted = true;
    await makeAll(images, [large]);
    expect(images.slicesFor(small, 0)).toBe(0);
    images.keep([large, small]);
    expect(await makeAll(images, [large, small])).toBe(1);
    expect(images.isWhole(2)).toBe(true);
    expect(images.of(1)!.bytes).toBeGreaterThan(20_000_000);
    expect(images.bytes).toBeLessThanOrEqual(28_000_000);
    images.keep([large, small]);
    expect(images.next([large, small], worker)).toBeUndefined();
  });

  it('leave a segment to its rows of which a slice has none', async () => {
    const images = new Images(2 ** 27);
    images.wanted = true;
    const segments = [segmentOf(1, 5000), segmentOf(2, 400_000)];
    const tried: number[] = [];
    const withoutOne = {
      run: async (job: Job) => {
        if (job.kind !== 'image') throw new Error(job.kind);
        tried.push(job.input.segment);
        return job.input.segment === 1 ? {} : worker.run(job);
      },
    } as unknown as SegmentWorker;
    for (let next = images.next(segments, withoutOne); next !== undefined; next = images.next(segments, withoutOne)) {
      await next();
    }
    expect(tried).toEqual([1, 2]);
    expect([images.isWhole(1), images.isWhole(2)]).toEqual([false, true]);
  });

  it('leave a merge the room that it was promised, while others come', async () => {
    const merged = segmentOf(9, 2_000_000);
    const images = new Images(17_000_000);
    expect(images.beginMerge(merged, 2)).toBe(4);
    expect(images.slicesFor(segmentOf(10, 1_000_000), 0)).toBe(0);
    images.endMerge();
    expect(images.slicesFor(segmentOf(10, 1_000_000), 0)).toBe(1);
  });
});

/** Fingerprints of 40 bits, and digests that are none of them. */
const fingerprintOf = (i: number) => (i * 0x9e37_79b9_7f) % 2 ** 40;
const digestOf = (content: number) => 2 ** 40 - 1 - content;

it('makes images before anybody asks if it is told to, and says how much is left', async () => {
  const index = await openPostings({
    ...{ rankKey: [3, 5], listPostingsMax: 100, flushContents: 2 ** 20, idleMs: 1, imageBytesMax: 2 ** 27 },
  });
  for (let content = 0; content < 500; content++) {
    const fingerprints = Float64Array.from({ length: 50 }, (_, i) => fingerprintOf(content * 7 + i));
    await index.add(content, fingerprints, digestOf(content));
  }
  await index.compact();
  await index.reopen(true, new Map(), digestOf);
  const before = index.stats();
  expect(before).toMatchObject({ tailPostings: 0, memoryBytes: { images: 0 } });
  expect(before.imageBytesLeft).toBeGreaterThan(50_000);
  await index.warm();
  const { imageBytesLeft, memoryBytes } = index.stats();
  expect(imageBytesLeft).toBe(0);
  expect(memoryBytes.images / before.imageBytesLeft).toBeCloseTo(1, 1);
  await index.lists(Float64Array.from({ length: 100 }, (_, i) => fingerprintOf(i)));
  expect(index.rowsRead()).toBe(0);
  await index.close();
  // nothing is waited for that will not come
  await index.warm();
});
