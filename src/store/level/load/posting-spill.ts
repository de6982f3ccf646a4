import { type FileHandle, open } from 'node:fs/promises';
import { storageFull } from '../outage/failures.ts';
import { type Columns, newColumns } from '../segments/rows/sort.ts';

/*
 * Postings on their way to be sorted: told apart by the top 8 bits of their fingerprints, in one file of temporary use.
 *
 *   memory   top 0  [ low … | content … ]      a chunk for each of 256, filled side by side
 *            top 1  [ low … | content … ]
 *   file     | chunk of top 7 | chunk of top 200 | …      as they became full; where those of each lie is known in memory
 *
 * So each 256th can be read by itself, be sorted in memory, and be written behind the one before.
 * Cost: 8 bytes of the file a posting, written once and read once; 8 bytes of memory for a chunk of 32 KB.
 */

const TOPS = 256;
export const TOP_BITS = 8;
/** Postings of a chunk: 32 KB, as much as is written and read at once without a seek being felt. */
export const CHUNK_POSTINGS = 4096;
/** Chunks on their way to the disk: whoever brings more waits. */
const UNDER_WAY_MAX = 64;

type Chunk = Uint32Array<ArrayBuffer>;

export class PostingSpill {
  private readonly file: FileHandle;
  private readonly size: number;
  private readonly chunks: Chunk[];
  private readonly fill = new Uint32Array(TOPS);
  private readonly places: number[][] = Array.from({ length: TOPS }, () => []);
  private readonly spare: Chunk[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private failure: unknown;
  private end = 0;

  private constructor(file: FileHandle, size: number) {
    this.file = file;
    this.size = size;
    this.chunks = Array.from({ length: TOPS }, () => this.newChunk());
  }

  /** @param chunkPostings {@link CHUNK_POSTINGS} but in tests */
  static async create(path: string, chunkPostings: number): Promise<PostingSpill> {
    return new PostingSpill(await open(path, 'wx+', 0o600), chunkPostings);
  }

  get bytes(): number {
    return this.end;
  }

  /** How many were added. */
  get count(): number {
    let count = 0;
    for (let top = 0; top < TOPS; top++) count += this.countOf(top);
    return count;
  }

  /** How many were added whose top 8 bits are these. */
  countOf(top: number): number {
    return this.places[top]!.length * this.size + this.fill[top]!;
  }

  /** @param fingerprints below 2^40 */
  add(content: number, fingerprints: Float64Array, digest: number): void {
    for (let i = 0; i < fingerprints.length; i++) this.addOne(content, fingerprints[i]!);
    this.addOne(content, digest);
  }

  /** To be awaited every few thousand contents. @throws ShingledError `storage-full` */
  async room(): Promise<void> {
    while (this.underWay.size > UNDER_WAY_MAX) await Promise.race(this.underWay);
    this.check();
  }

  /** Everything was added. @throws ShingledError `storage-full` */
  async finish(): Promise<void> {
    await Promise.all(this.underWay);
    this.spare.length = 0;
    this.check();
  }

  /**
   * The postings whose fingerprints begin with these 8 bits, and then with these `bits` of the next ones.
   *
   * @returns columns in the order in which they were added, `count` of them
   */
  async read(top: number, { bits, index }: { readonly bits: number; readonly index: number }) {
    const columns = newColumns(
      bits === 0 ? this.countOf(top) : Math.ceil((1.5 * this.countOf(top)) / 2 ** bits) + 1024,
    );
    const taken = { columns, count: 0 };
    const chunk = this.newChunk();
    const shift = 32 - bits;
    const isIn = bits === 0 ? () => true : (low: number) => low >>> shift === index;
    for (const place of this.places[top]!) {
      await this.readInto(chunk, place);
      this.take(chunk, this.size, top, isIn, taken);
    }
    this.take(this.chunks[top]!, this.fill[top]!, top, isIn, taken);
    return taken;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.underWay);
    await this.file.close();
  }

  private addOne(content: number, fingerprint: number): void {
    const top = (fingerprint / 0x1_0000_0000) | 0;
    const chunk = this.chunks[top]!;
    const at = this.fill[top]!;
    chunk[at] = fingerprint;
    chunk[this.size + at] = content;
    if (at + 1 < this.size) this.fill[top] = at + 1;
    else this.spill(top);
  }

  private spill(top: number): void {
    const chunk = this.chunks[top]!;
    const place = this.end;
    this.end += chunk.byteLength;
    this.places[top]!.push(place);
    this.chunks[top] = this.spare.pop() ?? this.newChunk();
    this.fill[top] = 0;
    const written: Promise<void> = this.write(chunk, place).then(
      () => void this.spare.push(chunk),
      (error: unknown) => {
        this.failure ??= error;
      },
    );
    this.underWay.add(written);
    void written.then(() => this.underWay.delete(written));
  }

  private async write(chunk: Chunk, place: number): Promise<void> {
    const { bytesWritten } = await this.file.write(chunk, 0, chunk.byteLength, place);
    if (bytesWritten < chunk.byteLength) throw new Error(`The disk took ${bytesWritten} bytes of ${chunk.byteLength}.`);
  }

  private async readInto(chunk: Chunk, place: number): Promise<void> {
    const { bytesRead } = await this.file.read(chunk, 0, chunk.byteLength, place);
    if (bytesRead < chunk.byteLength)
      throw new Error(`Of ${chunk.byteLength} bytes of postings ${bytesRead} are there.`);
  }

  private take(
    chunk: Chunk,
    count: number,
    top: number,
    isIn: (low: number) => boolean,
    taken: { columns: Columns; count: number },
  ): void {
    if (taken.count + count > taken.columns.low.length) taken.columns = grown(taken.columns, taken.count + count);
    const { low, high, contents } = taken.columns;
    let at = taken.count;
    for (let i = 0; i < count; i++) {
      const value = chunk[i]!;
      if (!isIn(value)) continue;
      low[at] = value;
      high[at] = top;
      contents[at++] = chunk[this.size + i]!;
    }
    taken.count = at;
  }

  private newChunk(): Chunk {
    return new Uint32Array(2 * this.size);
  }

  private check(): void {
    if (this.failure !== undefined) throw storageFull('The disk refused postings.', { cause: this.failure });
  }
}

function grown(columns: Columns, least: number): Columns {
  const larger = newColumns(Math.max(least, 2 * columns.low.length));
  larger.low.set(columns.low);
  larger.high.set(columns.high);
  larger.contents.set(columns.contents);
  return larger;
}
