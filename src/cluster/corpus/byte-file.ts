import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { refusedBy, writeAll } from '../durable-files.ts';

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

  /** @param path where nothing is @throws ShingledError `storage-full` */
  constructor(path: string) {
    this.path = path;
    try {
      this.file = openSync(path, 'wx', 0o600);
    } catch (cause) {
      throw refusedBy(path, cause);
    }
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

  /** All of it is on the disk then. @returns its SHA-256, hexadecimal @throws ShingledError `storage-full` */
  end(): string {
    this.flush();
    try {
      fsyncSync(this.file);
      closeSync(this.file);
    } catch (cause) {
      throw refusedBy(this.path, cause);
    }
    return this.hash.digest('hex');
  }

  private flush(): void {
    this.writeAll(this.buffer.subarray(0, this.filled));
    this.filled = 0;
  }

  private writeAll(bytes: Uint8Array): void {
    this.hash.update(bytes);
    try {
      writeAll(this.file, bytes);
    } catch (cause) {
      throw refusedBy(this.path, cause);
    }
  }
}
