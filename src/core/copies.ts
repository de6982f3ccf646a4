/*
 * Copies of doubles for results. Making an ArrayBuffer takes longer than filling a small one, and the collector has to give
 * it back: a third of the time of a short text. So short copies lie one behind the other in blocks.
 *
 *   block   | sample | sample | sample | … free         the next one that does not fit begins another block
 *
 * A block lives as long as any copy in it, so whoever keeps one of many for long copies it; and whoever hands a buffer over to
 * a thread packs what it hands over.
 */

const BLOCK_DOUBLES = 4096;
/** Longer copies get memory of their own. */
const SHARED_DOUBLES_MAX = 1024;

/** A copy of values[from] … values[to - 1]. */
export type Copier = (values: Float64Array, from: number, to: number) => Float64Array;

export function createCopier(): Copier {
  let block = new Float64Array(BLOCK_DOUBLES);
  let used = 0;
  return (values, from, to) => {
    const count = to - from;
    if (count > SHARED_DOUBLES_MAX) return values.slice(from, to);
    if (used + count > BLOCK_DOUBLES) {
      block = new Float64Array(BLOCK_DOUBLES);
      used = 0;
    }
    const copy = new Float64Array(block.buffer, 8 * used, count);
    for (let i = 0; i < count; i++) copy[i] = values[from + i]!;
    used += count;
    return copy;
  };
}
