import { type Cut, NO_CLUSTER } from './cut.ts';
import type { Edges } from './edges.ts';

/* Of a cluster the node that is most alike to the others: the greatest sum of weights over its edges, of several the least. */

/** @param edges all of them, by falling weight, since those of the forest say little of how alike others are */
export function medoidsOf({ count, clusterOf, nodes, starts }: Cut, edges: Edges, threshold: number): Uint32Array {
  const sums = new Float64Array(clusterOf.length);
  for (let i = 0; i < edges.count && edges.weight[i]! >= threshold; i++) {
    const [one, other] = [edges.a[i]!, edges.b[i]!];
    if (clusterOf[one] === NO_CLUSTER) continue;
    sums[one]! += edges.weight[i]!;
    sums[other]! += edges.weight[i]!;
  }
  const medoids = new Uint32Array(count);
  for (let cluster = 0; cluster < count; cluster++) {
    let best = nodes[starts[cluster]!]!;
    for (let at = starts[cluster]! + 1; at < starts[cluster + 1]!; at++) {
      if (sums[nodes[at]!]! > sums[best]!) best = nodes[at]!;
    }
    medoids[cluster] = best;
  }
  return medoids;
}
