import type { Edges } from './edges.ts';

/*
 * What to keep of a corpus, so that each removal holds by itself. In an order of preference a node is kept where no kept one is
 * so alike to it. Each other one is stood for by the kept one that it is most alike to: of several, the preferred.
 *
 *   a ─.9─ b ─.9─ c      threshold .9, a first: a stays, b goes for a, c stays, since a and c are not so alike
 *
 * "One of each cluster" would remove c too. The same is done when a page of results is collapsed. Cost: linear in the edges.
 */

/** Of a node that is kept. */
export const KEPT = 2 ** 32 - 1;

/**
 * @param order all nodes, the preferred first
 * @param edges by falling weight
 * @returns of each node {@link KEPT}, or the kept node that stands for it
 */
export function leaderCover(order: Uint32Array, edges: Edges, threshold: number): Uint32Array {
  const size = order.length;
  const ranks = new Uint32Array(size);
  for (let i = 0; i < size; i++) ranks[order[i]!] = i;
  let end = 0;
  while (end < edges.count && edges.weight[end]! >= threshold) end++;
  const { starts, others, weights } = neighbours(edges, end, size);
  const standsFor = new Uint32Array(size).fill(KEPT);
  const isRemoved = new Uint8Array(size);
  for (const node of order) {
    if (isRemoved[node] === 1) continue;
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      // of two neighbours one at least is kept first: the other goes
      const other = others[at]!;
      if (ranks[other]! > ranks[node]!) isRemoved[other] = 1;
    }
  }
  for (let node = 0; node < size; node++) {
    if (isRemoved[node] === 0) continue;
    let best = KEPT;
    let weight = 0;
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      const other = others[at]!;
      if (isRemoved[other] === 1 || weights[at]! < weight) continue;
      if (weights[at]! > weight || ranks[other]! < ranks[best]!) [best, weight] = [other, weights[at]!];
    }
    standsFor[node] = best;
  }
  return standsFor;
}

function neighbours({ a, b, weight }: Edges, count: number, size: number) {
  const starts = new Uint32Array(size + 1);
  for (let i = 0; i < count; i++) {
    starts[a[i]! + 1]!++;
    starts[b[i]! + 1]!++;
  }
  for (let node = 0; node < size; node++) starts[node + 1]! += starts[node]!;
  const next = starts.slice();
  const others = new Uint32Array(2 * count);
  const weights = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    for (const [one, other] of [
      [a[i]!, b[i]!],
      [b[i]!, a[i]!],
    ] as const) {
      const at = next[one]!++;
      others[at] = other;
      weights[at] = weight[i]!;
    }
  }
  return { starts, others, weights };
}
