import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from '../outputs/partial.ts';

/** A file without a name, in which bytes wait. It is made when some do, and gone with the process. */
export class Spill {
  readonly #folder: string;
  #file: FileHandle | null = null;
  bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws ShingledError `output-unwritable` */
  async add(bytes: Uint8Array): Promise<void> {
    try {
      this.#file ??= await nameless(this.#folder);
      await this.#file.writev([bytes], this.bytes);
      this.bytes += bytes.length;
    } catch (error) {
      throw unwritable(this.#folder, error);
    }
  }

  /** Fills `into` from a place on. */
  async read(into: Uint8Array, from: number): Promise<void> {
    for (let at = 0; at < into.length; ) {
      const { bytesRead } = await this.#file!.read(into, at, into.length - at, from + at);
      if (bytesRead === 0) throw new Error('what waits on the disk has become shorter');
      at += bytesRead;
    }
  }

  /** Forgets all. */
  async clear(): Promise<void> {
    this.bytes = 0;
    await this.#file?.truncate(0);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }
}

async function nameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `.shingled-${randomUUID()}.held`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
