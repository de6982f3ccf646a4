import { UnionFind } from '../../../core/cluster/union-find.ts';
import { sharedWords } from '../../../core/memory/growing-column.ts';

/*
 * Pairs family by family, so that the records of one are read once and then are at hand:
 *
 *   pairs ── those that hang together, by union-find ── counting sort by family, within it by the first of each pair
 *
 * Parts end where a family ends, and within a large one where a row does. Cost: linear.
 */

/** Pairs of a part, at the least. */
const PART_PAIRS = 4096;
/** From so many on a part ends at the next row, though the family goes on. */
const PART_PAIRS_MAX = 65_536;

interface SomePairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

export interface OrderedPairs extends SomePairs {
  /** Where parts end. */
  readonly ends: Uint32Array;
}

export function orderPairs(some: readonly SomePairs[], nodes: number): OrderedPairs {
  const count = some.reduce((sum, { a }) => sum + a.length, 0);
  const families = familiesOf(some, nodes);
  const byRow = sortedBy(some, count, nodes, (a) => a);
  const { a, b } = sortedBy([byRow], count, nodes, (node) => families.find(node));
  return { a, b, ends: endsOf(a, families) };
}

/** Which pairs hang together: of each node the root of its tree. */
function familiesOf(some: readonly SomePairs[], nodes: number): UnionFind {
  const trees = new UnionFind(nodes);
  for (const { a, b } of some) {
    for (let i = 0; i < a.length; i++) {
      const [one, other] = [trees.find(a[i]!), trees.find(b[i]!)];
      if (one !== other) trees.join(one, other);
    }
  }
  return trees;
}

function sortedBy(some: readonly SomePairs[], count: number, nodes: number, keyOf: (a: number) => number): SomePairs {
  const offsets = new Uint32Array(nodes + 1);
  for (const { a } of some) for (let i = 0; i < a.length; i++) offsets[keyOf(a[i]!) + 1]!++;
  for (let node = 0; node < nodes; node++) offsets[node + 1]! += offsets[node]!;
  const sorted = { a: sharedWords(count), b: sharedWords(count) };
  for (const { a, b } of some) {
    for (let i = 0; i < a.length; i++) {
      const at = offsets[keyOf(a[i]!)]!++;
      sorted.a[at] = a[i]!;
      sorted.b[at] = b[i]!;
    }
  }
  return sorted;
}

function endsOf(a: Uint32Array, families: UnionFind): Uint32Array {
  const ends: number[] = [];
  let from = 0;
  for (let i = 1; i <= a.length; i++) {
    const size = i - from;
    const isFamilyEnd = i === a.length || families.find(a[i]!) !== families.find(a[i - 1]!);
    const isRowEnd = i === a.length || a[i] !== a[i - 1];
    const isEnd = i === a.length || (isFamilyEnd && size >= PART_PAIRS) || (isRowEnd && size >= PART_PAIRS_MAX);
    if (!isEnd) continue;
    ends.push(i);
    from = i;
  }
  const shared = sharedWords(ends.length);
  shared.set(ends);
  return shared;
}
