import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bridgesOf, treesOf } from '../../../src/core/cluster/bridges.ts';
import { cutForest, NO_CLUSTER, NO_EDGE } from '../../../src/core/cluster/cut.ts';
import type { Edges } from '../../../src/core/cluster/edges.ts';
import { medoidsOf } from '../../../src/core/cluster/medoid.ts';
import { spanningForest } from '../../../src/core/cluster/spanning-forest.ts';
import { sweepForest } from '../../../src/core/cluster/threshold-sweep.ts';
import { componentsOf, without } from '../../support/cluster/brute-force.ts';
import { edgesOf, type Graph, graphs, ordered, THRESHOLDS } from '../../support/cluster/small-graphs.ts';

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
          expect([cut.sides[0][cluster], cut.sides[1][cluster]]).toEqual(sides);
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
            return { edge, sides };
          });
          const least = ({ sides }: { readonly sides: readonly number[] }) => Math.min(...sides);
          const large = expected.filter((bridge) => least(bridge) >= 10);
          large.sort((one, two) => least(two) - least(one) || two.edge - one.edge);
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
