import { INSIDE_BITS } from './block-features.ts';
import type { BlockTable } from './block-table.ts';
import { CONTEXT_FEATURES } from './context-features.ts';

/*
 * What trees are told of a block that two linear models leave in doubt: what those made of it, what is around it, and what it
 * is. A line of names and numbers among paragraphs is a byline, and one of words a heading: only both together tell.
 *
 *   around (context-features.ts) │ scores │ numbers of the block and of those beside it │ bits of the elements around
 */

const OF_BLOCK = 18;
export const LATE_FEATURES = CONTEXT_FEATURES + OF_BLOCK + INSIDE_BITS;

/** What the linear models made of a block. */
export interface LinearScores {
  readonly first: number;
  /** What the block's own features add to the second score. */
  readonly own: number;
  readonly second: number;
}

/** Writes the features of block `i`, of which `around` has those of its surroundings. */
export function putLateFeatures(
  values: Float64Array | Float32Array,
  { columns, count }: BlockTable,
  i: number,
  around: Float64Array,
  { first, own, second }: LinearScores,
): void {
  const words = columns.words[i]!;
  const inside = columns.inside[i]!;
  values.set(around);
  let at = CONTEXT_FEATURES;
  values[at++] = first;
  values[at++] = own;
  values[at++] = second;
  values[at++] = words;
  values[at++] = columns.linked[i]! / words;
  values[at++] = columns.sentences[i]!;
  values[at++] = columns.commas[i]!;
  values[at++] = columns.ends[i]!;
  values[at++] = columns.capitals[i]! / words;
  values[at++] = columns.numbers[i]! / words;
  values[at++] = columns.tag[i]!;
  values[at++] = columns.hint[i]!;
  values[at++] = columns.hintDistance[i]!;
  values[at++] = columns.depth[i]!;
  values[at++] = i / count;
  values[at++] = i > 0 ? columns.words[i - 1]! : 0;
  values[at++] = i + 1 < count ? columns.words[i + 1]! : 0;
  values[at++] = i > 0 ? columns.tag[i - 1]! : 0;
  for (let bit = 0; bit < INSIDE_BITS; bit++) values[at++] = (inside >>> bit) & 1;
}

export const DEPTH = 4;
export const LEAVES = 2 ** DEPTH;
/** Of one tree, as weights have it. */
export const TREE_NUMBERS = 2 * DEPTH + LEAVES;

/**
 * Trees that ask one question at each level. As weights, a tree is DEPTH features, each with a threshold behind it, and then
 * what each of the LEAVES adds. Bit d of the number of a leaf says that the value of the d-th feature is above its threshold.
 */
export class Trees {
  readonly #count: number;
  readonly #features: Uint8Array;
  readonly #thresholds: Float64Array;
  readonly #leaves: Float64Array;

  constructor(weights: Float64Array) {
    const count = weights.length / TREE_NUMBERS;
    this.#count = count;
    this.#features = new Uint8Array(DEPTH * count);
    this.#thresholds = new Float64Array(DEPTH * count);
    this.#leaves = new Float64Array(LEAVES * count);
    for (let tree = 0; tree < count; tree++) {
      const from = tree * TREE_NUMBERS;
      for (let level = 0; level < DEPTH; level++) {
        this.#features[DEPTH * tree + level] = weights[from + 2 * level]!;
        this.#thresholds[DEPTH * tree + level] = weights[from + 2 * level + 1]!;
      }
      this.#leaves.set(weights.subarray(from + 2 * DEPTH, from + TREE_NUMBERS), LEAVES * tree);
    }
  }

  /** What all of them add together. */
  sum(values: Float64Array | Float32Array): number {
    const [features, thresholds] = [this.#features, this.#thresholds];
    const leaves = this.#leaves;
    let sum = 0;
    for (let tree = 0, at = 0; tree < this.#count; tree++, at += DEPTH) {
      const leaf =
        (values[features[at]!]! > thresholds[at]! ? 1 : 0) |
        (values[features[at + 1]!]! > thresholds[at + 1]! ? 2 : 0) |
        (values[features[at + 2]!]! > thresholds[at + 2]! ? 4 : 0) |
        (values[features[at + 3]!]! > thresholds[at + 3]! ? 8 : 0);
      sum += leaves[LEAVES * tree + leaf]!;
    }
    return sum;
  }
}
