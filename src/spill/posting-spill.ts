import { writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ShingledError } from '../errors.ts';
import { type Chunk, NUMBER, newChunk, type SpillLayout } from './spilled-chunks.ts';

/*
 * Postings on their way to be sorted: told apart by the top 8 bits of their fingerprints, in one file of temporary use.
 *
 *   staged   top 0  low … | gap …          a few entries of each of 256, so that all of them are in the cache
 *   memory   top 0  [ low … | gap … ]      a chunk for each, filled side by side
 *            top 1  [ low … | gap … ]
 *   file     | chunk of top 7 | chunk of top 200 | …      as they became full; where those of each lie is known in memory
 *
 * So each 256th can be read by itself, be sorted in memory, and be written behind the one before.
 * Cost: 5 bytes of the file a posting where numbers mostly rise, written once and read once; 10 MB of memory for the chunks.
 */

export const TOPS = 256;
export const TOP_BITS = 8;
/** Entries of a chunk: 40 KB, as much as is written and read at once without a seek being felt. */
export const CHUNK_ENTRIES = 8192;
/** Entries of a top that go to its chunk at a time: 40 KB of all tops. */
const STAGED = 32;
/** So much of a spill that will be sealed is brought to the disk while more comes: little is left to wait for then. */
const SYNCED_BYTES = 64 * 2 ** 20;

export class PostingSpill {
  private readonly path: string;
  private readonly file: FileHandle;
  private readonly size: number;
  private readonly filling: Chunk[];
  private readonly fill = new Uint32Array(TOPS);
  private readonly stagedLow = new Uint32Array(STAGED * TOPS);
  private readonly stagedGaps = new Uint8Array(STAGED * TOPS);
  private readonly staged = new Uint32Array(TOPS);
  /** By top: the last number, and entries that are numbers. */
  private readonly last = new Uint32Array(TOPS);
  private readonly numbers = new Uint32Array(TOPS);
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
    this.filling = Array.from({ length: TOPS }, () => newChunk(size));
  }

  /**
   * @param path where nothing is
   * @param chunkEntries {@link CHUNK_ENTRIES} but in tests
   * @param isSealed it will be {@link seal}ed
   * @throws ShingledError `storage-full`
   */
  static async create(path: string, chunkEntries: number, isSealed = false): Promise<PostingSpill> {
    try {
      return new PostingSpill(path, await open(path, 'wx+', 0o600), chunkEntries, isSealed);
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
    return this.entriesOf(top) - this.numbers[top]!;
  }

  /** @param fingerprints below 2^40 */
  add(number: number, fingerprints: Float64Array): void {
    for (let i = 0; i < fingerprints.length; i++) this.addOne(number, fingerprints[i]!);
  }

  /** @param fingerprint below 2^40 */
  addOne(number: number, fingerprint: number): void {
    const top = (fingerprint / 0x1_0000_0000) | 0;
    let gap = number - this.last[top]!;
    this.last[top] = number;
    if (gap < 0 || gap >= NUMBER) {
      this.enter(top, number, NUMBER);
      this.numbers[top]!++;
      gap = 0;
    }
    this.enter(top, fingerprint, gap);
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
    const entries = Array.from({ length: TOPS }, (_, top) => this.entriesOf(top));
    for (let top = 0; top < TOPS; top++) {
      this.unstage(top);
      if (this.fill[top]! > 0) this.spill(top);
    }
    await this.syncing;
    this.check();
    try {
      await this.file.sync();
    } catch (cause) {
      throw refused(this.path, cause);
    }
    return { path: this.path, chunkEntries: this.size, places: this.places, entries, counts };
  }

  async close(): Promise<void> {
    await this.syncing;
    await this.file.close();
  }

  private entriesOf(top: number): number {
    return this.places[top]!.length * this.size + this.fill[top]! + this.staged[top]!;
  }

  private enter(top: number, low: number, gap: number): void {
    const staged = this.staged[top]!;
    const at = STAGED * top + staged;
    this.stagedLow[at] = low;
    this.stagedGaps[at] = gap;
    this.staged[top] = staged + 1;
    if (staged + 1 === STAGED) this.unstage(top);
  }

  /** What is staged to its chunk, and to the next one where that is full. */
  private unstage(top: number): void {
    const { stagedLow, stagedGaps, size } = this;
    const { low, gaps } = this.filling[top]!;
    let at = this.fill[top]!;
    for (let from = STAGED * top, end = from + this.staged[top]!; from < end; from++) {
      low[at] = stagedLow[from]!;
      gaps[at++] = stagedGaps[from]!;
      if (at < size) continue;
      this.spill(top);
      at = 0;
    }
    this.fill[top] = at;
    this.staged[top] = 0;
  }

  /** At once: to hand it over to another thread takes longer than the system takes to copy it. */
  private spill(top: number): void {
    const { bytes } = this.filling[top]!;
    const place = this.end;
    this.end += bytes.length;
    this.places[top]!.push(place);
    this.fill[top] = 0;
    try {
      const bytesWritten = writeSync(this.file.fd, bytes, 0, bytes.length, place);
      if (bytesWritten < bytes.length) throw new Error(`The disk took ${bytesWritten} bytes of ${bytes.length}.`);
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
}

function refused(path: string, cause: unknown): ShingledError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new ShingledError('storage-full', `The disk refused postings at ${path}: ${code ?? message}`, { cause });
}
