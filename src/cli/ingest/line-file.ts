import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { ShingledError } from '../../errors.ts';
import { unwritableText } from '../../plain-words/system-faults.ts';

/** As much is gathered before it is written. */
const BUFFER_CHARACTERS = 2 ** 16;

/** A file of lines of JSON that grows with a load. */
export class LineFile {
  readonly #option: string;
  readonly #path: string;
  readonly #file: number;
  /** A pipe or a device has no places to write to, and nothing to be brought to a disk. */
  readonly #isOnDisk: boolean;
  #length: number;
  #text = '';

  /**
   * @param keptBytes what an earlier run is sure of; the rest is written again
   * @throws ShingledError `invalid-config` where it cannot be written
   */
  constructor(path: string, option: string, keptBytes: number) {
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
  }

  /** @throws ShingledError `output-unwritable` */
  add(line: object): void {
    this.#text += `${JSON.stringify(line)}\n`;
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
