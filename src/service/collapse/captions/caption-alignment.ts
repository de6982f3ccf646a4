import type { CaptionSnippet, Word } from './caption-words.ts';

/*
 * What two snippets have in common, in order, and whether something stands in one of them where something else stands in
 * the other.
 *
 *   A   | the moon pulls at the sea and so the tide | high water comes twice
 *   B     the moon pulls at the sea and so the tide rises. High water comes twice a day
 *
 * Runs of at least GRAM words are looked up in B, from where the last one ended. Between two runs one side may have words
 * more, and where a side is cut, both may. Words on both sides without a cut are a place in which the two differ: another
 * town, another score. So it is before the first run, and behind the last one. Cost: linear.
 */

/** Words in a row that two snippets share. Short, as snippets have some 25 words. */
export const GRAM = 3;
const GRAM_BASE = 2 ** 17;

export interface Alignment {
  /** Words of the runs. */
  readonly matched: number;
  /** Share of the shorter one that the runs are, 0..1. */
  readonly covered: number;
  /** Words that stand before the first run on both sides; 0 where they are cut there. */
  readonly beginsApart: number;
  /** Whether the two differ in a place after that. */
  readonly isReplaced: boolean;
  /** Positions in A and B where the first run begins; -1 where there is none. */
  readonly firstA: number;
  readonly firstB: number;
}

/** A number for GRAM words in a row; two that differ may have one. */
export function gramAt(words: readonly Word[], at: number): number {
  return (words[at]!.id * GRAM_BASE + words[at + 1]!.id) * 31 + words[at + 2]!.id;
}

/** Aligns other snippets (B) with one (A): keeps where the grams of A are. */
export function createAligner(a: CaptionSnippet): (b: CaptionSnippet) => Alignment {
  const places = new Map<number, number[]>();
  for (let at = 0; at + GRAM <= a.words.length; at++) {
    const gram = gramAt(a.words, at);
    const known = places.get(gram);
    if (known === undefined) places.set(gram, [at]);
    else known.push(at);
  }
  return (b) => align(a, b, places);
}

function align(a: CaptionSnippet, b: CaptionSnippet, places: ReadonlyMap<number, readonly number[]>): Alignment {
  const [inA, inB] = [a.words, b.words];
  let [endA, endB, matched] = [0, 0, 0];
  let [firstA, firstB] = [-1, -1];
  let beginsApart = 0;
  let isReplaced = false;
  for (let at = 0; at + GRAM <= inB.length; ) {
    const found = firstFrom(places.get(gramAt(inB, at)), endA);
    if (found === undefined || !isSame(inA, found, inB, at)) {
      at++;
      continue;
    }
    let length = GRAM;
    while (
      found + length < inA.length &&
      at + length < inB.length &&
      inA[found + length]!.id === inB[at + length]!.id
    ) {
      length++;
    }
    const isBoth = found > endA && at > endB && !isCutIn(a, endA, found) && !isCutIn(b, endB, at);
    if (matched === 0) {
      beginsApart = isBoth ? Math.max(found, at) : 0;
      [firstA, firstB] = [found, at];
    } else isReplaced ||= isBoth || hasNumber(inA, endA, found, a) || hasNumber(inB, endB, at, b);
    matched += length;
    endA = found + length;
    endB = at + length;
    at = endB;
  }
  isReplaced ||= endsApart(a, endA, b, endB);
  const shorter = Math.min(inA.length, inB.length);
  return { matched, covered: shorter === 0 ? 0 : matched / shorter, beginsApart, isReplaced, firstA, firstB };
}

function isSame(a: readonly Word[], i: number, b: readonly Word[], j: number): boolean {
  return a[i]!.id === b[j]!.id && a[i + 1]!.id === b[j + 1]!.id && a[i + 2]!.id === b[j + 2]!.id;
}

function endsApart(a: CaptionSnippet, endA: number, b: CaptionSnippet, endB: number): boolean {
  const [lengthA, lengthB] = [a.words.length, b.words.length];
  return endA < lengthA && endB < lengthB && !isCutIn(a, endA, lengthA) && !isCutIn(b, endB, lengthB);
}

/** Whether something is left out between two positions, ends included. */
function isCutIn({ cuts }: CaptionSnippet, from: number, to: number): boolean {
  for (let at = from; at <= to; at++) if (cuts[at] === 1) return true;
  return false;
}

/** The first of places in order that is not before `least`. */
function firstFrom(places: readonly number[] | undefined, least: number): number | undefined {
  if (places === undefined) return undefined;
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return places[low];
}

/** Whether one side has a number more between two runs: a score, a year. */
function hasNumber(words: readonly Word[], from: number, to: number, shown: CaptionSnippet): boolean {
  if (isCutIn(shown, from, to)) return false;
  for (let at = from; at < to; at++) if (words[at]!.hasDigit) return true;
  return false;
}
