import { crc32 } from 'node:zlib';
import {
  bucketSeed,
  CRC_BYTES,
  CRC_RESIDUE,
  FINGERPRINT_BITS,
  type Geometry,
  HEAD_BYTES,
  LONG_LIST_BYTES,
  type LongList,
  packRemainder,
  remainderBytes,
  unpackRemainder,
} from './bucket.ts';

const NOTHING = Buffer.alloc(HEAD_BYTES + CRC_BYTES);

/** Reads the buckets (bucket.ts) of one segment, one after the other, without an object for any of them. */
export class BucketReader {
  readonly geometry: Geometry;
  postings = 0;
  /** Lists of this bucket that go on outside. */
  longLists = 0;
  /** Of the list that {@link find} found: its first posting's position, and how many postings are here. */
  start = 0;
  count = 0;
  private bytes: Buffer = NOTHING;
  private remaindersAt = 0;
  private contentsAt = 0;
  private readonly firstContent: number;
  /** Bytes of a remainder and of a content. */
  private readonly rest: number;
  private readonly width: number;
  private readonly mask: number;
  private readonly isPacked: boolean;

  /** @param isPacked false for segments from before format 9, whose remainders have all of their bits */
  constructor(geometry: Geometry, isPacked = true) {
    this.geometry = geometry;
    this.firstContent = geometry.firstContent;
    this.width = geometry.contentBytes;
    this.isPacked = isPacked;
    this.rest = isPacked ? remainderBytes(geometry.bits) : Math.ceil((FINGERPRINT_BITS - geometry.bits) / 8);
    this.mask = 2 ** (FINGERPRINT_BITS - geometry.bits) - 1;
  }

  /** Opens a bucket. @returns whether it can be believed; only then may anything else be asked */
  open(bucket: number, bytes: Buffer): boolean {
    if (bytes.length < HEAD_BYTES + CRC_BYTES) return false;
    return crc32(bytes, bucketSeed(this.geometry.segment, bucket)) === CRC_RESIDUE && this.goTo(bytes);
  }

  /** Opens a bucket that was believed before. */
  goTo(bytes: Buffer): boolean {
    this.bytes = bytes;
    this.longLists = bytes[0]! | (bytes[1]! << 8);
    this.remaindersAt = HEAD_BYTES + this.longLists * LONG_LIST_BYTES;
    const columns = bytes.length - CRC_BYTES - this.remaindersAt;
    const width = this.rest + this.width;
    // kept small integers, not doubles: these are in every index of the hottest loops
    this.postings = (columns / width) | 0;
    this.contentsAt = this.remaindersAt + this.postings * this.rest;
    return columns >= 0 && this.postings * width === columns;
  }

  /** Finds the list of a fingerprint of this bucket: start and count. */
  find(fingerprint: number): void {
    const remainder = (fingerprint >>> 0) & this.mask;
    const wanted = this.isPacked ? packRemainder(remainder) : remainder;
    let from = 0;
    let to = this.postings;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.writtenAt(middle) < wanted) from = middle + 1;
      else to = middle;
    }
    let end = from;
    while (end < this.postings && this.writtenAt(end) === wanted) end++;
    this.start = from;
    this.count = end - from;
  }

  /** The low 40 - bits bits of the fingerprint at a position. */
  remainderAt(position: number): number {
    const written = this.writtenAt(position);
    return this.isPacked ? unpackRemainder(written) : written;
  }

  private writtenAt(position: number): number {
    const { bytes, rest } = this;
    const at = this.remaindersAt + position * rest;
    if (rest === 2) return bytes[at]! | (bytes[at + 1]! << 8);
    if (rest === 3) return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
    if (rest === 1) return bytes[at]!;
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  }

  contentAt(position: number): number {
    const { bytes, width, firstContent } = this;
    const at = this.contentsAt + position * width;
    const low = bytes[at]! | (bytes[at + 1]! << 8);
    if (width === 2) return firstContent + low;
    if (width === 3) return firstContent + (low | (bytes[at + 2]! << 16));
    return firstContent + ((low | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0);
  }

  /** What a list has outside of this bucket; undefined where nothing. */
  longListOf(fingerprint: number): LongList | undefined {
    const wanted = (fingerprint >>> 0) & this.mask;
    for (let i = 0; i < this.longLists; i++) {
      const list = this.longList(i);
      if (list.remainder === wanted) return list;
    }
    return undefined;
  }

  /** @param index 0 … longLists - 1 */
  longList(index: number): LongList {
    const at = HEAD_BYTES + index * LONG_LIST_BYTES;
    return {
      remainder: this.bytes.readUInt32LE(at),
      beyond: this.bytes.readUInt32LE(at + 4),
      cut: this.bytes.readUIntLE(at + 8, 6),
    };
  }
}
