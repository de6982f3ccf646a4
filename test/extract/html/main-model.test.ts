import { describe, expect, it } from 'vitest';
import { fromBlocks } from '../../../src/extract/html/html-scanner.ts';
import type { BlockTable } from '../../../src/extract/html/main/block-table.ts';
import { isNever } from '../../../src/extract/html/main/element-kinds.ts';
import { MainModel } from '../../../src/extract/html/main/main-text.ts';
import { FIRST, SECOND, TREES } from '../../../src/extract/html/main/main-weights.generated.ts';
import { DEPTH, LEAVES, Trees } from '../../../src/extract/html/main/oblivious-trees.ts';
import { BlockScores } from '../../../src/extract/html/main/scores/block-scores.ts';
import {
  CONTEXT_FEATURES,
  ContextFeatures,
  PAGE_AT,
  PAGE_END,
} from '../../../src/extract/html/main/scores/context-features.ts';
import { BITS_AT, BLOCK_FEATURES, INSIDE_BITS, NUMBERS } from '../../../src/extract/html/main/scores/feature-places.ts';
import { likelihood } from '../../../src/extract/html/main/scores/feature-worth.ts';
import {
  LATE_BITS_AT,
  LATE_FEATURES,
  putLateBits,
  putLateFeatures,
} from '../../../src/extract/html/main/scores/late-features.ts';
import { createModelMemory } from '../../../src/extract/html/main/scores/model-memory.ts';
import { BATCH, PageTrees } from '../../../src/extract/html/main/scores/page-trees.ts';
import { createScriptScores } from '../../../src/extract/html/main/scores/second-scores.ts';
import { planOf } from '../../../src/extract/html/main/scores/tree-plan.ts';
import { BlockFeatures } from '../../../tools/main-text/block-features.ts';
import { markedUp } from '../../support/pages/marked-up.ts';
import { createPrng } from '../../support/prng.ts';

const WEIGHTS = { first: FIRST, second: SECOND, trees: TREES };

/** What the features of a block add to a score. */
function worth(numbers: Float64Array, tag: number, inside: number, weights: Float64Array): number {
  let sum = weights[NUMBERS + tag]!;
  for (const [k, number] of numbers.entries()) sum += weights[k]! * number;
  for (let bit = 0; bit < INSIDE_BITS; bit++) sum += ((inside >>> bit) & 1) * weights[BITS_AT + bit]!;
  return sum;
}

/** The ranges of a page by every feature written out, and every tree asked: what MainModel says of it in fewer steps. */
function plainRanges(blocks: BlockTable): number[] {
  const { columns, count } = blocks;
  const describer = new BlockFeatures();
  describer.begin(blocks);
  const never = Array.from({ length: count }, (_, i) => isNever(columns.tag[i]!, columns.inside[i]!));
  const sums = Array.from({ length: count }, (_, i) => {
    describer.set(i);
    return [FIRST, SECOND].map((weights) => worth(describer.numbers, columns.tag[i]!, columns.inside[i]!, weights));
  });
  const values = new Float64Array(LATE_FEATURES);
  const around = new ContextFeatures(values);
  around.begin(
    blocks,
    Float32Array.from(sums, ([sum], i) => (never[i] ? 0 : likelihood(sum! + FIRST[BLOCK_FEATURES]!))),
  );
  const trees = new Trees(TREES);
  const ranges: number[] = [];
  let before = false;
  for (let i = 0; i < count; i++) {
    around.set(i);
    const first = Math.fround(sums[i]![0]! + FIRST[BLOCK_FEATURES]!);
    const own = Math.fround(sums[i]![1]!);
    let second = own + SECOND[BLOCK_FEATURES]! * first + SECOND[BLOCK_FEATURES + 1 + CONTEXT_FEATURES]!;
    for (let k = 0; k < CONTEXT_FEATURES; k++) second += SECOND[BLOCK_FEATURES + 1 + k]! * values[k]!;
    putLateFeatures(values, blocks, i, first, own, second);
    putLateBits(values, columns.inside[i]!);
    if (Math.abs(second) < 2) second += trees.sum(values);
    const kept = !never[i]! && second > -0.4;
    if (kept && before) ranges[ranges.length - 1] = columns.to[i]!;
    else if (kept) ranges.push(columns.from[i]!, columns.to[i]!);
    before = kept;
  }
  return ranges;
}

describe('the model of main text', () => {
  const bytesOf = (html: string) => new TextEncoder().encode(html);

  it('says of pages what their features say one by one, and every tree', () => {
    const prng = createPrng(17);
    const models = [true, false].map((withWasm) => new MainModel(WEIGHTS, withWasm));
    let [main, blocks] = [0, 0];
    for (let page = 0; page < 300; page++) {
      const both = fromBlocks(bytesOf(markedUp(prng, 1 + prng.below(page % 50 === 0 ? 9000 : 200))), (table) => {
        blocks += table.count;
        return [...models.map((model) => Array.from(model.rangesOf(table))), plainRanges(table)];
      });
      expect(both![0]).toEqual(both![2]);
      expect(both![1]).toEqual(both![2]);
      main += both![0]!.length / 2;
    }
    // neither all nor nothing is main
    expect(main).toBeGreaterThan(50);
    expect(blocks).toBeGreaterThan(20 * main);
  });

  it('gives each block the same score in WebAssembly and in TypeScript, bit by bit', () => {
    const prng = createPrng(19);
    const plan = planOf(TREES, { pageFrom: PAGE_AT, pageTo: PAGE_END, bitsFrom: LATE_BITS_AT });
    const fast = createModelMemory(new BlockScores(FIRST, SECOND), plan)!;
    const plain = createScriptScores(new BlockScores(FIRST, SECOND), plan);
    for (let page = 0; page < 200; page++) {
      fromBlocks(bytesOf(markedUp(prng, 1 + prng.below(page % 50 === 0 ? 9000 : 300))), (table) => {
        fast.finish(table);
        plain.finish(table);
        expect(Array.from(fast.scores.subarray(0, table.count))).toEqual(
          Array.from(plain.scores.subarray(0, table.count)),
        );
      });
    }
  });

  it('finds words of blocks of more than a thousand of them worth what they are', () => {
    const page = `<p>${'word '.repeat(3000)}</p><p>word</p><p>${'Longer words. '.repeat(700)}</p>`;
    const both = fromBlocks(bytesOf(page), (table) => [
      Array.from(new MainModel(WEIGHTS).rangesOf(table)),
      plainRanges(table),
    ]);
    expect(both![0]).toEqual(both![1]);
  });
});

describe('trees asked of many blocks of a page', () => {
  it('add bit by bit what each adds by itself, whatever the questions about the page', () => {
    const prng = createPrng(23);
    for (let model = 0; model < 20; model++) {
      const width = 9;
      const thresholds = Array.from({ length: 5 }, () => prng.next());
      const question = (feature: number) => [feature, feature < 6 ? thresholds[prng.below(5)]! : 0];
      const weights = Float64Array.from(
        Array.from({ length: 12 }, () => [
          ...Array.from({ length: DEPTH }, () => question(prng.below(width))).flat(),
          ...Array.from({ length: LEAVES }, () => prng.next() - 0.5),
        ]).flat(),
      );
      const trees = new Trees(weights);
      const kinds = { pageFrom: 2, pageTo: 4, bitsFrom: 6 };
      const together = new PageTrees(planOf(weights, kinds));
      for (const count of [0, 1, 7, BATCH]) {
        const ofPage = [prng.next(), prng.next()];
        const inside = Uint32Array.from({ length: count }, () => prng.uint32());
        const rows = Array.from(inside, (bits) =>
          Float64Array.from({ length: width }, (_, k) => {
            if (k >= 6) return (bits >>> (k - 6)) & 1;
            return k === 2 || k === 3 ? ofPage[k - 2]! : prng.next();
          }),
        );
        together.begin(Float64Array.of(0, 0, ...ofPage));
        for (const [i, row] of rows.entries()) together.add(row, inside[i]!);
        together.finish();
        expect(Array.from(together.sums.subarray(0, count))).toEqual(rows.map((row) => trees.sum(row)));
      }
    }
  });
});
