import { type Cut, NO_CLUSTER } from './cut.ts';
import type { Edges } from './edges.ts';

/*
 * What holds a large cluster together: links of its tree behind which much lies on either side.
 *
 *   o o o ─── o ─── o o o o      a chain: each document is like the next one, and the ends share nothing
 *           └── bridges
 *
 * Leaves are taken off the tree one after the other, and each adds its documents to the node it hangs on. So those behind a
 * link are known once it goes. Cost: linear in the nodes of the cluster; 20 bytes each.
 */

export interface Bridge {
  /** Index of the forest's edge. */
  readonly edge: number;
  /** Documents on the side of the edge's a, and on that of its b. */
  readonly sides: readonly [number, number];
}

/** Documents on the smaller side of a bridge, at the least. */
const SIDE_LEAST = 10;

/**
 * The bridges of a cluster: those with the most on the smaller side first, of several the weakest.
 *
 * @param most of them, few
 */
export function bridgesOf(
  cut: Cut,
  cluster: number,
  documentsOf: Uint32Array,
  tree: ClusterTree,
  most: number,
): Bridge[] {
  const total = cut.documents[cluster]!;
  const besideA = documentsBesideA(cut, cluster, documentsOf, tree);
  const fewer = besideA.map((side) => Math.min(side, total - side));
  // links that are bridges, in order
  const best: number[] = [];
  for (let link = 0; link < fewer.length; link++) {
    const side = fewer[link]!;
    if (side < SIDE_LEAST || (best.length === most && !isMore(fewer, link, best.at(-1)!))) continue;
    if (best.length === most) best.pop();
    let at = best.length;
    while (at > 0 && isMore(fewer, link, best[at - 1]!)) at--;
    best.splice(at, 0, link);
  }
  return best.map((link) => ({ edge: tree.edges[link]!, sides: [besideA[link]!, total - besideA[link]!] }));
}

/** The later link is the weaker one. */
const isMore = (fewer: Uint32Array, one: number, other: number) =>
  fewer[one]! > fewer[other]! || (fewer[one]! === fewer[other]! && one > other);

/** Of each link the documents on the side of its a. */
function documentsBesideA(
  cut: Cut,
  cluster: number,
  documentsOf: Uint32Array,
  { forest, edges }: ClusterTree,
): Uint32Array {
  const total = cut.documents[cluster]!;
  const nodes = cut.nodes.subarray(cut.starts[cluster], cut.starts[cluster + 1]);
  const behind = new Uint32Array(nodes.length);
  const degrees = new Uint32Array(nodes.length);
  // links of a node, and nodes at their other ends, by exclusive or: of a leaf they are its link and the node it hangs on
  const links = new Uint32Array(nodes.length);
  const others = new Uint32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) behind[i] = documentsOf[nodes[i]!]!;
  for (let link = 0; link < edges.length; link++) {
    const one = cut.places[forest.a[edges[link]!]!]!;
    const other = cut.places[forest.b[edges[link]!]!]!;
    degrees[one]!++;
    degrees[other]!++;
    links[one]! ^= link;
    links[other]! ^= link;
    others[one]! ^= other;
    others[other]! ^= one;
  }
  const besideA = new Uint32Array(edges.length);
  for (let first = 0; first < nodes.length; first++) {
    // from a leaf inwards, as long as what it hung on is a leaf then
    for (let leaf = first; degrees[leaf] === 1; ) {
      const link = links[leaf]!;
      const other = others[leaf]!;
      const isA = cut.places[forest.a[edges[link]!]!] === leaf;
      besideA[link] = isA ? behind[leaf]! : total - behind[leaf]!;
      behind[other]! += behind[leaf]!;
      degrees[leaf] = 0;
      degrees[other]!--;
      links[other]! ^= link;
      others[other]! ^= leaf;
      leaf = other;
    }
  }
  return besideA;
}

/** The links of one cluster. */
export interface ClusterTree {
  readonly forest: Edges;
  /** Indexes of the forest's edges that are of the cluster, rising. */
  readonly edges: Uint32Array;
}

/** The trees of all clusters: edges of cluster c are at starts[c] .. starts[c + 1] - 1. */
export function treesOf({ count, clusterOf }: Cut, forest: Edges, threshold: number) {
  const starts = new Uint32Array(count + 1);
  let end = 0;
  for (; end < forest.count && forest.weight[end]! >= threshold; end++) {
    const cluster = clusterOf[forest.a[end]!]!;
    if (cluster !== NO_CLUSTER) starts[cluster + 1]!++;
  }
  for (let cluster = 0; cluster < count; cluster++) starts[cluster + 1]! += starts[cluster]!;
  const next = starts.slice();
  const edges = new Uint32Array(starts[count]!);
  for (let i = 0; i < end; i++) {
    const cluster = clusterOf[forest.a[i]!]!;
    if (cluster !== NO_CLUSTER) edges[next[cluster]!++] = i;
  }
  return { starts, edges };
}
