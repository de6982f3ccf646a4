/*
 * Oblivious decision trees (Prokhorenkova et al. 2018), whose leaves add to a score. All nodes of a level ask the same
 * question. So a tree is DEPTH comparisons, which spell the number of a leaf.
 *
 *   sum(x) = Σ over trees t of leaf_t[ Σ over levels d of 2^d · [x[feature_t,d] > threshold_t,d] ]
 *
 *   weights of a tree   feature 0, threshold 0 │ … │ feature 3, threshold 3 │ leaf 0, leaf 1, … leaf 15
 *
 * Cost: DEPTH comparisons a tree. The weights are fitted by tools/main-text/boosted-trees.ts.
 */

export const DEPTH = 4;
export const LEAVES = 2 ** DEPTH;
/** How many numbers of the weights describe one tree. */
export const TREE_NUMBERS = 2 * DEPTH + LEAVES;

/** The trees of a model, by its weights. */
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

  /** @param values the features of a block @returns what all trees add to its score, in log-odds */
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
