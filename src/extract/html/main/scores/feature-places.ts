import { TAGS } from '../element-kinds.ts';

/*
 * What the linear models are told of each block: of its text, of the elements around it, of its place in the page, and of the
 * blocks beside it. No word of any language is among it. tools/main-text/block-features.ts writes the features out one by one,
 * for those who learn from them; block-scores.ts adds up what they are worth.
 *
 *   │ numbers, most of them 0 to 1 │ one of TAGS │ bits of the elements around │
 *   └ NUMBERS                      └ 0 or 1 each ┴─────────────────────────────┘
 */

/** Where the numbers begin of the text with depth and hints, of the place, of elements, of the block before and behind. */
export const TEXT_AT = 0;
export const PLACE_AT = TEXT_AT + 17;
export const ELEMENTS_AT = PLACE_AT + 12;
export const BEFORE_AT = ELEMENTS_AT + 12;
/** Numbers of a block beside. */
export const BESIDE = 7;
export const BEHIND_AT = BEFORE_AT + BESIDE;
export const NUMBERS = BEHIND_AT + BESIDE;
export const BITS_AT = NUMBERS + TAGS.length;
export const INSIDE_BITS = 27;
export const BLOCK_FEATURES = BITS_AT + INSIDE_BITS;

/** The first five numbers of a block beside, where there is none. */
export const NOT_THERE = -0.5;
/** Blocks on either side of which the words are added up. */
export const WINDOW = 4;

const LOGS = Float64Array.from({ length: 1024 }, (_, n) => Math.log1p(n));

/** ln(1 + n), of n rounded down. */
export function logOf(n: number): number {
  return n < LOGS.length ? LOGS[n | 0]! : Math.log1p(n);
}
