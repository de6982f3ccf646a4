import { BlockScores } from './block-scores.ts';
import { BLOCKS_MAX, type BlockTable } from './block-table.ts';
import { CONTEXT_FEATURES, ContextFeatures, PAGE_AT, PAGE_END } from './context-features.ts';
import { isNever } from './element-kinds.ts';
import { BLOCK_FEATURES } from './feature-places.ts';
import { LATE_BITS_AT, putLateFeatures } from './late-features.ts';
import { FIRST, SECOND, TREES } from './main-weights.generated.ts';
import { BATCH, PageTrees } from './page-trees.ts';

/*
 * Which blocks of a page are its main text: two linear models, one behind the other, and trees where they leave a doubt.
 *
 *   features of a block ── first ── its score ── with the scores of blocks around it, and its features ── second
 *                                                                                                           │
 *                                        what trees add (late-features.ts) ── if its score is in doubt  <───┘
 *
 * A block is main if its last score is above MAIN_SCORE. The second model needs the features again: a line on the author among
 * paragraphs has the same scores around it as a heading. What the features add is summed up when they are known, and kept.
 * Trees see combinations of features. Without them 8 % of the pages that are shown again with other teasers resemble
 * themselves by less than 0.9, because bylines are taken for main text; with them 6 % do.
 *
 * Cost: linear in the blocks. The weights are made by tools/main-text/train.ts.
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

/** A second score below this one, on either side, leaves a doubt. With 3, pages would be read a fifth more slowly. */
const DOUBT = 2;

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

/** Where the weights of CONTEXT_FEATURES begin among the second ones. */
const CONTEXT_AT = BLOCK_FEATURES + 1;

/** The models, made ready to be asked of many pages, one at a time. */
export class MainModel {
  readonly #own: BlockScores;
  readonly #second: Float64Array;
  readonly #trees: PageTrees;
  readonly #values = new Float64Array(LATE_BITS_AT);
  readonly #around = new ContextFeatures(this.#values);
  #scores = new Float32Array(1024);
  #likelihoods = new Float32Array(1024);
  /** The blocks that trees are to be asked about, with their scores. */
  readonly #doubted = new Uint32Array(BATCH);
  readonly #doubtedScores = new Float64Array(BATCH);

  constructor({ first, second, trees }: Weights) {
    this.#own = new BlockScores(first, second);
    this.#second = second;
    this.#trees = new PageTrees(trees, { pageFrom: PAGE_AT, pageTo: PAGE_END, bitsFrom: LATE_BITS_AT });
  }

  /**
   * The main text of a page as ranges of bytes of its text, ascending and apart: from and to of each, one after the other. No
   * word lies across an end of one.
   */
  rangesOf(blocks: BlockTable): Uint32Array {
    const { columns, count } = blocks;
    const { tag, inside, from, to } = columns;
    this.#scoreFirst(blocks);
    this.#around.begin(blocks, this.#likelihoods);
    this.#trees.begin(this.#values);
    this.#scoreSecond(blocks);
    const scores = this.#scores;
    const ranges: number[] = [];
    for (let i = 0, before = false; i < count; i++) {
      const kept = !isNever(tag[i]!, inside[i]!) && scores[i]! > MAIN_SCORE;
      if (kept && before) ranges[ranges.length - 1] = to[i]!;
      else if (kept) ranges.push(from[i]!, to[i]!);
      before = kept;
    }
    return Uint32Array.from(ranges);
  }

  /** Sets the first scores of all blocks, and the likelihoods that they stand for. */
  #scoreFirst(blocks: BlockTable): void {
    const { columns, count } = blocks;
    if (count > this.#scores.length) {
      this.#scores = new Float32Array(Math.min(BLOCKS_MAX, 2 * count));
      this.#likelihoods = new Float32Array(this.#scores.length);
    }
    const { tag, inside } = columns;
    this.#own.begin(blocks);
    const { first } = this.#own;
    const scores = this.#scores;
    const likelihoods = this.#likelihoods;
    for (let i = 0; i < count; i++) {
      const mayBe = !isNever(tag[i]!, inside[i]!);
      if (mayBe) scores[i] = first[i]!;
      likelihoods[i] = mayBe ? likelihood(first[i]!) : 0;
    }
  }

  /** Puts the last scores in the place of the first ones. */
  #scoreSecond(blocks: BlockTable): void {
    const { columns, count } = blocks;
    const { tag, inside } = columns;
    const values = this.#values;
    const around = this.#around;
    const trees = this.#trees;
    const second = this.#second;
    const scores = this.#scores;
    const added = this.#own.second;
    const doubted = this.#doubted;
    const doubtedScores = this.#doubtedScores;
    const constant = second[CONTEXT_AT + CONTEXT_FEATURES]!;
    for (let i = 0; i < count; i++) {
      if (isNever(tag[i]!, inside[i]!)) continue;
      around.set(i);
      const first = scores[i]!;
      const own = Math.fround(added[i]!);
      let sum = own + second[BLOCK_FEATURES]! * first + constant;
      for (let k = 0; k < CONTEXT_FEATURES; k++) sum += second[CONTEXT_AT + k]! * values[k]!;
      scores[i] = sum;
      if (Math.abs(sum) >= DOUBT) continue;
      putLateFeatures(values, blocks, i, first, own, sum);
      doubted[trees.count] = i;
      doubtedScores[trees.count] = sum;
      trees.add(values, inside[i]!);
      if (trees.count === BATCH) this.#askTrees();
    }
    this.#askTrees();
  }

  /** Adds what trees say of the blocks that wait for them. */
  #askTrees(): void {
    const trees = this.#trees;
    trees.finish();
    const { count, sums } = trees;
    for (let k = 0; k < count; k++) this.#scores[this.#doubted[k]!] = this.#doubtedScores[k]! + sums[k]!;
    trees.count = 0;
  }
}

/** What a page is asked by. */
const MODEL = new MainModel({ first: FIRST, second: SECOND, trees: TREES });

/** The main text of a page by the model of this release: MainModel.rangesOf. */
export function mainRanges(blocks: BlockTable): Uint32Array {
  return MODEL.rangesOf(blocks);
}

/** The logistic function. */
export function likelihood(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}
