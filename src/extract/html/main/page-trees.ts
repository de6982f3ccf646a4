import { DEPTH, LEAVES } from './oblivious-trees.ts';
import { type FeatureKinds, planOf, STRIDE, type TreePlan, type TreesMemory } from './tree-plan.ts';
import { createTreesMemory } from './trees-memory.ts';

/*
 * Oblivious trees (oblivious-trees.ts) asked of many blocks of a page: the same sums, bit for bit, in a tenth of the time.
 *
 *   Questions about the page have one answer for all its blocks: they choose some of the leaves once.
 *   Of any other feature only its rank counts: how many of the thresholds that it is compared with it is above.
 *   Ranks are bytes, so that several blocks are asked at once.
 *
 * In WebAssembly (assembly/trees.as.ts) these are 16. Here they are four, in one number: to add 127 - k to each byte sets the
 * top bit of those above k.
 */

/** Blocks that are asked about at once, at most. */
export const BATCH = 256;
const LANES = 4;
const EACH_LANE = 0x0101_0101;
const TOP_BITS = 0x8080_8080 | 0;
const TOP = 127;

/** Serves one page at a time. */
export class PageTrees {
  /** Blocks that wait; at most BATCH. */
  count = 0;
  readonly #plan: TreePlan;
  readonly #memory: TreesMemory;
  readonly #features: Uint8Array;

  /** @param weights as in oblivious-trees.ts @param withWasm whether WebAssembly may do it */
  constructor(weights: Float64Array, kinds: FeatureKinds, withWasm = true) {
    const plan = planOf(weights, kinds);
    this.#plan = plan;
    this.#features = Uint8Array.from(plan.columns, ({ feature }) => feature);
    this.#memory = (withWasm ? createTreesMemory(plan) : null) ?? scriptMemory(plan);
  }

  /** What all trees add to the score of each block, in log-odds, after `finish`. */
  get sums(): Float64Array {
    return this.#memory.sums;
  }

  /** Begins a page. @param values with its features */
  begin(values: Float64Array): void {
    const { bases } = this.#memory;
    const { trees, ofPage, depths } = this.#plan;
    this.count = 0;
    for (let tree = 0; tree < trees; tree++) {
      const questions = ofPage[tree]!;
      let answer = 0;
      for (let k = 0; k < questions.length; k++)
        answer |= Number(values[questions[k]!.feature]! > questions[k]!.threshold) << k;
      bases[tree] = LEAVES * tree + (answer << depths[tree]!);
    }
  }

  /** One more block to be asked about. @param values its features @param inside those that are bits */
  add(values: Float64Array, inside: number): void {
    const { columns, inside: bits } = this.#memory;
    const features = this.#features;
    const block = this.count++;
    bits[block] = inside;
    for (let k = 0, at = block; k < features.length; k++, at += STRIDE) columns[at] = values[features[k]!]!;
  }

  /** Sets `sums` of the blocks that wait. */
  finish(): void {
    this.#memory.finish(this.count);
  }
}

/** The same in TypeScript. */
function scriptMemory(plan: TreePlan): TreesMemory {
  const { trees, columns, bits } = plan;
  const ranks = new Uint8Array(STRIDE * Math.max(1, columns.length + bits.length));
  const memory = {
    columns: new Float64Array(STRIDE * columns.length),
    inside: new Uint32Array(STRIDE),
    bases: new Uint32Array(trees),
    sums: new Float64Array(STRIDE),
  };
  const addends = Int32Array.from(plan.limits, (limit) => (TOP - limit) * EACH_LANE);

  function rank(count: number): void {
    for (const [row, { thresholds }] of columns.entries()) {
      const from = STRIDE * row;
      ranks.fill(0, from, from + count);
      for (const threshold of thresholds) {
        for (let at = from; at < from + count; at++) ranks[at]! += Number(memory.columns[at]! > threshold);
      }
    }
    for (const [row, bit] of bits.entries()) {
      const from = STRIDE * (columns.length + row);
      for (let block = 0; block < count; block++) ranks[from + block] = (memory.inside[block]! >>> bit) & 1;
    }
  }

  const fours = new Int32Array(ranks.buffer);
  return {
    ...memory,
    finish: (count) => {
      rank(count);
      memory.sums.fill(0);
      for (let tree = 0; tree < trees; tree++)
        addTree(memory.sums, fours, count, plan, addends, DEPTH * tree, memory.bases[tree]!);
    },
  };
}

/** Adds the leaves of a tree to the sums of all blocks. */
function addTree(
  sums: Float64Array,
  ranks: Int32Array,
  count: number,
  { rows, leaves }: TreePlan,
  addends: Int32Array,
  question: number,
  base: number,
): void {
  const [addA, addB, addC, addD] = [0, 1, 2, 3].map((k) => addends[question + k]!) as [number, number, number, number];
  let [a, b, c, d] = [0, 1, 2, 3].map((k) => (STRIDE / LANES) * rows[question + k]!) as [number, number, number, number];
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
