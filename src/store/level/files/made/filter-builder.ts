import { closed } from '../block-builder.ts';
import { TRAILER_BYTES } from '../table-blocks.ts';

/*
 * The filter of a table file: bits for each 2 KB of it, which say what keys are not in the blocks that begin there (Bloom
 * 1970). They are those of LevelDB's `BuiltinBloomFilter2`, with 10 bits a key.
 *
 *   filter   = part* offset:4* offset of the first of these:4 · 11          2^11 = 2 KB
 *   part     = bits · 6                    10 a key, 64 at the least, whole bytes; a key sets 6; nothing where no key is
 *
 *   bit i of a key, i < 6:   h + i · (h rotated by 15), mod bits          h: LevelDB's hash, 32 bits
 */

/** LevelDB knows its filters by it. */
export const FILTER_NAME = 'filter.leveldb.BuiltinBloomFilter2';

const SPAN_BITS = 11;
const BITS_A_KEY = 10;
const BITS_LEAST = 64;
/** 10 · ln 2, rounded down. */
const PROBES = 6;
const SEED = 0xbc9f_1d34;
const FACTOR = 0xc6a4_a793;

export class FilterBuilder {
  private readonly hashes: number[] = [];
  private readonly offsets: number[] = [];
  private bytes = Buffer.alloc(16 * 1024);
  private size = 0;

  /** A block begins there, after those before. */
  startBlock(offset: number): void {
    const parts = offset >>> SPAN_BITS;
    while (this.offsets.length < parts) this.endPart();
  }

  /** A key of the block that began last. */
  add(key: string): void {
    this.hashes.push(hashOf(key));
  }

  /** The filter of all blocks, as a block with its trailer. Once. */
  finish(): Buffer {
    if (this.hashes.length > 0) this.endPart();
    const at = this.size;
    this.reserve(4 * this.offsets.length + 5 + TRAILER_BYTES);
    for (const offset of this.offsets) this.size = this.bytes.writeUInt32LE(offset, this.size);
    this.size = this.bytes.writeUInt32LE(at, this.size);
    this.size = this.bytes.writeUInt8(SPAN_BITS, this.size);
    return closed(this.bytes, this.size);
  }

  private endPart(): void {
    const { hashes, size } = this;
    this.offsets.push(size);
    if (hashes.length === 0) return;
    const length = Math.ceil(Math.max(BITS_LEAST, BITS_A_KEY * hashes.length) / 8);
    this.reserve(length + 1);
    const { bytes } = this;
    const bits = 8 * length;
    for (const hash of hashes) {
      const step = (hash >>> 17) | (hash << 15);
      let at = hash;
      for (let i = 0; i < PROBES; i++) {
        const bit = (at >>> 0) % bits;
        bytes[size + (bit >>> 3)]! |= 1 << (bit & 7);
        at = (at + step) | 0;
      }
    }
    bytes[size + length] = PROBES;
    this.size = size + length + 1;
    hashes.length = 0;
  }

  /** What is not used yet is 0. */
  private reserve(more: number): void {
    if (this.size + more <= this.bytes.length) return;
    const larger = Buffer.alloc(2 * (this.size + more));
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }
}

/** @param key one byte a character @returns a whole number of 32 bits, signed */
function hashOf(key: string): number {
  const { length } = key;
  let hash = SEED ^ Math.imul(length, FACTOR);
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    const word =
      key.charCodeAt(at) |
      (key.charCodeAt(at + 1) << 8) |
      (key.charCodeAt(at + 2) << 16) |
      (key.charCodeAt(at + 3) << 24);
    hash = Math.imul(hash + word, FACTOR);
    hash ^= hash >>> 16;
  }
  if (at === length) return hash;
  for (let i = length - 1; i >= at; i--) hash += key.charCodeAt(i) << (8 * (i - at));
  hash = Math.imul(hash, FACTOR);
  return hash ^ (hash >>> 24);
}
