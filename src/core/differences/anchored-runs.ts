import type { Gap, Run } from './shared-run.ts';
import { NONE, type SharedWindows } from './shared-windows.ts';

/*
 * Runs of shared windows between a part of one text and a part of the other: a pair of windows is the anchor of each.
 *
 *   a   . . u 2 2 . 2 3 . .          u occurs once in either part: an anchor. From it a run goes on, both ways, as long as
 *   b   . 2 u 2 2 . . . 3 .          the windows are the same.
 *
 * Where no window is there just once, the first of a kind is paired with the first of it in the other part, and so on. No run
 * goes on beyond the next anchor of a. So all of them together cost one look at each window, whatever the texts repeat.
 * Source: patience diff (Cohen), by windows instead of lines.
 */

/** Windows that are looked at in one step: some 3 ms. */
const STEP_WINDOWS = 2 ** 15;

/** Which windows count: those of a gap that are free. */
export interface FreeWindows {
  isFreeA(window: number): boolean;
  isFreeB(window: number): boolean;
}

export class AnchoredRuns {
  readonly #windows: SharedWindows;
  /** By number: how often it is there, and where it is first; for b the next one like it, too. */
  readonly #countA: Int32Array;
  readonly #countB: Int32Array;
  readonly #firstB: Int32Array;
  readonly #nextB: Int32Array;
  #looked = 0;

  constructor(windows: SharedWindows) {
    this.#windows = windows;
    this.#countA = new Int32Array(windows.count);
    this.#countB = new Int32Array(windows.count);
    this.#firstB = new Int32Array(windows.count).fill(NONE);
    this.#nextB = new Int32Array(windows.b.length);
  }

  /** Whether so many windows more make a step. */
  isStep(windows: number): boolean {
    this.#looked += windows;
    if (this.#looked < STEP_WINDOWS) return false;
    this.#looked = 0;
    return true;
  }

  /** Runs in the order of a, in windows: beginnings ascend, and so do ends. Two may overlap in b. */
  *find(gap: Gap, free: FreeWindows | null): Generator<undefined, Run[]> {
    yield* this.#count(gap, free);
    const unique = yield* this.#unique(gap, free);
    const runs = unique.length > 0 ? yield* this.#extended(unique, gap, free) : yield* this.#inTheirOrder(gap, free);
    yield* this.#forget(gap);
    return runs;
  }

  *#count({ fromA, toA, fromB, toB }: Gap, free: FreeWindows | null): Generator<undefined, void> {
    const { a, b } = this.#windows;
    for (let i = fromA; i < toA; i++) {
      if (this.isStep(1)) yield;
      if (a[i] !== NONE && free?.isFreeA(i) !== false) this.#countA[a[i]!]!++;
    }
    for (let j = toB - 1; j >= fromB; j--) {
      if (this.isStep(1)) yield;
      if (b[j] === NONE || free?.isFreeB(j) === false) continue;
      this.#countB[b[j]!]!++;
      this.#nextB[j] = this.#firstB[b[j]!]!;
      this.#firstB[b[j]!] = j;
    }
  }

  *#forget({ fromA, toA, fromB, toB }: Gap): Generator<undefined, void> {
    const { a, b } = this.#windows;
    for (let i = fromA; i < toA; i++) {
      if (this.isStep(1)) yield;
      if (a[i] !== NONE) this.#countA[a[i]!] = 0;
    }
    for (let j = fromB; j < toB; j++) {
      if (this.isStep(1)) yield;
      if (b[j] === NONE) continue;
      this.#countB[b[j]!] = 0;
      this.#firstB[b[j]!] = NONE;
    }
  }

  /** The windows of a that are there once in either part. */
  *#unique({ fromA, toA }: Gap, free: FreeWindows | null): Generator<undefined, number[]> {
    const { a } = this.#windows;
    const unique: number[] = [];
    for (let i = fromA; i < toA; i++) {
      if (this.isStep(1)) yield;
      if (a[i] === NONE || this.#countA[a[i]!] !== 1 || this.#countB[a[i]!] !== 1) continue;
      if (free?.isFreeA(i) !== false) unique.push(i);
    }
    return unique;
  }

  *#extended(anchors: readonly number[], gap: Gap, free: FreeWindows | null): Generator<undefined, Run[]> {
    const { a, b } = this.#windows;
    const isShared = (i: number, j: number) =>
      a[i] === b[j] && a[i] !== NONE && free?.isFreeA(i) !== false && free?.isFreeB(j) !== false;
    const runs: Run[] = [];
    let leastA = gap.fromA;
    for (let at = 0; at < anchors.length; ) {
      const anchor = anchors[at]!;
      const over = this.#firstB[a[anchor]!]! - anchor;
      let from = anchor;
      while (from > leastA && from + over > gap.fromB && isShared(from - 1, from - 1 + over)) from--;
      let to = anchor + 1;
      let last = anchor;
      for (at++; to < gap.toA && to + over < gap.toB; to++) {
        if (this.isStep(1)) yield;
        if (to === anchors[at]) {
          if (this.#firstB[a[to]!]! - to !== over) break;
          last = to;
          at++;
        } else if (!isShared(to, to + over)) break;
      }
      runs.push({ a: from, b: from + over, length: to - from });
      leastA = last + 1;
    }
    return runs;
  }

  *#inTheirOrder({ fromA, toA }: Gap, free: FreeWindows | null): Generator<undefined, Run[]> {
    const { a } = this.#windows;
    const runs: { a: number; b: number; length: number }[] = [];
    for (let i = fromA; i < toA; i++) {
      if (this.isStep(1)) yield;
      if (a[i] === NONE || free?.isFreeA(i) === false) continue;
      const j = this.#firstB[a[i]!]!;
      if (j === NONE) continue;
      this.#firstB[a[i]!] = this.#nextB[j]!;
      const run = runs.at(-1);
      if (run !== undefined && run.a + run.length === i && run.b + run.length === j) run.length++;
      else runs.push({ a: i, b: j, length: 1 });
    }
    return runs;
  }
}
