import { KEY_ZEROS } from '../../../../core/query/posted-key.ts';
import { FINGERPRINT_BITS, packRemainder } from '../rows/bucket.ts';

/* Where what lies in the memory of an image: the picture is in image.ts. */

/** One slice of a segment. Plain data: threads give it to one another. */
export interface ImagePart {
  readonly memory: SharedArrayBuffer;
  /** That fingerprints have as theirs; some more may follow, with postings that have no room in their own. */
  readonly lines: number;
  readonly restBytes: RestBytes;
  readonly longLists: number;
}

/**
 * Of a key, in each posting: its low 24 bits without the eight that are 0 (core/query/posted-key.ts), or its low 32. Those of a
 * line differ in these. Small slices have few lines, so they take 3.
 */
export type RestBytes = 2 | 3;

/** As processors read memory. */
export const LINE_BYTES = 64;
/** The numbers before a line's places, of two bytes each: shift and count. */
const HEAD_BYTES = 4;
/** No shift or count is larger. */
export const HEAD_MAX = 0xffff;
/** Numbers of a long list: fingerprint, beyond, cut. */
export const LONG_NUMBERS = 3;
/** Of all places so many are taken: with more of them, more postings have no room in their own line. */
const FILLED = 0.8;

/** A line's places, and where its columns begin, in bytes from its own beginning; the head is at 0. */
export interface LineLayout {
  /** Postings that it has room for: 8 to 15. */
  readonly places: number;
  readonly low: number;
  /** Where rests have a third byte. */
  readonly top: number;
  readonly contents: number;
}

export function lineLayout(restBytes: RestBytes, contentBytes: number): LineLayout {
  const places = Math.floor((LINE_BYTES - HEAD_BYTES) / (restBytes + contentBytes));
  const top = HEAD_BYTES + 2 * places;
  return { places, low: HEAD_BYTES, top, contents: top + (restBytes - 2) * places };
}

/** How many lines so many postings of a slice take, and the bytes of their rests. */
export function sizeFor(
  postings: number,
  sliceBits: number,
  contentBytes: number,
): Pick<ImagePart, 'lines' | 'restBytes'> {
  const linesOf = (restBytes: RestBytes) => {
    // one more: the numbers of a line are not a power of two, and may be rounded
    const least = 2 ** Math.max(0, FINGERPRINT_BITS - sliceBits - 8 * restBytes - KEY_ZEROS) + 1;
    const lines = Math.ceil(postings / (FILLED * lineLayout(restBytes, contentBytes).places));
    return { lines: Math.max(least, lines), restBytes };
  };
  const [narrow, wide] = [linesOf(2), linesOf(3)];
  return narrow.lines <= wide.lines ? narrow : wide;
}

/** The line of a fingerprint is what it is above its slice's first, times this. */
export const lineShare = (lines: number, sliceBits: number) => lines * 2 ** (sliceBits - FINGERPRINT_BITS);

/** What {@link LineLayout.low} says of a key: its low 24 bits without the 0s. */
export const lowOf = (key: number): number => packRemainder(key & 0xff_ffff);

/** The bytes of an image of a slice with so many postings, but for lists that go on outside. */
export function imageBytes(postings: number, sliceBits: number, contentBytes: number): number {
  return LINE_BYTES * sizeFor(postings, sliceBits, contentBytes).lines;
}
