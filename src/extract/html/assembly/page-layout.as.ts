/* Where the page that is scanned stands, and what the host and all parts of the scanner share. Addresses are bytes. */

/** Uint8 for each byte: BYTE_KIND of ../tag-grammar.ts. */
export const BYTE_KIND: usize = 0x500;
/**
 * Int32: address of the text, its length, its length when it was separated last; the elements of links and of paragraphs;
 * the blocks of the page and its elements.
 */
export const STATE: usize = 0x2500;
export const PAGE: usize = 0x12_0000;
