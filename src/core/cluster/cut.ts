import { newPairs, sortPairs } from '../memory/radix-sort.ts';
import type { Edges } from './edges.ts';
import { UnionFind } from './union-find.ts';

/*
 * Clusters at a threshold: the components of the forest's edges that weigh as much. They are those of all pairs that do
 * (Broder 1997, §4.1).
 *
 *   forest, falling   .98  .95  .91 | .87 .60 …         threshold .9: the first three
 *
 * The last edge that joins a component is its weakest link: it parts in two at any higher threshold.
 * Cost: a pass over these edges and three over the nodes; 28 bytes a node.
 */

/** Clusters: components of two documents or more, those of more documents first, then by their least node. */
export interface Cut {
  readonly count: number;
  /** Of each node the cluster it is in; {@link NO_CLUSTER}: none. */
  readonly clusterOf: Uint32Array;
  /** Nodes by cluster, rising: those of cluster c are at starts[c] .. starts[c + 1] - 1. */
  readonly nodes: Uint32Array;
  readonly starts: Uint32Array;
  /** Of each node in a cluster which of its nodes it is, from 0. */
  readonly places: Uint32Array;
  readonly documents: Uint32Array;
  /** Index of the forest's edge; {@link NO_EDGE} where the cluster is one node. */
  readonly weakest: Uint32Array;
  /** Documents on the two sides of that edge, were it not there: the fewer ones first; 0 where there is none. */
  readonly sides: readonly [Uint32Array, Uint32Array];
}

export const NO_CLUSTER = 2 ** 32 - 1;
export const NO_EDGE = 2 ** 32 - 1;

/**
 * @param documentsOf of each node; together below 2^31
 * @param forest by falling weight
 */
export function cutForest(documentsOf: Uint32Array, forest: Edges, threshold: number): Cut {
  const { a, b, weight, count } = forest;
  const trees = new UnionFind(documentsOf);
  const weakest = new Uint32Array(documentsOf.length).fill(NO_EDGE);
  const fewer = new Uint32Array(documentsOf.length);
  for (let i = 0; i < count && weight[i]! >= threshold; i++) {
    const one = trees.find(a[i]!);
    const other = trees.find(b[i]!);
    const least = Math.min(trees.sizeOf(one), trees.sizeOf(other));
    const root = trees.join(one, other);
    weakest[root] = i;
    fewer[root] = least;
  }
  const rootOf = new Uint32Array(documentsOf.length);
  for (let node = 0; node < rootOf.length; node++) rootOf[node] = trees.find(node);
  const roots = rootsInOrder(trees, rootOf);
  const documents = roots.map((root) => trees.sizeOf(root));
  const sides = [new Uint32Array(roots.length), new Uint32Array(roots.length)] as const;
  for (const [cluster, root] of roots.entries()) {
    if (weakest[root] === NO_EDGE) continue;
    sides[0][cluster] = fewer[root]!;
    sides[1][cluster] = documents[cluster]! - fewer[root]!;
  }
  const links = roots.map((root) => weakest[root]!);
  return { count: roots.length, ...byCluster(roots, rootOf), documents, weakest: links, sides };
}

/** Roots of components of two documents or more. */
function rootsInOrder(trees: UnionFind, rootOf: Uint32Array): Uint32Array {
  const isRoot = new Uint8Array(rootOf.length);
  let count = 0;
  for (let node = 0; node < rootOf.length; node++) {
    if (rootOf[node] === node && trees.sizeOf(node) >= 2) {
      isRoot[node] = 1;
      count++;
    }
  }
  const pairs = newPairs(count);
  let found = 0;
  // nodes rise, so roots come by the least node of each
  for (let node = 0; found < count; node++) {
    const root = rootOf[node]!;
    if (isRoot[root] === 0) continue;
    isRoot[root] = 0;
    pairs.values[found] = root;
    // falling
    pairs.keys[found++] = ~trees.sizeOf(root);
  }
  return sortPairs(pairs, newPairs(count), count).values;
}

/** @param rootOf of each node: becomes clusterOf */
function byCluster(roots: Uint32Array, rootOf: Uint32Array): Pick<Cut, 'clusterOf' | 'nodes' | 'starts' | 'places'> {
  const places = new Uint32Array(rootOf.length).fill(NO_CLUSTER);
  for (let cluster = 0; cluster < roots.length; cluster++) places[roots[cluster]!] = cluster;
  const clusterOf = rootOf;
  const starts = new Uint32Array(roots.length + 1);
  for (let node = 0; node < rootOf.length; node++) {
    const cluster = places[rootOf[node]!]!;
    clusterOf[node] = cluster;
    if (cluster !== NO_CLUSTER) starts[cluster + 1]!++;
  }
  for (let cluster = 0; cluster < roots.length; cluster++) starts[cluster + 1]! += starts[cluster]!;
  const next = starts.slice();
  const nodes = new Uint32Array(starts[roots.length]!);
  for (let node = 0; node < clusterOf.length; node++) {
    const cluster = clusterOf[node]!;
    if (cluster === NO_CLUSTER) continue;
    places[node] = next[cluster]! - starts[cluster]!;
    nodes[next[cluster]!++] = node;
  }
  return { clusterOf, nodes, starts, places };
}
