import { type BlockTable, LEVELS } from '../block-table.ts';
import { AGAINST_BIT } from '../class-words.ts';
import { isNever } from '../element-kinds.ts';
import {
  BEFORE_AT,
  BEHIND_AT,
  BLOCK_FEATURES,
  ELEMENTS_AT,
  logOf,
  NOT_THERE,
  NUMBERS,
  PLACE_AT,
  TEXT_AT,
  WINDOW,
} from './feature-places.ts';
import { besideWorth, linkWorth, sumOfBits } from './feature-worth.ts';
import { PageSums } from './page-sums.ts';

/*
 * What the features of all blocks of a page (feature-places.ts) are worth by two linear models at once. No feature is written
 * down. What depends on a small number alone comes from a table. What a block tells both neighbours is computed once.
 *
 *   of a block = its text, and what it tells those beside it  +  its place  +  the elements around it
 */

/** Blocks with fewer words find what those are worth in a table. */
export const WORDS_TABLED = 1024;
/** Of each number of words: for the block itself, the one behind it and the one before it, by either model. */
export const ROLES = 6;
const ROOM_LEAST = 1024;

/** Two linear models, made ready to be asked of many blocks; serves one page at a time. */
export class BlockScores {
  /** What the features are worth by the first model, with its constant, and by the second; for blocks that may be main. */
  first: Float64Array = new Float64Array(ROOM_LEAST);
  second: Float64Array = new Float64Array(ROOM_LEAST);
  /** The weights of both. */
  readonly models: readonly [Float64Array, Float64Array];
  readonly #sums = new PageSums();
  /** What each number of words is worth, ROLES numbers each; behind them that of a greater one. */
  readonly words: Float64Array = new Float64Array(ROLES * (WORDS_TABLED + 1));

  /** @param first weights of BLOCK_FEATURES, and what is added to each sum @param second the same without the last */
  constructor(first: Float64Array, second: Float64Array) {
    this.models = [first, second];
    for (let words = 0; words < WORDS_TABLED; words++) this.#putWords(words, words);
  }

  /** Sets `first` and `second` for a page. */
  begin(blocks: BlockTable): void {
    if (blocks.count > this.first.length) {
      this.first = new Float64Array(2 * blocks.count);
      this.second = new Float64Array(2 * blocks.count);
    }
    this.#sums.begin(blocks);
    this.#putPlaces(blocks);
    this.#addElements(blocks);
    this.#addTexts(blocks);
  }

  /** Writes what a number of words is worth, into a row of the table. */
  #putWords(words: number, row: number): void {
    const log = logOf(words);
    for (const [i, model] of this.models.entries()) {
      const at = ROLES * row + i;
      const steps = [words < 5, words >= 10, words >= 25, words >= 60];
      this.words[at] = steps.reduce((sum, is, k) => (is ? sum + model[TEXT_AT + 1 + k]! : sum), log * model[TEXT_AT]!);
      for (const [k, beside] of [BEFORE_AT, BEHIND_AT].entries())
        this.words[at + 2 + 2 * k] = log * model[beside]! + (words >= 10 ? model[beside + 6]! : 0);
    }
  }

  /** Where in the table a number of words stands. */
  #rowOf(words: number): number {
    if (words < WORDS_TABLED) return ROLES * words;
    this.#putWords(words, WORDS_TABLED);
    return ROLES * WORDS_TABLED;
  }

  /** What the place in the page is worth, and what is the same for all blocks. */
  #putPlaces({ columns: { words, tag, inside }, count }: BlockTable): void {
    const { first, second } = this;
    const [a, b] = this.models;
    const { h1, words: total, goodBefore, goodTotal, logGood } = this.#sums;
    const constantA = a[BLOCK_FEATURES]! + logGood * a[PLACE_AT + 10]! + (h1 >= 0 ? a[PLACE_AT]! : 0);
    const constantB = logGood * b[PLACE_AT + 10]! + (h1 >= 0 ? b[PLACE_AT]! : 0);
    let wordsBefore = 0;
    let wordsSince = 0;
    for (let i = 0; i < count; i++) {
      const own = words[i]!;
      const before = wordsBefore / total;
      wordsBefore += own;
      const isAfter = h1 >= 0 && i > h1;
      const since = wordsSince;
      if (isAfter) wordsSince += own;
      if (isNever(tag[i]!, inside[i]!)) continue;
      const from = i < WINDOW ? 0 : i - WINDOW;
      const to = i + WINDOW < count ? i + WINDOW + 1 : count;
      const at = i / count;
      const good = goodBefore[i]! / goodTotal;
      const around = logOf((goodBefore[to]! - goodBefore[from]!) / (to - from));
      let sumA = constantA + at * a[PLACE_AT + 5]! + before * a[PLACE_AT + 6]! + good * a[PLACE_AT + 9]!;
      let sumB = constantB + at * b[PLACE_AT + 5]! + before * b[PLACE_AT + 6]! + good * b[PLACE_AT + 9]!;
      sumA += around * a[PLACE_AT + 11]!;
      sumB += around * b[PLACE_AT + 11]!;
      if (isAfter) {
        const near = 1 / (1 + (i - h1) / 8);
        const behind = logOf(since) / 8;
        sumA += a[PLACE_AT + 1]! + near * a[PLACE_AT + 3]! + behind * a[PLACE_AT + 4]!;
        sumB += b[PLACE_AT + 1]! + near * b[PLACE_AT + 3]! + behind * b[PLACE_AT + 4]!;
      } else if (i < h1) {
        sumA += a[PLACE_AT + 2]!;
        sumB += b[PLACE_AT + 2]!;
      }
      if (before < 0.03) {
        sumA += a[PLACE_AT + 7]!;
        sumB += b[PLACE_AT + 7]!;
      } else if (before > 0.9) {
        sumA += a[PLACE_AT + 8]!;
        sumB += b[PLACE_AT + 8]!;
      }
      first[i] = sumA;
      second[i] = sumB;
    }
  }

  /** What the elements around a block are worth, with the blocks like it among them. */
  #addElements({ columns: { tag, inside, around }, count }: BlockTable): void {
    const { first, second } = this;
    const [a, b] = this.models;
    const { goodIn, perWord, top, topSecond, topThird, groups, siblings } = this.#sums;
    const worth = { group: -1, inside: 0, groupA: 0, groupB: 0, bitsA: 0, bitsB: 0 };
    for (let i = 0; i < count; i++) {
      const bits = inside[i]!;
      if (isNever(tag[i]!, bits)) continue;
      if (bits !== worth.inside) {
        worth.inside = bits;
        worth.bitsA = sumOfBits(bits, a);
        worth.bitsB = sumOfBits(bits, b);
      }
      const group = groups[i]!;
      if (group !== worth.group) {
        worth.group = group;
        const members = siblings.count[group]!;
        const words = siblings.words[group]!;
        const [many, long, linked] = [logOf(members) / 4, logOf(words / members), siblings.linked[group]! / words];
        worth.groupA = many * a[ELEMENTS_AT + 9]! + long * a[ELEMENTS_AT + 10]! + linked * a[ELEMENTS_AT + 11]!;
        worth.groupB = many * b[ELEMENTS_AT + 9]! + long * b[ELEMENTS_AT + 10]! + linked * b[ELEMENTS_AT + 11]!;
      }
      const own = around[LEVELS * i]!;
      const outer = around[LEVELS * i + 1]!;
      const third = around[LEVELS * i + 2]!;
      const fourth = around[LEVELS * i + 3]!;
      const inOwn = goodIn[own]! * perWord;
      const inFourth = goodIn[fourth]! * perWord;
      let sumA = worth.bitsA + worth.groupA + inOwn * a[ELEMENTS_AT]! + inFourth * a[ELEMENTS_AT + 3]!;
      let sumB = worth.bitsB + worth.groupB + inOwn * b[ELEMENTS_AT]! + inFourth * b[ELEMENTS_AT + 3]!;
      if (outer === topSecond || own === topSecond) {
        sumA += a[ELEMENTS_AT + 6]!;
        sumB += b[ELEMENTS_AT + 6]!;
      }
      if (third === topThird || outer === topThird) {
        sumA += a[ELEMENTS_AT + 7]!;
        sumB += b[ELEMENTS_AT + 7]!;
      }
      if (own === top || outer === top || third === top || fourth === top) {
        sumA += a[ELEMENTS_AT + 8]!;
        sumB += b[ELEMENTS_AT + 8]!;
      }
      first[i]! += sumA + a[NUMBERS + tag[i]!]!;
      second[i]! += sumB + b[NUMBERS + tag[i]!]!;
    }
  }

  /** What the text of a block is worth, to itself and to the blocks beside it. */
  #addTexts({ columns, count }: BlockTable): void {
    const { first, second } = this;
    const [a, b] = this.models;
    const { words, commas, ends, capitals, numbers, bytes, hint, hintDistance, depth, tag, inside, around } = columns;
    const { linkShare, sentences, goodIn, perWord } = this.#sums;
    const table = this.words;
    const nowhere = (model: Float64Array, at: number) =>
      NOT_THERE * (model[at]! + model[at + 1]! + model[at + 2]! + model[at + 3]! + model[at + 4]!);
    let beforeA = nowhere(a, BEFORE_AT);
    let beforeB = nowhere(b, BEFORE_AT);
    for (let i = 0; i < count; i++) {
      const own = words[i]!;
      const row = own < WORDS_TABLED ? ROLES * own : this.#rowOf(own);
      const share = linkShare[i]!;
      const closed = sentences[i]!;
      const outer = goodIn[around[LEVELS * i + 1]!]! * perWord;
      const third = goodIn[around[LEVELS * i + 2]!]! * perWord;
      const against = (inside[i]! & AGAINST_BIT) !== 0 ? 1 : 0;
      if (i > 0) {
        first[i - 1]! += besideWorth(a, BEHIND_AT, share, closed, outer, third, against) + table[row + 4]!;
        second[i - 1]! += besideWorth(b, BEHIND_AT, share, closed, outer, third, against) + table[row + 5]!;
      }
      let sumA = beforeA + table[row]!;
      let sumB = beforeB + table[row + 1]!;
      beforeA = besideWorth(a, BEFORE_AT, share, closed, outer, third, against) + table[row + 2]!;
      beforeB = besideWorth(b, BEFORE_AT, share, closed, outer, third, against) + table[row + 3]!;
      if (isNever(tag[i]!, inside[i]!)) continue;
      const perOwn = 1 / own;
      const comma = Math.min(1, commas[i]! / Math.max(1, own / 10));
      const capital = capitals[i]! * perOwn;
      const number = numbers[i]! * perOwn;
      const length = Math.min(3, bytes[i]! * perOwn * 0.1);
      const deep = Math.min(30, depth[i]!) / 30;
      sumA += closed * a[TEXT_AT + 8]! + comma * a[TEXT_AT + 9]! + ends[i]! * a[TEXT_AT + 10]!;
      sumB += closed * b[TEXT_AT + 8]! + comma * b[TEXT_AT + 9]! + ends[i]! * b[TEXT_AT + 10]!;
      sumA += capital * a[TEXT_AT + 11]! + number * a[TEXT_AT + 12]! + length * a[TEXT_AT + 13]!;
      sumB += capital * b[TEXT_AT + 11]! + number * b[TEXT_AT + 12]! + length * b[TEXT_AT + 13]!;
      sumA += deep * a[TEXT_AT + 16]! + outer * a[ELEMENTS_AT + 1]! + third * a[ELEMENTS_AT + 2]!;
      sumB += deep * b[TEXT_AT + 16]! + outer * b[ELEMENTS_AT + 1]! + third * b[ELEMENTS_AT + 2]!;
      if (share > 0) {
        sumA += linkWorth(a, share);
        sumB += linkWorth(b, share);
      }
      if (hint[i] !== 0) {
        const near = hint[i]! / (1 + hintDistance[i]!);
        sumA += hint[i]! * a[TEXT_AT + 14]! + near * a[TEXT_AT + 15]!;
        sumB += hint[i]! * b[TEXT_AT + 14]! + near * b[TEXT_AT + 15]!;
      }
      if (outer < 0.02) {
        sumA += a[ELEMENTS_AT + 4]!;
        sumB += b[ELEMENTS_AT + 4]!;
      }
      if (third < 0.05) {
        sumA += a[ELEMENTS_AT + 5]!;
        sumB += b[ELEMENTS_AT + 5]!;
      }
      first[i]! += sumA;
      second[i]! += sumB;
    }
    if (count > 0) {
      first[count - 1]! += nowhere(a, BEHIND_AT);
      second[count - 1]! += nowhere(b, BEHIND_AT);
    }
  }
}
