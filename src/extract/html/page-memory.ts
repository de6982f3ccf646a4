import { Buffer } from 'node:buffer';
import { FLAGS, HIGH, LENGTH, LOW, NAME_BYTE, NAME_BYTES, SLOTS } from './elements.ts';
import { ROLES } from './main/attribute-bits.ts';
import { GROUPS_OF_HASHES, HASHES } from './main/class-words.ts';
import { A } from './main/element-kinds.ts';
import { NOTED_MAX, type PageBlocks, type Scratch } from './main/page-blocks.ts';
import { BEYOND_ASCII, FIGURES, FIRST_BYTES, KIND } from './main/text-figures.ts';
import { PLAIN_TAGS_BINARY } from './plain-tags-binary.generated.ts';
import { BYTE_KIND } from './tag-grammar.ts';
import type { TextWriter } from './text-writer.ts';
import { exportsOf } from './web-assembly.ts';

/*
 * The memory of WebAssembly in which a page stands while it is scanned, with its text, and textWithPlainTags (plain-tags.ts)
 * as assembly/plain-tags.as.ts has it: the same for every page, in half the time. Without WebAssembly, and for the few
 * pages that are longer than PAGE_BYTES_MAX, TypeScript does it alone.
 */

/** Of longer pages none stands here: this memory never shrinks, and each thread has one. */
const PAGE_BYTES_MAX = 0x20_0000;
/** What is read or written at once; so much stands behind a page, and behind a text. */
const VECTOR_BYTES = 16;
const CHARACTER_SLOTS = 128;
const WASM_PAGE_BYTES = 0x1_0000;

type Table = 'NAME_BYTE' | 'BYTE_KIND' | 'SLOTS' | 'FLAGS' | 'LOW' | 'HIGH' | 'LENGTH' | 'NAMES';
type FigureTable = 'KIND' | 'FIRST_BYTES' | 'KEYS' | 'KINDS';
type AttributeTable = 'HASHES' | 'GROUPS' | 'ROLES';
type Region = 'STATE' | 'NOTES' | 'FIGURES' | 'PAGE';

/** What assembly/plain-tags.as.ts exports. */
interface Exports extends Readonly<Record<Table | FigureTable | AttributeTable | Region, { readonly value: number }>> {
  /** Its buffer is another one after every growth. */
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly plainTagBits: (from: number, to: number) => number;
  readonly addFigures: (text: number, from: number, to: number) => void;
  readonly textWithPlainTags: (start: number, limit: number, meaning: number, linkElement: number) => number;
}

/** Holds one page at a time. */
export class PageMemory implements Scratch {
  /** Tags that were noted: PageBlocks.notes. */
  notes: Int32Array;
  figures: Int32Array;
  /** Where the text is written: as much as a page becomes, and no more. */
  text: Buffer;
  readonly #exports: Exports;
  readonly #page: number;
  #state: Int32Array;

  /** @throws Error where the runtime has no WebAssembly, no SIMD or no memory */
  constructor() {
    const exports = exportsOf(PLAIN_TAGS_BINARY) as Exports;
    const bytes = new Uint8Array(exports.memory.buffer);
    for (const [address, table] of [
      ['NAME_BYTE', NAME_BYTE],
      ['BYTE_KIND', BYTE_KIND],
      ['SLOTS', SLOTS],
      ['FLAGS', FLAGS],
      ['LOW', LOW],
      ['HIGH', HIGH],
      ['LENGTH', LENGTH],
      ['KIND', KIND],
      ['FIRST_BYTES', FIRST_BYTES],
      ['HASHES', HASHES],
      ['GROUPS', GROUPS_OF_HASHES],
      ['ROLES', Int32Array.from([...ROLES].flat())],
    ] as const)
      bytes.set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), exports[address].value);
    for (const [element, name] of NAME_BYTES.entries()) bytes.set(name, exports.NAMES.value + 16 * element);
    writeCharacters(bytes, exports);
    this.#exports = exports;
    this.plainTagBits = exports.plainTagBits;
    this.#page = exports.PAGE.value;
    this.#state = new Int32Array(exports.memory.buffer, exports.STATE.value, 4);
    this.notes = new Int32Array(exports.memory.buffer, exports.NOTES.value, NOTED_MAX);
    this.figures = new Int32Array(exports.memory.buffer, exports.FIGURES.value, FIGURES);
    this.text = Buffer.from(exports.memory.buffer, 0, 0);
  }

  /**
   * Puts a page here.
   *
   * @returns its bytes, with `zeros` of them behind; null where it is too long, or there is no memory
   */
  hold(utf8: Uint8Array, zeros: number): Uint8Array | null {
    const length = utf8.length;
    if (length > PAGE_BYTES_MAX) return null;
    const behind = zeros + VECTOR_BYTES;
    const text = this.#page + length + behind;
    const room = length + behind;
    if (!this.#reach(text + room + VECTOR_BYTES)) return null;
    const { buffer } = this.#exports.memory;
    const bytes = new Uint8Array(buffer, this.#page, length + zeros);
    bytes.set(utf8);
    bytes.fill(0, length);
    this.text = Buffer.from(buffer, text, room);
    this.#state[0] = text;
    return bytes;
  }

  /** As attribute-bits.ts has it, of the page. */
  readonly plainTagBits: (from: number, to: number) => number;

  /** Adds to `figures` those of bytes from..to-1 of the text. */
  readonly addFigures = (from: number, to: number): void => this.#exports.addFigures(this.#state[0]!, from, to);

  /** As plain-tags.ts has it, of the page that stands here, to a writer that writes to `text`. */
  textWithPlainTags(writer: TextWriter, blocks: PageBlocks, start: number, limit: number, meaning: number): number {
    const state = this.#state;
    state[1] = writer.length;
    state[2] = writer.separatedAt;
    state[3] = blocks.noted;
    let at = this.#exports.textWithPlainTags(start, limit, meaning, A);
    while (state[3] === NOTED_MAX) {
      blocks.noted = NOTED_MAX;
      blocks.drain();
      state[3] = 0;
      at = this.#exports.textWithPlainTags(at, limit, meaning, A);
    }
    blocks.noted = state[3]!;
    writer.wasWritten(state[1]!, state[2]!);
    return at;
  }

  /** Makes memory reach up to an address; returns whether it does. */
  #reach(end: number): boolean {
    const { memory, STATE, NOTES, FIGURES: FIGURES_AT } = this.#exports;
    const missing = Math.ceil((end - memory.buffer.byteLength) / WASM_PAGE_BYTES);
    if (missing <= 0) return true;
    if (memory.grow(missing) < 0) return false;
    this.#state = new Int32Array(memory.buffer, STATE.value, 4);
    this.notes = new Int32Array(memory.buffer, NOTES.value, NOTED_MAX);
    this.figures = new Int32Array(memory.buffer, FIGURES_AT.value, FIGURES);
    return true;
  }
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
