import fc from 'fast-check';
import type { Edges } from '../../../src/core/cluster/edges.ts';
import { orderEdges } from '../../../src/core/cluster/order-edges.ts';
import { spanningForest } from '../../../src/core/cluster/spanning-forest.ts';
import { without } from './brute-force.ts';

/* Small graphs, with many edges of one weight. */

export interface Graph {
  readonly documentsOf: Uint32Array;
  /** By falling weight. */
  readonly edges: Edges;
  readonly forest: Edges;
}

/** None where all of a node were left out, many where they have one text. */
const documents = fc.oneof(fc.nat(3), fc.constantFrom(2047, 2048, 2 ** 22));

/** Few weights, so that many edges have one. */
export const graphs = fc
  .record({
    documentsOf: fc.array(documents, { minLength: 1, maxLength: 14 }),
    pairs: fc.array(fc.tuple(fc.nat(13), fc.nat(13), fc.integer({ min: 1, max: 6 })), { maxLength: 40 }),
  })
  .map(({ documentsOf, pairs }): Graph => {
    const nodes = documentsOf.length;
    const known = new Map<string, readonly [number, number, number]>();
    for (const [one, other, weight] of pairs) {
      const [a, b] = [Math.min(one, other) % nodes, Math.max(one, other) % nodes];
      if (a !== b) known.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [Math.min(a, b), Math.max(a, b), weight / 6]);
    }
    const edges = ordered(edgesOf([...known.values()]));
    const places = new Set(spanningForest(nodes, edges));
    return { documentsOf: Uint32Array.from(documentsOf), edges, forest: without(edges, (edge) => !places.has(edge)) };
  });

export const edgesOf = (pairs: readonly (readonly [number, number, number])[]): Edges => ({
  count: pairs.length,
  a: Uint32Array.from(pairs, ([a]) => a),
  b: Uint32Array.from(pairs, ([, b]) => b),
  weight: Float64Array.from(pairs, ([, , weight]) => weight),
});

export function ordered(edges: Edges): Edges {
  const order = [...orderEdges(edges)];
  return edgesOf(order.map((i) => [edges.a[i]!, edges.b[i]!, edges.weight[i]!]));
}

export const THRESHOLDS = [0.1, 1 / 6, 0.4, 0.5, 4 / 6, 0.9, 1];
