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
  let parting = 0;
  while (parting < lengthA && a.fingerprints[parting] === b.fingerprints[parting]) parting++;
  return parting === lengthA || a.fingerprints[parting]! < b.fingerprints[parting]!;
}

function* stretchSteps(a: WordedSequence, b: WordedSequence): Generator<undefined, ComparedTexts> {
  const windows = yield* sharedWindowSteps(a, b);
  yield;
  const anchored = new AnchoredRuns(windows);
  const inOrder = yield* inOrderRunSteps(windows, anchored);
  const all = yield* allRunSteps(windows, inOrder, anchored);
  yield;
  const runAtA = new Int32Array(a.sequence.tokenStarts.length).fill(NONE);
  yield;
  const runAtB = new Int32Array(b.sequence.tokenStarts.length).fill(NONE);
  for (const [i, { a: fromA, b: fromB, length }] of all.entries()) {
    if (anchored.isStep(length)) yield;
    runAtA.fill(i, fromA, fromA + length);
    runAtB.fill(i, fromB, fromB + length);
  }
  const ordered = yield* inOrderOfASteps(all, runAtA);
  const isCommon = new Uint8Array(all.length);
  for (const { a: from } of yield* heaviestChainSteps(ordered, 0, runAtB.length)) isCommon[runAtA[from]!] = 1;
  yield;
  const kindOfRun = (run: number): StretchKind => (isCommon[run] === 1 ? 'common' : 'moved');
  const openA = yield* stretchesIn(windows.a, windows.size, runAtA, all.length, kindOfRun);
  const openB = yield* stretchesIn(windows.b, windows.size, runAtB, all.length, kindOfRun);
  yield* pairSteps(openA, openB);
  yield* pairSteps(openB, openA);
  return { a: openA.stretches, b: openB.stretches };
}

function* inOrderOfASteps(all: readonly Run[], runAt: Int32Array): Generator<undefined, Run[]> {
  const ordered: Run[] = [];
  let looked = 0;
  for (let token = 0; token < runAt.length; ) {
    if (++looked % STEP_TOKENS === 0) yield;
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

/** The stretches of a text, of which the partners are not known yet. */
interface OpenStretches {
  readonly stretches: (Stretch & { partner: number | null })[];
  /** The i-th: the run that stretch i is, or less than 0. */
  readonly runs: readonly number[];
  /** The i-th: which stretch run i is. */
  readonly stretchOf: Int32Array;
}

/** @param runAt the i-th: the run that token i is in, or NONE */
function* stretchesIn(
  windows: Int32Array,
  size: number,
  runAt: Int32Array,
  runCount: number,
  kindOfRun: (run: number) => StretchKind,
): Generator<undefined, OpenStretches> {
  const stretches: OpenStretches['stretches'] = [];
  const runs: number[] = [];
  const stretchOf = new Int32Array(runCount);
  let sharedUpTo = 0;
  let from = 0;
  let now = NONE;
  const close = (to: number) => {
    const kind = now === REPEATED ? 'repeated' : now === ONLY ? 'only' : kindOfRun(now);
    if (to > from) {
      if (now >= 0) stretchOf[now] = stretches.length;
      stretches.push({ kind, from, to, partner: null });
      runs.push(now);
    }
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
  return { stretches, runs, stretchOf };
}

function* pairSteps({ stretches, runs }: OpenStretches, { stretchOf }: OpenStretches): Generator<undefined, void> {
  for (let i = 0; i < runs.length; i++) {
    if (i % STEP_TOKENS === STEP_TOKENS - 1) yield;
    if (runs[i]! >= 0) stretches[i]!.partner = stretchOf[runs[i]!]!;
  }
}
