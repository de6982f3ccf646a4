import type { Weights } from '../../src/extract/html/main/main-text.ts';
import { CONTEXT_FEATURES, ContextFeatures } from '../../src/extract/html/main/scores/context-features.ts';
import { BLOCK_FEATURES } from '../../src/extract/html/main/scores/feature-places.ts';
import { likelihood } from '../../src/extract/html/main/scores/feature-worth.ts';
import { LATE_FEATURES, putLateBits, putLateFeatures } from '../../src/extract/html/main/scores/late-features.ts';
import { fitTrees } from './boosted-trees.ts';
import type { LabelledPage } from './labelled-page.ts';
import { fitLogistic, type Rows } from './logistic.ts';

/*
 * The models of main-text.ts. The second one learns from scores of the first as it will see them, of pages that the first
 * has not learnt from: the pages are parted by their hosts, and each part is scored by a model of the others.
 */

const RIDGE = 30;
const PARTS = 3;
/** Up to this score of the second model trees learn from a block: a little further than where they are asked. */
const DOUBT_LEARNT = 3;
/** Of a page with more blocks every n-th is learnt from, for its weight: large pages are most of the time, and teach no more. */
const BLOCKS_LEARNT = 150;

/** The part in which the pages of a host are, of so many. */
export function partOf(host: string, parts: number): number {
  let hash = 7;
  for (const character of host) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d) >>> 8) % parts;
}

export function fitWeights(pages: readonly LabelledPage[]): Weights {
  const scores = new Map<LabelledPage, Float32Array>();
  for (let part = 0; part < PARTS; part++) {
    const isIn = ({ page }: LabelledPage) => partOf(`${page.host}/`, PARTS) === part;
    const model = fitLogistic(firstRows(pages.filter((page) => !isIn(page))), RIDGE);
    for (const page of pages.filter(isIn)) scores.set(page, firstScores(page, model));
  }
  const first = fitLogistic(firstRows(pages), RIDGE);
  const rows = secondRows(pages, scores);
  const second = fitLogistic(rows, RIDGE);
  return { first, second, trees: treesBehind(pages, scores, second) };
}

/** Trees for what the second model leaves in doubt. */
function treesBehind(
  pages: readonly LabelledPage[],
  scores: ReadonlyMap<LabelledPage, Float32Array>,
  model: Float64Array,
): Float64Array {
  const seconds: number[] = [];
  const rows = rowsOf(pages, LATE_FEATURES, (page) => {
    const first = scores.get(page)!;
    const values = new Float64Array(LATE_FEATURES);
    const context = new ContextFeatures(values);
    context.begin(page.blocks, first.map(likelihood));
    return (i, all, at) => {
      context.set(i);
      let own = 0;
      for (let k = 0; k < BLOCK_FEATURES; k++) own += model[k]! * page.features[i * BLOCK_FEATURES + k]!;
      let second = own + model[BLOCK_FEATURES]! * first[i]! + model[BLOCK_FEATURES + 1 + CONTEXT_FEATURES]!;
      for (let k = 0; k < CONTEXT_FEATURES; k++) second += model[BLOCK_FEATURES + 1 + k]! * values[k]!;
      if (Math.abs(second) > DOUBT_LEARNT) return false;
      putLateFeatures(values, page.blocks, i, first[i]!, own, second);
      putLateBits(values, page.blocks.columns.inside[i]!);
      all.set(values, at);
      seconds.push(second);
      return true;
    };
  });
  return fitTrees(rows, Float64Array.from(seconds));
}

function firstScores({ features, blocks: { count } }: LabelledPage, model: Float64Array): Float32Array {
  const scores = new Float32Array(count);
  for (let i = 0, at = 0; i < count; i++, at += BLOCK_FEATURES) {
    let score = model[BLOCK_FEATURES]!;
    for (let j = 0; j < BLOCK_FEATURES; j++) score += model[j]! * features[at + j]!;
    scores[i] = score;
  }
  return scores;
}

function firstRows(pages: readonly LabelledPage[]): Rows {
  return rowsOf(pages, BLOCK_FEATURES, ({ features }) => (i, values, at) => {
    values.set(features.subarray(i * BLOCK_FEATURES, (i + 1) * BLOCK_FEATURES), at);
    return true;
  });
}

function secondRows(pages: readonly LabelledPage[], scores: ReadonlyMap<LabelledPage, Float32Array>): Rows {
  return rowsOf(pages, BLOCK_FEATURES + 1 + CONTEXT_FEATURES, (page) => {
    const own = scores.get(page)!;
    const around = new Float64Array(CONTEXT_FEATURES);
    const context = new ContextFeatures(around);
    context.begin(page.blocks, own.map(likelihood));
    return (i, values, at) => {
      context.set(i);
      values.set(page.features.subarray(i * BLOCK_FEATURES, (i + 1) * BLOCK_FEATURES), at);
      values[at + BLOCK_FEATURES] = own[i]!;
      values.set(around, at + BLOCK_FEATURES + 1);
      return true;
    };
  });
}

/** @param writerOf what writes the features of a block of a page to where they begin, or says that it is no row */
function rowsOf(
  pages: readonly LabelledPage[],
  width: number,
  writerOf: (page: LabelledPage) => (i: number, values: Float32Array, at: number) => boolean,
): Rows {
  const countMax = pages.length * BLOCKS_LEARNT;
  const values = new Float32Array(countMax * width);
  const labels = new Uint8Array(countMax);
  const weights = new Float32Array(countMax);
  let row = 0;
  let looked = 0;
  for (const page of pages) {
    const write = writerOf(page);
    const step = Math.ceil(page.blocks.count / BLOCKS_LEARNT);
    // not always the same place of a pattern
    for (let i = looked % step; i < page.blocks.count; i += step, looked++) {
      if (!write(i, values, row * width)) continue;
      labels[row] = page.labels[i]!;
      weights[row++] = page.weights[i]! * step;
    }
  }
  return { width, count: row, values, labels, weights };
}
