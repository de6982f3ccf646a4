import { type BlockTable, LEVELS } from '../../src/extract/html/main/block-table.ts';
import { AGAINST_BIT } from '../../src/extract/html/main/class-words.ts';
import {
  BEFORE_AT,
  BEHIND_AT,
  BESIDE,
  BITS_AT,
  BLOCK_FEATURES,
  ELEMENTS_AT,
  INSIDE_BITS,
  logOf,
  NOT_THERE,
  NUMBERS,
  PLACE_AT,
  TEXT_AT,
  WINDOW,
} from '../../src/extract/html/main/scores/feature-places.ts';
import { PageSums } from '../../src/extract/html/main/scores/page-sums.ts';

/** The features of one block after the other (feature-places.ts), each by itself; serves one page at a time. */
export class BlockFeatures {
  /** The numbers of the block that was set last. */
  readonly numbers: Float64Array = new Float64Array(NUMBERS);
  readonly #sums = new PageSums();
  /** What the block under way is told of to those beside it. */
  readonly #own = new Float64Array(BESIDE);
  #blocks!: BlockTable;
  /** Words before the block, and of them those behind the first heading. */
  #wordsBefore = 0;
  #wordsSinceH1 = 0;

  begin(blocks: BlockTable): void {
    this.#blocks = blocks;
    this.#sums.begin(blocks);
    this.#wordsBefore = 0;
    this.#wordsSinceH1 = 0;
    this.#putNowhere();
    for (let k = 0; k < BESIDE; k++) this.#own[k] = this.numbers[BEHIND_AT + k]!;
    this.#putBehind(0);
  }

  /** Sets `numbers` to those of a block. Blocks are asked for in their order, each once. */
  set(i: number): void {
    this.#stepTo(i);
    this.#putText(i);
    this.#putPlace(i);
    this.#count(i);
    this.#putElements(i);
  }

  /** All features of the block that was set last. */
  writeAll(i: number, to: Float32Array, at: number): void {
    const { tag, inside } = this.#blocks.columns;
    to.set(this.numbers, at);
    to.fill(0, at + NUMBERS, at + BLOCK_FEATURES);
    to[at + NUMBERS + tag[i]!] = 1;
    for (let bit = 0; bit < INSIDE_BITS; bit++) to[at + BITS_AT + bit] = (inside[i]! >>> bit) & 1;
  }

  #count(i: number): void {
    const words = this.#blocks.columns.words[i]!;
    this.#wordsBefore += words;
    if (this.#sums.h1 >= 0 && i > this.#sums.h1) this.#wordsSinceH1 += words;
  }

  /** What was behind is the block itself now, and that is before. */
  #stepTo(i: number): void {
    const { numbers } = this;
    const own = this.#own;
    for (let k = 0; k < BESIDE; k++) {
      numbers[BEFORE_AT + k] = own[k]!;
      own[k] = numbers[BEHIND_AT + k]!;
    }
    if (i + 1 < this.#blocks.count) this.#putBehind(i + 1);
    else this.#putNowhere();
  }

  #putBehind(i: number): void {
    const { columns } = this.#blocks;
    const { numbers } = this;
    const sums = this.#sums;
    const words = columns.words[i]!;
    numbers[BEHIND_AT] = logOf(words);
    numbers[BEHIND_AT + 1] = sums.linkShare[i]!;
    numbers[BEHIND_AT + 2] = sums.sentences[i]!;
    numbers[BEHIND_AT + 3] = this.#shareOf(columns.around[LEVELS * i + 1]!);
    numbers[BEHIND_AT + 4] = this.#shareOf(columns.around[LEVELS * i + 2]!);
    numbers[BEHIND_AT + 5] = (columns.inside[i]! & AGAINST_BIT) !== 0 ? 1 : 0;
    numbers[BEHIND_AT + 6] = words >= 10 ? 1 : 0;
  }

  #putNowhere(): void {
    this.numbers.fill(NOT_THERE, BEHIND_AT, BEHIND_AT + 5);
    this.numbers.fill(0, BEHIND_AT + 5, BEHIND_AT + BESIDE);
  }

  #putText(i: number): void {
    const { columns } = this.#blocks;
    const { numbers } = this;
    const own = this.#own;
    const words = columns.words[i]!;
    const share = own[1]!;
    const hint = columns.hint[i]!;
    let at = TEXT_AT;
    numbers[at++] = own[0]!;
    numbers[at++] = words < 5 ? 1 : 0;
    numbers[at++] = own[6]!;
    numbers[at++] = words >= 25 ? 1 : 0;
    numbers[at++] = words >= 60 ? 1 : 0;
    numbers[at++] = share;
    numbers[at++] = share > 0.5 ? 1 : 0;
    numbers[at++] = share > 0.95 ? 1 : 0;
    numbers[at++] = own[2]!;
    numbers[at++] = Math.min(1, columns.commas[i]! / Math.max(1, words / 10));
    numbers[at++] = columns.ends[i]!;
    numbers[at++] = columns.capitals[i]! / words;
    numbers[at++] = columns.numbers[i]! / words;
    numbers[at++] = Math.min(3, columns.bytes[i]! / words / 10);
    numbers[at++] = hint;
    numbers[at++] = hint / (1 + columns.hintDistance[i]!);
    numbers[at++] = Math.min(30, columns.depth[i]!) / 30;
  }

  #putPlace(i: number): void {
    const { count } = this.#blocks;
    const { numbers } = this;
    const { h1, words, goodBefore, goodTotal, logGood } = this.#sums;
    const after = h1 >= 0 && i > h1;
    const before = this.#wordsBefore / words;
    const from = Math.max(0, i - WINDOW);
    const to = Math.min(count, i + WINDOW + 1);
    let at = PLACE_AT;
    numbers[at++] = h1 >= 0 ? 1 : 0;
    numbers[at++] = after ? 1 : 0;
    numbers[at++] = h1 >= 0 && i < h1 ? 1 : 0;
    numbers[at++] = after ? 1 / (1 + (i - h1) / 8) : 0;
    numbers[at++] = after ? logOf(this.#wordsSinceH1) / 8 : 0;
    numbers[at++] = i / count;
    numbers[at++] = before;
    numbers[at++] = before < 0.03 ? 1 : 0;
    numbers[at++] = before > 0.9 ? 1 : 0;
    numbers[at++] = goodBefore[i]! / goodTotal;
    numbers[at++] = logGood;
    numbers[at++] = logOf((goodBefore[to]! - goodBefore[from]!) / (to - from));
  }

  #putElements(i: number): void {
    const { around } = this.#blocks.columns;
    const { numbers } = this;
    const sums = this.#sums;
    const first = LEVELS * i;
    const own = around[first]!;
    const second = around[first + 1]!;
    const third = around[first + 2]!;
    const fourth = around[first + 3]!;
    const inSecond = this.#own[3]!;
    const inThird = this.#own[4]!;
    const group = sums.groups[i]!;
    const count = sums.siblings.count[group]!;
    const words = sums.siblings.words[group]!;
    let at = ELEMENTS_AT;
    numbers[at++] = this.#shareOf(own);
    numbers[at++] = inSecond;
    numbers[at++] = inThird;
    numbers[at++] = this.#shareOf(fourth);
    numbers[at++] = inSecond < 0.02 ? 1 : 0;
    numbers[at++] = inThird < 0.05 ? 1 : 0;
    numbers[at++] = second === sums.topSecond || own === sums.topSecond ? 1 : 0;
    numbers[at++] = third === sums.topThird || second === sums.topThird ? 1 : 0;
    numbers[at++] = own === sums.top || second === sums.top || third === sums.top || fourth === sums.top ? 1 : 0;
    numbers[at++] = logOf(count) / 4;
    numbers[at++] = logOf(words / count);
    numbers[at++] = sums.siblings.linked[group]! / words;
  }

  /** The share of all good words that an element has. */
  #shareOf(element: number): number {
    return this.#sums.goodIn[element]! * this.#sums.perWord;
  }
}
