/*
 * Which place of one text stands beside which place of the other, as two panes are scrolled together:
 *
 *     left    0 ──── 120 ──────── 300 ── 340
 *     right   0 ── 80 ─────── 200 ─────────── 420
 *
 * Between two pairs places are spread evenly. Cost: O(n) to make n pairs rise, O(log n) to find a place.
 */

export interface Pair {
  readonly left: number;
  readonly right: number;
}

/** Pairs that rise on both sides, in their order: one that falls behind those before it is left out. */
export function rising(pairs: readonly Pair[]): Pair[] {
  const kept: Pair[] = [];
  for (const pair of pairs) {
    const last = kept.at(-1);
    if (last === undefined || (pair.left > last.left && pair.right > last.right)) kept.push(pair);
  }
  return kept;
}

/** The place on the right that stands beside a place on the left. @param pairs rising */
export function beside(pairs: readonly Pair[], left: number): number {
  let low = 0;
  let high = pairs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[middle]!.left <= left) low = middle + 1;
    else high = middle;
  }
  const before = pairs[low - 1];
  const after = pairs[low];
  if (before === undefined)
    return after === undefined ? left : left * (after.left === 0 ? 1 : after.right / after.left);
  if (after === undefined) return before.right + (left - before.left);
  const part = (left - before.left) / (after.left - before.left);
  return before.right + part * (after.right - before.right);
}

/** The same pairs seen from the other side. */
export function turned(pairs: readonly Pair[]): Pair[] {
  return pairs.map(({ left, right }) => ({ left: right, right: left }));
}
