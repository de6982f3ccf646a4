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
 *
 * Nodes may be fixed: those of another corpus, which stay, each of them, however alike they are to one another. A node that is
 * alike to a fixed one is stood for by a fixed one.
 */

/** Of a node that is kept. */
export const KEPT = 2 ** 32 - 1;

export type MayStandFor = (node: number, other: number) => boolean;

export interface FixedNodes {
  /** 1 for each node that stays whatever it is alike to. All of these come first in the order. */
  readonly isFixed: Uint8Array;
  /** Whether no others stand for any. */
  readonly isAlone: boolean;
}

/**
 * @param order all nodes, the preferred first
 * @param edges by falling weight
 * @param mayStandFor whether a node may stand for another one that it is so alike to, if it is kept: any may unless it is
 *   given. Of two that are not fixed the preferred may always. By containment that is so by length: what is contained in the
 *   one that stays for it may contain a shorter one that stays, too
 * @returns of each node {@link KEPT}, or the index of the edge to the kept node that stands for it
 */
export function leaderCover(
  order: Uint32Array,
  edges: Edges,
  threshold: number,
  fixed: FixedNodes | null = null,
  mayStandFor: MayStandFor = () => true,
): Uint32Array {
  const ranks = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) ranks[order[i]!] = i;
  let end = 0;
  while (end < edges.count && edges.weight[end]! >= threshold) end++;
  const stands = standing(fixed, mayStandFor);
  const isRemoved = removed({ order, ranks, stands }, edges, end);
  const isFixed = (node: number) => fixed !== null && fixed.isFixed[node] === 1;
  const { a, b, weight } = edges;
  const best = new Uint32Array(order.length).fill(KEPT);
  for (let i = 0; i < end; i++) {
    if (isRemoved[a[i]!] === isRemoved[b[i]!]) continue;
    const [node, kept] = isRemoved[a[i]!] === 1 ? [a[i]!, b[i]!] : [b[i]!, a[i]!];
    if (!stands(kept, node)) continue;
    const before = best[node]!;
    if (before !== KEPT) {
      const other = a[before]! + b[before]! - node;
      // the first is the greatest; of those with its weight the preferred
      const isBehind = weight[i] !== weight[before] || ranks[kept]! > ranks[other]!;
      if (isFixed(kept) === isFixed(other) ? isBehind : isFixed(other)) continue;
    }
    best[node] = i;
  }
  return best;
}

/** Whether a node stands for another one, if it is kept. */
function standing(fixed: FixedNodes | null, mayStandFor: MayStandFor): MayStandFor {
  if (fixed === null) return mayStandFor;
  const { isFixed, isAlone } = fixed;
  return (node, other) => (isFixed[node] === 1 ? isFixed[other] === 0 : !isAlone) && mayStandFor(node, other);
}

interface Ordered {
  readonly order: Uint32Array;
  readonly ranks: Uint32Array;
  readonly stands: MayStandFor;
}

/** Of each node whether a preferred one is kept that it is so alike to. */
function removed({ order, ranks, stands }: Ordered, { a, b }: Edges, count: number): Uint8Array {
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
    for (let at = ends[node]!; at < ends[node + 1]!; at++) if (stands(node, later[at]!)) isRemoved[later[at]!] = 1;
  }
  return isRemoved;
}
