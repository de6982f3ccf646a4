import { DEPTH } from '../oblivious-trees.ts';
import { putBases, type TreePlan } from './tree-plan.ts';

/*
 * Oblivious trees (../oblivious-trees.ts) asked of many blocks of a page: the same sums, bit for bit, in less time.
 *
 *   Questions about the page have one answer for all its blocks: they choose some of the leaves once.
 *   Of any other feature only its rank counts: how many of the thresholds that it is compared with it is above.
 *   Ranks are bytes, four in a number. To add 127 - k to each byte sets the top bit of those above k.
 */

/** Blocks that are asked about at once, at most. */
export const BATCH = 256;
const LANES = 4;
const EACH_LANE = 0x0101_0101;
const TOP_BITS = 0x8080_8080 | 0;
const TOP = 127;

/** Serves one page at a time. */
export class PageTrees {
  /** Blocks that wait to be asked about; at most BATCH. */
  count = 0;
  /** What all trees add to the score of each, in log-odds, after `finish`. */
  readonly sums: Float64Array = new Float64Array(BATCH);
  readonly #plan: TreePlan;
  readonly #bases: Uint32Array;
  /** A column of BATCH numbers for each feature. */
  readonly #columns: Float64Array;
  readonly #inside = new Uint32Array(BATCH);
  /** A row of BATCH ranks for each feature, then for each bit; four at a time. */
  readonly #ranks: Uint8Array;
  readonly #ranksOfFour: Int32Array;
  readonly #addends: Int32Array;

  constructor(plan: TreePlan) {
    const { trees, thresholds, bits, limits } = plan;
    this.#plan = plan;
    this.#bases = new Uint32Array(trees);
    this.#columns = new Float64Array(BATCH * thresholds.length);
    this.#ranks = new Uint8Array(BATCH * (thresholds.length + bits.length));
    this.#ranksOfFour = new Int32Array(this.#ranks.buffer);
    this.#addends = Int32Array.from(limits, (limit) => (TOP - limit) * EACH_LANE);
  }

  /** Begins a page. @param values with its features */
  begin(values: Float64Array): void {
    this.count = 0;
    putBases(this.#plan, values, this.#bases);
  }

  /** One more block to be asked about. @param values its features @param inside those that are bits */
  add(values: Float64Array, inside: number): void {
    const columns = this.#columns;
    const block = this.count++;
    const features = this.#plan.thresholds.length;
    this.#inside[block] = inside;
    for (let feature = 0, at = block; feature < features; feature++, at += BATCH) columns[at] = values[feature]!;
  }

  /** Sets `sums` of the blocks that wait, and waits for others. */
  finish(): void {
    const { count } = this;
    this.#rank(count);
    this.sums.fill(0);
    for (let tree = 0; tree < this.#plan.trees; tree++) this.#addTree(count, tree);
    this.count = 0;
  }

  #rank(count: number): void {
    const { thresholds, bits } = this.#plan;
    const [columns, ranks] = [this.#columns, this.#ranks];
    for (const [feature, all] of thresholds.entries()) {
      const from = BATCH * feature;
      ranks.fill(0, from, from + count);
      for (const threshold of all) {
        for (let at = from; at < from + count; at++) ranks[at]! += Number(columns[at]! > threshold);
      }
    }
    for (const [row, bit] of bits.entries()) {
      const from = BATCH * (thresholds.length + row);
      for (let block = 0; block < count; block++) ranks[from + block] = (this.#inside[block]! >>> bit) & 1;
    }
  }

  /** Adds the leaves of a tree to the sums of all blocks. */
  #addTree(count: number, tree: number): void {
    const { rows, leaves } = this.#plan;
    const { sums } = this;
    const ranks = this.#ranksOfFour;
    const addends = this.#addends;
    const base = this.#bases[tree]!;
    const at = DEPTH * tree;
    const [addA, addB, addC, addD] = [addends[at]!, addends[at + 1]!, addends[at + 2]!, addends[at + 3]!];
    const width = BATCH / LANES;
    let a = width * rows[at]!;
    let b = width * rows[at + 1]!;
    let c = width * rows[at + 2]!;
    let d = width * rows[at + 3]!;
    for (let block = 0; block < count; block += LANES) {
      const leaf =
        (((ranks[a++]! + addA) & TOP_BITS) >>> 7) |
        (((ranks[b++]! + addB) & TOP_BITS) >>> 6) |
        (((ranks[c++]! + addC) & TOP_BITS) >>> 5) |
        (((ranks[d++]! + addD) & TOP_BITS) >>> 4);
      sums[block]! += leaves[base + (leaf & 0xf)]!;
      sums[block + 1]! += leaves[base + ((leaf >>> 8) & 0xf)]!;
      sums[block + 2]! += leaves[base + ((leaf >>> 16) & 0xf)]!;
      sums[block + 3]! += leaves[base + (leaf >>> 24)]!;
    }
  }
}
