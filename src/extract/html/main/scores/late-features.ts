import type { BlockTable } from '../block-table.ts';
import { CONTEXT_FEATURES } from './context-features.ts';
import { INSIDE_BITS } from './feature-places.ts';

/*
 * The features by which trees (../oblivious-trees.ts) decide on a block that the two linear models leave in doubt. They
 * describe the scores of both models, the surroundings of the block, and the block itself. Among paragraphs, a line of names
 * and numbers is a byline, and a line of words is a heading. Neither the line nor its place is enough to tell the two apart.
 *
 *   around (context-features.ts) │ scores │ numbers of the block and of those beside it │ bits of the elements around
 */

const OF_BLOCK = 18;
export const LATE_BITS_AT = CONTEXT_FEATURES + OF_BLOCK;
export const LATE_FEATURES = LATE_BITS_AT + INSIDE_BITS;

/**
 * Writes the features of block `i` behind those of its surroundings, except its bits.
 *
 * @param first,second its scores by the linear models @param own what its own features add to the second one
 */
export function putLateFeatures(
  values: Float64Array,
  { columns, count }: BlockTable,
  i: number,
  first: number,
  own: number,
  second: number,
): void {
  const words = columns.words[i]!;
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
}

/** Writes the bits of the elements around a block behind its other features. */
export function putLateBits(values: Float64Array, inside: number): void {
  for (let bit = 0; bit < INSIDE_BITS; bit++) values[LATE_BITS_AT + bit] = (inside >>> bit) & 1;
}
