import { describe, expect, it } from 'vitest';
import {
  dueMerge,
  idleMerge,
  type Segment,
  sliceBits,
} from '../../../../src/store/level/segments/rows/segment-list.ts';

const segmentsOf = (...parts: [level: number, postings: number][]): Segment[] =>
  parts.map(([level, postings], i) => ({
    ...{ segment: i, level, postings, bits: 16, contentBytes: 2, bytes: 0, deadBefore: 0, longest: [] },
    ...{ firstContent: i * 10, lastContent: i * 10 + 9 },
  }));
const numbers = (segments: readonly Segment[] | undefined) => segments?.map(({ segment }) => segment);

describe('merges', () => {
  it('are due of the oldest four neighbours of a level', () => {
    expect(dueMerge([])).toBeUndefined();
    expect(dueMerge(segmentsOf([1, 1], [1, 1], [1, 1], [0, 1], [0, 1], [0, 1]))).toBeUndefined();
    expect(numbers(dueMerge(segmentsOf([1, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1])))).toEqual([1, 2, 3, 4]);
    expect(numbers(dueMerge(segmentsOf([2, 1], [1, 1], [1, 1], [1, 1], [1, 1], [0, 1])))).toEqual([1, 2, 3, 4]);
  });

  it('leave at most three segments of a level, and rewrite a posting once a level', () => {
    let segments: Segment[] = [];
    let rewritten = 0;
    for (let flush = 0; flush < 256; flush++) {
      segments = [...segments, ...segmentsOf([0, 1])];
      for (let due = dueMerge(segments); due !== undefined; due = dueMerge(segments)) {
        const postings = due.reduce((sum, segment) => sum + segment.postings, 0);
        rewritten += postings;
        const at = segments.indexOf(due[0]!);
        segments = segments.toSpliced(at, due.length, ...segmentsOf([due[0]!.level + 1, postings]));
      }
      const levels = segments.map(({ level }) => level);
      expect(levels).toEqual([...levels].sort((a, b) => b - a));
      for (const level of levels) expect(levels.filter((other) => other === level).length).toBeLessThanOrEqual(3);
    }
    expect(segments.map(({ level, postings }) => [level, postings])).toEqual([[4, 256]]);
    expect(rewritten).toBe(4 * 256);
  });

  it('go down to two segments when nothing is added, to one where that rewrites little for what it brings', () => {
    expect(idleMerge([])).toBeUndefined();
    expect(idleMerge(segmentsOf([3, 100]))).toBeUndefined();
    expect(idleMerge(segmentsOf([3, 100], [0, 20]))).toBeUndefined();
    expect(numbers(idleMerge(segmentsOf([3, 100], [0, 10], [0, 10])))).toEqual([1, 2]);
    expect(numbers(idleMerge(segmentsOf([3, 100], [1, 20], [0, 10])))).toEqual([0, 1, 2]);
  });

  it('are cut into slices of bounded size, as fine as the segments allow', () => {
    expect(sliceBits(segmentsOf([0, 1000], [0, 0]), 9)).toBe(0);
    expect(sliceBits(segmentsOf([0, 2 ** 20], [0, 2 ** 20]), 16)).toBe(2);
    expect(sliceBits(segmentsOf([0, 2 ** 38]), 28)).toBe(16);
    expect(sliceBits(segmentsOf([0, 2 ** 38]), 9)).toBe(9);
  });
});
