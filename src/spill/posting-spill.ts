import { readSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ShingledError } from '../errors.ts';

/*
 * Postings on their way to be sorted: told apart by the top 8 bits of their fingerprints, in one file of temporary use.
 *
 *   memory   top 0  [ low … | number … ]      a chunk for each of 256, filled side by side
 *            top 1  [ low … | number … ]
 *   file     | chunk of top 7 | chunk of top 200 | …      as they became full; where those of each lie is known in memory
 *
 * So each 256th can be read by itself, be sorted in memory, and be written behind the one before.
 * Cost: 8 bytes of the file a posting, written once and read once; 8 bytes of memory for a chunk of 32 KB.
 */

export const TOPS = 256;
export const TOP_BITS = 8;
/** Postings of a chunk: 32 KB, as much as is written and read at once without a seek being felt. */
export const CHUNK_POSTINGS = 4096;
/** So much of a spill that will be sealed is brought to the disk while more comes: little is left to wait for then. */
const SYNCED_BYTES = 64 * 2 ** 20;

type Chunk = Uint32Array<ArrayBuffer>;

/** Postings of one chunk: the low 32 bits of the fingerprint low[i], and the number that was posted. */
export interface SpilledChunk {
  readonly low: Uint32Array;
  readonly numbers: Uint32Array;
}

/** Where postings lie in the file of a spill that was sealed. Plain data. */
export interface SpillLayout {
  readonly path: string;
  readonly chunkPostings: number;
  /** By top: where its chunks begin, bytes. All are full but the last of each. */
  readonly places: readonly (readonly number[])[];
  /** By top: how many there are. */
  readonly counts: readonly number[];
}

export class PostingSpill {
  private readonly path: string;
  private readonly file: FileHandle;
  private readonly size: number;
  private readonly filling: Chunk[];
  private readonly fill = new Uint32Array(TOPS);
  private readonly places: number[][] = Array.from({ length: TOPS }, () => []);
  private syncing: Promise<void> = Promise.resolve();
  private failure: unknown;
  private end = 0;
  private syncAt: number;

  private constructor(path: string, file: FileHandle, size: number, isSealed: boolean) {
    this.path = path;
    this.file = file;
    this.size = size;
    this.syncAt = isSealed ? SYNCED_BYTES : Number.POSITIVE_INFINITY;
    this.filling = Array.from({ length: TOPS }, () => this.newChunk());
  }

  /**
   * @param path where nothing is
   * @param chunkPostings {@link CHUNK_POSTINGS} but in tests
   * @param isSealed it will be {@link seal}ed
   * @throws ShingledError `storage-full`
   */
  static async create(path: string, chunkPostings: number, isSealed = false): Promise<PostingSpill> {
    try {
      return new PostingSpill(path, await open(path, 'wx+', 0o600), chunkPostings, isSealed);
    } catch (cause) {
      throw refused(path, cause);
    }
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
  add(number: number, fingerprints: Float64Array): void {
    for (let i = 0; i < fingerprints.length; i++) this.addOne(number, fingerprints[i]!);
  }

  /** @param fingerprint below 2^40 */
  addOne(number: number, fingerprint: number): void {
    const top = (fingerprint / 0x1_0000_0000) | 0;
    const chunk = this.filling[top]!;
    const at = this.fill[top]!;
    chunk[at] = fingerprint;
    chunk[this.size + at] = number;
    if (at + 1 < this.size) this.fill[top] = at + 1;
    else this.spill(top);
  }

  /** To be asked every few thousand numbers. @throws ShingledError `storage-full` */
  check(): void {
    if (this.failure === undefined) return;
    throw refused(this.path, this.failure);
  }

  /**
   * Everything was added, and all of it is on the disk: who is given the layout reads it by {@link readChunks}.
   *
   * @throws ShingledError `storage-full`
   */
  async seal(): Promise<SpillLayout> {
    const counts = Array.from({ length: TOPS }, (_, top) => this.countOf(top));
    for (let top = 0; top < TOPS; top++) {
      if (this.fill[top]! > 0) this.spill(top);
    }
    await this.syncing;
    this.check();
    try {
      await this.file.sync();
    } catch (cause) {
      throw refused(this.path, cause);
    }
    return { path: this.path, chunkPostings: this.size, places: this.places, counts };
  }

  async close(): Promise<void> {
    await this.syncing;
    await this.file.close();
  }

  /** At once: to hand it over to another thread takes longer than the system takes to copy it. */
  private spill(top: number): void {
    const chunk = this.filling[top]!;
    const place = this.end;
    this.end += chunk.byteLength;
    this.places[top]!.push(place);
    this.fill[top] = 0;
    try {
      const bytesWritten = writeSync(this.file.fd, chunk, 0, chunk.byteLength, place);
      if (bytesWritten < chunk.byteLength)
        throw new Error(`The disk took ${bytesWritten} bytes of ${chunk.byteLength}.`);
    } catch (error) {
      this.failure ??= error;
    }
    if (this.end >= this.syncAt) this.sync();
  }

  private sync(): void {
    this.syncAt = this.end + SYNCED_BYTES;
    this.syncing = Promise.all([this.syncing, this.file.datasync()]).then(
      () => undefined,
      (error: unknown) => {
        this.failure ??= error;
      },
    );
  }

  private newChunk(): Chunk {
    return new Uint32Array(2 * this.size);
  }
}

function refused(path: string, cause: unknown): ShingledError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new ShingledError('storage-full', `The disk refused postings at ${path}: ${code ?? message}`, { cause });
}

/**
 * The postings of a sealed spill whose fingerprints begin with these 8 bits, in the order in which they were added; each chunk
 * is good until the next.
 *
 * @param file open to be read, in whichever thread
 * @throws ShingledError `result-damaged` where it is not there any more
 */
export function* readChunks(
  file: number,
  { path, chunkPostings, places, counts }: SpillLayout,
  top: number,
): Generator<SpilledChunk, void, undefined> {
  const chunk = new Uint32Array(2 * chunkPostings);
  let left = counts[top]!;
  for (const place of places[top]!) {
    const count = Math.min(left, chunkPostings);
    left -= count;
    yield readPart(file, path, chunk, place, count);
  }
}

function readPart(file: number, path: string, chunk: Chunk, place: number, count: number): SpilledChunk {
  try {
    return partOf(chunk, readSync(file, chunk, 0, chunk.byteLength, place), count);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new ShingledError('result-damaged', `Postings at ${path} cannot be read: ${code ?? message}`, { cause });
  }
}

function partOf(chunk: Chunk, bytesRead: number, count: number): SpilledChunk {
  if (bytesRead < chunk.byteLength) {
    throw new Error(`Of ${chunk.byteLength} bytes of postings ${bytesRead} are there.`);
  }
  const size = chunk.length / 2;
  return { low: chunk.subarray(0, count), numbers: chunk.subarray(size, size + count) };
}
