import { CAPITALS, COMMAS, LENGTH, NUMBERS, SENTENCES, WORDS } from './text-figures.ts';

/* What is known of the blocks of a page (page-blocks.ts): a row of columns for each, of 48 bytes. */

export const BLOCKS_MAX = 20_000;
/** The innermost elements around a block that are told apart. */
export const LEVELS = 4;

export function createColumns(rows: number) {
  return {
    /** Where the block stands in the text of the page. */
    from: new Uint32Array(rows),
    to: new Uint32Array(rows),
    words: new Uint16Array(rows),
    /** Words in links. */
    linked: new Uint16Array(rows),
    sentences: new Uint16Array(rows),
    commas: new Uint16Array(rows),
    capitals: new Uint16Array(rows),
    numbers: new Uint16Array(rows),
    bytes: new Uint16Array(rows),
    /** Whether it ends as a sentence. */
    ends: new Uint8Array(rows),
    /** Its own element: a place in TAGS. */
    tag: new Uint8Array(rows),
    /** Bits of all elements around it: element-kinds.ts, class-words.ts. */
    inside: new Uint32Array(rows),
    /** Numbers of the innermost elements around it, LEVELS for each block; 0 where there is none. */
    around: new Uint32Array(LEVELS * rows),
    depth: new Uint16Array(rows),
    /** What the nearest class says that is for or against: 1, -1, or 0; and how many elements further out it stands. */
    hint: new Int8Array(rows),
    hintDistance: new Uint8Array(rows),
  };
}

export type Columns = ReturnType<typeof createColumns>;

/** Writes what the text of a block looks like. */
export function putFigures(columns: Columns, row: number, figures: Int32Array): void {
  columns.words[row] = figures[WORDS]!;
  columns.sentences[row] = figures[SENTENCES]!;
  columns.commas[row] = figures[COMMAS]!;
  columns.capitals[row] = figures[CAPITALS]!;
  columns.numbers[row] = figures[NUMBERS]!;
  columns.bytes[row] = figures[LENGTH]!;
}

/** Columns of so many rows, of which the first `count` are as they were. */
export function resized(columns: Columns, rows: number, count: number): Columns {
  const made = createColumns(rows);
  for (const name of Object.keys(made) as (keyof Columns)[]) {
    const kept = name === 'around' ? LEVELS * count : count;
    made[name].set(columns[name].subarray(0, kept));
  }
  return made;
}

/** The blocks of a page: the first `count` rows. */
export interface BlockTable {
  readonly columns: Columns;
  readonly count: number;
  /** Elements that have a number; 0 is none of them. */
  readonly elements: number;
}
