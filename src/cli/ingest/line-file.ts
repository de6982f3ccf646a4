import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { ShingledError } from '../../errors.ts';
import { unwritableText } from '../../plain-words/system-faults.ts';

/** As much is gathered before it is written. */
const BUFFER_CHARACTERS = 2 ** 16;

/** How long a file may become. */
export interface LineBound {
  readonly bytesMax: number;
  /** Lines that an earlier run has left out. */
  readonly leftOut: number;
}

/** A file of lines of JSON that grows with a load. If it is bounded, its last line counts those that were left out. */
export class LineFile {
  readonly #option: string;
  readonly #path: string;
  readonly #file: number;
  /** A pipe or a device has no places to write to, and nothing to be brought to a disk. */
  readonly #isOnDisk: boolean;
  #length: number;
  #text = '';
  /** Of a pipe or a device, none: it does not fill a disk. */
  readonly #bytesMax: number;
  /** Lines that were left out, in this run and before it. */
  leftOut: number;

  /**
   * @param keptBytes what an earlier run is sure of; the rest is written again
   * @param bound null: it may have any number of lines
   * @throws ShingledError `invalid-config` where it cannot be written
   */
  constructor(path: string, option: string, keptBytes: number, bound: LineBound | null = null) {
    this.#option = option;
    this.#path = path;
    try {
      this.#file = openSync(path, keptBytes === 0 ? 'w' : 'r+');
      const stats = fstatSync(this.#file);
      this.#isOnDisk = stats.isFile();
      if (this.#isOnDisk && stats.size < keptBytes) {
        throw new Error(`it has lost some of the ${keptBytes} bytes that an earlier run wrote`);
      }
      if (this.#isOnDisk && keptBytes > 0) ftruncateSync(this.#file, keptBytes);
    } catch (cause) {
      throw this.#unwritable('invalid-config', cause);
    }
    this.#length = keptBytes;
    this.#bytesMax = this.#isOnDisk && bound !== null ? bound.bytesMax : Number.POSITIVE_INFINITY;
    this.leftOut = bound?.leftOut ?? 0;
  }

  /** @throws ShingledError `output-unwritable` */
  add(line: object): void {
    const text = this.leftOut > 0 ? '' : `${JSON.stringify(line)}\n`;
    if (text === '' || this.#length + this.#text.length + text.length > this.#bytesMax) {
      this.leftOut++;
      return;
    }
    this.#text += text;
    if (this.#text.length >= BUFFER_CHARACTERS) this.#write();
  }

  /** Brings all lines so far to the disk. @returns bytes of the file. @throws ShingledError `output-unwritable` */
  sync(): number {
    this.#write();
    try {
      if (this.#isOnDisk) fdatasyncSync(this.#file);
    } catch (cause) {
      throw this.#unwritable('output-unwritable', cause);
    }
    return this.#length;
  }

  /** @throws ShingledError `output-unwritable`; it is closed then, too */
  close(): void {
    try {
      if (this.leftOut > 0) this.#text += `${JSON.stringify({ leftOut: this.leftOut })}\n`;
      this.#write();
    } finally {
      closeSync(this.#file);
    }
  }

  #write(): void {
    if (this.#text === '') return;
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    try {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#file, bytes, at, bytes.length - at, this.#isOnDisk ? this.#length + at : null);
      }
    } catch (cause) {
      throw this.#unwritable('output-unwritable', cause);
    }
    this.#length += bytes.length;
  }

  #unwritable(code: 'invalid-config' | 'output-unwritable', cause: unknown): ShingledError {
    return new ShingledError(code, `${this.#option}: ${unwritableText(this.#path, cause)}`, { cause });
  }
}
