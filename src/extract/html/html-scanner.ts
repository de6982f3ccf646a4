import type { BlockTable } from './main/block-table.ts';
import { mainRanges } from './main/main-text.ts';
import { PageBlocks } from './main/page-blocks.ts';
import { createPageMemory, type PageMemory } from './memory/page-memory.ts';
import { HtmlScanner, LOOKAHEAD } from './page-markup.ts';
import { TextWriter } from './text-writer.ts';

/** What becomes more bytes of text than it has of page is rare (&nLt; is one): so much room is nearly always enough. */
const BYTES_BESIDE = 64;

export interface PageContent {
  readonly text: Uint8Array;
  readonly title: string | null;
  readonly language: string | null;
  /**
   * The main text as ranges of bytes of `text`, from and to of each one after the other (main/main-text.ts); null where
   * nothing is known of it.
   */
  readonly main: Uint32Array | null;
}

/** Scratch memory: pages are read one at a time. That of WebAssembly is made when the first page comes. */
const blocks = new PageBlocks();
let memory: PageMemory | null | undefined;

/**
 * The text, title and language of a page, in one pass over its bytes and without a tree (which elements count:
 * page-text.ts). Cost: linear, whatever the page; bench/sketch.ts measures it.
 *
 * @param utf8 valid UTF-8.
 * @param xhtml whether `<a/>` closes itself and CDATA sections are text.
 * @param withWasm whether WebAssembly may read the page, which finds the same
 */
export function pageContent(utf8: Uint8Array, xhtml: boolean, withWasm = true): PageContent {
  const { scanner, table } = scanned(utf8, xhtml, withWasm);
  const { page, language } = scanner;
  const main = table === null ? null : mainRanges(table);
  const content = { text: page.writer.finish(), title: page.title, language, main };
  if (memory?.isLarge === true) memory = undefined;
  return content;
}

/**
 * What `use` makes of the blocks of a page and its text, which are good only until it returns; null beyond their bounds.
 *
 * @param withWasm as for pageContent
 */
export function fromBlocks<T>(
  utf8: Uint8Array,
  use: (blocks: BlockTable, text: Uint8Array) => T,
  withWasm = true,
): T | null {
  const { scanner, table } = scanned(utf8, false, withWasm);
  return table === null ? null : use(table, scanner.page.writer.finish());
}

/** What was read of a page, and its blocks; null beyond their bounds. */
interface Scanned {
  readonly scanner: HtmlScanner;
  readonly table: BlockTable | null;
}

function scanned(utf8: Uint8Array, xhtml: boolean, withWasm: boolean): Scanned {
  if (memory === undefined) memory = createPageMemory();
  const place = withWasm ? memory : null;
  const held = place?.hold(utf8, LOOKAHEAD) ?? null;
  if (place !== null && held !== null) {
    const scanner = new HtmlScanner(new TextWriter(0, place.text), xhtml, blocks, place);
    scanner.readPadded(held, utf8.length);
    const { writer } = scanner.page;
    // otherwise the text has become too long for its place
    if (writer.isLent) return { scanner, table: place.finish(writer.length) ? place : null };
  }
  const writer = new TextWriter(utf8.length + BYTES_BESIDE);
  blocks.begin(writer);
  const scanner = new HtmlScanner(writer, xhtml, blocks, null);
  scanner.read(utf8);
  return { scanner, table: blocks.finish() ? blocks : null };
}
