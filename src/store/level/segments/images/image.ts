import type { ContentTable } from '../content-table.ts';
import { FINGERPRINT_BITS, type Geometry, type LongList } from '../rows/bucket.ts';
import { highMask, type ImagePart, LONG_NUMBERS, LOW_BITS, layoutOf } from './image-layout.ts';

/*
 * The posting lists of a segment in memory: what its buckets say, laid out for looking up, in memory that threads share.
 *
 *   fingerprint = slice (s bits) | start (t bits) | rest (40 - s - t bits, 24 at the most)
 *
 *   part = starts    Uint32[2^t + 1]     where the postings of each start begin
 *          long      Float64[3 x lists]  lists that go on outside (rows/bucket.ts): fingerprint, beyond, cut; ascending
 *          low       Uint16[postings]    the low 16 bits of the rest
 *          high      Uint8[postings]     its bits above these; none where the rest has no more
 *          contents  2 … 4 bytes each    above the segment's first content
 *
 *   key ── its slice's part ── starts ── four postings or so ── contents of those with the same low and high
 *
 * A part is of one slice, as merges write them. So a segment may have images of some of its slices only. A part is made by
 * whoever writes the buckets, or from them. It is never changed, and never written to disk.
 *
 * Each step of a look-up misses the caches. So all keys take one step together, and their misses overlap: in little more
 * than half the time of key after key.
 *
 * Cost: 6.5 to 7 bytes a posting where contents take 3; .3 to .4 microseconds for each key and segment.
 */

/** In place of a count: the list is in a slice of which there is no image. */
export const NO_IMAGE = 0xffff_ffff;

const LOW_MASK = 2 ** LOW_BITS - 1;

/** A part as it is read. */
interface Columns {
  readonly part: ImagePart;
  /** Of a fingerprint, what its slice and start are. */
  readonly startShare: number;
  readonly startMask: number;
  readonly highMask: number;
  readonly starts: Uint32Array;
  readonly long: Float64Array;
  readonly low: Uint16Array;
  readonly high: Uint8Array;
  readonly contents: Uint8Array;
}

/** Of the look-up under way, key after key. A look-up does not wait, so all share them. */
const parts: (Columns | undefined)[] = [];
/** What was read only to have it near; kept, so that reading it is not left out as of no use. */
const touched = new Uint32Array(1);

/** The images of a segment's slices. */
export class SegmentImage {
  private size = 0;
  private missing: number;
  private longLists = 0;
  private readonly parts: (Columns | undefined)[];
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
    return this.parts.map((columns) => columns?.part);
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
    this.parts[index] = columnsOf(slice, this.sliceBits, this.width);
    this.size += slice.memory.byteLength;
    this.longLists += slice.longLists;
    this.missing--;
  }

  /**
   * Finds the lists of all keys.
   *
   * @param keys below 2^40
   * @param starts as long as `keys`: the first posting of each list, in the part of its slice
   * @param counts as long: how many postings there are; {@link NO_IMAGE} where the slice has no image
   */
  find(keys: Float64Array, starts: Uint32Array, counts: Uint32Array): void {
    const size = keys.length;
    parts.length = size;
    for (let i = 0; i < size; i++) {
      const part = this.partOf(keys[i]!);
      parts[i] = part;
      if (part === undefined) {
        counts[i] = NO_IMAGE;
        continue;
      }
      const start = (keys[i]! * part.startShare) & part.startMask;
      starts[i] = part.starts[start]!;
      counts[i] = part.starts[start + 1]! - part.starts[start]!;
    }
    let near = 0;
    for (let i = 0; i < size; i++) {
      const part = parts[i];
      if (part !== undefined && counts[i]! > 0) near ^= part.low[starts[i]!]!;
    }
    for (let i = 0; i < size; i++) {
      const part = parts[i];
      if (part !== undefined && counts[i]! > 0) toFirst(part, keys[i]!, i, starts, counts);
    }
    // most of these are of the list: its contents are to be read soon
    for (let i = 0; i < size; i++) {
      const part = parts[i];
      if (part === undefined || counts[i] === 0) continue;
      near ^= part.contents[starts[i]! * this.width]!;
      if (part.highMask !== 0) near ^= part.high[starts[i]!]!;
    }
    touched[0] = near;
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
    const { contents } = this.partOf(key)!;
    const { width, firstContent } = this;
    const end = (start + count) * width;
    let to = size;
    for (let at = start * width; at < end; at += width) {
      let above = contents[at]! | (contents[at + 1]! << 8);
      if (width > 2) above |= contents[at + 2]! << 16;
      if (width > 3) above = (above | (contents[at + 3]! << 24)) >>> 0;
      const content = firstContent + above;
      if (table.isLive(content)) into[to++] = content;
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

  private partOf(key: number): Columns | undefined {
    return this.parts[(key * this.sliceShare) | 0];
  }
}

/** Of the postings of a start those from the first on whose low bits are those of the key. */
function toFirst({ low }: Columns, key: number, i: number, starts: Uint32Array, counts: Uint32Array): void {
  const wanted = key & LOW_MASK;
  let from = starts[i]!;
  const end = from + counts[i]!;
  while (from < end && low[from] !== wanted) from++;
  starts[i] = from;
  counts[i] = end - from;
}

/** Of the postings of a start those of one list: they follow one another. */
function narrow({ low, high, highMask }: Columns, key: number, i: number, starts: Uint32Array, counts: Uint32Array) {
  const wantedLow = key & LOW_MASK;
  const wantedHigh = (key >>> LOW_BITS) & highMask;
  let from = starts[i]!;
  const end = from + counts[i]!;
  while (from < end && (low[from] !== wantedLow || (highMask !== 0 && high[from] !== wantedHigh))) from++;
  let to = from;
  while (to < end && low[to] === wantedLow && (highMask === 0 || high[to] === wantedHigh)) to++;
  starts[i] = from;
  counts[i] = to - from;
}

function columnsOf(part: ImagePart, sliceBits: number, contentBytes: number): Columns {
  const { memory, startBits, postings, longLists } = part;
  const { longAt, lowAt, highAt, contentsAt } = layoutOf(part, sliceBits, contentBytes);
  const restBits = FINGERPRINT_BITS - sliceBits - startBits;
  return {
    part,
    startShare: 2 ** -restBits,
    startMask: 2 ** startBits - 1,
    highMask: highMask(restBits),
    starts: new Uint32Array(memory, 0, 2 ** startBits + 1),
    long: new Float64Array(memory, longAt, LONG_NUMBERS * longLists),
    low: new Uint16Array(memory, lowAt, postings),
    high: new Uint8Array(memory, highAt, contentsAt - highAt),
    contents: new Uint8Array(memory, contentsAt, contentBytes * postings),
  };
}
