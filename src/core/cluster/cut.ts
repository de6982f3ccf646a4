import type { Edges } from './edges.ts';
import { UnionFind } from './union-find.ts';

/*
 * Clusters at a threshold: the components of the forest's edges that weigh as much. They are those of all pairs that do
 * (Broder 1997, §4.1).
 *
 *   forest, falling   .98  .95  .91 | .87 .60 …         threshold .9: the first three
 *
 * The last edge that joins a component is its weakest link: it parts in two at any higher threshold.
 * Cost: a pass over these edges and one over the nodes.
 */

/** Clusters: components of two documents or more, those of more documents first, then by their least node. */
export interface Cut {
  readonly count: number;
  /** Of each node the cluster it is in; {@link NO_CLUSTER}: none. */
  readonly clusterOf: Uint32Array;
  /** Nodes by cluster, rising: those of cluster c are at starts[c] .. starts[c + 1] - 1. */
  readonly nodes: Uint32Array;
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  /** Index of the forest's edge; {@link NO_EDGE} where the cluster is one node. */
  readonly weakest: Uint32Array;
  /** Documents on the two sides of that edge, were it not there: the fewer ones first. */
  readonly sides: readonly [Uint32Array, Uint32Array];
}

export const NO_CLUSTER = 2 ** 32 - 1;
export const NO_EDGE = 2 ** 32 - 1;

/**
 * @param documentsOf of each node
 * @param forest by falling weight
 */
export function cutForest(documentsOf: Uint32Array, forest: Edges, threshold: number): Cut {
  const { a, b, weight, count } = forest;
  const trees = new UnionFind(documentsOf);
  const size = documentsOf.length;
  const weakest = new Uint32Array(size).fill(NO_EDGE);
  const [fewer, more] = [new Uint32Array(size), new Uint32Array(size)];
  for (let i = 0; i < count && weight[i]! >= threshold; i++) {
    const [one, other] = [trees.find(a[i]!), trees.find(b[i]!)];
    const [sizeOne, sizeOther] = [trees.sizeOf(one), trees.sizeOf(other)];
    const root = trees.join(one, other);
    weakest[root] = i;
    fewer[root] = Math.min(sizeOne, sizeOther);
    more[root] = Math.max(sizeOne, sizeOther);
  }
  const roots = rootsInOrder(trees, size);
  const clusterOf = new Uint32Array(size).fill(NO_CLUSTER);
  for (const [cluster, root] of roots.entries()) clusterOf[root] = cluster;
  for (let node = 0; node < size; node++) clusterOf[node] = clusterOf[trees.find(node)]!;
  return {
    ...{ count: roots.length, clusterOf, ...byCluster(clusterOf, roots.length) },
    ...{ documents: roots.map((root) => trees.sizeOf(root)), weakest: roots.map((root) => weakest[root]!) },
    sides: [roots.map((root) => fewer[root]!), roots.map((root) => more[root]!)],
  };
}

/** Roots of components of two documents or more. */
function rootsInOrder(trees: UnionFind, size: number): Uint32Array {
  const least = new Map<number, number>();
  for (let node = 0; node < size; node++) {
    const root = trees.find(node);
    if (trees.sizeOf(root) >= 2 && !least.has(root)) least.set(root, node);
  }
  const roots = Uint32Array.from(least.keys());
  return roots.sort((one, other) => trees.sizeOf(other) - trees.sizeOf(one) || least.get(one)! - least.get(other)!);
}

function byCluster(clusterOf: Uint32Array, count: number): Pick<Cut, 'nodes' | 'starts'> {
  const starts = new Uint32Array(count + 1);
  for (const cluster of clusterOf) if (cluster !== NO_CLUSTER) starts[cluster + 1]!++;
  for (let cluster = 0; cluster < count; cluster++) starts[cluster + 1]! += starts[cluster]!;
  const next = starts.slice();
  const nodes = new Uint32Array(starts[count]!);
  for (let node = 0; node < clusterOf.length; node++) {
    const cluster = clusterOf[node]!;
    if (cluster !== NO_CLUSTER) nodes[next[cluster]!++] = node;
  }
  return { nodes, starts };
}
