import { describe, expect, it } from 'vitest';
import { postedKey } from '../../../../src/core/query/posted-key.ts';
import { RANK_COUNT } from '../../../../src/core/query/rank.ts';
import { positionOf } from '../../../../src/store/level/segments/rows/sort.ts';
import { createPrng } from '../../../support/prng.ts';
import { openPostings, type Postings } from './posting-fixture.ts';

const RANK_KEY = [3, 5] as const;

/** Fingerprints of which the first are in very many contents, spread over the 40 bits. */
const fingerprintOf = (i: number) => postedKey((i * 0x9e37_79b9) % 2 ** 40);

/** What should be found, in a Map: fingerprint -> live contents. */
class Oracle {
  readonly contents = new Map<number, Float64Array>();
  /** By fingerprint, contents that were forgotten. */
  readonly deaths = new Map<number, number>();

  add(content: number, fingerprints: Float64Array): void {
    this.contents.set(content, fingerprints);
  }

  remove(content: number): void {
    for (const f of this.contents.get(content)!) this.deaths.set(f, (this.deaths.get(f) ?? 0) + 1);
    this.contents.delete(content);
  }

  /** Positions of a list, in order. */
  list(fingerprint: number): number[] {
    const holders = [...this.contents].filter(([, fingerprints]) => fingerprints.includes(fingerprint));
    return holders.map(([content]) => positionOf(RANK_KEY, fingerprint, content)).sort((a, b) => a - b);
  }
}

/** A random document: some fingerprints that everybody has, some that few have. */
function sketch(prng: ReturnType<typeof createPrng>): Float64Array {
  const chosen = new Set<number>();
  while (chosen.size < 6) chosen.add(fingerprintOf(Math.floor(prng.next() ** 3 * 60)));
  return Float64Array.from(chosen);
}

const digestOf = (content: number) => postedKey(2 ** 32 - 1 - (content >>> 1));

interface Limits {
  readonly listPostingsMax: number;
  readonly keptPostingsMax: number;
}

/** Lists as far as K, or as a deep query reads them. */
async function compare(
  index: Postings,
  oracle: Oracle,
  { listPostingsMax: usual, keptPostingsMax }: Limits,
  most?: number,
): Promise<void> {
  const listPostingsMax = most ?? usual;
  const keys = Float64Array.from({ length: 64 }, (_, i) => (i < 60 ? fingerprintOf(i) : digestOf(i)));
  const { lists, shares, unreadable } = await index.lists(keys, most);
  expect(unreadable).toBe(0);
  for (const [i, key] of keys.entries()) {
    const positions = oracle.list(key);
    const expected = positions.slice(0, listPostingsMax).map((position) => position % 2 ** 32);
    const found = [...lists[i]!.contents];
    const everHeld = positions.length + (oracle.deaths.get(key) ?? 0);
    // of what was dropped, nothing can be said; but it is dropped from the end of a list of keptPostingsMax live ones
    if (everHeld - keptPostingsMax > 0 && (oracle.deaths.get(key) ?? 0) > keptPostingsMax - listPostingsMax) {
      expect(positions.map((position) => position % 2 ** 32)).toEqual(expect.arrayContaining(found));
      if (found.length < expected.length) expect(lists[i]!.cut).toBe(true);
      continue;
    }
    expect(found.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    expect(lists[i]!.cut).toBe(positions.length > listPostingsMax);
    if (!lists[i]!.cut) expect(shares[i]).toBeUndefined();
    else if (everHeld <= keptPostingsMax) expect(shares[i]).toBe(listPostingsMax / positions.length);
    else {
      const lastRank = Math.floor(positions[listPostingsMax - 1]! / 2 ** 32);
      const estimate = Math.min((lastRank + 0.5) / RANK_COUNT, listPostingsMax / (listPostingsMax + 1));
      expect([estimate, listPostingsMax / positions.length]).toContain(shares[i]);
    }
  }
}

/** Room for images of all segments, of two or three, of none. */
const IMAGES = { all: 2 ** 27, some: 700_000, no: 0 } as const;

async function run(seed: number, steps: number, limits: Limits, images: keyof typeof IMAGES): Promise<void> {
  const prng = createPrng(seed);
  const oracle = new Oracle();
  const imageBytesMax = IMAGES[images];
  const index = await openPostings({ rankKey: RANK_KEY, ...limits, flushContents: 16, imageBytesMax, idleMs: 1 });
  // from the first query on there are images
  await index.lists(Float64Array.of(1));
  let next = 0;
  let bothWays = false;
  for (let step = 0; step < steps; step++) {
    const chance = prng.next();
    if (chance < 0.7) {
      for (let i = prng.below(12); i > 0; i--) {
        const fingerprints = sketch(prng);
        const withDigest = Float64Array.from([...fingerprints, digestOf(next)]);
        oracle.add(next, withDigest);
        await index.add(next, fingerprints, digestOf(next), prng.next() < 0.02);
        next += 1 + Number(prng.next() < 0.05);
      }
    } else if (chance < 0.85) {
      const live = [...oracle.contents.keys()];
      for (let i = Math.min(prng.below(8), live.length); i > 0; i--) {
        const [content] = live.splice(prng.below(live.length), 1) as [number];
        oracle.remove(content);
        await index.remove(content);
      }
    } else if (chance < 0.93) {
      for (const most of [7, 20]) await compare(index, oracle, limits, most);
      const rows = index.rowsRead();
      await compare(index, oracle, limits);
      const { images: imageBytes } = index.stats().memoryBytes;
      expect(imageBytes).toBeLessThanOrEqual(imageBytesMax);
      bothWays ||= imageBytes > 0 && index.rowsRead() > rows;
    } else if (chance < 0.95) await index.compact();
    else await index.reopen(chance < 0.975, oracle.contents, digestOf);
  }
  await compare(index, oracle, limits);
  await index.compact();
  if (images === 'all') await index.until(({ memoryBytes }) => memoryBytes.images > 0);
  const rows = index.rowsRead();
  await compare(index, oracle, limits);
  if (images === 'all') expect(index.rowsRead()).toBe(rows);
  if (images === 'no') expect(index.rowsRead()).toBeGreaterThan(rows);
  if (images === 'some') expect(bothWays).toBe(true);
  const postings = [...oracle.contents.values()].reduce((sum, { length }) => sum + length, 0);
  const stats = index.stats();
  expect([stats.segments, stats.tailPostings, stats.forgotten, stats.segmentsGone]).toEqual([1, 0, 0, 0]);
  if (limits.keptPostingsMax > next) expect(stats.segmentPostings).toBe(postings);
  else expect(stats.segmentPostings).toBeLessThanOrEqual(postings);
  await index.close();
}

describe('the posting index', () => {
  for (const [seed, images] of [
    [1, 'all'],
    [2, 'some'],
    [3, 'no'],
  ] as const) {
    const how = `with images of ${images} segments (seed ${seed})`;

    it(`answers as a Map does, through flushes, merges, deaths, compactions and restarts, ${how}`, async () => {
      await run(seed, 60, { listPostingsMax: 5, keptPostingsMax: 100_000 }, images);
    });

    it(`keeps the lowest of every list though merges drop the rest, ${how}`, async () => {
      await run(seed + 100, 60, { listPostingsMax: 5, keptPostingsMax: 20 }, images);
    });
  }

  it('finds the same in images of some slices of a segment, in the rows of the others, and in tails', async () => {
    const found: string[] = [];
    const prng = createPrng(8);
    const draw = () => fingerprintOf(Math.floor(prng.next() ** 2 * 2 ** 20));
    const sketches = Array.from({ length: 12_000 }, () =>
      Float64Array.from(new Set(Array.from({ length: 100 }, draw))),
    );
    for (const [imageBytesMax, least] of [
      [2 ** 27, 6_500_000],
      [5_000_000, 3_000_000],
      [0, 0],
    ] as const) {
      const index = await openPostings({
        ...{ rankKey: RANK_KEY, listPostingsMax: 100, flushContents: 2 ** 20, flushPostings: 2 ** 21, idleMs: 1 },
        imageBytesMax,
      });
      for (const [content, fingerprints] of sketches.entries()) {
        await index.add(content, fingerprints, digestOf(content));
      }
      await index.compact();
      for (let content = 12_000; content < 12_100; content++) {
        await index.add(content, Float64Array.of(fingerprintOf(content)), digestOf(content));
      }
      const keys = Float64Array.from({ length: 3000 }, (_, i) => fingerprintOf(i * 7));
      await index.lists(keys);
      await index.until(({ memoryBytes }) => memoryBytes.images >= least);
      expect(index.stats().memoryBytes.images).toBeLessThanOrEqual(imageBytesMax);
      const before = index.rowsRead();
      const { lists, shares, unreadable } = await index.lists(keys);
      const rows = index.rowsRead() - before;
      if (imageBytesMax === 5_000_000) expect(rows).toBeLessThan(keys.length);
      expect(rows > 0).toBe(imageBytesMax < 2 ** 27);
      const contents = lists.map((list) => [list.cut, ...list.contents]);
      found.push(JSON.stringify({ contents, shares, unreadable }));
      await index.close();
    }
    expect(found[0]!.length).toBeGreaterThan(100_000);
    expect(found.map((each) => each === found[0])).toEqual([true, true, true]);
  });

  it('says of a list that merges have cut that it is, when nothing of it is left, and after a start', async () => {
    const limits = { listPostingsMax: 5, keptPostingsMax: 20 };
    const index = await openPostings({ rankKey: RANK_KEY, ...limits, flushContents: 16, idleMs: 1 });
    const [common, other] = [fingerprintOf(1), fingerprintOf(2)];
    const contents = new Map<number, Float64Array>();
    for (let content = 0; content < 40; content++) {
      contents.set(content, Float64Array.of(common, digestOf(content)));
      await index.add(content, Float64Array.of(common), digestOf(content));
    }
    await index.compact();
    const byPosition = [...contents.keys()].sort(
      (a, b) => positionOf(RANK_KEY, common, a) - positionOf(RANK_KEY, common, b),
    );
    for (const content of byPosition.slice(0, limits.keptPostingsMax)) {
      contents.delete(content);
      await index.remove(content);
    }
    const isSaid = async () => {
      const { lists, shares } = await index.lists(Float64Array.of(common, other));
      expect(lists.map(({ contents: found, cut }) => [found.length, cut])).toEqual([
        [0, true],
        [0, false],
      ]);
      expect(shares[0]).toBeLessThan(1);
    };
    await index.compact();
    await isSaid();
    await index.add(40, Float64Array.of(other), digestOf(40));
    await index.compact();
    expect((await index.lists(Float64Array.of(common))).lists[0]!.cut).toBe(true);
    await index.remove(40);
    await index.compact();
    await isSaid();
    await index.reopen(true, contents, digestOf);
    // from the first query on its filter is made anew
    await isSaid();
    await index.until(({ memoryBytes }) => memoryBytes.filters > 0);
    await isSaid();
    await index.close();
  });
});
