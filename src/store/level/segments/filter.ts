import { bucketKey, bucketsPrefix } from '../format/keys.ts';
import { mixed } from '../mixed.ts';
import { NO_IMAGE, type SegmentImage } from './images/image.ts';
import { bucketOf, FINGERPRINT_BITS } from './rows/bucket.ts';
import type { Segment } from './rows/segment-list.ts';
import type { Columns } from './rows/sort.ts';

/*
 * Which fingerprints a segment has, in memory, a byte for each: without it a look-up reads a bucket of every segment, and
 * most segments have nothing of most fingerprints.
 *
 *   fingerprint ── part: its top bits, a slice of a merge each ── block: its next bits ── 4 bits of the block's 256
 *
 *   part   [ block ][ block ][ block ] …      block = 8 Uint32, within one line of a cache
 *   bits   the 4 bytes of a hash of all 40 bits: fingerprints of a sample have low bits in common
 *
 * Fingerprints are uniform, so their own top bits choose the block, and sorted ones fill a part from one end to the other.
 * Says yes of all that were put in, and of 3 % of all others. Never written to disk: a new segment comes with its filter,
 * and after opening filters are made again from the buckets.
 *
 * Where there is no room for all fingerprints, those that are 0 mod 8 are left out, or 0 mod 4, or mod 2. Of them the
 * filter says yes. A long document posts only such. A short query asks for all others too, and most segments have few
 * of those.
 *
 * Source: Bloom 1970; blocked as Putze, Sanders and Singler 2007. Cost: 15 ns a sorted posting to make; one miss of the
 * caches to ask.
 */

const BLOCK_WORDS = 8;
const BLOCK_FINGERPRINTS = 32;
const FINGERPRINTS = 2 ** FINGERPRINT_BITS;

/** All but 0, all but those 0 mod 8, 4, 2, and none. */
const MASKS = [-1, 7, 3, 1, 0] as const;

/** Plain data: threads give it to one another. */
export interface FilterPart {
  readonly words: Uint32Array;
  /** Fingerprints whose low 32 bits are 0 under it are left out. */
  readonly mask: number;
}

/**
 * The filter of one slice of a segment: of as many kinds of fingerprints as there is room for.
 *
 * @param columns the first `count` are its postings; of a fingerprint that comes again later, room is taken twice
 * @param sliceBits all their fingerprints have so many top bits in common
 * @param bytesMax room for it; some 32 bytes are taken in any case
 */
export function filterPart(
  { low, high }: Pick<Columns, 'low' | 'high'>,
  count: number,
  sliceBits: number,
  bytesMax: number,
): FilterPart {
  const { mask, distinct } = coverage({ low, high }, count, bytesMax);
  const words = BLOCK_WORDS * Math.max(1, Math.ceil(distinct / BLOCK_FINGERPRINTS));
  const part = new Uint32Array(new SharedArrayBuffer(4 * words));
  const share = 2 ** sliceBits / FINGERPRINTS;
  for (let i = 0; i < count; i++) {
    if ((low[i]! & mask) === 0 || (i > 0 && low[i] === low[i - 1] && high[i] === high[i - 1])) continue;
    const slices = (high[i]! * 0x1_0000_0000 + low[i]!) * share;
    const block = blockOf(slices - Math.floor(slices), part.length);
    const bits = spread(low[i]!, high[i]!);
    part[block + ((bits >>> 5) & 7)]! |= 1 << bits;
    part[block + ((bits >>> 13) & 7)]! |= 1 << (bits >>> 8);
    part[block + ((bits >>> 21) & 7)]! |= 1 << (bits >>> 16);
    part[block + (bits >>> 29)]! |= 1 << (bits >>> 24);
  }
  return { words: part, mask };
}

/** The most that a part of so many bytes can tell of. */
function coverage({ low, high }: Pick<Columns, 'low' | 'high'>, count: number, bytesMax: number) {
  const distinct = new Uint32Array(MASKS.length);
  for (let i = 0; i < count; i++) {
    if (i > 0 && low[i] === low[i - 1] && high[i] === high[i - 1]) continue;
    const bits = low[i]! | 8;
    distinct[Math.clz32(bits & -bits) - 28]!++;
  }
  // odd ones are told of under each mask but the last, multiples of 8 under the first only
  for (let i = MASKS.length - 2; i >= 0; i--) distinct[i]! += distinct[i + 1]!;
  const at = distinct.findIndex((fingerprints) => fingerprints <= bytesMax);
  return { mask: MASKS[at] ?? 0, distinct: distinct[at] ?? 0 };
}

/** The filter of a whole segment. */
export class SegmentFilter {
  readonly parts: readonly FilterPart[];
  private readonly share: number;

  /** @param parts 2^s of them: the i-th is of the fingerprints below 2^40 whose top s bits are i */
  constructor(parts: readonly FilterPart[]) {
    this.parts = parts;
    this.share = parts.length / FINGERPRINTS;
  }

  get bytes(): number {
    return this.parts.reduce((sum, { words }) => sum + words.byteLength, 0);
  }

  /** False only where the segment has no posting of the fingerprint. */
  mayHave(fingerprint: number): boolean {
    const slices = fingerprint * this.share;
    const slice = Math.floor(slices);
    const { words: part, mask } = this.parts[slice]!;
    if (((fingerprint >>> 0) & mask) === 0) return true;
    const block = blockOf(slices - slice, part.length);
    const bits = spread(fingerprint >>> 0, Math.floor(fingerprint / 0x1_0000_0000));
    return (
      (part[block + ((bits >>> 5) & 7)]! & (1 << bits)) !== 0 &&
      (part[block + ((bits >>> 13) & 7)]! & (1 << (bits >>> 8))) !== 0 &&
      (part[block + ((bits >>> 21) & 7)]! & (1 << (bits >>> 16))) !== 0 &&
      (part[block + (bits >>> 29)]! & (1 << (bits >>> 24))) !== 0
    );
  }
}

/** @param place in its part, 0 <= place < 1; products of a 40-bit number with powers of two are exact */
const blockOf = (share: number, words: number) => BLOCK_WORDS * ((share * (words / BLOCK_WORDS)) | 0);

const spread = (low: number, high: number) => mixed(low ^ Math.imul(high, 0x9e37_79b1));

/** A segment as it is at one moment. */
export interface PresentSegment {
  readonly segment: Segment;
  /** So many of its contents were forgotten since it was begun. */
  readonly dead: number;
  /** Where it has one: the lists of some of its slices, or of all. */
  readonly image: SegmentImage | undefined;
  /** Where it has one: which fingerprints need not be looked for in it. */
  readonly filter: SegmentFilter | undefined;
}

/**
 * The rows of all buckets that may have something of these fingerprints, and of which there is no image.
 *
 * @param counts what was found in images: segment by segment, and key by key
 * @returns rows, and for each its position in `counts`
 */
export function bucketsToRead(segments: readonly PresentSegment[], keys: Float64Array, counts: Uint32Array) {
  const rows: string[] = [];
  const positions: number[] = [];
  for (const [s, { segment, image, filter }] of segments.entries()) {
    if (image?.isWhole === true) continue;
    const prefix = bucketsPrefix(segment.segment);
    for (let i = 0; i < keys.length; i++) {
      const at = s * keys.length + i;
      const key = keys[i]!;
      if (counts[at] !== NO_IMAGE || filter?.mayHave(key) === false) continue;
      rows.push(bucketKey(prefix, bucketOf(key, segment.bits)));
      positions.push(at);
    }
  }
  return { rows, positions };
}
