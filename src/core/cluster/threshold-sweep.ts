import type { Edges } from './edges.ts';
import { UnionFind } from './union-find.ts';

/*
 * How many clusters there are at each of many thresholds, in one pass over the forest: a join adds one or takes one away.
 *
 *   2 documents + 3 documents   one cluster less        1 + 1   one more        1 + 2   as many
 *
 * Cost: that of a cut, once for all thresholds; 5 bytes a node.
 */

export interface SweepRow {
  readonly threshold: number;
  /** Components of two documents or more. */
  readonly clusters: number;
  /** Documents in them. */
  readonly documents: number;
  /** Documents of the largest; 0 where there is none. */
  readonly largest: number;
  /** Clusters whose documents all have one set of shingles. */
  readonly identical: number;
}

/**
 * @param documentsOf of each node
 * @param forest by falling weight
 * @returns a row for each threshold, in their order
 */
export function sweepForest(documentsOf: Uint32Array, forest: Edges, thresholds: readonly number[]): SweepRow[] {
  const { a, b, weight } = forest;
  const trees = new UnionFind(documentsOf);
  const isJoined = new Uint8Array(documentsOf.length);
  const now = { clusters: 0, documents: 0, largest: 0, identical: 0 };
  const count = (root: number, sign: 1 | -1) => {
    const size = trees.sizeOf(root);
    if (size < 2) return;
    now.clusters += sign;
    now.documents += sign * size;
    now.largest = Math.max(now.largest, size);
    if (isJoined[root] === 0) now.identical += sign;
  };
  for (let node = 0; node < documentsOf.length; node++) count(node, 1);
  const rows = new Map<number, SweepRow>();
  let edge = 0;
  for (const threshold of [...thresholds].sort((one, other) => other - one)) {
    for (; edge < forest.count && weight[edge]! >= threshold; edge++) {
      const one = trees.find(a[edge]!);
      const other = trees.find(b[edge]!);
      count(one, -1);
      count(other, -1);
      const root = trees.join(one, other);
      isJoined[root] = 1;
      count(root, 1);
    }
    rows.set(threshold, { threshold, ...now });
  }
  return thresholds.map((threshold) => rows.get(threshold)!);
}
