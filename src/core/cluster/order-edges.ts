import type { Edges } from './edges.ts';

/*
 * Edges by falling weight, of one weight by rising a, then b: one order, however they came. So one forest follows from them.
 *
 *   weight ── top 16 bits of what it lacks to 1 ── counting sort ── each bucket sorted exactly
 *
 * A bucket whose edges all have one weight, as that of equal sets of few shingles, is sorted by a and b as one number.
 * Cost: linear but for the buckets; some 100 ns an edge.
 */

const BUCKETS = 2 ** 16;

/** @returns the edges' indexes in that order */
export function orderEdges(edges: Edges): Uint32Array {
  const { count, weight } = edges;
  const starts = new Uint32Array(BUCKETS + 1);
  for (let i = 0; i < count; i++) starts[bucketOf(weight[i]!) + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!;
  const next = starts.slice();
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[next[bucketOf(weight[i]!)]!++] = i;
  const before = (i: number, j: number) =>
    weight[j]! - weight[i]! || edges.a[i]! - edges.a[j]! || edges.b[i]! - edges.b[j]!;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (starts[bucket + 1]! - starts[bucket]! > 1) order.subarray(starts[bucket], starts[bucket + 1]).sort(before);
  }
  return order;
}

const bucketOf = (weight: number) => Math.min(BUCKETS - 1, Math.floor((1 - weight) * BUCKETS));
