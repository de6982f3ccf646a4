import type { Cut } from './cut.ts';
import type { Edges } from './edges.ts';

/*
 * What holds a large cluster together: links of its tree behind which much lies on either side.
 *
 *   o o o ─── o ─── o o o o      a chain: each document is like the next one, and the ends share nothing
 *           └── bridges
 *
 * Leaves are taken off the tree one after the other, and each adds its documents to the node it hangs on. So those behind a
 * link are known once it goes. Cost: linear in the nodes of the cluster.
 */

export interface Bridge {
  /** Index of the forest's edge. */
  readonly edge: number;
  /** Documents on either side, the fewer first. */
  readonly sides: readonly [number, number];
}

/** Documents on the smaller side of a bridge, at the least. */
const SIDE_LEAST = 10;

/** The bridges of a cluster: those with the most on the smaller side first, of several the weakest, and at most so many. */
export function bridgesOf(
  cut: Cut,
  cluster: number,
  documentsOf: Uint32Array,
  tree: ClusterTree,
  most: number,
): Bridge[] {
  const total = cut.documents[cluster]!;
  const from = cut.starts[cluster]!;
  const size = cut.starts[cluster + 1]! - from;
  const places = new Map<number, number>();
  for (let i = 0; i < size; i++) places.set(cut.nodes[from + i]!, i);
  const { edges, forest } = tree;
  const degrees = new Uint32Array(size);
  // the sum of the edges of a node: that of a leaf is its edge
  const sums = new Float64Array(size);
  const weights = new Float64Array(size);
  for (let i = 0; i < size; i++) weights[i] = documentsOf[cut.nodes[from + i]!]!;
  for (const [i, edge] of edges.entries()) {
    for (const node of [forest.a[edge]!, forest.b[edge]!]) {
      degrees[places.get(node)!]!++;
      sums[places.get(node)!]! += i;
    }
  }
  const bridges: Bridge[] = [];
  const leaves: number[] = [];
  for (let i = 0; i < size; i++) if (degrees[i] === 1) leaves.push(i);
  for (let leaf = leaves.pop(); leaf !== undefined; leaf = leaves.pop()) {
    if (degrees[leaf] !== 1) continue;
    const index = sums[leaf]!;
    const edge = edges[index]!;
    const [a, b] = [places.get(forest.a[edge]!)!, places.get(forest.b[edge]!)!];
    const other = a === leaf ? b : a;
    const behind = weights[leaf]!;
    const fewer = Math.min(behind, total - behind);
    if (fewer >= SIDE_LEAST) bridges.push({ edge, sides: [fewer, total - fewer] });
    degrees[leaf]!--;
    sums[other]! -= index;
    weights[other]! += behind;
    if (--degrees[other]! === 1) leaves.push(other);
  }
  bridges.sort((one, two) => two.sides[0] - one.sides[0] || two.edge - one.edge);
  return bridges.slice(0, most);
}

/** The links of one cluster. */
export interface ClusterTree {
  readonly forest: Edges;
  /** Indexes of the forest's edges that are of the cluster. */
  readonly edges: Uint32Array;
}

/** The trees of all clusters: edges of cluster c are at starts[c] .. starts[c + 1] - 1. */
export function treesOf({ count, clusterOf }: Cut, forest: Edges, threshold: number) {
  const starts = new Uint32Array(count + 1);
  let end = 0;
  for (; end < forest.count && forest.weight[end]! >= threshold; end++) starts[clusterOf[forest.a[end]!]! + 1]!++;
  for (let cluster = 0; cluster < count; cluster++) starts[cluster + 1]! += starts[cluster]!;
  const next = starts.slice();
  const edges = new Uint32Array(end);
  for (let i = 0; i < end; i++) edges[next[clusterOf[forest.a[i]!]!]!++] = i;
  return { starts, edges };
}
