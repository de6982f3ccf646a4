import type { Edges } from './edges.ts';

/*
 * The leader cover: what to keep of a corpus, so that each removal holds by itself. In an order of preference a node is kept
 * where no kept one is so alike to it. Each other one is stood for by the kept one that it is most alike to: of several, the
 * preferred.
 *
 *   a ─.9─ b ─.9─ c      threshold .9, a first: a stays, b goes for a, c stays, since a and c are not so alike
 *
 * "One of each cluster" would remove c too. The same is done when a page of results is collapsed. Cost: linear in the edges of
 * the threshold; 4 bytes each, and 13 a node.
 */

/** Of a node that is kept. */
export const KEPT = 2 ** 32 - 1;

/**
 * @param order all nodes, the preferred first
 * @param edges by falling weight
 * @returns of each node {@link KEPT}, or the index of the edge to the kept node that stands for it
 */
export function leaderCover(order: Uint32Array, edges: Edges, threshold: number): Uint32Array {
  const ranks = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) ranks[order[i]!] = i;
  let end = 0;
  while (end < edges.count && edges.weight[end]! >= threshold) end++;
  const isRemoved = removed(order, ranks, edges, end);
  const { a, b, weight } = edges;
  const best = new Uint32Array(order.length).fill(KEPT);
  for (let i = 0; i < end; i++) {
    if (isRemoved[a[i]!] === isRemoved[b[i]!]) continue;
    const [node, kept] = isRemoved[a[i]!] === 1 ? [a[i]!, b[i]!] : [b[i]!, a[i]!];
    const before = best[node]!;
    // the first is the greatest; of those with its weight the preferred
    if (before !== KEPT && (weight[i] !== weight[before] || ranks[kept]! > ranks[a[before]! + b[before]! - node]!))
      continue;
    best[node] = i;
  }
  return best;
}

/** Of each node whether a preferred one is kept that it is so alike to. */
function removed(order: Uint32Array, ranks: Uint32Array, { a, b }: Edges, count: number): Uint8Array {
  // of each node those that come after it: 4 bytes an edge
  const ends = new Uint32Array(order.length + 1);
  for (let i = 0; i < count; i++) ends[ranks[a[i]!]! < ranks[b[i]!]! ? a[i]! : b[i]!]!++;
  for (let node = 1; node < ends.length; node++) ends[node]! += ends[node - 1]!;
  const later = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const isFirst = ranks[a[i]!]! < ranks[b[i]!]!;
    later[--ends[isFirst ? a[i]! : b[i]!]!] = isFirst ? b[i]! : a[i]!;
  }
  // what were ends are starts by now
  const isRemoved = new Uint8Array(order.length);
  for (const node of order) {
    if (isRemoved[node] === 1) continue;
    for (let at = ends[node]!; at < ends[node + 1]!; at++) isRemoved[later[at]!] = 1;
  }
  return isRemoved;
}
