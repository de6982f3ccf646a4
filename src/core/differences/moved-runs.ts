import type { AnchoredRuns } from './anchored-runs.ts';
import type { Gap, Run } from './shared-run.ts';
import type { SharedWindows } from './shared-windows.ts';

/*
 * What two texts share besides, in another order: runs of windows of which no token is in a run already.
 *
 *   a   === 1 1 . === . 2 2           found: the runs in order. Between them anchors are looked for in the whole of
 *   b   === . 2 2 === 1 1 .           both, not gap by gap.
 *
 * Cost: O(n) for each of a few rounds; a round finds what the one before had to leave, since two runs wanted one place.
 */

const ROUNDS_MAX = 4;
/** Taking a run costs as much as looking at this many windows. */
const RUN_LOOKS = 8;
/** Tokens that are counted in one step: some 3 ms. */
const STEP_TOKENS = 2 ** 18;

/**
 * @param inOrder runs of tokens, no two of which share one
 * @returns these and the others
 */
export function* allRunSteps(
  windows: SharedWindows,
  inOrder: readonly Run[],
  anchored: AnchoredRuns,
): Generator<undefined, Run[]> {
  const { size } = windows;
  const all = [...inOrder];
  // texts of other window sizes, or of no word at all
  if (windows.count === 0) return all;
  const takenA = new Uint8Array(windows.a.length + size - 1);
  const takenB = new Uint8Array(windows.b.length + size - 1);
  const take = ({ a, b, length }: Run) => {
    takenA.fill(1, a, a + length);
    takenB.fill(1, b, b + length);
  };
  for (const run of inOrder) {
    if (anchored.isStep(RUN_LOOKS)) yield;
    take(run);
  }
  const whole: Gap = { fromA: 0, toA: windows.a.length, fromB: 0, toB: windows.b.length };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const freeA = yield* freeTokenSteps(takenA);
    const freeB = yield* freeTokenSteps(takenB);
    const free = { isFreeA: (i: number) => freeA[i]! >= size, isFreeB: (j: number) => freeB[j]! >= size };
    const runs = yield* anchored.find(whole, free);
    if (runs.length === 0) break;
    for (const { a, b, length } of runs) {
      if (anchored.isStep(length)) yield;
      // the one before it may have taken its beginning, and any other one a part of it in b
      for (const run of freeParts({ a, b, length: length + size - 1 }, takenA, takenB, size)) {
        all.push(run);
        take(run);
      }
    }
  }
  return all;
}

/** The i-th: how many tokens from i on are not taken. */
function* freeTokenSteps(taken: Uint8Array): Generator<undefined, Uint32Array> {
  const free = new Uint32Array(taken.length);
  let after = 0;
  for (let at = taken.length - 1; at >= 0; at--) {
    if (at % STEP_TOKENS === 0) yield;
    after = taken[at] === 1 ? 0 : after + 1;
    free[at] = after;
  }
  return free;
}

/** The parts of a run of at least a window that nothing else has taken. */
function freeParts({ a, b, length }: Run, takenA: Uint8Array, takenB: Uint8Array, size: number): Run[] {
  const parts: Run[] = [];
  let from = 0;
  for (let at = 0; at <= length; at++) {
    if (at < length && takenA[a + at] === 0 && takenB[b + at] === 0) continue;
    if (at - from >= size) parts.push({ a: a + from, b: b + from, length: at - from });
    from = at + 1;
  }
  return parts;
}
