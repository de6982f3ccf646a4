import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EdgeParts } from '../../../src/cluster/pairs/edge-parts.ts';

type Edge = readonly [a: number, b: number, shared: number, weight: number];

function partsOf(parts: readonly (readonly Edge[])[]): EdgeParts {
  const all = new EdgeParts();
  for (const edges of parts) {
    const words = (index: 0 | 1 | 2) => Uint32Array.from(edges, (edge) => edge[index]);
    all.add({
      a: words(0),
      b: words(1),
      shared: words(2),
      weight: Float64Array.from(edges, ([, , , weight]) => weight),
    });
  }
  return all;
}

/** Edges as they are taken, column by column. */
function taken(parts: EdgeParts): Edge[] {
  const [a, b, shared, weight] = [parts.take('a'), parts.take('b'), parts.take('shared'), parts.take('weight')];
  return Array.from({ length: parts.count }, (_, i) => [a[i]!, b[i]!, shared[i]!, weight[i]!]);
}

const byNodes = ([a, b, one, weight]: Edge, [c, d, other, least]: Edge) =>
  a - c || b - d || one - other || weight - least;
const edge = fc.tuple(fc.nat(60), fc.nat(2 ** 31), fc.nat(99), fc.double({ min: 0.1, max: 1, noNaN: true }));

describe('edges in parts', () => {
  it('are all there, each whole, however their parts are', () => {
    fc.assert(
      fc.property(fc.array(fc.array(edge, { maxLength: 20 }), { maxLength: 5 }), (parts) => {
        expect(taken(partsOf(parts)).sort(byNodes)).toEqual(parts.flat().sort(byNodes));
      }),
    );
  });

  it('come by rising nodes where parts of some rows each do', () => {
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 80 }), fc.integer({ min: 1, max: 4 }), (edges, threads) => {
        const sorted = edges.toSorted(byNodes);
        // rows of eight nodes are one thread's
        const parts = Array.from({ length: threads }, (_, i) => sorted.filter(([a]) => (a >> 3) % threads === i));
        expect(taken(partsOf(parts))).toEqual(sorted);
      }),
    );
  });

  it('follow one another, part by part, where there would be too many pieces', () => {
    const edges = Array.from({ length: 4000 }, (_, i): Edge => [i, i + 1, 1, 0.5]);
    const parts = [0, 1].map((thread) => edges.filter(([a]) => a % 2 === thread));
    expect(taken(partsOf(parts))).toEqual(parts.flat());
    const many = Array.from({ length: 70 }, (_, i) => edges.filter(([a]) => Math.floor(a / 50) === (i * 3) % 80));
    expect(taken(partsOf(many))).toEqual(many.flat());
  });
});
