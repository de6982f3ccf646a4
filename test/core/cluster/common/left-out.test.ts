import { expect, it } from 'vitest';
import { foundShare, LikenessBins } from '../../../../src/core/cluster/common/left-out.ts';

it('the share that was found is that of all pairs from a threshold up', () => {
  const [found, missed] = [new LikenessBins(0.3), new LikenessBins(0.3)];
  for (const [likeness, count] of [
    [0.3, 40],
    [0.62, 30],
    [0.85, 20],
    [1, 10],
  ] as const)
    found.add(likeness, count);
  missed.add(0.3, 60);
  missed.add(0.84, 10.4);
  const bins = found.with(missed);
  expect(bins[0]).toEqual({ from: 0.3, to: 0.35, found: 40, missed: 60 });
  expect(bins.at(-1)).toEqual({ from: 0.95, to: 1, found: 10, missed: 0 });
  expect(bins.reduce((sum, bin) => sum + bin.found, 0)).toBe(100);
  const leftOut = { nodes: 5, sampled: 2, bins };
  expect(foundShare(leftOut, 0.3)).toBe(100 / 170);
  expect(foundShare(leftOut, 0.6)).toBe(60 / 70);
  expect(foundShare(leftOut, 0.86)).toBe(1);
  expect(foundShare(leftOut, 1)).toBe(1);
  expect(foundShare(undefined, 0.3)).toBe(1);
  const equal = [{ from: 0.95, to: 1, found: 30, missed: 10 }];
  expect(foundShare({ ...leftOut, bins: equal }, 1)).toBe(0.75);
});

it('pairs of a threshold are in the bin that begins with it', () => {
  for (let step = 1; step < 20; step++) {
    const bins = new LikenessBins(0.05);
    bins.add(step / 20, 1);
    const at = bins.with(new LikenessBins(0.05)).find(({ found }) => found === 1);
    expect(at).toMatchObject({ from: step / 20 });
  }
});
