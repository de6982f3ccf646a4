import { FINGERPRINT_BITS, type Geometry, type Slice } from '../rows/bucket.ts';
import { BucketReader } from '../rows/bucket-reader.ts';
import { highMask, type ImagePart, LONG_NUMBERS, LOW_BITS, layoutOf } from './image-layout.ts';

/** Postings of a start, on average and at the most: they lie in one line of a cache, or in two. */
const START_POSTINGS = 8;
/** Bits of a rest, at the most. */
const REST_BITS_MAX = 24;

/**
 * So many bits that a start has few postings; one more where that spares each posting a byte.
 *
 * @param postings of the slice, about
 */
function startBitsFor(postings: number, sliceBits: number): number {
  const left = FINGERPRINT_BITS - sliceBits;
  const wanted = Math.ceil(Math.log2(Math.max(1, postings / START_POSTINGS)));
  const bits = Math.max(wanted, left - REST_BITS_MAX);
  return left - bits === LOW_BITS + 1 ? bits + 1 : bits;
}

/** The bytes of an image of a slice with so many postings, but for lists that go on outside. */
export function imageBytes(postings: number, sliceBits: number, contentBytes: number): number {
  const size = { startBits: startBitsFor(postings, sliceBits), postings: Math.ceil(postings), longLists: 0 };
  return layoutOf(size, sliceBits, contentBytes).bytes;
}

/** Makes the image of one slice of a segment out of its buckets. */
export class ImageBuilder {
  private readonly reader: BucketReader;
  private readonly sliceBits: number;
  private readonly startBits: number;
  private readonly starts: Uint32Array;
  /** Starts of which it is known where their postings end. */
  private full = 0;
  private readonly long: { fingerprint: number; beyond: number; cut: number }[] = [];
  /** Of each posting the low 32 bits of its fingerprint, and its content above the segment's first. */
  private low: Uint32Array;
  private contents: Uint32Array;
  private count = 0;

  /** @param postings of the slice, about */
  constructor(geometry: Geometry, { bits }: Slice, postings: number) {
    this.reader = new BucketReader(geometry);
    this.sliceBits = bits;
    this.startBits = startBitsFor(postings, bits);
    this.starts = new Uint32Array(2 ** this.startBits + 1);
    this.low = new Uint32Array(Math.max(16, postings));
    this.contents = new Uint32Array(this.low.length);
  }

  /**
   * Takes one bucket after the other, in their order.
   *
   * @param value of its row, which was checked, or packed just now
   */
  add(bucket: number, value: Buffer): void {
    const { reader } = this;
    const { bits, firstContent } = reader.geometry;
    reader.goTo(value);
    const { postings, longLists } = reader;
    this.reserve(postings);
    const { low, contents, starts } = this;
    const first = bucket * 2 ** (FINGERPRINT_BITS - bits);
    const share = 2 ** (this.sliceBits + this.startBits - FINGERPRINT_BITS);
    const mask = 2 ** this.startBits - 1;
    for (let i = 0; i < postings; i++) {
      const fingerprint = first + (reader.remainderAt(i) >>> 0);
      const start = Math.floor(fingerprint * share) & mask;
      while (this.full < start) starts[++this.full] = this.count;
      low[this.count] = fingerprint;
      contents[this.count++] = reader.contentAt(i) - firstContent;
    }
    for (let i = 0; i < longLists; i++) {
      const { remainder, beyond, cut } = reader.longList(i);
      this.long.push({ fingerprint: first + remainder, beyond, cut });
    }
  }

  /** The image, after the last bucket. */
  part(): ImagePart {
    const { startBits, sliceBits, starts, count, long, low } = this;
    const { contentBytes } = this.reader.geometry;
    while (this.full < 2 ** startBits) starts[++this.full] = count;
    const size = { startBits, postings: count, longLists: long.length };
    const { longAt, lowAt, highAt, contentsAt, bytes } = layoutOf(size, sliceBits, contentBytes);
    const memory = new SharedArrayBuffer(bytes);
    new Uint32Array(memory, 0, starts.length).set(starts);
    long.sort((a, b) => a.fingerprint - b.fingerprint);
    new Float64Array(memory, longAt, LONG_NUMBERS * long.length).set(
      long.flatMap(({ fingerprint, beyond, cut }) => [fingerprint, beyond, cut]),
    );
    const lows = new Uint16Array(memory, lowAt, count);
    for (let i = 0; i < count; i++) lows[i] = low[i]!;
    if (contentsAt > highAt) {
      const highs = new Uint8Array(memory, highAt, count);
      const mask = highMask(FINGERPRINT_BITS - sliceBits - startBits);
      for (let i = 0; i < count; i++) highs[i] = (low[i]! >>> LOW_BITS) & mask;
    }
    this.packContents(new Uint8Array(memory, contentsAt), contentBytes);
    return { memory, ...size };
  }

  private packContents(into: Uint8Array, width: number): void {
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      let content = this.contents[i]!;
      for (let byte = 0; byte < width; byte++, content >>>= 8) into[at++] = content;
    }
  }

  private reserve(more: number): void {
    if (this.count + more <= this.low.length) return;
    const size = 2 * (this.count + more);
    this.low = grown(this.low, size);
    this.contents = grown(this.contents, size);
  }
}

function grown(array: Uint32Array, size: number): Uint32Array {
  const larger = new Uint32Array(size);
  larger.set(array);
  return larger;
}
