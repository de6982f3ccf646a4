import type { Edges } from '../../../src/core/cluster/edges.ts';
import { createPrng, type Prng } from '../prng.ts';

/*
 * Graphs as a corpus gives them: of ten nodes six are alone, the others in families, most of two or three, a few of thousands.
 * Members of a family have so many shingles as one another, and share from a third of them to all: many pairs have one weight.
 */

export interface MadeGraph {
  /** 1, of every sixth node 2. */
  readonly documentsOf: Uint32Array;
  /** In no order. */
  readonly edges: Edges;
}

/** @param edgeCount as many as there are, or fewer where all families are whole before */
export function madeGraph(nodes: number, edgeCount: number, seed = 1997): MadeGraph {
  const prng = createPrng(seed);
  const numbers = shuffled(prng, nodes);
  const { starts, shingles } = families(prng, Math.floor(0.4 * nodes), Math.ceil(nodes / 50));
  const edges = newEdges(edgeCount);
  let count = 0;
  // of each family a ring, then one to the next but one, and so on: no pair comes twice
  for (let step = 1, before = -1; count < edgeCount && count !== before; step++) {
    before = count;
    for (let family = 0; family + 1 < starts.length && count < edgeCount; family++) {
      const [from, size] = [starts[family]!, starts[family + 1]! - starts[family]!];
      const pairs = 2 * step < size ? size : 2 * step === size ? step : 0;
      for (let i = 0; i < pairs && count < edgeCount; i++) {
        const [one, other] = [numbers[from + i]!, numbers[from + ((i + step) % size)]!];
        const least = Math.ceil(shingles[family]! / 3);
        setEdge(edges, count++, one, other, weightOf(shingles[family]!, least + prng.below(shingles[family]! - least)));
      }
    }
  }
  mix(prng, edges, count);
  return { documentsOf: documentsOf(nodes), edges: { ...edges, count } };
}

/** Nodes that are each like the next one: one cluster, held together by bridges alone. */
export function madeChain(nodes: number, seed = 1997): MadeGraph {
  const prng = createPrng(seed);
  const numbers = shuffled(prng, nodes);
  const edges = newEdges(nodes - 1);
  for (let i = 0; i + 1 < nodes; i++)
    setEdge(edges, i, numbers[i]!, numbers[i + 1]!, weightOf(600, 400 + prng.below(200)));
  mix(prng, edges, nodes - 1);
  return { documentsOf: documentsOf(nodes), edges: { ...edges, count: nodes - 1 } };
}

type Columns = Omit<Edges, 'count'>;

const newEdges = (count: number): Columns => ({
  a: new Uint32Array(count),
  b: new Uint32Array(count),
  weight: new Float64Array(count),
});

const weightOf = (shingles: number, shared: number) => shared / (2 * shingles - shared);

function setEdge(edges: Columns, at: number, one: number, other: number, weight: number): void {
  edges.a[at] = Math.min(one, other);
  edges.b[at] = Math.max(one, other);
  edges.weight[at] = weight;
}

/** Where each family begins; sizes as Broder 1997, §5, has them. */
function families(prng: Prng, nodes: number, sizeMax: number) {
  const starts: number[] = [0];
  const shingles: number[] = [];
  for (let made = 0; made < nodes; starts.push(made)) {
    made += Math.min(Math.floor(2 * (1 - prng.next()) ** (-1 / 1.83)), sizeMax, nodes - made);
    shingles.push(32 + prng.below(500));
  }
  return { starts, shingles };
}

function documentsOf(nodes: number): Uint32Array {
  const counts = new Uint32Array(nodes).fill(1);
  for (let node = 0; node < nodes; node += 6) counts[node] = 2;
  return counts;
}

function shuffled(prng: Prng, size: number): Uint32Array {
  const order = new Uint32Array(size);
  for (let i = 0; i < size; i++) order[i] = i;
  for (let i = size - 1; i > 0; i--) swap(order, i, prng.below(i + 1));
  return order;
}

function mix(prng: Prng, { a, b, weight }: Columns, count: number): void {
  for (let i = count - 1; i > 0; i--) {
    const j = prng.below(i + 1);
    for (const column of [a, b, weight]) swap(column, i, j);
  }
}

function swap(column: Uint32Array | Float64Array, i: number, j: number): void {
  const here = column[i]!;
  column[i] = column[j]!;
  column[j] = here;
}
