import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { refusedBy } from '../durable-files.ts';

const BUFFER_BYTES = 1 << 20;
/** A character of a string takes so many bytes in UTF-8 at the most. */
const CHARACTER_BYTES = 3;
/** Buffers on their way to the disk: whoever brings more waits. */
const UNDER_WAY_MAX = 8;
/** So much is brought to the disk while more comes, so that little is left to wait for at the end. */
const SYNCED_BYTES = 64 * 2 ** 20;

/** A file that is written from its beginning to its end, while the next bytes come. */
export class ByteFile {
  /** Bytes so far. */
  size = 0;
  private readonly path: string;
  private readonly file: FileHandle;
  private readonly hash: Hash | null;
  private readonly spare: Buffer<ArrayBuffer>[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private buffer: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  private filled = 0;
  private failure: unknown;
  private syncAt = SYNCED_BYTES;

  private constructor(path: string, file: FileHandle, hash: Hash | null) {
    this.path = path;
    this.file = file;
    this.hash = hash;
  }

  /** @param path where nothing is @throws ShingledError `storage-full` */
  static async create(path: string, { isHashed }: { readonly isHashed: boolean }): Promise<ByteFile> {
    try {
      return new ByteFile(path, await open(path, 'wx', 0o600), isHashed ? createHash('sha256') : null);
    } catch (cause) {
      throw refusedBy(path, cause);
    }
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BUFFER_BYTES - this.filled);
      this.buffer.set(part, this.filled);
      this.add(part.length);
      at += part.length;
    }
  }

  /** As UTF-8. */
  writeText(text: string): void {
    if (this.filled + CHARACTER_BYTES * text.length >= BUFFER_BYTES) this.write(Buffer.from(text));
    else this.add(this.buffer.write(text, this.filled));
  }

  /** To be awaited every few thousand bytes. @throws ShingledError `storage-full` */
  async room(): Promise<void> {
    while (this.underWay.size > UNDER_WAY_MAX) await Promise.race(this.underWay);
    this.check();
  }

  /**
   * All of it is on the disk then. @returns its SHA-256, hexadecimal, where it is hashed @throws ShingledError `storage-full`
   */
  async end(): Promise<string> {
    this.flush();
    await Promise.all(this.underWay);
    this.check();
    try {
      await this.file.sync();
    } catch (cause) {
      throw refusedBy(this.path, cause);
    }
    await this.close();
    return this.hash?.digest('hex') ?? '';
  }

  /** Where it was not ended, what was written is not whole. */
  async close(): Promise<void> {
    await Promise.allSettled(this.underWay);
    await this.file.close();
  }

  private add(count: number): void {
    this.size += count;
    this.filled += count;
    if (this.filled === BUFFER_BYTES) this.flush();
  }

  private flush(): void {
    const { buffer } = this;
    const bytes = buffer.subarray(0, this.filled);
    this.hash?.update(bytes);
    this.follow(this.writeAll(bytes, this.size - bytes.length).then(() => void this.spare.push(buffer)));
    if (this.size >= this.syncAt) {
      this.syncAt = this.size + SYNCED_BYTES;
      this.follow(this.file.datasync());
    }
    this.buffer = this.spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.filled = 0;
  }

  private follow(work: Promise<void>): void {
    const done: Promise<void> = work.catch((error: unknown) => {
      this.failure ??= error;
    });
    this.underWay.add(done);
    void done.then(() => this.underWay.delete(done));
  }

  private async writeAll(bytes: Buffer, from: number): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, at, bytes.length - at, from + at);
      at += bytesWritten;
    }
  }

  private check(): void {
    if (this.failure !== undefined) throw refusedBy(this.path, this.failure);
  }
}
