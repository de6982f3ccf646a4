import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { ShingledError } from '../../errors.ts';
import type { FileSeal } from './columns-file.ts';
import type { NarrowColumn } from './held-columns.ts';

const CHUNK_BYTES = 1 << 20;
/** So much is held in memory; of a larger file each URL is read when it is asked for, some microseconds each. */
export const HELD_BYTES_MAX = 512 * 2 ** 20;

/** The URLs of documents, one behind the other in a file. */
export class UrlFile {
  private readonly file: number;
  private readonly starts: NarrowColumn;
  private readonly held: Buffer | null;
  private buffer = Buffer.allocUnsafe(4096);

  /**
   * @param starts where each begins, and the last one ends
   * @param heldBytesMax {@link HELD_BYTES_MAX} but in tests
   * @throws ShingledError `result-damaged` where the file is not what was written
   */
  constructor(path: string, starts: NarrowColumn, seal: FileSeal, heldBytesMax = HELD_BYTES_MAX) {
    this.starts = starts;
    try {
      this.file = openSync(path, 'r');
    } catch (cause) {
      throw new ShingledError('result-damaged', `${path} cannot be read.`, { cause });
    }
    this.held = seal.bytes <= heldBytesMax ? Buffer.allocUnsafeSlow(seal.bytes) : null;
    if (this.isSound(seal)) return;
    closeSync(this.file);
    throw new ShingledError('result-damaged', `${path} is not what was written.`);
  }

  /** @throws ShingledError `result-damaged` */
  of(document: number): string {
    const [from, to] = [this.starts[document]!, this.starts[document + 1]!];
    if (this.held !== null) return this.held.toString('utf8', from, to);
    if (to - from > this.buffer.length) this.buffer = Buffer.allocUnsafe(2 * (to - from));
    if (readSync(this.file, this.buffer, 0, to - from, from) < to - from) {
      throw new ShingledError('result-damaged', 'The file of URLs is shorter than it was.');
    }
    return this.buffer.toString('utf8', 0, to - from);
  }

  close(): void {
    closeSync(this.file);
  }

  /** Reads all of it, and holds it where it may. */
  private isSound({ bytes, sha256 }: FileSeal): boolean {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let size = 0;
    for (let read = readSync(this.file, chunk); read > 0; read = readSync(this.file, chunk)) {
      hash.update(chunk.subarray(0, read));
      if (this.held !== null) chunk.copy(this.held, size, 0, read);
      size += read;
    }
    return size === bytes && hash.digest('hex') === sha256;
  }
}
