import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { syncFile } from '../../files/file-system.ts';
import { Unreadable } from '../../format/byte-reader.ts';
import type { RowChange } from '../../format/rows.ts';

/*
 * A file that only grows, of changes of rows. A mark says how long it is and the checksum of all of it; once it is synced, a
 * later process goes on from there.
 *
 *   file      change*
 *   change    key bytes:4 | value bytes:4, or 2^32 - 1: the row is deleted | key | value       little-endian
 *
 * Cost: some .1 µs a change, which goes to the file with many others.
 */

/** How far a file had come. Plain data. */
export interface GrownMark {
  readonly bytes: number;
  readonly crc: number;
}

const HEAD_BYTES = 8;
const DELETED = 0xffff_ffff;
const WAITING_BYTES = 256 * 1024;
const READ_BYTES = 1024 * 1024;

export class GrownFile {
  readonly path: string;
  private readonly file: number;
  private readonly waiting = Buffer.allocUnsafeSlow(WAITING_BYTES);
  private waitingBytes = 0;
  private writtenBytes = 0;
  private crc = 0;

  private constructor(path: string, file: number) {
    this.path = path;
    this.file = file;
  }

  /** @param path of a file that is made, or emptied @throws the file system's error, as all methods do */
  static create(path: string): GrownFile {
    return new GrownFile(path, openSync(path, 'w+', 0o600));
  }

  /** Goes on from a mark, and cuts off what came behind it. @throws Unreadable where it is not what it was */
  static reopen(path: string, mark: GrownMark): GrownFile {
    const grown = new GrownFile(path, openSync(path, 'r+'));
    try {
      for (const part of grown.parts(mark.bytes)) grown.crc = crc32(part, grown.crc);
      if (grown.crc !== mark.crc) throw new Unreadable('the checksum of a file of changes does not fit');
      grown.writtenBytes = mark.bytes;
      ftruncateSync(grown.file, mark.bytes);
      return grown;
    } catch (error) {
      grown.close();
      throw error;
    }
  }

  add([key, value]: RowChange): void {
    const size = HEAD_BYTES + key.length + (value?.length ?? 0);
    if (this.waitingBytes + size > WAITING_BYTES) this.write();
    const isLarge = size > WAITING_BYTES;
    const bytes = isLarge ? Buffer.allocUnsafe(size) : this.waiting;
    const at = isLarge ? 0 : this.waitingBytes;
    bytes.writeUInt32LE(key.length, at);
    bytes.writeUInt32LE(value?.length ?? DELETED, at + 4);
    bytes.write(key, at + HEAD_BYTES, 'latin1');
    if (value !== null) bytes.set(value, at + HEAD_BYTES + key.length);
    if (isLarge) this.append(bytes);
    else this.waitingBytes += size;
  }

  /** @param bytes of whole changes, which are written at once */
  append(bytes: Uint8Array): void {
    this.write();
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.file, bytes, done, bytes.length - done, this.writtenBytes + done);
    }
    this.writtenBytes += bytes.length;
    this.crc = crc32(bytes, this.crc);
  }

  /** Writes what waits. */
  mark(): GrownMark {
    this.write();
    return { bytes: this.writtenBytes, crc: this.crc };
  }

  /** Brings all that was written to the disk. */
  sync(): Promise<void> {
    return syncFile(this.path);
  }

  /** All changes that were written, in their order; values are their taker's. */
  *changes(): Generator<RowChange, void, undefined> {
    let rest = Buffer.alloc(0);
    for (const part of this.parts(this.writtenBytes)) {
      const bytes = rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part]);
      let at = 0;
      for (let end = endOf(bytes, at); end <= bytes.length; end = endOf(bytes, at)) {
        const valueAt = at + HEAD_BYTES + bytes.readUInt32LE(at);
        const key = bytes.toString('latin1', at + HEAD_BYTES, valueAt);
        yield [key, bytes.readUInt32LE(at + 4) === DELETED ? null : bytes.subarray(valueAt, end)];
        at = end;
      }
      rest = bytes.subarray(at);
    }
  }

  /** All that was written, at once. */
  bytes(): Buffer {
    return Buffer.concat(Array.from(this.parts(this.writtenBytes), (part) => Buffer.from(part)));
  }

  close(): void {
    closeSync(this.file);
  }

  private write(): void {
    if (this.waitingBytes === 0) return;
    const bytes = this.waiting.subarray(0, this.waitingBytes);
    this.waitingBytes = 0;
    this.append(bytes);
  }

  /** Each is good until the next. */
  private *parts(end: number): Generator<Buffer, void, undefined> {
    const room = Buffer.allocUnsafe(Math.min(READ_BYTES, end));
    for (let at = 0; at < end; ) {
      const read = readSync(this.file, room, 0, Math.min(room.length, end - at), at);
      if (read === 0) throw new Unreadable('a file of changes is shorter than it was');
      yield room.subarray(0, read);
      at += read;
    }
  }
}

/** Where the change ends that begins there; infinity where its head is not there as a whole. */
function endOf(bytes: Buffer, at: number): number {
  if (at + HEAD_BYTES > bytes.length) return Number.POSITIVE_INFINITY;
  const value = bytes.readUInt32LE(at + 4);
  return at + HEAD_BYTES + bytes.readUInt32LE(at) + (value === DELETED ? 0 : value);
}
