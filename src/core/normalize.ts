import { combiningRank, compose, foldedParts, infoOf, KIND_MASK, SPLITS, UNSAFE } from './unicode.ts';

/*
 * Normalisation form C with simple case folding, one character after another, in constant memory:
 *
 *   NFC(fold(NFD(text)))      folded while in pieces, so that J + caron and ǰ, Ä and a + diaeresis end as one
 *
 *   characters in ──┬─ safe ──────────────────────────────── held ──┐
 *                   └─ UNSAFE ── parts ── starter, marks by rank ───┴── composed, to the sink
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

export interface Normalizer {
  /** Takes the next character, which stands at bytes start..end-1 of the input. */
  push(code: number, start: number, end: number): void;
  /** Hands everything that is held to the sink: nothing that follows can change it. */
  flush(): void;
}

export function createNormalizer(sink: CharacterSink): Normalizer {
  // Either one safe character is held as it came, or a starter (or none, -1) with its marks in order.
  let held = -1;
  let starter = -1;
  let markCount = 0;
  const marks = new Int32Array(MARKS_MAX);
  const ranks = new Int32Array(MARKS_MAX);
  // the bytes of the input that all of them come from
  let start = 0;
  let end = 0;

  function push(code: number, from: number, to: number): void {
    if ((infoOf(code) & UNSAFE) === 0) {
      flush();
      held = code;
      start = from;
      end = to;
      return;
    }
    if (held >= 0) takeApart();
    split(code, from, to);
  }

  function flush(): void {
    if (held >= 0) {
      const info = infoOf(held);
      if ((info & SPLITS) === 0) {
        sink(held + (info >> 8), info & KIND_MASK, start, end);
        held = -1;
        return;
      }
      takeApart();
    }
    composeMarks();
    release();
  }

  function takeApart(): void {
    const code = held;
    held = -1;
    split(code, start, end);
  }

  function split(code: number, from: number, to: number): void {
    const parts = foldedParts(code);
    if (parts === undefined) add(code + (infoOf(code) >> 8), from, to);
    else for (const part of parts) add(part, from, to);
  }

  function add(part: number, from: number, to: number): void {
    if (starter < 0 && markCount === 0) start = from;
    const rank = combiningRank(part);
    if (rank > 0) addMark(part, rank);
    else {
      composeMarks();
      const composite = markCount === 0 ? compose(starter, part) : -1;
      if (composite < 0) {
        release();
        start = from;
      }
      starter = composite < 0 ? part : composite;
    }
    end = to;
  }

  /** Insertion by rank, after those of the same rank. */
  function addMark(mark: number, rank: number): void {
    if (markCount === MARKS_MAX) return;
    let at = markCount++;
    for (; at > 0 && ranks[at - 1]! > rank; at--) {
      marks[at] = marks[at - 1]!;
      ranks[at] = ranks[at - 1]!;
    }
    marks[at] = mark;
    ranks[at] = rank;
  }

  /** Every mark that composes with the starter goes into it, unless a mark of its rank stays between the two. */
  function composeMarks(): void {
    if (starter < 0) return;
    let kept = 0;
    for (let i = 0; i < markCount; i++) {
      const blocked = kept > 0 && ranks[kept - 1] === ranks[i];
      const composite = blocked ? -1 : compose(starter, marks[i]!);
      if (composite >= 0) {
        starter = composite;
        continue;
      }
      marks[kept] = marks[i]!;
      ranks[kept++] = ranks[i]!;
    }
    markCount = kept;
  }

  function release(): void {
    if (starter >= 0) sink(starter, infoOf(starter) & KIND_MASK, start, end);
    for (let i = 0; i < markCount; i++) sink(marks[i]!, infoOf(marks[i]!) & KIND_MASK, start, end);
    starter = -1;
    markCount = 0;
  }

  return { push, flush };
}
