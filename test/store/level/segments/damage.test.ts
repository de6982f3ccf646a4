import { describe, expect, it, vi } from 'vitest';
import type { LevelDatabase } from '../../../../src/store/level/database/level-handle.ts';
import {
  bucketKey,
  bucketsPrefix,
  overflowsPrefix,
  pageKey,
  segmentsKey,
} from '../../../../src/store/level/format/keys.ts';
import { openPostings, type Postings } from './posting-fixture.ts';

const SETTINGS = { rankKey: [3, 5], listPostingsMax: 4, flushContents: 8, retryMs: 20 } as const;
const LONG = 7;
const digestOf = (content: number) => 2 ** 39 + content * 2 ** 20;

/** Contents that all hold one fingerprint, and each one of its own. */
async function fill(index: Postings, from: number, to: number): Promise<Map<number, Float64Array>> {
  const contents = new Map<number, Float64Array>();
  for (let content = from; content < to; content++) {
    const fingerprints = Float64Array.of(LONG, 8 + content * 2 ** 24);
    contents.set(content, fingerprints);
    await index.add(content, fingerprints, digestOf(content));
  }
  return contents;
}

const ranges = (letter: string) => ({ gte: letter, lt: `${letter}\u0080` });
const keysOf = (index: Postings, letter: string) =>
  index.database.read((level: LevelDatabase) => level.keys(ranges(letter)).all());

/** Changes a stored value behind the index's back. */
async function tamper(index: Postings, key: string, change: (value: Buffer) => Buffer | null): Promise<void> {
  const value = await index.database.get(key);
  await index.database.write('rows', [[key, change(value!)]]);
}

const flipped = (value: Buffer) => {
  const copy = Buffer.from(value);
  copy[copy.length >>> 1]! ^= 4;
  return copy;
};

describe('a damaged segment', () => {
  for (const [how, change] of [
    ['with a flipped bit', flipped],
    ['that is missing', () => null],
    ['of another bucket', null],
  ] as const) {
    it(`counts a bucket ${how} as unreadable, and answers from the others`, async () => {
      const index = await openPostings(SETTINGS);
      await fill(index, 0, 6);
      await index.compact();
      const [key, other] = [0, 1].map((bucket) => bucketKey(bucketsPrefix(1), bucket)) as [string, string];
      const replacement = await index.database.get(other);
      await tamper(index, key, change ?? (() => replacement!));
      const { lists, unreadable } = await index.lists(Float64Array.of(LONG, digestOf(3)));
      expect(unreadable).toBe(1);
      expect(lists.map(({ contents }) => [...contents])).toEqual([[], [3]]);
      await index.close();
    });
  }

  it('is left as it is by a merge, which says so', async () => {
    const index = await openPostings(SETTINGS);
    await fill(index, 0, 8);
    await index.compact();
    await tamper(index, bucketKey(bucketsPrefix(1), 0), flipped);
    await fill(index, 8, 12);
    await expect(index.compact()).rejects.toMatchObject({ code: 'index-unreadable' });
    await expect(index.compact()).rejects.toMatchObject({ code: 'index-unreadable' });
    expect(index.stats().segments).toBe(2);
    expect(
      (await index.lists(Float64Array.of(digestOf(3), digestOf(9)))).lists.map(({ contents }) => [...contents]),
    ).toEqual([[3], [9]]);
    await index.close();
  });

  it('counts a part of a long list that cannot be read, once contents of the segment were forgotten', async () => {
    const index = await openPostings(SETTINGS);
    await fill(index, 0, 8);
    await index.compact();
    const [part] = await keysOf(index, overflowsPrefix(1));
    await tamper(index, part!, flipped);
    expect((await index.lists(Float64Array.of(LONG))).unreadable).toBe(0);
    await index.remove(7);
    expect((await index.lists(Float64Array.of(LONG))).unreadable).toBe(1);
    await index.close();
  });

  it('does not open without the list of segments, without a page of shingle counts, or with one damaged', async () => {
    for (const [key, change] of [
      [segmentsKey, flipped],
      [segmentsKey, () => null],
      [pageKey(0), flipped],
      [pageKey(0), () => null],
    ] as const) {
      const index = await openPostings(SETTINGS);
      const contents = await fill(index, 0, 8);
      await index.compact();
      await index.close();
      await tamper(index, key, change);
      await expect(index.reopen(false, contents, digestOf)).rejects.toMatchObject({ code: 'index-damaged' });
    }
  });
});

describe('segments that are not listed', () => {
  it('are cleared after opening, and their numbers not used again', async () => {
    const index = await openPostings(SETTINGS);
    const contents = await fill(index, 0, 6);
    await index.compact();
    for (const segment of [2, 3, 9]) {
      await index.database.write('rows', [
        [bucketKey(bucketsPrefix(segment), 5), Buffer.of(1)],
        [`${overflowsPrefix(segment)}abcdef0`, Buffer.of(1)],
      ]);
    }
    await index.reopen(false, contents, digestOf);
    const cleared = async () => {
      expect(new Set((await keysOf(index, 'p')).map((key) => key.slice(0, 5)))).toEqual(new Set([bucketsPrefix(1)]));
      expect((await keysOf(index, 'q')).every((key) => key.startsWith(overflowsPrefix(1)))).toBe(true);
    };
    await vi.waitFor(cleared, 60_000);
    await fill(index, 6, 9);
    await index.compact();
    const segments = new Set((await keysOf(index, 'p')).map((key) => key.charCodeAt(4)));
    expect([...segments].every((segment) => segment > 9)).toBe(true);
    await index.close();
  });

  it('leave nothing of forgotten contents behind after a compaction', async () => {
    const index = await openPostings(SETTINGS);
    await fill(index, 0, 30);
    for (let content = 0; content < 30; content += 2) await index.remove(content);
    await index.compact();
    expect(await keysOf(index, 'd')).toEqual([]);
    expect(index.stats()).toMatchObject({ segments: 1, segmentPostings: 45, forgotten: 0, segmentsGone: 0 });
    const { lists, shares } = await index.lists(Float64Array.of(LONG, digestOf(4), digestOf(5)));
    expect(lists.map(({ contents: found }) => found.length)).toEqual([4, 0, 1]);
    expect(shares).toEqual([4 / 15, undefined, undefined]);
    await index.close();
  });
});

describe('the work beside reading', () => {
  it('waits while suspended, keeps what it has in memory, and goes on when resumed', async () => {
    const index = await openPostings(SETTINGS);
    await index.suspend();
    await fill(index, 0, 16);
    expect(index.stats()).toMatchObject({ segments: 0, tailContents: 16 });
    expect((await index.lists(Float64Array.of(digestOf(1)))).lists[0]!.contents).toEqual(Uint32Array.of(1));
    index.resume();
    await index.until(({ segments }) => segments > 0);
    expect(index.stats()).toMatchObject({ segments: 1, tailContents: 8 });
    await index.close();
  });

  it('tries again when the batch with the list of segments was refused, and loses nothing', async () => {
    let refusals = 2;
    const index = await openPostings(SETTINGS, () => {
      if (refusals-- > 0) throw new Error('refused');
    });
    await fill(index, 0, 9);
    await index.until(({ segments, segmentsGone }) => segments > 0 && segmentsGone === 0);
    expect(index.failures).toHaveLength(2);
    expect(index.stats()).toMatchObject({ segments: 1, tailContents: 1, segmentsGone: 0 });
    const { lists } = await index.lists(Float64Array.from({ length: 9 }, (_, content) => digestOf(content)));
    expect(lists.map(({ contents }) => [...contents])).toEqual(Array.from({ length: 9 }, (_, content) => [content]));
    expect(new Set((await keysOf(index, 'p')).map((key) => key.slice(0, 5))).size).toBe(1);
    await index.close();
  });

  it('gives a compaction up when the index is closed meanwhile, also while suspended', async () => {
    const index = await openPostings(SETTINGS);
    await fill(index, 0, 30);
    await index.suspend();
    const compaction = expect(index.compact()).rejects.toMatchObject({ code: 'draining' });
    await index.close();
    await compaction;
  });

  it('has writers wait for room, not for ever', async () => {
    const index = await openPostings({ ...SETTINGS, flushPostings: 9 });
    await fill(index, 0, 40);
    await index.until(({ tailContents }) => tailContents < 9);
    const { lists } = await index.lists(Float64Array.from({ length: 40 }, (_, content) => digestOf(content)));
    expect(lists.flatMap(({ contents }) => [...contents])).toEqual(Array.from({ length: 40 }, (_, content) => content));
    await index.close();
  });
});
