import { type BlockTable, LEVELS } from './block-table.ts';

/*
 * What the first scores of all blocks, as likelihoods, say around each of them. A short line between two paragraphs of an
 * article is a part of it. The same line in a row of teasers is none.
 */

/** Blocks whose scores count one by one, on either side. */
const BESIDE = 3;
/** Blocks on either side whose scores count as one. */
const WINDOWS = [2, 5, 10];
export const CONTEXT_FEATURES = 1 + 2 * BESIDE + WINDOWS.length + LEVELS + 5;
const ROOM_LEAST = 1024;

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
  #logTotal = 0;
  #share = 0;

  /** @param scores the first scores, 0 to 1 */
  begin(blocks: BlockTable, scores: Float32Array): void {
    const { columns, count, elements } = blocks;
    this.#blocks = blocks;
    this.#scores = scores;
    this.#makeRoom(count, elements);
    let words = 0;
    let scored = 0;
    for (let i = 0; i < count; i++) {
      const own = columns.words[i]!;
      const ownScored = own * scores[i]!;
      words += own;
      scored += ownScored;
      this.#words[i + 1] = words;
      this.#scored[i + 1] = scored;
      for (let level = 0; level < LEVELS; level++) {
        const element = columns.around[LEVELS * i + level]!;
        this.#wordsIn[element]! += own;
        this.#scoredIn[element]! += ownScored;
      }
    }
    this.#total = scored || 1;
    this.#logTotal = Math.log1p(this.#total) / 8;
    this.#share = this.#total / words;
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
    values[at++] = this.#logTotal;
    values[at++] = this.#share;
    for (let level = 1; level < 3; level++) {
      const element = columns.around[LEVELS * i + level]!;
      values[at++] = element === 0 ? 0 : this.#scoredIn[element]! / total;
    }
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
