import type { Columns } from './postings.ts';

/*
 * Which fingerprints a segment has, in memory, a byte for each: without it a look-up reads a bucket of every segment, and
 * most segments have nothing of most fingerprints.
 *
 *   fingerprint ── part: its top bits, a slice of a merge each ── block: hash · blocks ── 4 bits of the block's 256
 *
 *   part   [ block ][ block ][ block ] …      block = 8 Uint32, within one line of a cache
 *   bits   the 4 bytes of a second hash
 *
 * Says yes of all that were put in, and of 3 % of all others. Never written to disk: a new segment comes with its filter,
 * and after opening filters are made again from the buckets.
 *
 * Source: Bloom 1970; blocked as Putze, Sanders and Singler 2007. Cost: about 15 ns a posting to make; one miss of the
 * caches to ask.
 */

const BLOCK_WORDS = 8;
const BLOCK_FINGERPRINTS = 32;

/**
 * The filter of one slice of a segment.
 *
 * @param columns the first `count` are its postings; of a fingerprint that comes again later, room is taken twice
 */
export function filterPart({ low, high }: Columns, count: number): Uint32Array {
  let distinct = 0;
  for (let i = 0; i < count; i++) if (i === 0 || low[i] !== low[i - 1] || high[i] !== high[i - 1]) distinct++;
  const part = new Uint32Array(BLOCK_WORDS * Math.max(1, Math.ceil(distinct / BLOCK_FINGERPRINTS)));
  for (let i = 0; i < count; i++) {
    if (i > 0 && low[i] === low[i - 1] && high[i] === high[i - 1]) continue;
    const hash = spread(low[i]!, high[i]!);
    const block = blockOf(hash, part.length);
    const bits = mixed(hash);
    for (let shift = 0; shift < 32; shift += 8) part[block + ((bits >>> (shift + 5)) & 7)]! |= 1 << (bits >>> shift);
  }
  return part;
}

/** The filter of a whole segment. */
export class SegmentFilter {
  private readonly width: number;
  private readonly parts: readonly Uint32Array[];

  /** @param parts 2^s of them: the i-th is of the fingerprints below 2^40 whose top s bits are i */
  constructor(parts: readonly Uint32Array[]) {
    this.parts = parts;
    this.width = 2 ** 40 / parts.length;
  }

  get bytes(): number {
    return this.parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** False only where the segment has no posting of the fingerprint. */
  mayHave(fingerprint: number): boolean {
    const part = this.parts[Math.floor(fingerprint / this.width)]!;
    const hash = spread(fingerprint >>> 0, Math.floor(fingerprint / 0x1_0000_0000));
    const block = blockOf(hash, part.length);
    const bits = mixed(hash);
    for (let shift = 0; shift < 32; shift += 8) {
      if ((part[block + ((bits >>> (shift + 5)) & 7)]! & (1 << (bits >>> shift))) === 0) return false;
    }
    return true;
  }
}

/** All 40 bits, so that each changes all 32: fingerprints of a sample have low bits in common. */
function spread(low: number, high: number): number {
  return mixed(low ^ Math.imul(high, 0x9e37_79b1));
}

/** The finalizer of MurmurHash3 (Appleby 2011): a permutation of Uint32. */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85eb_ca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const blockOf = (hash: number, words: number) =>
  BLOCK_WORDS * Math.floor((hash * (words / BLOCK_WORDS)) / 0x1_0000_0000);
