import { fromBlocks } from '../../src/extract/html/html-scanner.ts';
import { type BlockTable, LEVELS } from '../../src/extract/html/main/block-table.ts';
import { isNever } from '../../src/extract/html/main/element-kinds.ts';
import { BLOCK_FEATURES } from '../../src/extract/html/main/scores/feature-places.ts';
import { BlockFeatures } from './block-features.ts';
import type { GoldPage } from './gold-pages.ts';
import { GoldText, MAIN_SHARE } from './gold-text.ts';

/** A page to learn from: its blocks, what the model is told of each, and whether it is main. */
export interface LabelledPage {
  readonly page: GoldPage;
  readonly text: Uint8Array;
  readonly blocks: BlockTable;
  /** BLOCK_FEATURES for each block. */
  readonly features: Float32Array;
  readonly labels: Uint8Array;
  /** All of a page together count as the root of its number of blocks; what is never main, and what is unsure, nothing. */
  readonly weights: Float32Array;
}

/** Null where a page has no blocks, or too many. */
export function labelledPage(page: GoldPage): LabelledPage | null {
  return fromBlocks(page.html, (shared, text) => {
    const { count } = shared;
    if (count === 0) return null;
    const blocks = copyOf(shared);
    const gold = new GoldText(page.main);
    const unsure = new GoldText(page.unsure ?? '');
    const decoder = new TextDecoder();
    const features = new Float32Array(count * BLOCK_FEATURES);
    const describer = new BlockFeatures();
    describer.begin(blocks);
    const { from, to, tag, words, inside } = blocks.columns;
    const weights = new Float32Array(count);
    const labels = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      describer.set(i);
      describer.writeAll(i, features, i * BLOCK_FEATURES);
      const stretch = decoder.decode(text.subarray(from[i], to[i]));
      labels[i] = gold.shareOf(stretch) >= MAIN_SHARE ? 1 : 0;
      const counts = !isNever(tag[i]!, inside[i]!) && (labels[i] === 1 || unsure.shareOf(stretch) < MAIN_SHARE);
      weights[i] = counts ? Math.sqrt(words[i]!) : 0;
    }
    const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
    for (let i = 0; i < count; i++) weights[i]! *= Math.sqrt(count) / sum;
    return { page, text, blocks, features, labels, weights };
  });
}

function copyOf({ columns, count, elements }: BlockTable): BlockTable {
  const copies = Object.entries(columns).map(([name, column]) => [
    name,
    column.slice(0, name === 'around' ? LEVELS * count : count),
  ]);
  return { columns: Object.fromEntries(copies) as BlockTable['columns'], count, elements };
}
