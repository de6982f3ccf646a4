import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { ShingledError } from '../../errors.ts';

const BUFFER_BYTES = 1 << 20;

/** A file that is written from its beginning to its end. */
export class ByteFile {
  /** Bytes so far. */
  size = 0;
  private readonly path: string;
  private readonly file: number;
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  private filled = 0;
  private readonly hash = createHash('sha256');

  /** @param path where nothing is */
  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'wx', 0o600);
  }

  /** @throws ShingledError `storage-full` */
  write(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.filled + bytes.length > BUFFER_BYTES) this.flush();
    if (bytes.length > BUFFER_BYTES) {
      this.writeAll(bytes);
      return;
    }
    this.buffer.set(bytes, this.filled);
    this.filled += bytes.length;
  }

  /** @returns the SHA-256 of all of it, hexadecimal @throws ShingledError `storage-full` */
  end(): string {
    this.flush();
    closeSync(this.file);
    return this.hash.digest('hex');
  }

  private flush(): void {
    this.writeAll(this.buffer.subarray(0, this.filled));
    this.filled = 0;
  }

  private writeAll(bytes: Uint8Array): void {
    this.hash.update(bytes);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at);
    } catch (cause) {
      throw new ShingledError('storage-full', `The disk refused ${this.path}.`, { cause });
    }
  }
}
