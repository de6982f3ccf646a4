import {
  combiningRank,
  compose,
  foldedParts,
  IGNORED,
  IOTA,
  IOTA_SUBSCRIPT,
  infoOf,
  KIND_MASK,
  SPLITS,
  UNSAFE,
} from './unicode.ts';

/*
 * Normalisation of what characters stand for, folded, one character after another, in constant memory:
 *
 *   NFC(fold(NFKD(seen)))     folded while in pieces, so that J + caron and ǰ, Ä and a + diaeresis end as one;
 *                             seen: the text without its IGNORED characters, which must not keep apart what looks joined
 *
 *   characters in ──┬─ safe ──────────────────────────────── held ──┐
 *                   ├─ UNSAFE ── parts ── starter, marks by rank ───┴── composed, to the sink
 *                   └─ IGNORED: gone
 *
 * A safe character begins a piece of its own, so what is held can go when one arrives; in most text nothing else ever
 * happens. Source: UAX #15, "Canonical Composition Algorithm".
 *
 * Ours: a starter keeps its first 30 marks and the others are dropped. Ordering marks costs the square of their number,
 * and no writing system comes near (UAX #15, "Stream-Safe Text Format", has the same limit and splits the run instead).
 * Cost: linear in the text.
 */

/** Combining marks, decomposed, that one starter keeps. */
export const MARKS_MAX = 30;

/** Takes characters of the result in order: what they are, and which bytes of the input they come from. */
export type CharacterSink = (code: number, kind: number, start: number, end: number) => void;

export class Normalizer {
  readonly #sink: CharacterSink;
  // Either one safe character is held as it came, or a starter (or none, -1) with its marks in order.
  #held = -1;
  #starter = -1;
  #markCount = 0;
  readonly #marks = new Int32Array(MARKS_MAX);
  readonly #ranks = new Int32Array(MARKS_MAX);
  // the bytes of the input that all of them come from
  #start = 0;
  #end = 0;

  constructor(sink: CharacterSink) {
    this.#sink = sink;
  }

  /** Takes the next character, which stands at bytes start..end-1 of the input. */
  push(code: number, start: number, end: number): void {
    const info = infoOf(code);
    if (info === IGNORED) return;
    if ((info & UNSAFE) === 0) {
      this.flush();
      this.#held = code;
      this.#start = start;
      this.#end = end;
      return;
    }
    if (this.#held >= 0) this.#takeApart();
    this.#split(code, start, end);
  }

  /** Hands everything that is held to the sink: nothing that follows can change it. */
  flush(): void {
    if (this.#held >= 0) {
      const info = infoOf(this.#held);
      if ((info & SPLITS) === 0) {
        this.#sink(this.#held + (info >> 8), info & KIND_MASK, this.#start, this.#end);
        this.#held = -1;
        return;
      }
      this.#takeApart();
    }
    this.#composeMarks();
    this.#release();
  }

  #takeApart(): void {
    const code = this.#held;
    this.#held = -1;
    this.#split(code, this.#start, this.#end);
  }

  #split(code: number, start: number, end: number): void {
    const parts = foldedParts(code);
    if (parts === undefined) this.#add(code + (infoOf(code) >> 8), start, end);
    else for (const part of parts) this.#add(part, start, end);
  }

  #add(part: number, start: number, end: number): void {
    if (this.#starter < 0 && this.#markCount === 0) this.#start = start;
    const rank = combiningRank(part);
    if (rank > 0) this.#addMark(part, rank);
    else {
      this.#composeMarks();
      const composite = this.#markCount === 0 ? compose(this.#starter, part) : -1;
      if (composite < 0) {
        this.#release();
        this.#start = start;
      }
      this.#starter = composite < 0 ? part : composite;
    }
    this.#end = end;
  }

  /** Insertion by rank, after those of the same rank. */
  #addMark(mark: number, rank: number): void {
    if (this.#markCount === MARKS_MAX) return;
    const [marks, ranks] = [this.#marks, this.#ranks];
    let at = this.#markCount++;
    for (; at > 0 && ranks[at - 1]! > rank; at--) {
      marks[at] = marks[at - 1]!;
      ranks[at] = ranks[at - 1]!;
    }
    marks[at] = mark;
    ranks[at] = rank;
  }

  /** Every mark that composes with the starter goes into it, unless a mark of its rank stays between the two. */
  #composeMarks(): void {
    if (this.#starter < 0) return;
    const [marks, ranks] = [this.#marks, this.#ranks];
    let kept = 0;
    for (let i = 0; i < this.#markCount; i++) {
      const blocked = kept > 0 && ranks[kept - 1] === ranks[i];
      const composite = blocked ? -1 : compose(this.#starter, marks[i]!);
      if (composite >= 0) {
        this.#starter = composite;
        continue;
      }
      marks[kept] = marks[i]!;
      ranks[kept++] = ranks[i]!;
    }
    this.#markCount = kept;
  }

  #release(): void {
    if (this.#starter >= 0) this.#emit(this.#starter);
    for (let i = 0; i < this.#markCount; i++) this.#emit(this.#marks[i]!);
    this.#starter = -1;
    this.#markCount = 0;
  }

  #emit(mark: number): void {
    const code = mark === IOTA_SUBSCRIPT ? IOTA : mark;
    this.#sink(code, infoOf(code) & KIND_MASK, this.#start, this.#end);
  }
}
