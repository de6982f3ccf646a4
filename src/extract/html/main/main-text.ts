import { BLOCK_FEATURES, BlockFeatures, NUMBERS } from './block-features.ts';
import { BLOCKS_MAX, type BlockTable } from './block-table.ts';
import { CONTEXT_FEATURES, ContextFeatures } from './context-features.ts';
import { FOOTER_BIT, NAV_BIT, OPTION_TAG, TAGS, TITLE_TAG } from './element-kinds.ts';
import { LATE_FEATURES, putLateFeatures } from './late-features.ts';
import { FIRST, SECOND, TREES } from './main-weights.generated.ts';
import { Trees } from './oblivious-trees.ts';

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
  /** They add to second scores that leave a doubt. */
  readonly trees: Trees;
}

/** Where the weights of CONTEXT_FEATURES begin among the second ones. */
const CONTEXT_AT = BLOCK_FEATURES + 1;

const WEIGHTS: Weights = { first: FIRST, second: SECOND, trees: new Trees(TREES) };

/** Scratch memory: pages are looked at one at a time. */
const features = new BlockFeatures();
const around = new ContextFeatures();
const late = new Float64Array(LATE_FEATURES);
let likelihoods = new Float32Array(1024);
/** The first scores, then the last ones. */
let scores = new Float32Array(1024);
/** What the features add to the last scores. */
let added = new Float32Array(1024);

/**
 * The main text of a page as ranges of bytes of its text, ascending and apart: from and to of each, one after the other. No
 * word lies across an end of one.
 */
export function mainRanges(blocks: BlockTable, weights: Weights = WEIGHTS): Uint32Array {
  const { columns, count } = blocks;
  score(blocks, weights);
  const ranges: number[] = [];
  for (let i = 0, before = false; i < count; i++) {
    const kept = scores[i]! > MAIN_SCORE;
    if (kept && before) ranges[ranges.length - 1] = columns.to[i]!;
    else if (kept) ranges.push(columns.from[i]!, columns.to[i]!);
    before = kept;
  }
  return Uint32Array.from(ranges);
}

/** Sets `scores` to the last ones: above 0 where a block is more likely main than not. */
function score(blocks: BlockTable, { first, second, trees }: Weights): void {
  const { count } = blocks;
  if (count > scores.length) {
    scores = new Float32Array(Math.min(BLOCKS_MAX, 2 * count));
    likelihoods = new Float32Array(scores.length);
    added = new Float32Array(scores.length);
  }
  const { tag, inside } = blocks.columns;
  const { numbers } = features;
  features.begin(blocks);
  for (let i = 0; i < count; i++) {
    if (isNever(tag[i]!, inside[i]!)) {
      features.pass(i);
      likelihoods[i] = 0;
      scores[i] = NEVER;
      continue;
    }
    features.set(i);
    let sum = first[BLOCK_FEATURES]! + first[NUMBERS + tag[i]!]!;
    let later = second[NUMBERS + tag[i]!]!;
    for (let k = 0; k < NUMBERS; k++) {
      const number = numbers[k]!;
      sum += first[k]! * number;
      later += second[k]! * number;
    }
    for (let bits = inside[i]!; bits !== 0; bits &= bits - 1) {
      const at = NUMBERS + TAGS.length + 31 - Math.clz32(bits & -bits);
      sum += first[at]!;
      later += second[at]!;
    }
    scores[i] = sum;
    added[i] = later;
    likelihoods[i] = likelihood(sum);
  }
  around.begin(blocks, likelihoods);
  const { values } = around;
  for (let i = 0; i < count; i++) {
    if (scores[i] === NEVER) continue;
    around.set(i);
    let sum = added[i]! + second[BLOCK_FEATURES]! * scores[i]! + second[CONTEXT_AT + CONTEXT_FEATURES]!;
    for (let k = 0; k < CONTEXT_FEATURES; k++) sum += second[CONTEXT_AT + k]! * values[k]!;
    if (Math.abs(sum) < DOUBT) {
      putLateFeatures(late, blocks, i, values, { first: scores[i]!, own: added[i]!, second: sum });
      sum += trees.sum(late);
    }
    scores[i] = sum;
  }
}

/** Whether a block is never main: titles, options, and what is in a <nav> or a <footer>, a third of all blocks. */
export function isNever(tag: number, inside: number): boolean {
  return tag === TITLE_TAG || tag === OPTION_TAG || (inside & (NAV_BIT | FOOTER_BIT)) !== 0;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** The logistic function. */
export function likelihood(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}
