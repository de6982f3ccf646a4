import { DEPTH, LEAVES, TREE_NUMBERS } from '../../src/extract/html/main/oblivious-trees.ts';
import type { Rows } from './logistic.ts';

/*
 * Gradient boosting of trees that ask one question at each level (oblivious-trees.ts), for a score that is known already: each tree
 * learns what those before it leave. Values are taken as one of BINS ranges with as many rows each.
 */

const TREES = 80;
const RATE = 0.15;
const BINS = 32;
const NEVER_ABOVE = 1e9;
/** What each leaf's curvature is raised by, as a share of all rows' weight. */
const RIDGE_SHARE = 2e-4;

/** @param scores what the rows have before the first tree */
export function fitTrees(rows: Rows, scores: Float64Array): Float64Array {
  const { width, count, labels, weights } = rows;
  const binned = new BinnedRows(rows);
  const ridge = RIDGE_SHARE * weights.subarray(0, count).reduce((sum, weight) => sum + weight, 0);
  const sums = scores.slice();
  const leafOf = new Uint8Array(count);
  const [slopes, curves] = [new Float64Array(count), new Float64Array(count)];
  const trees = new Float64Array(TREES * TREE_NUMBERS);
  for (let tree = 0; tree < trees.length; tree += TREE_NUMBERS) {
    for (let row = 0; row < count; row++) {
      const p = 1 / (1 + Math.exp(-sums[row]!));
      slopes[row] = weights[row]! * (labels[row]! - p);
      curves[row] = weights[row]! * p * (1 - p);
    }
    leafOf.fill(0);
    for (let level = 0; level < DEPTH; level++) {
      const { feature, bin } = bestSplit(binned, { slopes, curves, leafOf, leaves: 2 ** level, ridge });
      trees[tree + 2 * level] = feature;
      trees[tree + 2 * level + 1] = binned.thresholds[feature]![bin] ?? NEVER_ABOVE;
      for (let row = 0, at = feature; row < count; row++, at += width)
        leafOf[row]! |= Number(binned.bins[at]! > bin) << level;
    }
    const leaves = trees.subarray(tree + 2 * DEPTH, tree + TREE_NUMBERS);
    putLeaves(leaves, leafOf, slopes, curves, ridge);
    for (let row = 0; row < count; row++) sums[row]! += leaves[leafOf[row]!]!;
  }
  return trees;
}

/** Rows with the numbers of the ranges in which their values are. */
class BinnedRows {
  readonly width: number;
  readonly count: number;
  readonly bins: Uint8Array;
  /** Of each feature the greatest values of all ranges but the last. */
  readonly thresholds: readonly number[][];

  constructor({ width, count, values }: Rows) {
    this.width = width;
    this.count = count;
    this.bins = new Uint8Array(width * count);
    this.thresholds = Array.from({ length: width }, (_, j) => {
      const sorted = Float32Array.from({ length: count }, (_, row) => values[row * width + j]!).sort();
      const edges = Array.from({ length: BINS - 1 }, (_, k) => sorted[Math.floor(((k + 1) * count) / BINS)]!);
      // a threshold that ends in a few digits
      return [...new Set(edges.filter((edge) => edge < sorted[count - 1]!).map((edge) => Number(edge.toPrecision(4))))];
    });
    for (let j = 0; j < width; j++) {
      const edges = this.thresholds[j]!;
      for (let row = 0, at = j; row < count; row++, at += width) {
        let bin = 0;
        while (bin < edges.length && values[at]! > edges[bin]!) bin++;
        this.bins[at] = bin;
      }
    }
  }
}

interface Level {
  readonly slopes: Float64Array;
  readonly curves: Float64Array;
  readonly leafOf: Uint8Array;
  readonly leaves: number;
  readonly ridge: number;
}

/** The question by which all leaves of a level together are parted best. */
function bestSplit({ width, count, bins }: BinnedRows, { slopes, curves, leafOf, leaves, ridge }: Level) {
  const size = width * BINS;
  const sums = new Float64Array(2 * leaves * size);
  for (let row = 0, at = 0; row < count; row++) {
    const base = leafOf[row]! * size;
    const [slope, curve] = [slopes[row]!, curves[row]!];
    for (let j = 0; j < width; j++, at++) {
      const cell = 2 * (base + j * BINS + bins[at]!);
      sums[cell]! += slope;
      sums[cell + 1]! += curve;
    }
  }
  const worth = (slope: number, curve: number) => (slope * slope) / (curve + ridge);
  let best = { feature: 0, bin: 0, gain: -1 };
  const gains = new Float64Array(BINS);
  for (let feature = 0; feature < width; feature++) {
    gains.fill(0);
    for (let leaf = 0; leaf < leaves; leaf++) {
      const from = 2 * (leaf * size + feature * BINS);
      let [slopeAll, curveAll] = [0, 0];
      for (let bin = 0; bin < BINS; bin++) {
        slopeAll += sums[from + 2 * bin]!;
        curveAll += sums[from + 2 * bin + 1]!;
      }
      let [slope, curve] = [0, 0];
      for (let bin = 0; bin < BINS; bin++) {
        slope += sums[from + 2 * bin]!;
        curve += sums[from + 2 * bin + 1]!;
        gains[bin]! += worth(slope, curve) + worth(slopeAll - slope, curveAll - curve) - worth(slopeAll, curveAll);
      }
    }
    for (let bin = 0; bin < BINS; bin++) if (gains[bin]! > best.gain) best = { feature, bin, gain: gains[bin]! };
  }
  return best;
}

function putLeaves(
  leaves: Float64Array,
  leafOf: Uint8Array,
  slopes: Float64Array,
  curves: Float64Array,
  ridge: number,
): void {
  const [slope, curve] = [new Float64Array(LEAVES), new Float64Array(LEAVES)];
  for (let row = 0; row < leafOf.length; row++) {
    slope[leafOf[row]!]! += slopes[row]!;
    curve[leafOf[row]!]! += curves[row]!;
  }
  for (let leaf = 0; leaf < LEAVES; leaf++) leaves[leaf] = (RATE * slope[leaf]!) / (curve[leaf]! + ridge);
}
