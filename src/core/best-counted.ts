/*
 * The best of many counted contents, in order, without sorting them all: a heap of the best so far, the worst at its root.
 *
 *            worst            a pair that is no better than the root is passed over with one comparison, else it takes the
 *           /     \           root's place and sinks; at the end the roots are taken off, worst first, to the back
 *       better   better
 * Better is a larger count; of equal counts the smaller order, then the smaller number.
 * Cost: O(found + replaced · log most).
 */

/** The best counted contents in order, found with a heap of at most `most` whose root is the worst one kept. */
export function bestCounted(
  table: Uint32Array,
  used: Uint32Array,
  most: number,
  orderOf: (content: number) => number,
): { contents: Uint32Array; counts: Uint32Array } {
  const size = Math.max(0, Math.min(most, used.length));
  const counts = new Uint32Array(size);
  const orders = new Uint32Array(size);
  const contents = new Uint32Array(size);
  // Puts a content at the root of the part of the heap below `end`, and lets it sink to its place.
  const sink = (root: number, end: number, count: number, order: number, content: number): void => {
    let hole = root;
    for (let child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && isWorse(child + 1, counts[child]!, orders[child]!, contents[child]!)) child++;
      if (!isWorse(child, count, order, content)) break;
      counts[hole] = counts[child]!;
      orders[hole] = orders[child]!;
      contents[hole] = contents[child]!;
      hole = child;
    }
    counts[hole] = count;
    orders[hole] = order;
    contents[hole] = content;
  };
  /** Whether what stands at a place of the heap is worse than another. */
  const isWorse = (at: number, count: number, order: number, content: number): boolean => {
    if (counts[at]! !== count) return counts[at]! < count;
    return orders[at]! === order ? contents[at]! > content : orders[at]! > order;
  };
  for (let i = size - 1; i >= 0; i--) {
    const content = table[used[i]!]!;
    sink(i, size, table[used[i]! + 1]!, orderOf(content), content);
  }
  for (let i = size; i < used.length && size > 0; i++) {
    const count = table[used[i]! + 1]!;
    if (count < counts[0]!) continue;
    const content = table[used[i]!]!;
    const order = orderOf(content);
    if (isWorse(0, count, order, content)) sink(0, size, count, order, content);
  }
  // Heap sort: the worst one left goes to the end.
  for (let end = size - 1; end > 0; end--) {
    const [count, order, content] = [counts[end]!, orders[end]!, contents[end]!];
    counts[end] = counts[0]!;
    orders[end] = orders[0]!;
    contents[end] = contents[0]!;
    sink(0, end, count, order, content);
  }
  return { contents, counts };
}
