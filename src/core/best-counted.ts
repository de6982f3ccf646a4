/*
 * The best of many counted contents, in order, without sorting them all: a heap of the best so far, the worst at its root.
 *
 *            worst            a pair that is no better than the root is passed over with one comparison, else it takes the
 *           /     \           root's place and sinks; at the end the roots are taken off, worst first, to the back
 *       better   better
 * Cost: O(found + replaced · log most).
 */

/** The best counted contents in order, found with a heap of at most `most` whose root is the worst one kept. */
export function bestCounted(
  table: Uint32Array,
  used: Uint32Array,
  most: number,
): { contents: Uint32Array; counts: Uint32Array } {
  const size = Math.max(0, Math.min(most, used.length));
  const counts = new Uint32Array(size);
  const contents = new Uint32Array(size);
  // Puts a pair at the root of the part of the heap below `end`, and lets it sink to its place.
  const sink = (root: number, end: number, count: number, content: number): void => {
    let hole = root;
    for (let child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && isWorse(counts[child + 1]!, contents[child + 1]!, counts[child]!, contents[child]!))
        child++;
      if (!isWorse(counts[child]!, contents[child]!, count, content)) break;
      counts[hole] = counts[child]!;
      contents[hole] = contents[child]!;
      hole = child;
    }
    counts[hole] = count;
    contents[hole] = content;
  };
  for (let i = size - 1; i >= 0; i--) sink(i, size, table[used[i]! + 1]!, table[used[i]!]!);
  for (let i = size; i < used.length && size > 0; i++) {
    const count = table[used[i]! + 1]!;
    const content = table[used[i]!]!;
    if (isWorse(counts[0]!, contents[0]!, count, content)) sink(0, size, count, content);
  }
  // Heap sort: the worst one left goes to the end.
  for (let end = size - 1; end > 0; end--) {
    const count = counts[end]!;
    const content = contents[end]!;
    counts[end] = counts[0]!;
    contents[end] = contents[0]!;
    sink(0, end, count, content);
  }
  return { contents, counts };
}

function isWorse(countA: number, contentA: number, countB: number, contentB: number): boolean {
  return countA < countB || (countA === countB && contentA > contentB);
}
