import { type Cut, NO_CLUSTER } from './cut.ts';
import type { Edges } from './edges.ts';

/* Of a cluster the node that is most alike to the others: the greatest sum of weights over its edges, of several the least. */

/** @param edges all of them, by falling weight, since those of the forest say little of how alike others are */
export function medoidsOf(
  { count, clusterOf, nodes, starts, places }: Cut,
  edges: Edges,
  threshold: number,
): Uint32Array {
  // by cluster, as the nodes
  const sums = new Float64Array(nodes.length);
  for (let i = 0; i < edges.count && edges.weight[i]! >= threshold; i++) {
    const [one, other] = [edges.a[i]!, edges.b[i]!];
    const cluster = clusterOf[one]!;
    if (cluster === NO_CLUSTER) continue;
    sums[starts[cluster]! + places[one]!]! += edges.weight[i]!;
    sums[starts[cluster]! + places[other]!]! += edges.weight[i]!;
  }
  const medoids = new Uint32Array(count);
  for (let cluster = 0; cluster < count; cluster++) {
    let best = starts[cluster]!;
    for (let at = best + 1; at < starts[cluster + 1]!; at++) if (sums[at]! > sums[best]!) best = at;
    medoids[cluster] = nodes[best]!;
  }
  return medoids;
}
