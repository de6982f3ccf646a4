import type { AnchoredRuns } from './anchored-runs.ts';
import { heaviestChainSteps } from './heaviest-chain.ts';
import type { Gap, Run } from './shared-run.ts';
import { NONE, type SharedWindows } from './shared-windows.ts';

/*
 * What two texts share in the order of both, as runs of tokens. First comes what both begin and end with, then the heaviest
 * chain of runs between (core/differences/anchored-runs.ts). The same is done in each gap of the chain: there windows may be
 * unique that are not in the whole.
 *
 *   gap   |====|      . x . . y . .         |===|        both begin and end with the same windows
 *               |gap|=|  gap  |=|   gap    |             a chain through the rest leaves gaps again
 *
 * No longest common subsequence: what a gap of a gap … hides DEPTH_MAX times is not looked for in order any more.
 * Cost: O(n log n) for each depth, and most texts have two or three.
 */

/** Gaps within gaps: each costs a look at all of a text, and pages and books need four at the most. */
const DEPTH_MAX = 12;

/** A gap, however small, costs as much as looking at this many windows; a run of a chain costs as much as looking at one. */
const GAP_LOOKS = 16;

/** @returns runs of tokens in order, no two of which have a token in common */
export function* inOrderRunSteps(windows: SharedWindows, anchored: AnchoredRuns): Generator<undefined, Run[]> {
  const { size } = windows;
  const found: Run[] = [];
  const gaps: (Gap & { readonly depth: number })[] = [
    { fromA: 0, toA: windows.a.length, fromB: 0, toB: windows.b.length, depth: 0 },
  ];
  for (let gap = gaps.pop(); gap !== undefined; gap = gaps.pop()) {
    if (anchored.isStep(GAP_LOOKS)) yield;
    const head = yield* headOf(windows, gap, anchored);
    if (head > 0) found.push({ a: gap.fromA, b: gap.fromB, length: head + size - 1 });
    const rest = head > 0 ? withoutHead(gap, head + size - 1) : gap;
    const tail = yield* tailOf(windows, rest, anchored);
    const inner = tail > 0 ? withoutTail(rest, tail + size - 1) : rest;
    const chain = yield* chainOf(inner, size, anchored);
    if (gap.depth < DEPTH_MAX) {
      for (const next of gapsBetween(inner, chain, size)) {
        if (anchored.isStep(1)) yield;
        gaps.push({ ...next, depth: gap.depth + 1 });
      }
    }
    for (const run of chain) {
      if (anchored.isStep(1)) yield;
      found.push(run);
    }
    if (tail > 0) found.push({ a: rest.toA - tail, b: rest.toB - tail, length: tail + size - 1 });
  }
  return found;
}

const isEmpty = ({ fromA, toA, fromB, toB }: Gap) => fromA >= toA || fromB >= toB;
const withoutHead = (gap: Gap, tokens: number): Gap => ({
  ...gap,
  fromA: gap.fromA + tokens,
  fromB: gap.fromB + tokens,
});
const withoutTail = (gap: Gap, tokens: number): Gap => ({ ...gap, toA: gap.toA - tokens, toB: gap.toB - tokens });

function* headOf({ a, b }: SharedWindows, gap: Gap, anchored: AnchoredRuns): Generator<undefined, number> {
  const most = Math.min(gap.toA - gap.fromA, gap.toB - gap.fromB);
  let head = 0;
  for (; head < most && isShared(a[gap.fromA + head]!, b[gap.fromB + head]!); head++) if (anchored.isStep(1)) yield;
  return Math.max(0, head);
}

function* tailOf({ a, b }: SharedWindows, gap: Gap, anchored: AnchoredRuns): Generator<undefined, number> {
  const most = Math.min(gap.toA - gap.fromA, gap.toB - gap.fromB);
  let tail = 0;
  for (; tail < most && isShared(a[gap.toA - 1 - tail]!, b[gap.toB - 1 - tail]!); tail++) if (anchored.isStep(1)) yield;
  return Math.max(0, tail);
}

const isShared = (a: number, b: number) => a === b && a !== NONE;

/** The heaviest chain of a gap in tokens. Where two of its runs overlap, by less than a window, the later one gives way. */
function* chainOf(gap: Gap, size: number, anchored: AnchoredRuns): Generator<undefined, Run[]> {
  if (isEmpty(gap)) return [];
  const runs = yield* anchored.find(gap, null);
  const chain: Run[] = [];
  let [endA, endB] = [gap.fromA, gap.fromB];
  for (const { a, b, length } of yield* heaviestChainSteps(runs, gap.fromB, gap.toB)) {
    if (anchored.isStep(1)) yield;
    const over = Math.max(0, endA - a, endB - b);
    const run = { a: a + over, b: b + over, length: length + size - 1 - over };
    chain.push(run);
    [endA, endB] = [run.a + run.length, run.b + run.length];
  }
  return chain;
}

/** The windows of a gap that have no token of its chain; where there is no chain, nothing. */
function* gapsBetween(gap: Gap, chain: readonly Run[], size: number): Generator<Gap, void, undefined> {
  if (chain.length === 0) return;
  let [fromA, fromB] = [gap.fromA, gap.fromB];
  for (const { a, b, length } of chain) {
    const before = { fromA, toA: a - size + 1, fromB, toB: b - size + 1 };
    if (!isEmpty(before)) yield before;
    [fromA, fromB] = [a + length, b + length];
  }
  const last = { fromA, toA: gap.toA, fromB, toB: gap.toB };
  if (!isEmpty(last)) yield last;
}
