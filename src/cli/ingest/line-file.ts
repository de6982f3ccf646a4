import { closeSync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { ShingledError } from '../../errors.ts';

/** So much is gathered before it is written. */
const BUFFER_CHARACTERS = 2 ** 16;

/** A file of lines of JSON that grows with a load. */
export class LineFile {
  readonly #file: number;
  #length: number;
  #text = '';

  /**
   * @param keptBytes what an earlier run is sure of; the rest is written again
   * @throws ShingledError `invalid-config` where it cannot be written
   */
  constructor(path: string, option: string, keptBytes: number) {
    try {
      this.#file = openSync(path, keptBytes === 0 ? 'w' : 'r+');
      if (keptBytes > 0) ftruncateSync(this.#file, keptBytes);
    } catch (cause) {
      const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
      throw new ShingledError('invalid-config', `${option}: ${path} cannot be written: ${why}.`, { cause });
    }
    this.#length = keptBytes;
  }

  add(line: object): void {
    this.#text += `${JSON.stringify(line)}\n`;
    if (this.#text.length >= BUFFER_CHARACTERS) this.#write();
  }

  /** Brings all lines so far to the disk. @returns bytes of the file */
  sync(): number {
    this.#write();
    fdatasyncSync(this.#file);
    return this.#length;
  }

  close(): void {
    this.#write();
    closeSync(this.#file);
  }

  #write(): void {
    if (this.#text === '') return;
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, this.#length + at);
    this.#length += bytes.length;
  }
}
