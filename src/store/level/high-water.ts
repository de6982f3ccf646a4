import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { ShingledError } from '../../errors.ts';

/*
 * How far the index has certainly got: the highest batch known to be on disk, kept outside of LevelDB.
 *
 * A batch is numbered, and numbers are contiguous (keys.ts, table n), so a batch lost in the middle is seen on opening. One
 * lost at the end is not: LevelDB takes a log that breaks off for one that ends. This file says how far it must reach.
 *
 *   slot 0, slot 1:   seq:8 crc:4, big-endian, 512 bytes apart, written in turn so that a torn write spoils one of them
 *
 * It is written after a batch is synced and before the next one is, without anybody waiting for it, and synced once a
 * second: it never claims more than is on disk, so being behind after a power cut is harmless.
 */

const SLOT_BYTES = 512;
const RECORD_BYTES = 12;
const SYNC_EVERY_MS = 1000;

export class HighWater {
  private readonly file: FileHandle;
  private seq: number;
  private written: number;
  private slot = 0;
  private syncedAt = performance.now();
  private writing: Promise<void> | undefined;

  private constructor(file: FileHandle, seq: number) {
    this.file = file;
    this.seq = seq;
    this.written = seq;
  }

  /** Makes a new file that says `seq`, there whole or not at all; the folder is the caller's to sync. */
  static async create(path: string, seq: number): Promise<HighWater> {
    const mark = new HighWater(await open(`${path}.new`, 'w', 0o600), seq);
    await mark.write(seq);
    await mark.write(seq);
    await mark.file.datasync();
    await rename(`${path}.new`, path);
    return mark;
  }

  /** @throws ShingledError `index-damaged` where neither slot can be read */
  static async open(path: string): Promise<HighWater> {
    const seq = await readHighWater(path);
    return new HighWater(await open(path, 'r+'), seq);
  }

  get value(): number {
    return this.seq;
  }

  /** Batch `seq` is on disk. Returns at once; a disk that refuses is the business of the next batch. */
  advance(seq: number): void {
    this.seq = seq;
    this.writing ??= this.catchUp().finally(() => {
      this.writing = undefined;
    });
  }

  async close(): Promise<void> {
    await this.writing;
    await this.catchUp();
    await this.file.datasync().catch(() => undefined);
    await this.file.close();
  }

  private async catchUp(): Promise<void> {
    try {
      while (this.written < this.seq) {
        await this.write(this.seq);
        if (performance.now() - this.syncedAt < SYNC_EVERY_MS) continue;
        await this.file.datasync();
        this.syncedAt = performance.now();
      }
    } catch {
      // a full disk: the mark stays behind, which is allowed
    }
  }

  private async write(seq: number): Promise<void> {
    const record = Buffer.alloc(RECORD_BYTES);
    record.writeBigUInt64BE(BigInt(seq));
    record.writeUInt32BE(crc32(record.subarray(0, 8)), 8);
    await this.file.write(record, 0, RECORD_BYTES, this.slot * SLOT_BYTES);
    this.slot = 1 - this.slot;
    this.written = seq;
  }
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
