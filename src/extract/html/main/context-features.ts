import { type BlockTable, LEVELS } from './block-table.ts';

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
export const CONTEXT_FEATURES = 1 + 2 * BESIDE + WINDOWS.length + LEVELS + 1 + OF_PAGE + 2 + 3 + 4;
const ROOM_LEAST = 1024;
/** A block with as many words is a paragraph. */
const LONG_WORDS = 25;

/** Serves one page at a time. */
export class ContextFeatures {
  readonly values: Float64Array = new Float64Array(CONTEXT_FEATURES);
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
  readonly #ofPage = new Float64Array(OF_PAGE);

  /** @param scores the first scores, 0 to 1 */
  begin(blocks: BlockTable, scores: Float32Array): void {
    const { columns, count, elements } = blocks;
    this.#blocks = blocks;
    this.#scores = scores;
    this.#makeRoom(count, elements);
    let words = 0;
    let scored = 0;
    let linked = 0;
    let long = 0;
    for (let i = 0; i < count; i++) {
      const own = columns.words[i]!;
      const ownScored = own * scores[i]!;
      words += own;
      scored += ownScored;
      linked += columns.linked[i]!;
      if (own >= LONG_WORDS) long += ownScored;
      this.#words[i + 1] = words;
      this.#scored[i + 1] = scored;
      for (let level = 0; level < LEVELS; level++) {
        const element = columns.around[LEVELS * i + level]!;
        this.#wordsIn[element]! += own;
        this.#scoredIn[element]! += ownScored;
      }
    }
    const total = scored || 1;
    this.#total = total;
    this.#top = this.#scoredIn.subarray(1, elements).reduce((most, one) => Math.max(most, one), 1);
    const page = this.#ofPage;
    page[0] = Math.log1p(total) / 8;
    page[1] = total / words;
    page[2] = this.#top / total;
    page[3] = linked / words;
    page[4] = long / total;
    page[5] = Math.log1p(count) / 8;
  }

  /** Sets `values` to those of a block. */
  set(i: number): void {
    const { columns, count } = this.#blocks;
    const values = this.values;
    const scores = this.#scores;
    const total = this.#total;
    let at = 0;
    values[at++] = scores[i]!;
    for (let step = 1; step <= BESIDE; step++) {
      values[at++] = i >= step ? scores[i - step]! : 0;
      values[at++] = i + step < count ? scores[i + step]! : 0;
    }
    for (let k = 0; k < WINDOWS.length; k++) {
      values[at++] = this.#meanOf(Math.max(0, i - WINDOWS[k]!), Math.min(count, i + WINDOWS[k]! + 1));
    }
    for (let level = 0; level < LEVELS; level++) {
      const element = columns.around[LEVELS * i + level]!;
      values[at++] = element === 0 ? 0 : this.#scoredIn[element]! / this.#wordsIn[element]!;
    }
    values[at++] = (this.#scored[i + 1]! - this.#scored[i]!) / total;
    for (let k = 0; k < OF_PAGE; k++) values[at++] = this.#ofPage[k]!;
    for (let level = 1; level < 3; level++) {
      const element = columns.around[LEVELS * i + level]!;
      values[at++] = element === 0 ? 0 : this.#scoredIn[element]! / total;
    }
    for (let level = 1; level < LEVELS; level++) {
      const element = columns.around[LEVELS * i + level]!;
      values[at++] = element === 0 ? 0 : this.#scoredIn[element]! / this.#top;
    }
    const long = this.#ofPage[4]!;
    values[at++] = long * scores[i]!;
    values[at++] = (long * columns.linked[i]!) / columns.words[i]!;
    values[at++] = (long * Math.min(LONG_WORDS, columns.words[i]!)) / LONG_WORDS;
    values[at++] = long * columns.hint[i]!;
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
