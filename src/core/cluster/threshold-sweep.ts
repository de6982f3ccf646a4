import type { Edges } from './edges.ts';
import { UnionFind } from './union-find.ts';

/* How many clusters there are at each of many thresholds, in one pass over the forest: a join adds one or takes one away. */

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
  const { a, b, weight, count } = forest;
  const trees = new UnionFind(documentsOf);
  const isJoined = new Uint8Array(documentsOf.length);
  const now = { clusters: 0, documents: 0, largest: 0, identical: 0 };
  for (const size of documentsOf) {
    if (size < 2) continue;
    now.clusters++;
    now.identical++;
    now.documents += size;
    now.largest = Math.max(now.largest, size);
  }
  const rows = new Map<number, SweepRow>();
  let edge = 0;
  for (const threshold of [...thresholds].sort((one, other) => other - one)) {
    for (; edge < count && weight[edge]! >= threshold; edge++) {
      const joined = [trees.find(a[edge]!), trees.find(b[edge]!)] as const;
      for (const root of joined) {
        if (trees.sizeOf(root) >= 2) {
          now.clusters--;
          now.documents -= trees.sizeOf(root);
          if (isJoined[root] === 0) now.identical--;
        }
      }
      const root = trees.join(...joined);
      isJoined[root] = 1;
      now.clusters++;
      now.documents += trees.sizeOf(root);
      now.largest = Math.max(now.largest, trees.sizeOf(root));
    }
    rows.set(threshold, { threshold, ...now });
  }
  return thresholds.map((threshold) => rows.get(threshold)!);
}
