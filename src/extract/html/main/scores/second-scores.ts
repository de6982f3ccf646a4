import { BLOCKS_MAX, type BlockTable } from '../block-table.ts';
import { isNever } from '../element-kinds.ts';
import type { BlockScores } from './block-scores.ts';
import { CONTEXT_FEATURES, ContextFeatures, PAGE_AT, PAGE_END } from './context-features.ts';
import { BLOCK_FEATURES } from './feature-places.ts';
import { likelihood } from './feature-worth.ts';
import { LATE_BITS_AT, putLateFeatures } from './late-features.ts';
import { BATCH, PageTrees } from './page-trees.ts';
import type { TreePlan } from './tree-plan.ts';

/** A second score below this one, on either side, leaves a doubt. With 3, pages would be read a fifth more slowly. */
const DOUBT = 2;

/** Where the weights of CONTEXT_FEATURES begin among those of the second model. */
export const CONTEXT_AT = BLOCK_FEATURES + 1;

/** The last scores of the blocks of a page; serves one page at a time. */
export interface MainScores {
  /** After `finish`, the score of each block; -Infinity where it is never main. */
  readonly scores: Float32Array;
  readonly finish: (blocks: BlockTable) => void;
}

/** What the second model asks of each block: its first score, -Infinity where it is never main, and what follows from that. */
export interface FirstScores {
  readonly scores: Float32Array;
  readonly likelihoods: Float32Array;
  /** What the features of each block add to its second score. */
  readonly added: Float32Array;
}

export function putFirstScores(
  own: BlockScores,
  blocks: BlockTable,
  { scores, likelihoods, added }: FirstScores,
): void {
  const { tag, inside } = blocks.columns;
  own.begin(blocks);
  const { first, second } = own;
  for (let i = 0; i < blocks.count; i++) {
    const mayBe = !isNever(tag[i]!, inside[i]!);
    scores[i] = mayBe ? first[i]! : Number.NEGATIVE_INFINITY;
    likelihoods[i] = mayBe ? likelihood(first[i]!) : 0;
    added[i] = second[i]!;
  }
}

/** What the features of the page are worth. @param weights of the second model */
export function pageWorth(weights: Float64Array, values: Float64Array): number {
  let sum = 0;
  for (let k = PAGE_AT; k < PAGE_END; k++) sum += weights[CONTEXT_AT + k]! * values[k]!;
  return sum;
}

/** The scores in TypeScript. */
export function createScriptScores(own: BlockScores, plan: TreePlan): MainScores {
  const [, weights] = own.models;
  const scores = new Float32Array(BLOCKS_MAX);
  const likelihoods = new Float32Array(BLOCKS_MAX);
  const added = new Float32Array(BLOCKS_MAX);
  const values = new Float64Array(LATE_BITS_AT);
  const around = new ContextFeatures(values);
  const trees = new PageTrees(plan);
  /** The blocks that trees are to be asked about, with their scores. */
  const doubted = new Uint32Array(BATCH);
  const doubtedScores = new Float64Array(BATCH);
  const constant = weights[CONTEXT_AT + CONTEXT_FEATURES]!;

  function finish(blocks: BlockTable): void {
    const { inside } = blocks.columns;
    putFirstScores(own, blocks, { scores, likelihoods, added });
    around.begin(blocks, likelihoods);
    trees.begin(values);
    const ofPage = pageWorth(weights, values);
    for (let i = 0; i < blocks.count; i++) {
      const first = scores[i]!;
      if (first === Number.NEGATIVE_INFINITY) continue;
      around.set(i);
      let near = weights[CONTEXT_AT]! * values[0]!;
      for (let k = 1; k < PAGE_AT - 1; k++) near += weights[CONTEXT_AT + k]! * values[k]!;
      let far = weights[CONTEXT_AT + PAGE_AT - 1]! * values[PAGE_AT - 1]!;
      for (let k = PAGE_END; k < CONTEXT_FEATURES; k++) far += weights[CONTEXT_AT + k]! * values[k]!;
      const ofBlock = added[i]!;
      const sum = ofBlock + weights[BLOCK_FEATURES]! * first + constant + near + (ofPage + far);
      scores[i] = sum;
      if (Math.abs(sum) >= DOUBT) continue;
      putLateFeatures(values, blocks, i, first, ofBlock, sum);
      doubted[trees.count] = i;
      doubtedScores[trees.count] = sum;
      trees.add(values, inside[i]!);
      if (trees.count === BATCH) askTrees();
    }
    askTrees();
  }

  function askTrees(): void {
    const { count, sums } = trees;
    trees.finish();
    for (let k = 0; k < count; k++) scores[doubted[k]!] = doubtedScores[k]! + sums[k]!;
  }

  return { scores, finish };
}
