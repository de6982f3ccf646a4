/*
 * Where everything lies in the kernel's linear memory. Addresses are bytes.
 *
 *   PARAMETERS │ FIELD │ UNICODE_BLOCKS, UNICODE_INFOS, TWO_BYTES, JOINING, SPELLINGS │ FIRST │ SECOND
 *                                                                tables, once by the host
 *   INPUT │ CANON │ EDGES │ TOKENS │ WINDOWS │ TEXT │ BUCKETS                      one piece of a document at a time
 *   HEAP: slots │ list                                           the distinct fingerprints of the document, grows to the end
 *
 * A piece has at most PIECE bytes of input, hence 4 PIECE canonical bytes (core: GROWTH_MAX), hence half as many tokens. A
 * document with a wider piece is left to TypeScript. Every region ends with room for a reader or a writer of whole vectors,
 * so that nothing is ever touched outside its region.
 */

/** Bytes of input in a piece, at the most; the offsets of its canonical bytes fit into 16 bits. */
export const PIECE: usize = 0x3e00;
/** Room after a region, for those who read or write more than they need. */
const ROOM: usize = 256;
/** Canonical bytes of a piece; a stretch that TypeScript writes may add two spaces, and there are at most PIECE / 256. */
const CANON_BYTES: usize = 4 * PIECE + 0x400;
const TOKENS_MOST: usize = CANON_BYTES / 2 + 1;

/** P, the permuted empty token, the eight constants of each permutation: 8 + 8 + 32 + 32 bytes. */
export const PARAMETERS: usize = 0x400;
/** core's Field.shiftedBytes: 8 tables of 256 values. */
export const FIELD: usize = PARAMETERS + 128;
/** Number of the 128-entry block in UNICODE_INFOS of each 128 code points: 8704 Uint16. */
export const UNICODE_BLOCKS: usize = FIELD + 8 * 256 * 8;
/** What canonicalize.as.ts asks of a character: Int32 each. */
export const UNICODE_INFOS: usize = UNICODE_BLOCKS + 2 * 8704;
export const UNICODE_INFOS_BYTES: usize = 0x28000;
/** The canonical form of each two-byte character that is written by itself: 2,048 Uint32. */
export const TWO_BYTES: usize = UNICODE_INFOS + UNICODE_INFOS_BYTES;
/** A bit for each character of the first plane: whether it composes with a mark behind it, decomposes, or is not seen. */
export const JOINING: usize = TWO_BYTES + 4 * 2048;
/** Characters that become several: see unicode.as.ts. */
export const SPELLINGS: usize = JOINING + 8192;
export const SPELLINGS_BYTES: usize = 0x3000;
/** Multiples of x^64 by which a token leaves the window: up to 2^16 values each. */
export const FIRST: usize = SPELLINGS + SPELLINGS_BYTES;
export const SECOND: usize = FIRST + 8 * 0x10000;

export const INPUT: usize = SECOND + 8 * 0x10000;
export const CANON: usize = INPUT + PIECE + ROOM;
/** Start and end of token i, Uint16 at 4 i and 4 i + 2, counted from CANON. */
export const EDGES: usize = CANON + CANON_BYTES + ROOM;
/** Values of the tokens of a piece; before them stand the last w of the past. */
export const TOKENS: usize = EDGES + 4 * TOKENS_MOST + ROOM + ROOM;
/** Values of the windows that end with them. */
export const WINDOWS: usize = TOKENS + 8 * TOKENS_MOST + ROOM;
/** The tokens of a piece, each followed by a space. */
export const TEXT: usize = WINDOWS + 8 * TOKENS_MOST + ROOM;
/** Where the edges of the tokens stand that have more than one word, Uint32. The windows come after them. */
export const LONG: usize = WINDOWS + 0;
/** Ends of the buckets that a sample is sorted into. */
export const BUCKETS: usize = TEXT + CANON_BYTES + ROOM;
export const BUCKET_BITS_MOST: u32 = 16;
/** The positions of the bits of each byte, 8 Uint8: tokens.as.ts. */
export const BIT_PLACES: usize = BUCKETS + (4 << 16) + ROOM;
/**
 * What the host reads, Uint32: four of the sum, tokens and distinct shingles of the document, bytes of TEXT, address of
 * the list. Then marked shingles, and four of the sum over those.
 */
export const RESULT: usize = BIT_PLACES + 256 * 8;
/** The stretch that TypeScript is to write, Uint32: from where in INPUT, up to where at the most, to where in CANON. */
export const STRETCH: usize = RESULT + 64;
export const HEAP: usize = (STRETCH + 16 + 0xffff) & ~0xffff;

/** What is stored of a fingerprint: its low 40 bits. */
export const LOW_40: u64 = 0xff_ffff_ffff;

/** Makes memory reach up to an address; returns whether it does. */
export function reserve(end: usize): bool {
  const pages = <i32>((end + 0xffff) >> 16);
  const missing = pages - memory.size();
  return missing <= 0 || memory.grow(missing) >= 0;
}
