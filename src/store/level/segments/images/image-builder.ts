import { FINGERPRINT_BITS, type Geometry, type Slice } from '../rows/bucket.ts';
import { BucketReader } from '../rows/bucket-reader.ts';
import {
  HEAD_MAX,
  type ImagePart,
  LINE_BYTES,
  type LineLayout,
  LONG_NUMBERS,
  lineLayout,
  lineShare,
  lowOf,
  sizeFor,
} from './image-layout.ts';

/** Makes the image of one slice of a segment out of its buckets. */
export class ImageBuilder {
  private readonly reader: BucketReader;
  private readonly size: Pick<ImagePart, 'lines' | 'restBytes'>;
  private readonly layout: LineLayout;
  private readonly share: number;
  private readonly firstFingerprint: number;
  private readonly long: { fingerprint: number; beyond: number; cut: number }[] = [];
  /** Of each line, how many postings are its own. */
  private readonly own: Uint32Array;
  /** Of each posting the low 32 bits of its fingerprint, and its content above the segment's first. */
  private low: Uint32Array;
  private contents: Uint32Array;
  private count = 0;

  /** @param postings of the slice, about */
  constructor(geometry: Geometry, { bits, index }: Slice, postings: number) {
    this.reader = new BucketReader(geometry);
    this.size = sizeFor(postings, bits, geometry.contentBytes);
    this.layout = lineLayout(this.size.restBytes, geometry.contentBytes);
    this.share = lineShare(this.size.lines, bits);
    this.firstFingerprint = index * 2 ** (FINGERPRINT_BITS - bits);
    this.own = new Uint32Array(this.size.lines);
    this.low = new Uint32Array(Math.max(16, postings));
    this.contents = new Uint32Array(this.low.length);
  }

  /**
   * Takes one bucket after the other, in their order.
   *
   * @param value of its row, which was checked, or packed just now
   */
  add(bucket: number, value: Buffer): void {
    const { reader, own, share } = this;
    const { bits, firstContent } = reader.geometry;
    reader.goTo(value);
    const { postings, longLists } = reader;
    this.reserve(postings);
    const { low, contents } = this;
    const first = bucket * 2 ** (FINGERPRINT_BITS - bits);
    const above = first - this.firstFingerprint;
    for (let i = 0; i < postings; i++) {
      const remainder = reader.remainderAt(i) >>> 0;
      own[Math.floor((above + remainder) * share)]!++;
      low[this.count] = first + remainder;
      contents[this.count++] = reader.contentAt(i) - firstContent;
    }
    for (let i = 0; i < longLists; i++) {
      const { remainder, beyond, cut } = reader.longList(i);
      this.long.push({ fingerprint: first + remainder, beyond, cut });
    }
  }

  /** The image, after the last bucket; undefined where too many postings are of one line, which chance does not make. */
  part(): ImagePart | undefined {
    const { own, long, size } = this;
    const { lines } = size;
    const { places } = this.layout;
    const heads = new Uint32Array(lines);
    let end = 0;
    for (let line = 0; line < lines; line++) {
      const start = Math.max(end, line * places);
      const shift = start - line * places;
      const count = own[line]!;
      if (shift > HEAD_MAX || count > HEAD_MAX) return undefined;
      heads[line] = shift | (count << 16);
      end = start + count;
    }
    const linesInAll = Math.max(lines, Math.ceil(end / places));
    const memory = new SharedArrayBuffer(LINE_BYTES * linesInAll + 8 * LONG_NUMBERS * long.length);
    this.fill(memory, heads);
    long.sort((a, b) => a.fingerprint - b.fingerprint);
    new Float64Array(memory, LINE_BYTES * linesInAll).set(
      long.flatMap(({ fingerprint, beyond, cut }) => [fingerprint, beyond, cut]),
    );
    return { memory, ...size, longLists: long.length };
  }

  /** @param heads shift and count of each line, as they lie in it */
  private fill(memory: SharedArrayBuffer, heads: Uint32Array): void {
    const { contentBytes } = this.reader.geometry;
    const { restBytes } = this.size;
    const { places, ...at } = this.layout;
    const numbers = new Uint32Array(memory);
    const pairs = new Uint16Array(memory);
    const bytes = new Uint8Array(memory);
    let from = 0;
    for (let own = 0; own < heads.length; own++) {
      const head = heads[own]!;
      numbers[(own * LINE_BYTES) / 4] = head;
      const start = own * places + (head & HEAD_MAX);
      let line = Math.floor(start / places);
      let place = start - line * places;
      for (let left = head >>> 16; left > 0; left--, from++) {
        const low = this.low[from]!;
        const first = line * LINE_BYTES;
        pairs[(first + at.low) / 2 + place] = lowOf(low);
        if (restBytes === 3) bytes[first + at.top + place] = low >>> 24;
        let content = this.contents[from]!;
        const contentAt = first + at.contents + place * contentBytes;
        for (let byte = 0; byte < contentBytes; byte++, content >>>= 8) bytes[contentAt + byte] = content;
        if (++place < places) continue;
        place = 0;
        line++;
      }
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
