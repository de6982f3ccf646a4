import { TIE_COUNT } from './rank.ts';

/*
 * The best of many counted contents, in order, without sorting them all: a heap of the best so far, the worst at its root.
 *
 *            worst            a pair that is no better than the root is passed over with one comparison, else it takes the
 *           /     \           root's slot and sinks; at the end the roots are taken off, worst first, to the back
 *       better   better
 * Better is a larger count; of equal counts the smaller order, then the smaller number. Count and order are one number,
 * exactly:
 *
 *   32 bits count | 21 bits, all ones less the order          as many as a double holds
 *
 * Cost: O(found + replaced · log most).
 */

/**
 * The best counted contents in order, found with a heap of at most `most` whose root is the worst one kept.
 *
 * @param orderOf 0..TIE_COUNT-1
 */
export function bestCounted(
  table: Uint32Array,
  used: Uint32Array,
  most: number,
  orderOf: (content: number) => number,
): { contents: Uint32Array; counts: Uint32Array } {
  const size = Math.max(0, Math.min(most, used.length));
  const keys = new Float64Array(size);
  const contents = new Uint32Array(size);
  // Puts a content at the root of the part of the heap below `end`, and lets it sink to where it belongs.
  const sink = (root: number, end: number, key: number, content: number): void => {
    let hole = root;
    for (let child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && isWorse(keys[child + 1]!, contents[child + 1]!, keys[child]!, contents[child]!)) child++;
      if (!isWorse(keys[child]!, contents[child]!, key, content)) break;
      keys[hole] = keys[child]!;
      contents[hole] = contents[child]!;
      hole = child;
    }
    keys[hole] = key;
    contents[hole] = content;
  };
  const keyOf = (count: number, content: number) => count * TIE_COUNT + (TIE_COUNT - 1 - orderOf(content));
  for (let i = size - 1; i >= 0; i--) {
    const content = table[used[i]!]!;
    sink(i, size, keyOf(table[used[i]! + 1]!, content), content);
  }
  for (let i = size; i < used.length && size > 0; i++) {
    const count = table[used[i]! + 1]!;
    // most have too few: their order is not even asked for
    if ((count + 1) * TIE_COUNT <= keys[0]!) continue;
    const content = table[used[i]!]!;
    const key = keyOf(count, content);
    if (isWorse(keys[0]!, contents[0]!, key, content)) sink(0, size, key, content);
  }
  // Heap sort: the worst one left goes to the end.
  for (let end = size - 1; end > 0; end--) {
    const [key, content] = [keys[end]!, contents[end]!];
    keys[end] = keys[0]!;
    contents[end] = contents[0]!;
    sink(0, end, key, content);
  }
  const counts = new Uint32Array(size);
  for (let i = 0; i < size; i++) counts[i] = Math.floor(keys[i]! / TIE_COUNT);
  return { contents, counts };
}

function isWorse(keyA: number, contentA: number, keyB: number, contentB: number): boolean {
  return keyA < keyB || (keyA === keyB && contentA > contentB);
}
