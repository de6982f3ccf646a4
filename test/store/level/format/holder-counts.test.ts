import { expect, it } from 'vitest';
import { needsNoRow, sealCounts } from '../../../../src/store/level/format/holder-counts.ts';
import { HolderTally } from '../../../../src/store/level/format/holder-tally.ts';
import { countsKey, holderKey, pastKey } from '../../../../src/store/level/format/keys.ts';
import type { SourceRow } from '../../../../src/store/level/format/values.ts';
import { LoadCounts } from '../../../../src/store/level/load/sources/load-counts.ts';

const source = (state: 'live' | 'gone', present: number, past: readonly number[] = []) =>
  ({ state, present: { content: present }, past: past.map((content) => ({ content })) }) as unknown as SourceRow;
const rowOf = (content: number, live: number, gone: number, past: number) => {
  const key = countsKey(content);
  return [key, sealCounts(key, { live, gone, past })];
};

it('lie on disk as the key of the content, and three numbers before the checksum', () => {
  const key = countsKey(300);
  expect(Buffer.from(key).toString('hex')).toBe(`75${'000000022c'}`);
  const value = sealCounts(key, { live: 2600, gone: 1, past: 0 });
  expect(value.subarray(0, -4).toString('hex')).toBe(`a814${'01'}${'00'}`);
  expect(value).toHaveLength(8);
});

it('have no row where one source shows the content, and only there', () => {
  expect(needsNoRow({ live: 1, gone: 0, past: 0 })).toBe(true);
  const others = [
    [2, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
  ] as const;
  for (const [live, gone, past] of others) expect(needsNoRow({ live, gone, past })).toBe(false);
});

it('are counted from all sources, whatever the order and the numbers', () => {
  const tally = new HolderTally();
  const sources = [
    source('live', 5, [70_000, 3]),
    source('live', 5),
    source('gone', 9),
    source('live', 3),
    source('live', 8),
  ];
  for (const each of sources) tally.add(each);
  expect([...tally.rows()]).toEqual([rowOf(3, 1, 0, 1), rowOf(5, 2, 0, 0), rowOf(9, 0, 1, 0), rowOf(70_000, 0, 0, 1)]);
});

it('are counted in a load from who holds a content and who had it', () => {
  const counts = new LoadCounts();
  for (const [content, url] of [
    [2, 'urn:a'],
    [2, 'urn:b'],
    [7, 'urn:a'],
    [11, 'urn:c'],
  ] as const) {
    counts.addHolder(holderKey(content, url));
  }
  for (const [at, content] of [
    [1000, 9],
    [1001, 2],
    [1002, 7],
    [1003, 7],
    [1004, 1],
  ] as const) {
    counts.addPast(pastKey(at, content, `urn:${at}`));
  }
  expect([...counts.rows()]).toEqual([
    rowOf(1, 0, 0, 1),
    rowOf(2, 2, 0, 1),
    rowOf(7, 0, 0, 2),
    rowOf(9, 0, 0, 1),
    rowOf(11, 2, 0, 0),
  ]);
  expect([...new LoadCounts().rows()]).toEqual([]);
});
