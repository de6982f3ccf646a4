import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { ShingledError } from '../../../errors.ts';

/*
 * How far the index has certainly got: the highest batch known to be on disk, kept outside of LevelDB.
 *
 * A batch is numbered, and numbers are contiguous (keys.ts, table n), so a batch lost in the middle is seen on opening. One
 * lost at the end is not: LevelDB takes a log that breaks off for one that ends. This file says how far it must reach.
 *
 *   slot 0, slot 1:   seq:8 crc:4, big-endian, 512 bytes apart, written alternately so that a torn write spoils one of them
 *
 * It is written after a batch is synced and before the next one is, without anybody waiting for it, and synced once a
 * second. So it never claims more than is on disk, and being behind after a power cut is harmless. A disk that refuses
 * it is told of at once, as of every write.
 */

const SLOT_BYTES = 512;
const RECORD_BYTES = 12;
const SYNC_EVERY_MS = 1000;

export class HighWater {
  private readonly path: string;
  private file: FileHandle;
  private seq: number;
  private written: number;
  private slot = 0;
  private syncedAt = performance.now();
  private writing: Promise<void> | undefined;
  private readonly onRefused: (cause: unknown) => void;

  private constructor(path: string, file: FileHandle, seq: number, onRefused: (cause: unknown) => void) {
    this.path = path;
    this.file = file;
    this.seq = seq;
    this.written = seq;
    this.onRefused = onRefused;
  }

  /**
   * @param onRefused is told of each write that the disk refuses
   * @throws ShingledError `index-damaged` where neither slot can be read
   */
  static async open(path: string, onRefused: (cause: unknown) => void = () => undefined): Promise<HighWater> {
    const seq = await readHighWater(path);
    return new HighWater(path, await open(path, 'r+'), seq, onRefused);
  }

  get value(): number {
    return this.seq;
  }

  /** Batch `seq` is on disk. Returns at once. */
  advance(seq: number): void {
    this.seq = seq;
    this.writing ??= this.catchUp()
      .catch((cause: unknown) => this.onRefused(cause))
      .finally(() => {
        this.writing = undefined;
      });
  }

  /** Goes on in a new file: nobody knows what a write that was refused has left in the old one. */
  async renew(): Promise<void> {
    await this.writing;
    const { seq } = this;
    const file = await newFile(this.path, seq);
    await this.file.close().catch(() => undefined);
    this.file = file;
    this.written = seq;
    this.slot = 0;
  }

  /** What cannot be written any more stays behind, which is allowed. */
  async close(): Promise<void> {
    await this.writing;
    await this.catchUp().catch(() => undefined);
    await this.file.datasync().catch(() => undefined);
    await this.file.close();
  }

  private async catchUp(): Promise<void> {
    while (this.written < this.seq) {
      const { seq } = this;
      await writeSlot(this.file, this.slot, seq);
      this.slot = 1 - this.slot;
      this.written = seq;
      if (performance.now() - this.syncedAt < SYNC_EVERY_MS) continue;
      await this.file.datasync();
      this.syncedAt = performance.now();
    }
  }
}

/** Makes a new file that says `seq`, there whole or not at all; the folder is the caller's to sync. */
export async function createHighWater(path: string, seq: number): Promise<void> {
  await (await newFile(path, seq)).close();
}

async function newFile(path: string, seq: number): Promise<FileHandle> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    for (const slot of [0, 1]) await writeSlot(file, slot, seq);
    await file.datasync();
    await rename(`${path}.new`, path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function writeSlot(file: FileHandle, slot: number, seq: number): Promise<void> {
  const record = Buffer.alloc(RECORD_BYTES);
  record.writeBigUInt64BE(BigInt(seq));
  record.writeUInt32BE(crc32(record.subarray(0, 8)), 8);
  const { bytesWritten } = await file.write(record, 0, RECORD_BYTES, slot * SLOT_BYTES);
  if (bytesWritten < RECORD_BYTES) throw new Error(`The disk took ${bytesWritten} of ${RECORD_BYTES} bytes.`);
}

/** What the file says: the larger of its readable slots. @throws ShingledError `index-damaged` where there is none */
export async function readHighWater(path: string): Promise<number> {
  const bytes = await readFile(path);
  const seqs = [0, SLOT_BYTES].flatMap((at) => {
    const record = bytes.subarray(at, at + RECORD_BYTES);
    const isWhole = record.length === RECORD_BYTES && crc32(record.subarray(0, 8)) === record.readUInt32BE(8);
    return isWhole ? [Number(record.readBigUInt64BE())] : [];
  });
  if (seqs.length === 0) throw new ShingledError('index-damaged', `The high-water mark ${path} cannot be read.`);
  return Math.max(...seqs);
}
