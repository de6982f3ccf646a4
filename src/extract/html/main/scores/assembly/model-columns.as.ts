/* Where the columns of a page stand (../../block-table.ts), and what becomes of them. Addresses are bytes. */

/** Rows of the largest page, with some behind it. */
export const ROWS: i32 = 20_480;
const COLUMNS_AT: usize = 0x3_0000;

export const WORDS: usize = COLUMNS_AT;
export const LINKED: usize = WORDS + 2 * ROWS;
export const SENTENCES: usize = LINKED + 2 * ROWS;
export const COMMAS: usize = SENTENCES + 2 * ROWS;
export const CAPITALS: usize = COMMAS + 2 * ROWS;
export const NUMBERS: usize = CAPITALS + 2 * ROWS;
export const BYTES: usize = NUMBERS + 2 * ROWS;
export const DEPTH: usize = BYTES + 2 * ROWS;
export const ENDS: usize = DEPTH + 2 * ROWS;
export const TAG: usize = ENDS + ROWS;
export const HINT: usize = TAG + ROWS;
export const HINT_DISTANCE: usize = HINT + ROWS;
export const INSIDE: usize = HINT_DISTANCE + ROWS;
export const AROUND: usize = INSIDE + 4 * ROWS;
/** Float64: the first scores. Float32: the same, then the last ones, -Infinity of what is never main. */
export const FIRSTS: usize = AROUND + 16 * ROWS;
export const SCORES: usize = FIRSTS + 8 * ROWS;
/** Float32: likelihoods, 0 of what is never main; what features add to second scores. */
export const LIKELIHOODS: usize = SCORES + 4 * ROWS;
export const ADDED: usize = LIKELIHOODS + 4 * ROWS;
export const END_OF_COLUMNS: usize = ADDED + 4 * ROWS;
