import type { BlockTable } from './block-table.ts';
import { FIRST, SECOND, TREES } from './main-weights.generated.ts';
import { BlockScores } from './scores/block-scores.ts';
import { PAGE_AT, PAGE_END } from './scores/context-features.ts';
import { LATE_BITS_AT } from './scores/late-features.ts';
import { createModelMemory } from './scores/model-memory.ts';
import { createScriptScores, type MainScores } from './scores/second-scores.ts';
import { planOf } from './scores/tree-plan.ts';

/*
 * Which blocks of a page are its main text: two linear models, one behind the other, and trees where they leave a doubt.
 *
 *   features of a block ── first ── its score ── with the scores of blocks around it, and its features ── second
 *                                                                                                           │
 *                                        what trees add ── if its score is in doubt  <──────────────────────┘
 *
 * A block is main if its last score is above MAIN_SCORE. The second model needs the features again: a line on the author among
 * paragraphs has the same scores around it as a heading. What the features add is summed up when they are known, and kept.
 * Trees see combinations of features. Without them 8 % of the pages that are shown again with other teasers resemble
 * themselves by less than 0.9, because bylines are taken for main text; with them 6 % do.
 *
 * The folder scores has the features, and what they are worth. Cost: linear in the blocks. The weights are made by
 * tools/main-text/train.ts.
 */

/**
 * Above this score a block is main: rather one too many than one too few. Lists, collections and services lose
 * most where it is higher. What is one too many and differs from page to page stays, as it is no part of a template.
 *
 *   score                                                   -.5    -.4    -.3    0
 *   word F1 of pages that were not learnt from              .859   .857   .855   .846
 *   of articles in large frames with r >= .8, are found     .81    .81    .83    .85
 *   of pages shown again, have r >= .93                     .87    .91    .92    .93
 */
const MAIN_SCORE = -0.4;

/**
 * Weights of the two models, which end with what is added to each sum: those of BLOCK_FEATURES; of BLOCK_FEATURES, of the first
 * score, and of CONTEXT_FEATURES.
 */
export interface Weights {
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** Those of oblivious-trees.ts, which add to second scores that leave a doubt. */
  readonly trees: Float64Array;
}

/** The models, made ready to be asked of many pages, one at a time. */
export class MainModel {
  readonly #scores: MainScores;

  /** @param withWasm whether WebAssembly may be asked, which says the same */
  constructor({ first, second, trees }: Weights, withWasm = true) {
    const plan = planOf(trees, { pageFrom: PAGE_AT, pageTo: PAGE_END, bitsFrom: LATE_BITS_AT });
    const own = new BlockScores(first, second);
    this.#scores = (withWasm ? createModelMemory(own, plan) : null) ?? createScriptScores(own, plan);
  }

  /**
   * The main text of a page as ranges of bytes of its text, ascending and apart: from and to of each, one after the other. No
   * word lies across an end of one.
   */
  rangesOf(blocks: BlockTable): Uint32Array {
    const { from, to } = blocks.columns;
    const { scores } = this.#scores;
    this.#scores.finish(blocks);
    const ranges: number[] = [];
    for (let i = 0, before = false; i < blocks.count; i++) {
      const kept = scores[i]! > MAIN_SCORE;
      if (kept && before) ranges[ranges.length - 1] = to[i]!;
      else if (kept) ranges.push(from[i]!, to[i]!);
      before = kept;
    }
    return Uint32Array.from(ranges);
  }
}

/** Made when the first page comes: it takes some milliseconds, and many processes read no page. */
let model: MainModel | null = null;

/** The main text of a page by the model of this release: MainModel.rangesOf. */
export function mainRanges(blocks: BlockTable): Uint32Array {
  model ??= new MainModel({ first: FIRST, second: SECOND, trees: TREES });
  return model.rangesOf(blocks);
}
