import { newPairs, type Pairs, sortPairs } from '../memory/radix-sort.ts';
import type { Edges } from './edges.ts';

/*
 * Edges by falling weight, of one weight by rising a, then b: one order, however they came. So one forest follows from them.
 *
 *   weight ── top 16 bits of what it lacks to 1 ── counting sort ── each bucket sorted exactly
 *
 *   a small bucket     its columns side by side, in the cache: runs of eight by insertion, then merged
 *   a large one        32 bits at a time, the last of the order first: b, a, low and high word of the weight
 *
 * Edges that come by rising nodes stay so in each bucket. A bucket that is in order is left as it is.
 *
 * A double above 0 is larger where its bits are, read as a whole number. Where sets have few shingles, or one contains the
 * other, millions of edges have one weight: they all are in one bucket. Cost: linear in large buckets, size · log size in
 * small ones; some 150 ns an edge. Memory: 4 bytes an edge, and 16 an edge of the largest bucket.
 */

const BUCKETS = 2 ** 16;
/** Edges of a small bucket, at the most: 96 KB of columns. */
const SMALL_MAX = 2 ** 12;
const RUN = 8;

/** @returns the edges' indexes in that order */
export function orderEdges(edges: Edges): Uint32Array {
  const { count, weight } = edges;
  const starts = new Uint32Array(BUCKETS + 1);
  for (let i = 0; i < count; i++) starts[bucketOf(weight[i]!) + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!;
  const next = starts.slice();
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[next[bucketOf(weight[i]!)]!++] = i;
  const sortSmall = createSmallSort(edges);
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const [from, to] = [starts[bucket]!, starts[bucket + 1]!];
    if (isInOrder(edges, order, from, to)) continue;
    if (to - from > SMALL_MAX) sortLarge(edges, order.subarray(from, to));
    else sortSmall(order, from, to);
  }
  return order;
}

const bucketOf = (weight: number) => Math.min(BUCKETS - 1, Math.floor((1 - weight) * BUCKETS));

/** Whether part of an order is as it is to be: so it is of one weight, where edges come by rising nodes. */
function isInOrder({ a, b, weight }: Edges, order: Uint32Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) {
    const [one, other] = [order[i - 1]!, order[i]!];
    if (weight[one]! > weight[other]!) continue;
    if (weight[one]! < weight[other]! || a[one]! > a[other]!) return false;
    if (a[one] === a[other] && b[one]! > b[other]!) return false;
  }
  return true;
}

/** Sorts part of an order, of SMALL_MAX edges at the most. */
function createSmallSort(edges: Edges): (order: Uint32Array, from: number, to: number) => void {
  const [a, b] = [new Uint32Array(SMALL_MAX), new Uint32Array(SMALL_MAX)];
  const weight = new Float64Array(SMALL_MAX);
  const numbers = new Uint32Array(SMALL_MAX);
  const isBefore = (i: number, j: number) =>
    weight[i]! !== weight[j]! ? weight[i]! > weight[j]! : a[i]! !== a[j]! ? a[i]! < a[j]! : b[i]! < b[j]!;
  let sorted = new Uint16Array(SMALL_MAX);
  let merged = new Uint16Array(SMALL_MAX);

  function sortRun(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      let at = i;
      for (; at > from && isBefore(i, sorted[at - 1]!); at--) sorted[at] = sorted[at - 1]!;
      sorted[at] = i;
    }
  }

  function merge(from: number, middle: number, to: number): void {
    let [left, right] = [from, middle];
    for (let at = from; at < to; at++) {
      const isRight = left === middle || (right < to && isBefore(sorted[right]!, sorted[left]!));
      merged[at] = isRight ? sorted[right++]! : sorted[left++]!;
    }
  }

  return (order, start, end) => {
    const size = end - start;
    for (let i = 0; i < size; i++) {
      const edge = order[start + i]!;
      numbers[i] = edge;
      a[i] = edges.a[edge]!;
      b[i] = edges.b[edge]!;
      weight[i] = edges.weight[edge]!;
    }
    for (let from = 0; from < size; from += RUN) sortRun(from, Math.min(size, from + RUN));
    for (let run = RUN; run < size; run *= 2) {
      for (let from = 0; from < size; from += 2 * run) {
        merge(from, Math.min(size, from + run), Math.min(size, from + 2 * run));
      }
      [sorted, merged] = [merged, sorted];
    }
    for (let i = 0; i < size; i++) order[start + i] = numbers[sorted[i]!]!;
  };
}

/** Sorts edges in place. */
function sortLarge({ a, b, weight }: Edges, order: Uint32Array): void {
  const view = new DataView(new ArrayBuffer(8));
  let pairs: Pairs = { keys: new Uint32Array(order.length), values: order.slice() };
  let other = newPairs(order.length);
  const sortBy = (fillKeys: (keys: Uint32Array, values: Uint32Array) => void) => {
    fillKeys(pairs.keys, pairs.values);
    const sorted = sortPairs(pairs, other, order.length);
    if (sorted !== pairs) [pairs, other] = [other, pairs];
  };
  sortBy((keys, values) => {
    for (let i = 0; i < keys.length; i++) keys[i] = b[values[i]!]!;
  });
  sortBy((keys, values) => {
    for (let i = 0; i < keys.length; i++) keys[i] = a[values[i]!]!;
  });
  // as in most large buckets
  const first = weight[order[0]!]!;
  if (order.every((edge) => weight[edge] === first)) return void order.set(pairs.values);
  for (const word of [4, 0]) {
    sortBy((keys, values) => {
      for (let i = 0; i < keys.length; i++) {
        view.setFloat64(0, weight[values[i]!]!);
        // falling
        keys[i] = ~view.getUint32(word);
      }
    });
  }
  order.set(pairs.values);
}
