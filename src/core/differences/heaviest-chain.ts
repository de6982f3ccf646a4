import type { Run } from './shared-run.ts';

/*
 * Of runs of shared windows those that stand in the same order in both texts, and weigh most together.
 *
 *   a   1 1 1 . 2 2 . 3 3 3 3 . 4          the chain 1 3 4 of lengths 3 + 4 + 1; 2 has been moved
 *   b   1 1 1 . 3 3 3 3 . 4 . 2 2
 *
 *   best(r) = length(r) + max { best(q) : q ends before r begins, in a and in b }
 *
 * Runs come in the order of a. The greatest best() of those that end at or before a place of b is asked of a Fenwick tree.
 * Of equal ones the first that was entered counts, so the answer is always the same.
 * Cost: O(k log n) for k runs in a stretch of n tokens. Source: Fredman 1975 (longest increasing subsequence), with weights.
 */

/** Runs that are looked at in one step: some 3 ms. */
const STEP_RUNS = 4096;

/**
 * @param runs in the order of a: beginnings ascend, and so do ends
 * @param from, to of b: all runs lie in it
 * @returns the runs of the chain, in order
 */
export function* heaviestChainSteps(
  runs: readonly Run[],
  from: number,
  to: number,
): Generator<undefined, readonly Run[]> {
  if (runs.length < 2) return runs;
  const best = new Float64Array(runs.length);
  const before = new Int32Array(runs.length).fill(-1);
  const tree = new Int32Array(to - from + 2).fill(-1);
  let entered = 0;
  let last = 0;
  for (const [i, run] of runs.entries()) {
    if (i % STEP_RUNS === STEP_RUNS - 1) yield;
    for (; runs[entered]!.a + runs[entered]!.length <= run.a; entered++) {
      enter(tree, runs[entered]!.b + runs[entered]!.length - from, entered, best);
    }
    const heaviest = heaviestUpTo(tree, run.b - from, best);
    before[i] = heaviest;
    best[i] = run.length + (heaviest < 0 ? 0 : best[heaviest]!);
    if (best[i]! > best[last]!) last = i;
  }
  const chain: Run[] = [];
  for (let at = last; at >= 0; at = before[at]!) {
    if (chain.push(runs[at]!) % STEP_RUNS === 0) yield;
  }
  return chain.reverse();
}

function enter(tree: Int32Array, place: number, run: number, best: Float64Array): void {
  for (let at = place + 1; at < tree.length; at += at & -at) {
    if (tree[at]! < 0 || best[run]! > best[tree[at]!]!) tree[at] = run;
  }
}

function heaviestUpTo(tree: Int32Array, place: number, best: Float64Array): number {
  let heaviest = -1;
  for (let at = place + 1; at > 0; at -= at & -at) {
    const run = tree[at]!;
    if (run < 0) continue;
    const weightier = heaviest < 0 ? 1 : best[run]! - best[heaviest]!;
    if (weightier > 0 || (weightier === 0 && run < heaviest)) heaviest = run;
  }
  return heaviest;
}
