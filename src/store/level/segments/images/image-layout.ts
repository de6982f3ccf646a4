import { FINGERPRINT_BITS } from '../rows/bucket.ts';

/* Where what lies in the memory of an image: the picture is in image.ts. */

/** One slice of a segment. Plain data: threads give it to one another. */
export interface ImagePart {
  readonly memory: SharedArrayBuffer;
  readonly startBits: number;
  readonly postings: number;
  readonly longLists: number;
}

/** Where the columns of a part begin in its memory, and where it ends. */
export interface PartLayout {
  readonly longAt: number;
  readonly lowAt: number;
  readonly highAt: number;
  readonly contentsAt: number;
  readonly bytes: number;
}

/** Numbers of a long list: fingerprint, beyond, cut. */
export const LONG_NUMBERS = 3;
/** Bits of a rest in its first column. */
export const LOW_BITS = 16;

/** Of the bits above them, those that are of the rest. */
export const highMask = (restBits: number) => 2 ** Math.max(0, restBits - LOW_BITS) - 1;

export function layoutOf(
  { startBits, postings, longLists }: Omit<ImagePart, 'memory'>,
  sliceBits: number,
  contentBytes: number,
): PartLayout {
  const hasHigh = FINGERPRINT_BITS - sliceBits - startBits > LOW_BITS;
  // the column that follows has numbers of 8 bytes
  const longAt = 8 * Math.ceil((4 * (2 ** startBits + 1)) / 8);
  const lowAt = longAt + 8 * LONG_NUMBERS * longLists;
  const highAt = lowAt + 2 * postings;
  const contentsAt = highAt + (hasHigh ? postings : 0);
  return { longAt, lowAt, highAt, contentsAt, bytes: contentsAt + contentBytes * postings };
}
