import type { TextWriter } from '../text-writer.ts';
import { plainTagBits } from './attribute-bits.ts';
import {
  BLOCKS_MAX,
  type BlockTable,
  type Columns,
  createColumns,
  LEVELS,
  putFigures,
  resized,
} from './block-table.ts';
import { AGAINST_BIT, FOR_BIT } from './class-words.ts';
import { A, BITS_OF, ENDS_BITS, IS_FOLLOWED, OMITTED_BIT, P, TAG_OF } from './element-kinds.ts';
import { addFigures, endsAsSentence, FIGURES, isBlank, LENGTH, WORDS } from './text-figures.ts';

/*
 * The blocks of a page while it is scanned: the stretches of its text between tags at which words end, each with what is known
 * of it without a tree. What elements are open is kept as a stack, as end tags say, and as start tags imply.
 *
 *   <div id=a><p>One <b>two</b>   <a>three</a></p>   <p>Four   </div>
 *                └───── a block ───────────┘            └ a block
 *
 * A block is a row of columns (block-table.ts). Beyond BLOCKS_MAX rows and DEPTH_MAX open elements nothing is told of a page.
 */

export const DEPTH_MAX = 512;
const ROWS_LEAST = 512;
/** A block with more is not looked at any further: all figures fit into 16 bits. */
const BYTES_MAX = 0x5000;
const HINT_DISTANCE_MAX = 9;
/** Of an end tag, beside the number of its element. */
export const END_TAG = 0x100;
/** Numbers of a note, and of all notes that are kept before they are looked at. */
export const NOTE = 4;
export const NOTED_MAX = NOTE * 1000;
const NEWLINE = 0x0a;

/** Serves one page at a time. */
export class PageBlocks implements BlockTable {
  columns: Columns = createColumns(ROWS_LEAST);
  count = 0;
  elements = 1;
  #rows = ROWS_LEAST;
  #writer: TextWriter | null = null;
  #source: Uint8Array = new Uint8Array(0);
  /** Tags that have not been looked at yet, NOTE numbers each. */
  readonly notes: Int32Array = new Int32Array(NOTED_MAX);
  noted = 0;
  /** Where the block begins, and what of it has not been looked at yet. */
  #start = 0;
  #seen = 0;
  /** Where the last block ends, if not before a line end; 0 where that is final. */
  #unsettled = 0;
  #inLink = false;
  readonly #figures = new Int32Array(FIGURES);
  /** Of its words those in links. */
  #linked = 0;
  #depth = 0;
  readonly #element = new Uint8Array(DEPTH_MAX + 1);
  readonly #number = new Uint32Array(DEPTH_MAX + 1);
  readonly #inside = new Uint32Array(DEPTH_MAX + 1);
  readonly #hint = new Int8Array(DEPTH_MAX + 1);
  readonly #hintDepth = new Uint16Array(DEPTH_MAX + 1);
  readonly #counts = new Uint16Array(256);
  /** Where the attributes of each open element are, as a note says it; up to which depth they have been looked at. */
  readonly #nameEnd = new Int32Array(DEPTH_MAX + 1);
  readonly #tagEnd = new Int32Array(DEPTH_MAX + 1);
  #known = 0;

  /** Begins a page, whose text is written there. */
  begin(writer: TextWriter): void {
    this.#writer = writer;
    this.count = 0;
    this.elements = 1;
    this.#start = 0;
    this.#seen = 0;
    this.#unsettled = 0;
    this.#inLink = false;
    this.noted = 0;
    this.#depth = 0;
    this.#known = 0;
    this.#figures.fill(0);
    this.#linked = 0;
    this.#counts.fill(0);
    if (this.#rows > ROWS_LEAST * 8) this.#resize(ROWS_LEAST);
  }

  /** The bytes in which the tags are of which `note` is told from now on. */
  readFrom(bytes: Uint8Array): void {
    this.drain();
    this.#lookAround();
    this.#source = bytes;
  }

  /**
   * A plain tag at which words end, or of a link. It is looked at later: this is called in the innermost loop.
   *
   * @param textEnd what the text has before it, behind TextWriter.separate
   * @param tag the element, with END_TAG where it is an end tag; 0 where words end, and no more
   * @param nameEnd where its name ends, in the bytes that are read; -1 where `end` is what its attributes say
   * @param end where it ends
   */
  note(textEnd: number, tag: number, nameEnd: number, end: number): void {
    if (this.noted === NOTED_MAX) this.drain();
    this.notes.set([textEnd, tag, nameEnd, end], this.noted);
    this.noted += NOTE;
  }

  /** Looks at all that was noted. */
  drain(): void {
    this.#settle();
    const notes = this.notes;
    const noted = this.noted;
    this.noted = 0;
    for (let at = 0; at < noted && this.#writer !== null; at += NOTE) {
      const textEnd = notes[at]!;
      const tag = notes[at + 1]!;
      const element = tag & ~END_TAG;
      if (element === A) {
        this.#look(this.#writer, textEnd);
        this.#inLink = tag === A;
        continue;
      }
      this.#endBlock(this.#writer, textEnd);
      if (tag !== element) this.#close(element);
      else this.#open(element, notes[at + 2]!, notes[at + 3]!);
    }
  }

  /** Behind the last byte of the text. Returns whether the blocks are known. */
  finish(): boolean {
    this.drain();
    if (this.#writer !== null) this.#endBlock(this.#writer, this.#writer.length);
    // it may have been the one too many
    const known = this.#writer !== null;
    this.#writer = null;
    this.#source = new Uint8Array(0);
    return known;
  }

  /** Takes the line end off the last block, where the space with which it ended has become one since. */
  #settle(): void {
    const end = this.#unsettled;
    if (end === 0 || this.#writer === null) return;
    const isLineEnd = this.#writer.bytes[end - 1] === NEWLINE;
    if (isLineEnd) this.columns.to[this.count - 1] = end - 1;
    if (isLineEnd || this.#writer.length > end) this.#unsettled = 0;
  }

  #open(element: number, nameEnd: number, end: number): void {
    const ends = ENDS_BITS[element]!;
    while (this.#depth > 0 && (OMITTED_BIT[this.#element[this.#depth]!]! & ends) !== 0) this.#pop();
    if (IS_FOLLOWED[element] === 0) return;
    if (this.#depth === DEPTH_MAX) {
      this.#writer = null;
      return;
    }
    const depth = ++this.#depth;
    this.#element[depth] = element;
    this.#counts[element]!++;
    this.#number[depth] = 0;
    this.#nameEnd[depth] = nameEnd;
    this.#tagEnd[depth] = end;
  }

  /** Looks at the attributes of all open elements: of many nobody asks, as there is no text in them. */
  #lookAround(): void {
    for (let depth = this.#known + 1; depth <= this.#depth; depth++) {
      const around = depth - 1;
      const [nameEnd, end] = [this.#nameEnd[depth]!, this.#tagEnd[depth]!];
      const bits = nameEnd < 0 ? end : plainTagBits(this.#source, nameEnd, end);
      this.#inside[depth] = (around > 0 ? this.#inside[around]! : 0) | BITS_OF[this.#element[depth]!]! | bits;
      const hint = (bits & AGAINST_BIT) !== 0 ? -1 : (bits & FOR_BIT) !== 0 ? 1 : 0;
      this.#hint[depth] = hint !== 0 || around === 0 ? hint : this.#hint[around]!;
      this.#hintDepth[depth] = hint !== 0 || around === 0 ? depth : this.#hintDepth[around]!;
    }
    this.#known = this.#depth;
  }

  #close(element: number): void {
    if (this.#counts[element] === 0) return;
    // what is left out around a <p> was ended by what is not
    if (element === P && this.#element[this.#depth] !== P) return;
    while (this.#element[this.#depth] !== element) this.#pop();
    this.#pop();
  }

  #pop(): void {
    this.#counts[this.#element[this.#depth--]!]!--;
    if (this.#known > this.#depth) this.#known = this.#depth;
  }

  /** Ends the block, where the text has `end` bytes. */
  #endBlock(writer: TextWriter, end: number): void {
    if (this.#start < end && (this.#seen > this.#start || !isBlank(writer.bytes, this.#start, end))) {
      this.#look(writer, end);
      if (this.#figures[WORDS]! > 0) this.#add(writer, end);
      this.#figures.fill(0);
      this.#linked = 0;
    }
    this.#start = end;
    this.#seen = end;
  }

  #look(writer: TextWriter, to: number): void {
    if (to === this.#seen) return;
    const figures = this.#figures;
    const before = figures[WORDS]!;
    if (figures[LENGTH]! < BYTES_MAX) addFigures(figures, writer.bytes, this.#seen, to);
    if (this.#inLink) this.#linked += figures[WORDS]! - before;
    this.#seen = to;
  }

  #add(writer: TextWriter, end: number): void {
    if (this.count === BLOCKS_MAX) {
      this.#writer = null;
      return;
    }
    if (this.count === this.#rows) this.#resize(Math.min(BLOCKS_MAX, 2 * this.#rows));
    this.#lookAround();
    const row = this.count++;
    const { columns } = this;
    const depth = this.#depth;
    const to = writer.bytes[end - 1] === NEWLINE ? end - 1 : end;
    this.#unsettled = to === end ? end : 0;
    columns.from[row] = this.#start;
    columns.to[row] = to;
    putFigures(columns, row, this.#figures);
    columns.linked[row] = this.#linked;
    columns.ends[row] = endsAsSentence(writer.bytes, this.#start, to) ? 1 : 0;
    columns.tag[row] = depth > 0 ? TAG_OF[this.#element[depth]!]! : 0;
    columns.inside[row] = depth > 0 ? this.#inside[depth]! : 0;
    for (let level = 0; level < LEVELS; level++) columns.around[LEVELS * row + level] = this.#numberAt(depth - level);
    columns.depth[row] = depth;
    columns.hint[row] = depth > 0 ? this.#hint[depth]! : 0;
    columns.hintDistance[row] = depth > 0 ? Math.min(HINT_DISTANCE_MAX, depth - this.#hintDepth[depth]!) : 0;
  }

  /** The number of an open element; given when the first block in it needs it, so that there are at most LEVELS for a block. */
  #numberAt(depth: number): number {
    if (depth > 0 && this.#number[depth] === 0) this.#number[depth] = this.elements++;
    return depth > 0 ? this.#number[depth]! : 0;
  }

  #resize(rows: number): void {
    this.columns = resized(this.columns, rows, this.count);
    this.#rows = rows;
  }
}
