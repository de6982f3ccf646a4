import { AnchoredRuns } from './anchored-runs.ts';
import { heaviestChainSteps } from './heaviest-chain.ts';
import { inOrderRunSteps } from './in-order-runs.ts';
import { allRunSteps } from './moved-runs.ts';
import type { Run } from './shared-run.ts';
import { NONE, sharedWindowSteps, type WordedSequence } from './shared-windows.ts';

/*
 * What is common to two texts and what is not, as stretches of the tokens of each: the table of contents.
 *
 *   sequences ─ shared windows ─┬─ runs in order ─ other runs ─ heaviest chain ─┬─ stretches
 *                               └──────── tokens in a shared window ────────────┘
 *
 *   a   the cat sat | on the mat | and slept | . . .
 *       common 0    | only       | moved 2   |            every token is in exactly one stretch
 *
 *   common     a run of the chain: the same words, in the same order among all that is common
 *   moved      a run beside it: the same words, elsewhere
 *   repeated   words of a window that the other text has too, at a place which is the partner of another place, or of none
 *   only       words of no window that the other text has
 *
 * The two texts are put into an order of their own first. So which of equals is chosen never depends on which is a, and
 * a and b swapped give the mirror image. Cost: O(n log n), 0.5 to 1 us a token.
 */

export type StretchKind = 'common' | 'moved' | 'repeated' | 'only';

/** Tokens from .. to - 1. */
export interface Stretch {
  readonly kind: StretchKind;
  readonly from: number;
  readonly to: number;
  /** Which stretch of the other text has the same words: of `common` and `moved`; else null. */
  readonly partner: number | null;
}

/** Each list has every token of its text once, in order. */
export interface ComparedTexts {
  readonly a: readonly Stretch[];
  readonly b: readonly Stretch[];
}

/** Steps of some 3 ms, some 20 for the largest texts. */
export function* compareTextSteps(a: WordedSequence, b: WordedSequence): Generator<undefined, ComparedTexts> {
  if (isInOrder(a, b)) return yield* stretchSteps(a, b);
  const { a: inB, b: inA } = yield* stretchSteps(b, a);
  return { a: inA, b: inB };
}

/** An order of any two texts but equal ones. */
function isInOrder({ sequence: a }: WordedSequence, { sequence: b }: WordedSequence): boolean {
  const [lengthA, lengthB] = [a.fingerprints.length, b.fingerprints.length];
  if (lengthA !== lengthB) return lengthA < lengthB;
  const parting = a.fingerprints.findIndex((fingerprint, i) => fingerprint !== b.fingerprints[i]);
  return parting < 0 || a.fingerprints[parting]! < b.fingerprints[parting]!;
}

function* stretchSteps(a: WordedSequence, b: WordedSequence): Generator<undefined, ComparedTexts> {
  const windows = yield* sharedWindowSteps(a, b);
  const anchored = new AnchoredRuns(windows);
  const inOrder = yield* inOrderRunSteps(windows, anchored);
  const all = yield* allRunSteps(windows, inOrder, anchored);
  const runAtA = new Int32Array(a.sequence.tokenStarts.length).fill(NONE);
  const runAtB = new Int32Array(b.sequence.tokenStarts.length).fill(NONE);
  for (const [i, { a: fromA, b: fromB, length }] of all.entries()) {
    if (anchored.isStep(length)) yield;
    runAtA.fill(i, fromA, fromA + length);
    runAtB.fill(i, fromB, fromB + length);
  }
  const chain = yield* heaviestChainSteps(inOrderOfA(all, runAtA), 0, runAtB.length);
  const common = new Set(chain);
  yield;
  const kindOfRun = (run: number): StretchKind => (common.has(all[run]!) ? 'common' : 'moved');
  const openA = yield* stretchesIn(windows.a, windows.size, runAtA, kindOfRun);
  const openB = yield* stretchesIn(windows.b, windows.size, runAtB, kindOfRun);
  return paired(openA, openB, all.length);
}

function inOrderOfA(all: readonly Run[], runAt: Int32Array): Run[] {
  const ordered: Run[] = [];
  for (let token = 0; token < runAt.length; ) {
    const run = runAt[token] === NONE ? null : all[runAt[token]!]!;
    if (run !== null) ordered.push(run);
    token += run?.length ?? 1;
  }
  return ordered;
}

const REPEATED = -2;
const ONLY = -3;
/** Tokens that are looked at in one step: some 3 ms. */
const STEP_TOKENS = 2 ** 15;

interface OpenStretch extends Omit<Stretch, 'partner'> {
  readonly run: number;
}

/** @param runAt the i-th: the run that token i is in, or NONE */
function* stretchesIn(
  windows: Int32Array,
  size: number,
  runAt: Int32Array,
  kindOfRun: (run: number) => StretchKind,
): Generator<undefined, OpenStretch[]> {
  const stretches: OpenStretch[] = [];
  let sharedUpTo = 0;
  let from = 0;
  let now = NONE;
  const close = (to: number) => {
    const kind = now === REPEATED ? 'repeated' : now === ONLY ? 'only' : kindOfRun(now);
    if (to > from) stretches.push({ kind, from, to, run: now });
    from = to;
  };
  for (let token = 0; token < runAt.length; token++) {
    if (token % STEP_TOKENS === STEP_TOKENS - 1) yield;
    if (token < windows.length && windows[token] !== NONE) sharedUpTo = token + size;
    const run = runAt[token]!;
    const next = run !== NONE ? run : token < sharedUpTo ? REPEATED : ONLY;
    if (next !== now) close(token);
    now = next;
  }
  close(runAt.length);
  return stretches;
}

function paired(a: readonly OpenStretch[], b: readonly OpenStretch[], runs: number): ComparedTexts {
  const [ofA, ofB] = [new Int32Array(runs), new Int32Array(runs)];
  for (const [i, { run }] of a.entries()) if (run >= 0) ofA[run] = i;
  for (const [i, { run }] of b.entries()) if (run >= 0) ofB[run] = i;
  const close =
    (partners: Int32Array) =>
    ({ kind, from, to, run }: OpenStretch): Stretch => ({
      ...{ kind, from, to },
      partner: run < 0 ? null : partners[run]!,
    });
  return { a: a.map(close(ofB)), b: b.map(close(ofA)) };
}
