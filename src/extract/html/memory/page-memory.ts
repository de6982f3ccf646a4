import { Buffer } from 'node:buffer';
import { FLAGS, HIGH, LENGTH, LOW, NAME_BYTE, NAME_BYTES, SLOTS } from '../elements.ts';
import { ROLES } from '../main/attribute-bits.ts';
import { BLOCKS_MAX, type BlockTable, type Columns, LEVELS } from '../main/block-table.ts';
import { GROUPS_OF_HASHES, HASHES } from '../main/class-words.ts';
import { A, BITS_OF, ENDS_BITS, IS_FOLLOWED, OMITTED_BIT, P, TAG_OF } from '../main/element-kinds.ts';
import { BEYOND_ASCII, FIRST_BYTES, KIND } from '../main/text-figures.ts';
import { BYTE_KIND } from '../tag-grammar.ts';
import type { TextWriter } from '../text-writer.ts';
import { PLAIN_TAGS_BINARY } from './plain-tags-binary.generated.ts';
import { exportsOf } from './web-assembly.ts';

/*
 * The memory of WebAssembly in which a page stands while it is scanned, with its text and its blocks. What is done there says
 * the same of every page as textWithPlainTags (../plain-tags.ts) and PageBlocks (../main/page-blocks.ts), in less time.
 * Without WebAssembly, and for the few pages that are longer than PAGE_BYTES_MAX, TypeScript does it alone. Memory that no
 * page has needed so far takes no room.
 */

/** Longer pages, of which there are hardly any, would take too much memory twice. */
const PAGE_BYTES_MAX = 0x100_0000;
/** Memory that a thread may keep from one page to the next: it never shrinks. */
const KEPT_BYTES = 0x80_0000;
/** What is read or written at once; so much stands behind a page, and behind a text. */
const VECTOR_BYTES = 16;
/** Rows that a table shows at least. */
const ROWS_LEAST = 512;
const CHARACTER_SLOTS = 128;
const NAME_ROOM = 16;
const WASM_PAGE_BYTES = 0x1_0000;

const COLUMNS = {
  from: ['FROM', Uint32Array],
  to: ['TO', Uint32Array],
  words: ['WORDS', Uint16Array],
  linked: ['LINKED', Uint16Array],
  sentences: ['SENTENCES', Uint16Array],
  commas: ['COMMAS', Uint16Array],
  capitals: ['CAPITALS', Uint16Array],
  numbers: ['NUMBERS', Uint16Array],
  bytes: ['BYTES', Uint16Array],
  ends: ['ENDS', Uint8Array],
  tag: ['TAG', Uint8Array],
  inside: ['INSIDE', Uint32Array],
  around: ['AROUND', Uint32Array],
  depth: ['DEPTH', Uint16Array],
  hint: ['HINT', Int8Array],
  hintDistance: ['HINT_DISTANCE', Uint8Array],
} as const;

/** The tables of ../assembly/*.as.ts, by the names of their addresses. */
const TABLES = {
  ...{ NAME_BYTE, BYTE_KIND, SLOTS, FLAGS, LOW, HIGH, LENGTH, KIND, FIRST_BYTES, HASHES },
  ...{ ENDS_BITS, OMITTED_BIT, IS_FOLLOWED, TAG_OF, BITS_OF },
  GROUPS: GROUPS_OF_HASHES,
  ROLES: Int32Array.from([...ROLES].flat()),
};

type Address = keyof typeof TABLES | (typeof COLUMNS)[keyof Columns][0] | 'KEYS' | 'KINDS' | 'NAMES' | 'STATE' | 'PAGE';

/** What ../assembly/plain-tags.as.ts exports. */
interface Exports extends Readonly<Record<Address, { readonly value: number }>> {
  /** Its buffer is another one after every growth. */
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  readonly textWithPlainTags: (start: number, limit: number, meaning: number) => number;
  readonly beginBlocks: () => void;
  readonly note: (textEnd: number, tag: number, nameEnd: number, end: number) => void;
  readonly finishBlocks: (textEnd: number) => number;
}

/** Where STATE has what. */
const [TEXT_AT, TEXT_LENGTH, SEPARATED_AT, LINK, PARAGRAPH, COUNT, ELEMENTS] = [0, 1, 2, 3, 4, 5, 6];

/** Holds one page at a time. */
export class PageMemory implements BlockTable {
  columns: Columns;
  count = 0;
  elements = 1;
  /** Where the text is written. */
  text: Buffer = Buffer.alloc(0);
  readonly #exports: Exports;
  readonly #page: number;
  #rows = ROWS_LEAST;
  #state: Int32Array;

  /** @throws Error where the runtime has no WebAssembly, no SIMD or no memory */
  constructor() {
    const exports = exportsOf(PLAIN_TAGS_BINARY) as Exports;
    const bytes = new Uint8Array(exports.memory.buffer);
    for (const [address, table] of Object.entries(TABLES))
      bytes.set(
        new Uint8Array(table.buffer, table.byteOffset, table.byteLength),
        exports[address as keyof typeof TABLES].value,
      );
    for (const [element, name] of NAME_BYTES.entries()) bytes.set(name, exports.NAMES.value + NAME_ROOM * element);
    writeCharacters(bytes, exports);
    this.#exports = exports;
    this.#page = exports.PAGE.value;
    this.#state = stateOf(exports);
    this.#state[LINK] = A;
    this.#state[PARAGRAPH] = P;
    this.columns = columnsOf(exports, this.#rows);
  }

  /**
   * Puts a page here.
   *
   * @returns its bytes, with `zeros` of them behind; null where it is too long, or there is no memory
   */
  hold(utf8: Uint8Array, zeros: number): Uint8Array | null {
    const { length } = utf8;
    if (length > PAGE_BYTES_MAX) return null;
    const text = this.#page + length + zeros + VECTOR_BYTES;
    // no reference becomes more than 6 bytes of text for 5 of page
    const room = length + (length >> 1) + zeros;
    if (!this.#reach(text + room + VECTOR_BYTES)) return null;
    const { buffer } = this.#exports.memory;
    const bytes = new Uint8Array(buffer, this.#page, length + zeros);
    bytes.set(utf8);
    bytes.fill(0, length);
    this.text = Buffer.from(buffer, text, room);
    this.#state[TEXT_AT] = text;
    this.#exports.beginBlocks();
    return bytes;
  }

  /** As ../plain-tags.ts has it, of the page that stands here, to a writer that writes to `text`. */
  textWithPlainTags(writer: TextWriter, start: number, limit: number, meaning: number): number {
    const state = this.#state;
    state[TEXT_LENGTH] = writer.length;
    state[SEPARATED_AT] = writer.separatedAt;
    const at = this.#exports.textWithPlainTags(start, limit, meaning);
    writer.wasWritten(state[TEXT_LENGTH]!, state[SEPARATED_AT]!);
    return at;
  }

  /** As PageBlocks has it. */
  note(textEnd: number, tag: number, nameEnd: number, end: number): void {
    if (textEnd <= this.text.length) this.#exports.note(textEnd, tag, nameEnd, end);
  }

  /** Behind the last byte of the text, which is `textEnd` bytes long. Returns whether the blocks are known. */
  finish(textEnd: number): boolean {
    const known = this.#exports.finishBlocks(textEnd) !== 0;
    this.count = this.#state[COUNT]!;
    this.elements = this.#state[ELEMENTS]!;
    const rows = Math.min(BLOCKS_MAX, Math.max(ROWS_LEAST, 2 ** (32 - Math.clz32(this.count))));
    if (rows !== this.#rows) {
      this.#rows = rows;
      this.columns = columnsOf(this.#exports, rows);
    }
    return known;
  }

  /** Whether it has grown so much that it should be let go. */
  get isLarge(): boolean {
    return this.#exports.memory.buffer.byteLength > KEPT_BYTES;
  }

  /** Makes memory reach up to an address; returns whether it does. */
  #reach(end: number): boolean {
    const { memory } = this.#exports;
    const missing = Math.ceil((end - memory.buffer.byteLength) / WASM_PAGE_BYTES);
    if (missing <= 0) return true;
    try {
      memory.grow(missing);
    } catch {
      return false;
    }
    this.#state = stateOf(this.#exports);
    this.columns = columnsOf(this.#exports, this.#rows);
    return true;
  }
}

function stateOf({ memory, STATE }: Exports): Int32Array {
  return new Int32Array(memory.buffer, STATE.value, ELEMENTS + 1);
}

/** The first rows of the table. */
function columnsOf(exports: Exports, rows: number): Columns {
  const { buffer } = exports.memory;
  const columns = Object.entries(COLUMNS).map(([name, [address, View]]) => [
    name,
    new View(buffer, exports[address].value, name === 'around' ? LEVELS * rows : rows),
  ]);
  return Object.fromEntries(columns) as Columns;
}

/** The hash table of characters beyond ASCII that are no letters. */
function writeCharacters(bytes: Uint8Array, { KEYS, KINDS }: Exports): void {
  const keys = new Uint32Array(bytes.buffer, KEYS.value, CHARACTER_SLOTS);
  for (const [key, kind] of BEYOND_ASCII) {
    let slot = Math.imul(key, 0x9e37_79b1) >>> 25;
    while (keys[slot] !== 0) slot = (slot + 1) % CHARACTER_SLOTS;
    keys[slot] = key;
    bytes[KINDS.value + slot] = kind;
  }
}

/** The memory of this thread; null where the runtime has none. */
export function createPageMemory(): PageMemory | null {
  try {
    return new PageMemory();
  } catch {
    return null;
  }
}
