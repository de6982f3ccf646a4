import { newPairs, sortPairs } from '../memory/radix-sort.ts';
import type { Edges } from './edges.ts';
import { UnionFind } from './union-find.ts';

/*
 * Clusters at a threshold: the components of the forest's edges that weigh as much. They are those of all pairs that do
 * (Broder 1997, §4.1).
 *
 *   forest, falling   .98  .95  .91 | .87 .60 …         threshold .9: the first three
 *
 * The last edge of a component is its weakest link: it parts in two at any higher threshold. On its sides lies what its ends
 * hang together with before it. That is found by joining all once more: nothing is kept for nodes that are in no cluster.
 * Cost: three passes over these edges and four over the nodes; 17 bytes a node, 4 a node of a cluster, 40 a cluster.
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
  /** Documents on the sides of that edge's a and b, were it not there; 0 where there is none. */
  readonly sides: readonly [Uint32Array, Uint32Array];
}

export const NO_CLUSTER = 2 ** 32 - 1;
export const NO_EDGE = 2 ** 32 - 1;

/**
 * @param documentsOf of each node; together below 2^31
 * @param forest by falling weight
 */
export function cutForest(documentsOf: Uint32Array, forest: Edges, threshold: number): Cut {
  const end = endOf(forest, threshold);
  const { clusterOf, documents, ...members } = clustersOf(documentsOf, forest, end);
  const count = documents.length;
  const weakest = new Uint32Array(count).fill(NO_EDGE);
  for (let i = 0; i < end; i++) weakest[clusterOf[forest.a[i]!]!] = i;
  const besideA = documentsBesideA(documentsOf, forest, end, { clusterOf, weakest });
  const besideB = besideA.map((side, cluster) => (weakest[cluster] === NO_EDGE ? 0 : documents[cluster]! - side));
  return { count, clusterOf, ...members, documents, weakest, sides: [besideA, besideB] };
}

/** Edges of the threshold. */
function endOf({ weight, count }: Edges, threshold: number): number {
  let end = 0;
  while (end < count && weight[end]! >= threshold) end++;
  return end;
}

function clustersOf(documentsOf: Uint32Array, { a, b }: Edges, end: number) {
  const trees = new UnionFind(documentsOf);
  for (let i = 0; i < end; i++) trees.join(trees.find(a[i]!), trees.find(b[i]!));
  const rootOf = new Uint32Array(documentsOf.length);
  for (let node = 0; node < rootOf.length; node++) rootOf[node] = trees.find(node);
  const roots = rootsInOrder(trees, rootOf);
  const documents = roots.map((root) => trees.sizeOf(root));
  return { ...byCluster(roots, rootOf), documents };
}

/** Of each cluster the documents on that side of its weakest link on which its a is; 0 where there is none. */
function documentsBesideA(
  documentsOf: Uint32Array,
  { a, b }: Edges,
  end: number,
  { clusterOf, weakest }: Pick<Cut, 'clusterOf' | 'weakest'>,
): Uint32Array {
  const trees = new UnionFind(documentsOf);
  const besideA = new Uint32Array(weakest.length);
  for (let i = 0; i < end; i++) {
    const one = trees.find(a[i]!);
    const other = trees.find(b[i]!);
    const cluster = clusterOf[a[i]!]!;
    if (weakest[cluster] === i) besideA[cluster] = trees.sizeOf(one);
    else trees.join(one, other);
  }
  return besideA;
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
