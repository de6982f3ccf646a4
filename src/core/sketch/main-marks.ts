import type { DistinctFingerprints } from './distinct.ts';
import type { Sample } from './modulus.ts';
import { stored } from './sample.ts';

/*
 * What of a document is its main text, as a part of its own shingles. A window is main where all its tokens lie in ranges of
 * the text that are kept. A shingle is main where one of its windows is.
 *
 *   text    │ menu │ main main main main │ more │ main main main │ foot │
 *   w = 3            └──── main ────┘                └─ main ─┘
 */

/** The main part of a document's shingles. */
export interface MainMarks {
  /** The exact number of distinct shingles that are main, 0 or more. */
  readonly shingleCount: number;
  /** A bit for each value of the sample, in its order, the lowest bit of each byte first: 1 where the shingle is main. */
  readonly bits: Uint8Array;
}

/**
 * The text that is kept of a document: bytes from..to-1 of it, from and to of each range one after the other, ascending and
 * apart, each behind a separator. A token is kept that lies in one range as a whole; marks behind the separator count with it.
 */
export type KeptRanges = Uint32Array;

/** Whether one value of a sample is main. */
export function isMarked({ bits }: MainMarks, value: number): boolean {
  return ((bits[value >> 3]! >> (value & 7)) & 1) === 1;
}

/** Says of the tokens of a text, in their order, which windows of them are main. */
export class MainWindows {
  readonly #kept: KeptRanges;
  readonly #size: number;
  #range = 0;
  /** Kept tokens up to here, without one between that is not. */
  #run = 0;

  /** @param size w */
  constructor(kept: KeptRanges, size: number) {
    this.#kept = kept;
    this.#size = size;
  }

  /** Whether all tokens so far were kept. @param count how many there were */
  areAllKept(count: number): boolean {
    return this.#run === count;
  }

  /**
   * Of each of the next tokens, whether the window that ends with it is main.
   *
   * @param spans start and end (exclusive) in the text of each token
   */
  next(spans: Uint32Array): Uint8Array {
    const kept = this.#kept;
    const marks = new Uint8Array(spans.length / 2);
    for (let i = 0; i < marks.length; i++) {
      const from = spans[2 * i]!;
      const to = spans[2 * i + 1]!;
      while (this.#range < kept.length && kept[this.#range + 1]! < to) this.#range += 2;
      const isKept = this.#range < kept.length && kept[this.#range]! - 1 <= from;
      this.#run = isKept ? this.#run + 1 : 0;
      marks[i] = this.#run >= this.#size ? 1 : 0;
    }
    return marks;
  }
}

/** @param sample of the same document */
export function mainMarksOf(distinct: DistinctFingerprints, { modulus, fingerprints }: Sample): MainMarks {
  const { low, high, count, markedCount } = distinct;
  const marked: number[] = [];
  for (let i = 0; i < count; i++) {
    if ((low[i]! & (modulus - 1)) === 0 && distinct.isMarked(i)) marked.push(stored(low[i]!, high[i]!));
  }
  return { shingleCount: markedCount, bits: bitsOf(fingerprints, Float64Array.from(marked)) };
}

/** A bit for each of the values, ascending, that is among the marked ones, which are in no order and change theirs. */
export function bitsOf(values: Float64Array, marked: Float64Array): Uint8Array {
  const bits = new Uint8Array((values.length + 7) >> 3);
  marked.sort();
  for (let i = 0, at = 0; i < values.length && at < marked.length; i++) {
    if (values[i] !== marked[at]) continue;
    bits[i >> 3]! |= 1 << (i & 7);
    // two fingerprints may agree in what is stored of them
    while (at < marked.length && marked[at] === values[i]) at++;
  }
  return bits;
}
