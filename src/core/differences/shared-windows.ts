import type { ShingleSequence } from '../sketch/sketch.ts';
import { isSameWord, type Words } from '../text/tokens.ts';

/*
 * Which windows two texts share: every window of either gets the number of its words, -1 where the other has no such
 * window.
 *
 *   a   it was the age of     windows  0  1  2      b   was the age of iron     windows  1  2 -1
 *
 * Windows are found by their fingerprints and then held against one another word by word: what is told to be common is,
 * letter for letter of the canonical form. A window that follows on one which was compared has only its last word
 * looked at. Cost: some 200 ns a window, and w looks at every byte at the worst.
 */

/** A text by its windows and its words, made from the same bytes. */
export interface WordedSequence {
  readonly sequence: ShingleSequence;
  readonly words: Words;
}

export interface SharedWindows {
  /** Tokens in a window. */
  readonly size: number;
  /** The i-th: the number of the window at token i, 0 .. count - 1, or -1. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly count: number;
}

/** Windows that are numbered in one step, and bytes of words compared: some 3 ms. */
const STEP_WINDOWS = 4096;
const STEP_BYTES = 2 ** 20;
/** Windows of which one step looks whether the other text has them: each may be a miss of all caches. */
const STEP_MISSES = 2 ** 17;

export const NONE = -1;

/** Steps of some 3 ms. Shingles of other lengths, which only texts of fewer words have, are never equal. */
export function* sharedWindowSteps(a: WordedSequence, b: WordedSequence): Generator<undefined, SharedWindows> {
  const size = a.sequence.shingleSize;
  const numbersA = new Int32Array(a.sequence.fingerprints.length);
  const numbersB = new Int32Array(b.sequence.fingerprints.length);
  if (size !== b.sequence.shingleSize) return { size, a: numbersA.fill(NONE), b: numbersB.fill(NONE), count: 0 };
  /** The window of `a` that first had a number. */
  const firsts = new Int32Array(numbersA.length);
  const table = new NumberTable(numbersA.length);
  const isSame = createWindowCheck(a, size);
  let looked = 0;
  let count = 0;

  function* numberAll(of: WordedSequence, into: Int32Array): Generator<undefined, void> {
    const { fingerprints } = of.sequence;
    let before = NONE;
    for (let window = 0; window < fingerprints.length; window++) {
      looked += STEP_BYTES / STEP_WINDOWS;
      if (looked >= STEP_BYTES) {
        looked = 0;
        yield;
      }
      const fingerprint = fingerprints[window]!;
      const number = of === a ? table.numberOf(fingerprint) : table.find(fingerprint);
      into[window] = NONE;
      if (number === NONE) {
        before = NONE;
        continue;
      }
      if (number === count) firsts[count++] = window;
      const first = firsts[number]!;
      const follows = before !== NONE && first === before + 1;
      const bytes = of === a && first === window ? 0 : isSame(of, window, first, follows);
      before = bytes < 0 ? NONE : first;
      looked += Math.abs(bytes);
      if (bytes >= 0) into[window] = number;
    }
  }

  yield* numberAll(a, numbersA);
  yield* numberAll(b, numbersB);
  const isInB = new Uint8Array(count);
  for (let window = 0; window < numbersB.length; window++) {
    if (window % STEP_MISSES === 0) yield;
    if (numbersB[window] !== NONE) isInB[numbersB[window]!] = 1;
  }
  for (let window = 0; window < numbersA.length; window++) {
    if (window % STEP_MISSES === 0) yield;
    if (numbersA[window] !== NONE && isInB[numbersA[window]!] === 0) numbersA[window] = NONE;
  }
  return { size, a: numbersA, b: numbersB, count };
}

/**
 * Fingerprints -> numbers in the order in which they came; open addressing, at most half full. An empty slot is zero: to
 * fill 16 MB with anything else would take tens of ms at once.
 */
class NumberTable {
  readonly #fingerprints: Float64Array;
  /** Each number, and 1. */
  readonly #after: Int32Array;
  readonly #mask: number;
  #count = 0;

  constructor(most: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * most + 2));
    this.#fingerprints = new Float64Array(slots);
    this.#after = new Int32Array(slots);
    this.#mask = slots - 1;
  }

  /** The number of a fingerprint, a new one where it has none. */
  numberOf(fingerprint: number): number {
    const slot = this.#slotOf(fingerprint);
    if (this.#after[slot] === 0) {
      this.#fingerprints[slot] = fingerprint;
      this.#after[slot] = ++this.#count;
    }
    return this.#after[slot]! - 1;
  }

  find(fingerprint: number): number {
    return this.#after[this.#slotOf(fingerprint)]! - 1;
  }

  /** Fingerprints are uniform: their low bits are as good as a hash. */
  #slotOf(fingerprint: number): number {
    let slot = (fingerprint | 0) & this.#mask;
    while (this.#after[slot] !== 0 && this.#fingerprints[slot] !== fingerprint) slot = (slot + 1) & this.#mask;
    return slot;
  }
}

/** @returns a check of a window against window `first` of `a`: the bytes looked at, below 0 where they are not the same */
function createWindowCheck(a: WordedSequence, size: number) {
  return (of: WordedSequence, i: number, first: number, follows: boolean): number => {
    let bytes = 1;
    for (let at = follows ? size - 1 : 0; at < size; at++) {
      bytes += of.words.starts[i + at + 1]! - of.words.starts[i + at]!;
      if (!isSameWord(of.words, i + at, a.words, first + at)) return -bytes;
    }
    return bytes;
  };
}
