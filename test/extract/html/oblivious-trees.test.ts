import { describe, expect, it } from 'vitest';
import { DEPTH, LEAVES, TREE_NUMBERS, Trees } from '../../../src/extract/html/main/oblivious-trees.ts';
import { fitTrees } from '../../../tools/main-text/boosted-trees.ts';
import { createPrng } from '../../support/prng.ts';

describe('trees behind the linear models', () => {
  it('add what the leaf has whose number the answers spell', () => {
    const tree = (thresholds: readonly number[], scale: number) => [
      ...thresholds.flatMap((threshold, feature) => [feature, threshold]),
      ...Array.from({ length: LEAVES }, (_, leaf) => scale * leaf),
    ];
    const trees = Float64Array.from([...tree([0, 0, 0, 0], 1), ...tree([5, 5, 5, 5], 100)]);
    expect(trees).toHaveLength(2 * TREE_NUMBERS);
    expect(new Trees(trees).sum(Float64Array.of(1, 0, 6, 0))).toBe(0b0101 + 100 * 0b0100);
    expect(new Trees(trees).sum(new Float64Array(DEPTH))).toBe(0);
    expect(new Trees(new Float64Array(0)).sum(Float64Array.of(1))).toBe(0);
  });

  it('learn what only two features together tell, beside those that tell nothing', () => {
    const prng = createPrng(3);
    const [width, count] = [5, 2000];
    const values = Float32Array.from({ length: width * count }, () => prng.next());
    const isMain = (row: number) => values[row * width]! > 0.5 !== values[row * width + 1]! > 0.5;
    const labels = Uint8Array.from({ length: count }, (_, row) => Number(isMain(row)));
    const rows = { width, count, values, labels, weights: new Float32Array(count).fill(1) };
    const trees = new Trees(fitTrees(rows, new Float64Array(count)));
    const right = Array.from({ length: count }, (_, row) => row).filter(
      (row) => trees.sum(values.subarray(row * width, (row + 1) * width)) > 0 === isMain(row),
    );
    expect(right.length / count).toBeGreaterThan(0.95);
  });
});
