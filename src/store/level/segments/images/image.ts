import type { ContentTable } from '../content-table.ts';
import { FINGERPRINT_BITS, type Geometry, type LongList } from '../rows/bucket.ts';
import {
  HEAD_MAX,
  type ImagePart,
  LINE_BYTES,
  type LineLayout,
  LONG_NUMBERS,
  lineLayout,
  lineShare,
  lowOf,
} from './image-layout.ts';

/*
 * The posting lists of a segment in memory: what its buckets say, laid out for looking up, in memory that threads share.
 *
 *   part = lines, one after the other, of 64 bytes each, as many as hold its postings when four places in five are taken
 *          long      Float64[3 x lists]  lists that go on outside (rows/bucket.ts): fingerprint, beyond, cut; ascending
 *
 *   line = shift     Uint16              its own postings begin so many places behind its first: where the lines before it
 *                                        have no room for theirs, these lie here
 *          count     Uint16              how many are its own: they may go on in the next lines
 *          low       Uint16[places]      of each posting the low 24 bits of its key, without the eight that are 0
 *          top       Uint8[places]       the next 8 in small slices: no two keys of a line have the same of these
 *          contents  2 … 4 bytes each    above the segment's first content
 *
 *   key ── its slice's part ── its line ── some ten postings ── those with the same low and top
 *
 * A part is of one slice, as merges write them. So a segment may have images of some of its slices only. A part is made by
 * whoever writes the buckets, or from them. It is never changed, and never written to disk.
 *
 * A look-up waits for memory, and hardly for anything else. So all that it needs lies in one line of a cache, or in two next
 * to each other. All keys take a step together, so that they wait at the same time.
 *
 * Cost: 6.7 bytes a posting where contents take 3; .11 to .18 microseconds for each key and segment (npm run bench:images).
 */

/** In place of a count: the list is in a slice of which there is no image. */
export const NO_IMAGE = 0xffff_ffff;

const BYTE = 0xff;

/** A part as it is read. */
interface Lines {
  readonly part: ImagePart;
  /** The least fingerprint that its slice may have. */
  readonly first: number;
  /** What a fingerprint is above that, times this, is its line. */
  readonly share: number;
  readonly hasTop: boolean;
  readonly layout: LineLayout;
  readonly heads: Uint32Array;
  readonly pairs: Uint16Array;
  readonly bytes: Uint8Array;
  readonly long: Float64Array;
}

/** Of the look-up under way, key after key. A look-up does not wait, so all share them. */
const parts: (Lines | undefined)[] = [];

/** The images of a segment's slices. */
export class SegmentImage {
  private size = 0;
  private missing: number;
  private longLists = 0;
  private readonly parts: (Lines | undefined)[];
  private readonly sliceBits: number;
  private readonly sliceShare: number;
  private readonly firstContent: number;
  private readonly width: number;

  /** @param slices 2^s of them: the i-th is of the fingerprints whose top s bits are i; undefined where it has none */
  constructor({ firstContent, contentBytes }: Geometry, slices: readonly (ImagePart | undefined)[]) {
    this.sliceBits = Math.log2(slices.length);
    this.sliceShare = 2 ** (this.sliceBits - FINGERPRINT_BITS);
    this.firstContent = firstContent;
    this.width = contentBytes;
    this.missing = slices.length;
    this.parts = slices.map(() => undefined);
    for (const [i, slice] of slices.entries()) if (slice !== undefined) this.set(i, slice);
  }

  /** As the constructor was given them, with those that came since. */
  get slices(): readonly (ImagePart | undefined)[] {
    return this.parts.map((lines) => lines?.part);
  }

  get bytes(): number {
    return this.size;
  }

  /** Whether it has all of its slices. */
  get isWhole(): boolean {
    return this.missing === 0;
  }

  /** Whether any list goes on outside of it. */
  get hasLongLists(): boolean {
    return this.longLists > 0;
  }

  /** Takes a slice that it did not have. */
  set(index: number, slice: ImagePart): void {
    this.parts[index] = linesOf(slice, index, this.sliceBits, this.width);
    this.size += slice.memory.byteLength;
    this.longLists += slice.longLists;
    this.missing--;
  }

  /**
   * Finds the lists of all keys.
   *
   * @param keys below 2^40
   * @param starts as long as `keys`: the place of each list's first posting, among all of its part
   * @param counts as long: how many postings there are; {@link NO_IMAGE} where the slice has no image
   */
  find(keys: Float64Array, starts: Uint32Array, counts: Uint32Array): void {
    const size = keys.length;
    parts.length = size;
    for (let i = 0; i < size; i++) {
      const key = keys[i]!;
      const part = this.partOf(key);
      parts[i] = part;
      if (part === undefined) {
        counts[i] = NO_IMAGE;
        continue;
      }
      const line = ((key - part.first) * part.share) | 0;
      const head = part.heads[line * (LINE_BYTES / 4)]!;
      starts[i] = line * part.layout.places + (head & HEAD_MAX);
      counts[i] = head >>> 16;
    }
    for (let i = 0; i < size; i++) {
      const part = parts[i];
      if (part !== undefined && counts[i]! > 0) narrow(part, keys[i]!, i, starts, counts);
    }
    // what was let go meanwhile is not to be held by what was asked last
    parts.fill(undefined);
  }

  /**
   * The live contents of a list that {@link find} found.
   *
   * @param into has room for them from `size` on
   * @returns the size after that
   */
  take(key: number, start: number, count: number, table: ContentTable, into: Uint32Array, size: number): number {
    const { bytes, layout } = this.partOf(key)!;
    const { places, contents: contentsAt } = layout;
    const { width, firstContent } = this;
    let line = (start / places) | 0;
    let place = start - line * places;
    let to = size;
    for (let left = count; left > 0; left--) {
      const at = line * LINE_BYTES + contentsAt + place * width;
      let above = bytes[at]! | (bytes[at + 1]! << 8);
      if (width > 2) above |= bytes[at + 2]! << 16;
      if (width > 3) above = (above | (bytes[at + 3]! << 24)) >>> 0;
      const content = firstContent + above;
      if (table.isLive(content)) into[to++] = content;
      if (++place < places) continue;
      place = 0;
      line++;
    }
    return to;
  }

  /** What a list has outside of its bucket; undefined where nothing, or where its slice has no image. */
  longListOf(key: number): Pick<LongList, 'beyond' | 'cut'> | undefined {
    const long = this.partOf(key)?.long;
    if (long === undefined) return undefined;
    let from = 0;
    let to = long.length / LONG_NUMBERS;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (long[LONG_NUMBERS * middle]! < key) from = middle + 1;
      else to = middle;
    }
    const at = LONG_NUMBERS * from;
    return long[at] === key ? { beyond: long[at + 1]!, cut: long[at + 2]! } : undefined;
  }

  private partOf(key: number): Lines | undefined {
    return this.parts[(key * this.sliceShare) | 0];
  }
}

/** Of the postings of a line those of one list: they follow one another. */
function narrow(
  { layout, hasTop, pairs, bytes }: Lines,
  key: number,
  i: number,
  starts: Uint32Array,
  counts: Uint32Array,
) {
  const { places, low: lowAt, top: topAt } = layout;
  const low = lowOf(key);
  const top = (key >>> 24) & BYTE;
  let at = starts[i]!;
  const end = at + counts[i]!;
  let line = (at / places) | 0;
  let place = at - line * places;
  let count = 0;
  for (; at < end; at++) {
    const first = line * LINE_BYTES;
    if (pairs[((first + lowAt) >> 1) + place] === low && (!hasTop || bytes[first + topAt + place] === top)) count++;
    else if (count > 0) break;
    if (++place < places) continue;
    place = 0;
    line++;
  }
  starts[i] = at - count;
  counts[i] = count;
}

function linesOf(part: ImagePart, index: number, sliceBits: number, contentBytes: number): Lines {
  const { memory, lines, restBytes, longLists } = part;
  const longBytes = 8 * LONG_NUMBERS * longLists;
  return {
    part,
    first: index * 2 ** (FINGERPRINT_BITS - sliceBits),
    share: lineShare(lines, sliceBits),
    hasTop: restBytes === 3,
    layout: lineLayout(restBytes, contentBytes),
    heads: new Uint32Array(memory),
    pairs: new Uint16Array(memory),
    bytes: new Uint8Array(memory),
    long: new Float64Array(memory, memory.byteLength - longBytes, LONG_NUMBERS * longLists),
  };
}
