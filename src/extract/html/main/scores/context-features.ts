import { type BlockTable, LEVELS } from '../block-table.ts';

/*
 * What the first scores of all blocks, as likelihoods, say around each of them, and of the page. A short line between two
 * paragraphs of an article is a part of it. The same line in a row of teasers is none. Where a page has an article, lists are
 * seldom main; where it has none, they often are all there is.
 */

/** Blocks whose scores count one by one, on either side. */
const BESIDE = 3;
/** Blocks on either side whose scores count as one. */
const WINDOWS = [2, 5, 10];
/** Numbers that are the same for all blocks of a page. */
const OF_PAGE = 6;
/** Where they stand. */
export const PAGE_AT = 1 + 2 * BESIDE + WINDOWS.length + LEVELS + 1;
/** What share of the words that are likely main stands in paragraphs. */
export const LONG_AT = PAGE_AT + 4;
export const PAGE_END = PAGE_AT + OF_PAGE;
export const CONTEXT_FEATURES = PAGE_END + 2 + 3 + 4;
const ROOM_LEAST = 1024;
/** A block with as many words is a paragraph. */
const LONG_WORDS = 25;

/** What is added up over the blocks of a page. */
export interface PageScores {
  readonly words: number;
  /** Words by their scores: of all blocks, of the element with most of them (at least 1), and of paragraphs. */
  readonly scored: number;
  readonly top: number;
  readonly long: number;
  /** Words in links. */
  readonly linked: number;
}

/** Writes the features of a page of `count` blocks. */
export function putPageFeatures(values: Float64Array, sums: PageScores, count: number): void {
  const total = sums.scored || 1;
  values[PAGE_AT] = Math.log1p(total) / 8;
  values[PAGE_AT + 1] = total / sums.words;
  values[PAGE_AT + 2] = sums.top / total;
  values[PAGE_AT + 3] = sums.linked / sums.words;
  values[LONG_AT] = sums.long / total;
  values[PAGE_AT + 5] = Math.log1p(count) / 8;
}

/** Serves one page at a time. */
export class ContextFeatures {
  #blocks!: BlockTable;
  #scores: Float32Array = new Float32Array(0);
  /** Words, and words by their scores, before each block, and in each element. */
  #words = new Float64Array(ROOM_LEAST);
  #scored = new Float64Array(ROOM_LEAST);
  #wordsIn = new Float64Array(ROOM_LEAST);
  #scoredIn = new Float64Array(ROOM_LEAST);
  #total = 1;
  /** The greatest of #scoredIn. */
  #top = 1;

  readonly #values: Float64Array;

  /** @param values where features are to be written: the first CONTEXT_FEATURES */
  constructor(values: Float64Array) {
    this.#values = values;
  }

  /** Writes the features of the page. @param scores the first scores, 0 to 1 */
  begin(blocks: BlockTable, scores: Float32Array): void {
    const { columns, count, elements } = blocks;
    this.#blocks = blocks;
    this.#scores = scores;
    this.#makeRoom(count, elements);
    const { words: wordsOf, linked: linkedOf, around } = columns;
    const [before, scoredBefore, wordsIn, scoredIn] = [this.#words, this.#scored, this.#wordsIn, this.#scoredIn];
    let words = 0;
    let scored = 0;
    let linked = 0;
    let long = 0;
    for (let i = 0; i < count; i++) {
      const own = wordsOf[i]!;
      const ownScored = own * scores[i]!;
      words += own;
      scored += ownScored;
      linked += linkedOf[i]!;
      if (own >= LONG_WORDS) long += ownScored;
      before[i + 1] = words;
      scoredBefore[i + 1] = scored;
      for (let at = LEVELS * i; at < LEVELS * (i + 1); at++) {
        const element = around[at]!;
        wordsIn[element]! += own;
        scoredIn[element]! += ownScored;
      }
    }
    let top = 1;
    for (let element = 1; element < elements; element++) if (scoredIn[element]! > top) top = scoredIn[element]!;
    this.#total = scored || 1;
    this.#top = top;
    putPageFeatures(this.#values, { words, scored, top, linked, long }, count);
  }

  /** Writes the features of a block. */
  set(i: number): void {
    const { columns, count } = this.#blocks;
    const { around, words, linked, hint } = columns;
    const values = this.#values;
    const [scores, wordsIn, scoredIn] = [this.#scores, this.#wordsIn, this.#scoredIn];
    const total = this.#total;
    const top = this.#top;
    let at = 0;
    values[at++] = scores[i]!;
    for (let step = 1; step <= BESIDE; step++) {
      values[at++] = i >= step ? scores[i - step]! : 0;
      values[at++] = i + step < count ? scores[i + step]! : 0;
    }
    for (let k = 0; k < WINDOWS.length; k++) {
      const width = WINDOWS[k]!;
      values[at++] = this.#meanOf(i > width ? i - width : 0, i + width < count ? i + width + 1 : count);
    }
    for (let level = LEVELS * i; level < LEVELS * (i + 1); level++) {
      const element = around[level]!;
      values[at++] = element === 0 ? 0 : scoredIn[element]! / wordsIn[element]!;
    }
    values[at++] = (this.#scored[i + 1]! - this.#scored[i]!) / total;
    const [outer, third, fourth] = [around[LEVELS * i + 1]!, around[LEVELS * i + 2]!, around[LEVELS * i + 3]!];
    const inOuter = outer === 0 ? 0 : scoredIn[outer]!;
    const inThird = third === 0 ? 0 : scoredIn[third]!;
    at += OF_PAGE;
    values[at++] = inOuter / total;
    values[at++] = inThird / total;
    values[at++] = inOuter / top;
    values[at++] = inThird / top;
    values[at++] = fourth === 0 ? 0 : scoredIn[fourth]! / top;
    const long = values[LONG_AT]!;
    values[at++] = long * scores[i]!;
    values[at++] = (long * linked[i]!) / words[i]!;
    values[at++] = (long * Math.min(LONG_WORDS, words[i]!)) / LONG_WORDS;
    values[at++] = long * hint[i]!;
  }

  #meanOf(from: number, to: number): number {
    return (this.#scored[to]! - this.#scored[from]!) / (this.#words[to]! - this.#words[from]!);
  }

  #makeRoom(count: number, elements: number): void {
    if (count >= this.#words.length || elements > this.#wordsIn.length) {
      const room = 2 * Math.max(count, Math.ceil(elements / LEVELS));
      this.#words = new Float64Array(room + 1);
      this.#scored = new Float64Array(room + 1);
      this.#wordsIn = new Float64Array(LEVELS * room);
      this.#scoredIn = new Float64Array(LEVELS * room);
    } else {
      this.#wordsIn.fill(0, 0, elements);
      this.#scoredIn.fill(0, 0, elements);
    }
  }
}
