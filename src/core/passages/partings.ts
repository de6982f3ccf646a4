import type { ShingleSequence } from '../sketch/sketch.ts';

/*
 * Where two texts part: the stretches of words between those that both have, in the order of both.
 *
 *   a   it was the age of | wisdom     | it was the age of foolishness ...
 *   b   it was the age of | iron and gold | it was the age of foolishness ...
 *
 * A greedy walk over the windows of both, side by side as long as they are equal. Where they are not, the next window
 * of `a` that `b` has from here on, with the fewest words passed over on both sides, is where they meet again. That is
 * no shortest edit script: what was moved is told as left out and put in. For examples it is enough, and linear: 0.4 to
 * 0.8 us a window.
 */

/** Tokens from .. to - 1. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What stands in `a` where `b` has something else; one of them may be empty. */
export interface Parting {
  readonly a: Stretch;
  readonly b: Stretch;
}

/** Windows of `a` that `b` has too which are weighed as the point to meet again. */
const MEETINGS_WEIGHED = 64;

/** Windows that are looked at in one step: some 3 ms. */
const STEP_WINDOWS = 4096;

/**
 * The first points at which two texts part, step by step, for those who have more to do.
 *
 * @param isSameWord whether token i of `a` is token j of `b`
 */
export function* partingSteps(
  a: ShingleSequence,
  b: ShingleSequence,
  isSameWord: (i: number, j: number) => boolean,
  partingsMax: number,
): Generator<undefined, Parting[]> {
  const partings: Parting[] = [];
  // shingles of other lengths are never equal
  const comparable = a.shingleSize === b.shingleSize;
  const [windowsA, windowsB] = comparable ? [a.fingerprints, b.fingerprints] : [EMPTY, EMPTY];
  const meet = yield* meetings(windowsA, windowsB);
  let [i, j] = [0, 0];
  /** The tokens after the last ones that were the same. */
  let [nextA, nextB] = [0, 0];
  while (partings.length < partingsMax) {
    while (i < windowsA.length && j < windowsB.length && windowsA[i] === windowsB[j]) {
      i++;
      j++;
      nextA = i - 1 + a.shingleSize;
      nextB = j - 1 + b.shingleSize;
    }
    const [endA, endB] = (yield* meet(i, j)) ?? [a.tokenStarts.length, b.tokenStarts.length];
    // words that overlap where something is repeated belong to one side of it only
    const back = Math.max(0, nextA - endA, nextB - endB);
    const parting = trimmed({ from: nextA - back, to: endA }, { from: nextB - back, to: endB }, isSameWord);
    if (parting.a.from < parting.a.to || parting.b.from < parting.b.to) partings.push(parting);
    if (endA === a.tokenStarts.length || endB === b.tokenStarts.length) break;
    [i, j] = [endA, endB];
  }
  return partings;
}

const EMPTY = new Float64Array(0);

/** Where two lists of windows meet again from (i, j) on, null where they do not. To be asked with growing i and j only. */
type Meet = (i: number, j: number) => Generator<undefined, [number, number] | null>;

function* meetings(windowsA: Float64Array, windowsB: Float64Array): Generator<undefined, Meet> {
  const first = new Map<number, number>();
  const next = new Int32Array(windowsB.length);
  for (let j = windowsB.length - 1; j >= 0; j--) {
    next[j] = first.get(windowsB[j]!) ?? -1;
    first.set(windowsB[j]!, j);
    if (j % STEP_WINDOWS === 0) yield;
  }
  /** What lies behind is passed over for good, so that all questions together cost one look at each window. */
  const firstFrom = (window: number, j: number): number => {
    let at = first.get(window) ?? -1;
    if (at < 0 || at >= j) return at;
    while (at >= 0 && at < j) at = next[at]!;
    first.set(window, at);
    return at;
  };
  return function* meet(i, j) {
    let best: [number, number] | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (let at = i, weighed = 0; at < windowsA.length && at - i < least && weighed < MEETINGS_WEIGHED; at++) {
      if (at % STEP_WINDOWS === 0) yield;
      const other = firstFrom(windowsA[at]!, j);
      if (other < 0) continue;
      weighed++;
      if (at - i + other - j >= least) continue;
      least = at - i + other - j;
      best = [at, other];
    }
    return best;
  };
}

/** Without the words that both begin and end with. */
function trimmed(a: Stretch, b: Stretch, isSameWord: (i: number, j: number) => boolean): Parting {
  let [fromA, fromB, toA, toB] = [a.from, b.from, a.to, b.to];
  while (fromA < toA && fromB < toB && isSameWord(fromA, fromB)) {
    fromA++;
    fromB++;
  }
  while (fromA < toA && fromB < toB && isSameWord(toA - 1, toB - 1)) {
    toA--;
    toB--;
  }
  return { a: { from: fromA, to: toA }, b: { from: fromB, to: toB } };
}

interface SequencedText {
  readonly text: Uint8Array;
  readonly sequence: ShingleSequence;
}

/**
 * Where two texts with the same words write them otherwise: in other letters, or with something else between them.
 *
 * @returns how many words are written otherwise, and the first stretches of such words
 */
export function findSpellings(
  a: SequencedText,
  b: SequencedText,
  partingsMax: number,
): { words: number; partings: Parting[] } {
  const partings: Parting[] = [];
  const count = Math.min(a.sequence.tokenStarts.length, b.sequence.tokenStarts.length);
  let words = 0;
  let from = -1;
  for (let token = 0; token <= count; token++) {
    const differs = token < count && !isSpelledAlike(a, b, token);
    if (differs) words++;
    if (differs && from < 0) from = token;
    if (differs || from < 0) continue;
    if (partings.length < partingsMax) partings.push({ a: { from, to: token }, b: { from, to: token } });
    from = -1;
  }
  return { words, partings };
}

/** Whether a word, and what stands between it and the next one, is the same in both. */
function isSpelledAlike(a: SequencedText, b: SequencedText, token: number): boolean {
  const startA = token === 0 ? 0 : a.sequence.tokenStarts[token]!;
  const startB = token === 0 ? 0 : b.sequence.tokenStarts[token]!;
  const length = (a.sequence.tokenStarts[token + 1] ?? a.text.length) - startA;
  if ((b.sequence.tokenStarts[token + 1] ?? b.text.length) - startB !== length) return false;
  for (let at = 0; at < length; at++) if (a.text[startA + at] !== b.text[startB + at]) return false;
  return true;
}
