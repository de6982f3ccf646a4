import { type BlockTable, LEVELS } from './block-table.ts';
import { AGAINST_BIT } from './class-words.ts';
import { TAGS } from './element-kinds.ts';
import { PageSums } from './page-sums.ts';

/*
 * What the model is told of each block: of its text, of the elements around it, of its place in the page, and of the blocks
 * beside it. No word of any language is among it.
 *
 *   │ numbers, most of them 0 to 1 │ one of TAGS │ bits of the elements around │
 *   └ NUMBERS                      └ 0 or 1 each ┴─────────────────────────────┘
 */

const INSIDE_BITS = 27;
const BESIDE = [-1, 1];
const NOT_THERE = -0.5;
/** Blocks on either side of which the words are added up. */
const WINDOW = 4;
const LOGS = Float64Array.from({ length: 1024 }, (_, n) => Math.log1p(n));

/** ln(1 + n), of n rounded down. */
function logOf(n: number): number {
  return n < LOGS.length ? LOGS[n | 0]! : Math.log1p(n);
}

/** Of the text, of depth and hints, of the place, of elements, of blocks beside. */
export const NUMBERS = 15 + 3 + 12 + 12 + BESIDE.length * 7;
export const BLOCK_FEATURES = NUMBERS + TAGS.length + INSIDE_BITS;

/** The features of one block after the other; serves one page at a time. */
export class BlockFeatures {
  /** The numbers of the block that was set last. */
  readonly numbers: Float64Array = new Float64Array(NUMBERS);
  readonly #sums = new PageSums();
  #blocks!: BlockTable;
  #at = 0;
  /** Words before the block, and of them those behind the first heading. */
  #wordsBefore = 0;
  #wordsSinceH1 = 0;

  begin(blocks: BlockTable): void {
    this.#blocks = blocks;
    this.#sums.begin(blocks);
    this.#wordsBefore = 0;
    this.#wordsSinceH1 = 0;
  }

  /** Sets `numbers` to those of a block. Blocks are asked for in their order, each once. */
  set(i: number): void {
    this.#at = 0;
    this.#putText(i);
    this.#putPlace(i);
    this.pass(i);
    this.#putElements(i);
    for (let k = 0; k < BESIDE.length; k++) this.#putBeside(i + BESIDE[k]!);
  }

  /** Goes on to the next block where this one's features are not needed. */
  pass(i: number): void {
    const words = this.#blocks.columns.words[i]!;
    this.#wordsBefore += words;
    if (this.#sums.h1 >= 0 && i > this.#sums.h1) this.#wordsSinceH1 += words;
  }

  /** All features of the block that was set last. */
  writeAll(i: number, to: Float32Array, at: number): void {
    const { tag, inside } = this.#blocks.columns;
    to.set(this.numbers, at);
    to.fill(0, at + NUMBERS, at + BLOCK_FEATURES);
    to[at + NUMBERS + tag[i]!] = 1;
    for (let bit = 0; bit < INSIDE_BITS; bit++) to[at + NUMBERS + TAGS.length + bit] = (inside[i]! >>> bit) & 1;
  }

  #put(value: number): void {
    this.numbers[this.#at++] = value;
  }

  #putText(i: number): void {
    const { columns } = this.#blocks;
    const words = columns.words[i]!;
    const share = this.#sums.linkShare[i]!;
    this.#put(logOf(words));
    this.#put(words < 5 ? 1 : 0);
    this.#put(words >= 10 ? 1 : 0);
    this.#put(words >= 25 ? 1 : 0);
    this.#put(words >= 60 ? 1 : 0);
    this.#put(share);
    this.#put(share > 0.5 ? 1 : 0);
    this.#put(share > 0.95 ? 1 : 0);
    this.#put(this.#sums.sentences[i]!);
    this.#put(Math.min(1, columns.commas[i]! / Math.max(1, words / 10)));
    this.#put(columns.ends[i]!);
    this.#put(columns.capitals[i]! / words);
    this.#put(columns.numbers[i]! / words);
    this.#put(columns.bars[i]! > 0 ? 1 : 0);
    this.#put(Math.min(3, columns.ink[i]! / words / 10));
    const hint = columns.hint[i]!;
    this.#put(hint);
    this.#put(hint / (1 + columns.hintDistance[i]!));
    this.#put(Math.min(30, columns.depth[i]!) / 30);
  }

  #putPlace(i: number): void {
    const { count } = this.#blocks;
    const { h1, words, goodBefore, goodTotal } = this.#sums;
    const after = h1 >= 0 && i > h1;
    this.#put(h1 >= 0 ? 1 : 0);
    this.#put(after ? 1 : 0);
    this.#put(h1 >= 0 && i < h1 ? 1 : 0);
    this.#put(after ? 1 / (1 + (i - h1) / 8) : 0);
    this.#put(after ? logOf(this.#wordsSinceH1) / 8 : 0);
    const before = this.#wordsBefore / words;
    this.#put(i / count);
    this.#put(before);
    this.#put(before < 0.03 ? 1 : 0);
    this.#put(before > 0.9 ? 1 : 0);
    this.#put(goodBefore[i]! / goodTotal);
    this.#put(logOf(goodTotal) / 8);
    const from = Math.max(0, i - WINDOW);
    const to = Math.min(count, i + WINDOW + 1);
    this.#put(logOf((goodBefore[to]! - goodBefore[from]!) / (to - from)));
  }

  #putElements(i: number): void {
    const { around, tag } = this.#blocks.columns;
    const sums = this.#sums;
    const at = LEVELS * i;
    const own = around[at]!;
    const second = around[at + 1]!;
    const third = around[at + 2]!;
    const fourth = around[at + 3]!;
    const inSecond = sums.shareOf(second);
    const inThird = sums.shareOf(third);
    this.#put(sums.shareOf(own));
    this.#put(inSecond);
    this.#put(inThird);
    this.#put(sums.shareOf(fourth));
    this.#put(inSecond < 0.02 ? 1 : 0);
    this.#put(inThird < 0.05 ? 1 : 0);
    this.#put(second === sums.topSecond || own === sums.topSecond ? 1 : 0);
    this.#put(third === sums.topThird || second === sums.topThird ? 1 : 0);
    this.#put(own === sums.top || second === sums.top || third === sums.top || fourth === sums.top ? 1 : 0);
    const group = sums.siblings.slotOf(second, tag[i]!);
    const count = sums.siblings.count[group]!;
    const words = sums.siblings.words[group]!;
    this.#put(logOf(count) / 4);
    this.#put(logOf(words / count));
    this.#put(sums.siblings.linked[group]! / words);
  }

  #putBeside(i: number): void {
    const { columns, count } = this.#blocks;
    if (i < 0 || i >= count) {
      for (let k = 0; k < 5; k++) this.#put(NOT_THERE);
      this.#put(0);
      this.#put(0);
      return;
    }
    const sums = this.#sums;
    const words = columns.words[i]!;
    this.#put(logOf(words));
    this.#put(sums.linkShare[i]!);
    this.#put(sums.sentences[i]!);
    this.#put(sums.shareOf(columns.around[LEVELS * i + 1]!));
    this.#put(sums.shareOf(columns.around[LEVELS * i + 2]!));
    this.#put((columns.inside[i]! & AGAINST_BIT) !== 0 ? 1 : 0);
    this.#put(words >= 10 ? 1 : 0);
  }
}
