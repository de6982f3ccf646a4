import { crc32 } from 'node:zlib';
import { KEY_ZEROS } from '../../../../core/query/posted-key.ts';
import { BUCKET_BITS_MAX, overflowKey } from '../../format/keys.ts';
import type { Columns } from './sort.ts';

/*
 * A bucket: the posting lists of a segment whose fingerprints share their top bits, as columns that are searched as they lie.
 *
 *   fingerprint = bucket (bits) | remainder (40 - bits), of which eight bits are always 0 (core/query/posted-key.ts)
 *
 *   bucket    = longLists:2  longList*  remainder*  content*  crc:4
 *   longList  = remainder:4  beyond:4  cut:6  a list that goes on outside: so many more are in rows q; from position
 *                                             `cut` on merges have dropped all (0 = nothing was dropped)
 *   remainder = 1 … 3 bytes, without the 0s   ascending; those that are equal are one list, ordered by (rank, content).
 *                                             Before format 9 there were no such 0s, and a remainder had all of its bits
 *   content   = 2 … 4 bytes                   above the segment's first content
 *   crc       = CRC-32 over all before, begun with a number made of segment and bucket, so that a bucket found under
 *               another key is not believed; little-endian as all else, so that the CRC of a whole bucket is always one
 *               and the same number
 *
 * Every bucket of a segment is written, an empty one too: a bucket that is not there was lost.
 *
 * Example: bits 16, contents of 2 bytes, postings (5, 300) and (5, 7) and (9, 8), in hex before the crc:
 *   00 00 | 05 00  05 00  09 00 | 2c 01  07 00  08 00
 *
 * Size: with 32 … 128 postings a bucket, 4 … 6 bytes a posting in a tail of 57,344 contents, 5 … 6 up to 16 M contents.
 */

/** How the buckets of one segment are laid out. */
export interface Geometry {
  readonly segment: number;
  /** 9..28: so many top bits of a fingerprint are the bucket. */
  readonly bits: number;
  readonly firstContent: number;
  /** 2..4 */
  readonly contentBytes: number;
}

/** The fingerprints whose top `bits` bits are `index`. */
export interface Slice {
  readonly bits: number;
  readonly index: number;
}

/** A list that goes on outside of its bucket. */
export interface LongList {
  /** The low 40 - bits bits of its fingerprint. */
  readonly remainder: number;
  /** Postings in rows q. */
  readonly beyond: number;
  /** Everything at this position (sort.ts) and after was dropped by merges; 0 where nothing was. */
  readonly cut: number;
}

export const FINGERPRINT_BITS = 40;
/** From this format on what is posted are keys (core/query/posted-key.ts), and remainders are packed. */
export const PACKED_SINCE_FORMAT = 9;
const BUCKET_BITS_MIN = 9;
export const HEAD_BYTES = 2;
export const LONG_LIST_BYTES = 14;
export const CRC_BYTES = 4;
/** The CRC-32 of whatever is followed by its own CRC-32, little-endian. */
export const CRC_RESIDUE = 0x2144_df1c;
/** What LevelDB and the bucket itself add to the postings of a bucket, about. */
const ROW_BYTES = 22;

/** Bucket bits for so many postings: those of 32..128 postings a bucket that take the fewest bytes. */
export function bucketBits(postings: number): number {
  const clamp = (bits: number) => Math.min(BUCKET_BITS_MAX, Math.max(BUCKET_BITS_MIN, bits));
  const bytes = (bits: number) => postings * remainderBytes(bits) + 2 ** bits * ROW_BYTES;
  let best = clamp(Math.ceil(Math.log2(postings / 128)));
  for (let bits = best; bits <= clamp(Math.floor(Math.log2(postings / 32))); bits++) {
    if (bytes(bits) < bytes(best)) best = bits;
  }
  return best;
}

export const contentBytes = (first: number, last: number) =>
  last - first < 0x1_0000 ? 2 : last - first < 0x100_0000 ? 3 : 4;

export const remainderBytes = (bits: number) => Math.ceil((FINGERPRINT_BITS - KEY_ZEROS - bits) / 8);

/** A remainder without its 0s, and with them. */
export const packRemainder = (remainder: number) => ((remainder >>> KEY_ZEROS) & ~LOW_MASK) | (remainder & LOW_MASK);
export const unpackRemainder = (packed: number) => ((packed & ~LOW_MASK) << KEY_ZEROS) | (packed & LOW_MASK);
/** Of the bits below the 0s. */
const LOW_MASK = 0xf;

export const bucketOf = (fingerprint: number, bits: number) => Math.floor(fingerprint / 2 ** (FINGERPRINT_BITS - bits));

/** What the checksum of a bucket begins with. */
export const bucketSeed = (segment: number, bucket: number) => (Math.imul(segment, 0x9e37_79b1) ^ bucket) >>> 0;

/** Packs the buckets of one segment, one after the other. */
export class BucketPacker {
  private readonly geometry: Geometry;
  private scratch = Buffer.allocUnsafeSlow(4096);

  constructor(geometry: Geometry) {
    this.geometry = geometry;
  }

  /**
   * @param columns sorted; the first `count` of `positions` say which postings are in the bucket
   * @returns a view of memory that the next call uses again
   */
  pack(bucket: number, columns: Columns, positions: Uint32Array, count: number, long: readonly LongList[]): Buffer {
    const { segment, bits, firstContent, contentBytes: width } = this.geometry;
    const rest = remainderBytes(bits);
    const mask = 2 ** (FINGERPRINT_BITS - bits) - 1;
    const size = HEAD_BYTES + long.length * LONG_LIST_BYTES + count * (rest + width) + CRC_BYTES;
    if (size > this.scratch.length) this.scratch = Buffer.allocUnsafeSlow(2 * size);
    const bytes = this.scratch;
    let at = bytes.writeUInt16LE(long.length, 0);
    for (const { remainder, beyond, cut } of long) {
      at = bytes.writeUInt32LE(remainder, at);
      at = bytes.writeUInt32LE(beyond, at);
      at = bytes.writeUIntLE(cut, at, 6);
    }
    const { low, contents } = columns;
    for (let i = 0; i < count; i++) {
      let value = packRemainder(low[positions[i]!]! & mask);
      for (let j = 0; j < rest; j++, value >>>= 8) bytes[at++] = value;
    }
    for (let i = 0; i < count; i++) {
      let value = contents[positions[i]!]! - firstContent;
      for (let j = 0; j < width; j++, value >>>= 8) bytes[at++] = value;
    }
    bytes.writeUInt32LE(crc32(bytes.subarray(0, at), bucketSeed(segment, bucket)), at);
    return bytes.subarray(0, at + CRC_BYTES);
  }
}

/*
 * What a long list has beyond its first K in a segment: content numbers ordered by (rank, content), in parts.
 *
 *   part = content:4*  crc:4        content little-endian; CRC-32 over key and contents, big-endian
 */

export const PART_CONTENTS = 4096;

/** Rows of what a list has beyond its first K. */
export function* packOverflow(prefix: string, fingerprint: number, contents: Uint32Array): Generator<[string, Buffer]> {
  for (let part = 0; part * PART_CONTENTS < contents.length; part++) {
    const key = overflowKey(prefix, fingerprint, part);
    yield [key, packPart(key, contents.subarray(part * PART_CONTENTS, (part + 1) * PART_CONTENTS))];
  }
}

export function overflowKeys(prefix: string, fingerprint: number, beyond: number): string[] {
  const parts = Math.ceil(beyond / PART_CONTENTS);
  return Array.from({ length: parts }, (_, part) => overflowKey(prefix, fingerprint, part));
}

function packPart(key: string, contents: Uint32Array): Buffer {
  const bytes = Buffer.allocUnsafe(contents.length * 4 + 4);
  for (let i = 0; i < contents.length; i++) bytes.writeUInt32LE(contents[i]!, i * 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4), crc32(key)), contents.length * 4);
  return bytes;
}

/** @returns the contents of a part, or undefined where it cannot be believed */
export function openPart(key: string, bytes: Buffer | undefined): Uint32Array | undefined {
  if (bytes === undefined || bytes.length < 4 || bytes.length % 4 !== 0) return undefined;
  const body = bytes.length - 4;
  if (crc32(bytes.subarray(0, body), crc32(key)) !== bytes.readUInt32BE(body)) return undefined;
  const contents = new Uint32Array(body / 4);
  for (let i = 0; i < contents.length; i++) contents[i] = bytes.readUInt32LE(i * 4);
  return contents;
}
