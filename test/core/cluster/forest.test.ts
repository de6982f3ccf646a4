import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bridgesOf, treesOf } from '../../../src/core/cluster/bridges.ts';
import { KEPT, leaderCover } from '../../../src/core/cluster/cover.ts';
import { cutForest, NO_CLUSTER, NO_EDGE } from '../../../src/core/cluster/cut.ts';
import type { Edges } from '../../../src/core/cluster/edges.ts';
import { medoidsOf } from '../../../src/core/cluster/medoid.ts';
import { orderEdges } from '../../../src/core/cluster/order-edges.ts';
import { spanningForest } from '../../../src/core/cluster/spanning-forest.ts';
import { sweepForest } from '../../../src/core/cluster/threshold-sweep.ts';
import { componentsOf, without } from '../../support/cluster/brute-force.ts';

interface Graph {
  readonly documentsOf: Uint32Array;
  /** By falling weight. */
  readonly edges: Edges;
  readonly forest: Edges;
}

/** None where all of a node were left out, many where they have one text. */
const documents = fc.oneof(fc.nat(3), fc.constantFrom(2047, 2048, 2 ** 22));

/** Few weights, so that many edges have one. */
const graphs = fc
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

const edgesOf = (pairs: readonly (readonly [number, number, number])[]): Edges => ({
  count: pairs.length,
  a: Uint32Array.from(pairs, ([a]) => a),
  b: Uint32Array.from(pairs, ([, b]) => b),
  weight: Float64Array.from(pairs, ([, , weight]) => weight),
});

function ordered(edges: Edges): Edges {
  const order = [...orderEdges(edges)];
  return edgesOf(order.map((i) => [edges.a[i]!, edges.b[i]!, edges.weight[i]!]));
}

const THRESHOLDS = [0.1, 1 / 6, 0.4, 0.5, 4 / 6, 0.9, 1];

/** Components of two documents or more, as sorted lists of nodes. */
function clustersOf({ documentsOf }: Graph, edges: Edges, threshold: number): number[][] {
  const least = componentsOf(documentsOf.length, edges, threshold);
  const groups = Map.groupBy(least.keys(), (node) => least[node]!);
  return [...groups.values()].filter((nodes) => sizeOf(documentsOf, nodes) >= 2);
}

const sizeOf = (documentsOf: Uint32Array, nodes: readonly number[]) =>
  nodes.reduce((sum, node) => sum + documentsOf[node]!, 0);

describe('the spanning forest', () => {
  it('is one, however the edges came', () => {
    fc.assert(
      fc.property(graphs, ({ documentsOf, edges, forest }) => {
        const mixed = ordered(
          edgesOf(Array.from(edges.weight, (weight, i) => [edges.a[i]!, edges.b[i]!, weight] as const).reverse()),
        );
        const places = new Set(spanningForest(documentsOf.length, mixed));
        expect(without(mixed, (edge) => !places.has(edge))).toEqual(forest);
      }),
    );
  });

  it('has no circle, and hangs together as all edges do at any threshold', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { documentsOf, edges, forest } = graph;
        const nodes = documentsOf.length;
        for (const threshold of THRESHOLDS) {
          expect(componentsOf(nodes, forest, threshold)).toEqual(componentsOf(nodes, edges, threshold));
        }
        expect(forest.count).toBe(nodes - new Set(componentsOf(nodes, edges, 0)).size);
      }),
    );
  });

  it('is cut into the clusters of a threshold, the largest first, each with its weakest link', () => {
    fc.assert(
      fc.property(graphs, fc.constantFrom(...THRESHOLDS), (graph, threshold) => {
        const { documentsOf, edges, forest } = graph;
        const cut = cutForest(documentsOf, forest, threshold);
        const found = Array.from({ length: cut.count }, (_, i) => [
          ...cut.nodes.subarray(cut.starts[i], cut.starts[i + 1]),
        ]);
        const expected = clustersOf(graph, edges, threshold);
        const size = (nodes: readonly number[]) => sizeOf(documentsOf, nodes);
        expect(found).toEqual(expected.toSorted((one, two) => size(two) - size(one) || one[0]! - two[0]!));
        expect([...cut.documents]).toEqual(found.map(size));
        for (const [cluster, nodes] of found.entries()) {
          for (const node of nodes) expect(cut.clusterOf[node]).toBe(cluster);
          expect(nodes.map((node) => cut.places[node])).toEqual([...nodes.keys()]);
          const weakest = cut.weakest[cluster]!;
          expect(weakest === NO_EDGE).toBe(nodes.length === 1);
          if (weakest === NO_EDGE) {
            expect([cut.sides[0][cluster], cut.sides[1][cluster]]).toEqual([0, 0]);
            continue;
          }
          const least = componentsOf(
            documentsOf.length,
            without(forest, (edge) => edge === weakest),
            threshold,
          );
          const sides = [forest.a[weakest]!, forest.b[weakest]!].map((end) =>
            size([...least.keys()].filter((node) => least[node] === least[end])),
          );
          expect([cut.sides[0][cluster], cut.sides[1][cluster]]).toEqual(sides.toSorted((a, b) => a - b));
          const inside = [...forest.weight].filter(
            (_, i) => nodes.includes(forest.a[i]!) && forest.weight[i]! >= threshold,
          );
          expect(forest.weight[weakest]).toBe(Math.min(...inside));
        }
        expect([...cut.clusterOf].filter((one) => one === NO_CLUSTER)).toHaveLength(
          documentsOf.length - cut.nodes.length,
        );
      }),
    );
  });

  it('is swept through many thresholds at once, in any order', () => {
    fc.assert(
      fc.property(graphs, fc.shuffledSubarray(THRESHOLDS), (graph, thresholds) => {
        const expected = thresholds.map((threshold) => {
          const clusters = clustersOf(graph, graph.edges, threshold);
          const sizes = clusters.map((nodes) => sizeOf(graph.documentsOf, nodes));
          return {
            ...{ threshold, clusters: clusters.length, documents: sizes.reduce((sum, one) => sum + one, 0) },
            ...{ largest: Math.max(0, ...sizes), identical: clusters.filter(({ length }) => length === 1).length },
          };
        });
        expect(sweepForest(graph.documentsOf, graph.forest, thresholds)).toEqual(expected);
      }),
    );
  });

  it('has bridges: links with ten documents or more behind either side', () => {
    fc.assert(
      fc.property(graphs, fc.constantFrom(...THRESHOLDS), (graph, threshold) => {
        const documentsOf = graph.documentsOf.map((count) => 5 * count);
        const { forest } = graph;
        const cut = cutForest(documentsOf, forest, threshold);
        const trees = treesOf(cut, forest, threshold);
        for (let cluster = 0; cluster < cut.count; cluster++) {
          const edges = trees.edges.subarray(trees.starts[cluster], trees.starts[cluster + 1]);
          const expected = [...edges].map((edge) => {
            const least = componentsOf(
              documentsOf.length,
              without(forest, (one) => one === edge),
              threshold,
            );
            const sides = [forest.a[edge]!, forest.b[edge]!].map((end) =>
              sizeOf(
                documentsOf,
                [...least.keys()].filter((node) => least[node] === least[end]),
              ),
            );
            return { edge, sides: sides.toSorted((a, b) => a - b) };
          });
          const large = expected.filter(({ sides }) => sides[0]! >= 10);
          large.sort((one, two) => two.sides[0]! - one.sides[0]! || two.edge - one.edge);
          expect(bridgesOf(cut, cluster, documentsOf, { forest, edges }, 3)).toEqual(large.slice(0, 3));
        }
      }),
    );
  });
});

describe('the medoid', () => {
  it('is the node with the greatest sum of weights within its cluster, the least of several', () => {
    fc.assert(
      fc.property(graphs, fc.constantFrom(...THRESHOLDS), ({ documentsOf, edges, forest }, threshold) => {
        const cut = cutForest(documentsOf, forest, threshold);
        const medoids = medoidsOf(cut, edges, threshold);
        for (let cluster = 0; cluster < cut.count; cluster++) {
          const nodes = [...cut.nodes.subarray(cut.starts[cluster], cut.starts[cluster + 1])];
          const sumOf = (node: number) =>
            [...edges.weight].reduce(
              (sum, weight, i) => sum + (weight >= threshold && [edges.a[i], edges.b[i]].includes(node) ? weight : 0),
              0,
            );
          const greatest = Math.max(...nodes.map(sumOf));
          expect(medoids[cluster]).toBe(nodes.find((node) => sumOf(node) === greatest));
        }
      }),
    );
  });
});

describe('the leader cover', () => {
  it('keeps what no kept one before it is so alike to, and names for each other one the most alike kept one', () => {
    fc.assert(
      fc.property(graphs, fc.constantFrom(...THRESHOLDS), fc.nat(), ({ documentsOf, edges }, threshold, turn) => {
        const size = documentsOf.length;
        const order = Uint32Array.from({ length: size }, (_, i) => (i * 11 + turn) % size);
        const all = new Set(order).size === size ? order : Uint32Array.from(order.keys());
        const weights = new Map<string, number>();
        for (let i = 0; i < edges.count; i++) {
          weights.set(`${edges.a[i]} ${edges.b[i]}`, edges.weight[i]!);
          weights.set(`${edges.b[i]} ${edges.a[i]}`, edges.weight[i]!);
        }
        const alike = (one: number, other: number) => weights.get(`${one} ${other}`) ?? 0;
        const kept: number[] = [];
        for (const node of all) if (!kept.some((other) => alike(node, other) >= threshold)) kept.push(node);
        const expected = Array.from({ length: size }, (_, node) => {
          if (kept.includes(node)) return KEPT;
          const most = Math.max(...kept.map((other) => alike(node, other)));
          return kept.find((other) => alike(node, other) === most)!;
        });
        const { a, b } = edges;
        const standsFor = Array.from(leaderCover(all, edges, threshold), (edge, node) =>
          edge === KEPT ? KEPT : a[edge]! + b[edge]! - node,
        );
        expect(standsFor).toEqual(expected);
      }),
    );
  });
});
