import { readSync } from 'node:fs';
import { ByteReader, Unreadable } from '../format/byte-reader.ts';
import { maskedCrc32c } from './log-file.ts';
import { unpackSnappy } from './snappy.ts';

/*
 * The blocks of a table file of LevelDB (table-file.ts), read without LevelDB.
 *
 *   block    = rows restarts, packed or not · kind:1 (0 plain, 1 Snappy) · crc:4, over all before
 *   row      = shared unshared size (varints) key's rest, value       `shared` bytes are those of the key before
 */

/** Behind each block: how it is packed, and its checksum. */
export const TRAILER_BYTES = 5;

/** Where a block lies, its trailer aside. */
export interface Handle {
  readonly offset: number;
  readonly size: number;
}

export interface BlockRow {
  /** As it stands there, one byte a character. */
  readonly key: string;
  readonly value: Buffer;
}

export const handleOf = (reader: ByteReader): Handle => ({ offset: reader.varint(), size: reader.varint() });

/** The bytes of a block, unpacked. @param bytes of a file, or of a part of it @throws Unreadable where it cannot be believed */
export function blockIn(bytes: Buffer, handle: Handle): Buffer {
  checkBlock(bytes, handle);
  const end = handle.offset + handle.size;
  const block = bytes.subarray(handle.offset, end);
  return bytes[end] === 1 ? unpackSnappy(block) : block;
}

/** … of an open file. @throws Unreadable; the file system's error */
export function blockOf(file: number, { offset, size }: Handle): Buffer {
  return blockIn(readAt(file, offset, size + TRAILER_BYTES), { offset: 0, size });
}

/** @throws Unreadable where the file ends before; the file system's error */
export function readAt(file: number, offset: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  for (let done = 0; done < size; ) {
    const read = readSync(file, bytes, done, size - done, offset + done);
    if (read === 0) throw new Unreadable(OUTSIDE);
    done += read;
  }
  return bytes;
}

const OUTSIDE = 'a block lies outside of its file';

/** @throws Unreadable */
export function checkBlock(bytes: Buffer, { offset, size }: Handle): void {
  const end = offset + size;
  if (end + TRAILER_BYTES > bytes.length) throw new Unreadable(OUTSIDE);
  if (bytes.readUInt32LE(end + 1) !== maskedCrc32c(bytes, offset, end + 1)) {
    throw new Unreadable('the checksum of a block does not fit');
  }
  if (bytes[end]! > 1) throw new Unreadable('a block is packed in an unknown way');
}

/** @param block unpacked @throws Unreadable */
export function rowsOf(block: Buffer): BlockRow[] {
  if (block.length < 4) throw new Unreadable('a block is too short');
  const end = block.length - 4 * (1 + block.readUInt32LE(block.length - 4));
  if (end < 0) throw new Unreadable('a block has too many restarts');
  const reader = new ByteReader(block, 0, end);
  const rows: BlockRow[] = [];
  let key = '';
  while (!reader.done) {
    const shared = reader.varint();
    const unshared = reader.varint();
    const size = reader.varint();
    if (shared > key.length) throw new Unreadable('a key goes on from one that is shorter');
    key = key.slice(0, shared) + reader.take(unshared).toString('latin1');
    if (key.length < 8) throw new Unreadable('a key has no sequence number');
    rows.push({ key, value: reader.take(size) });
  }
  return rows;
}

/** The value of a row of a block. @param key without what stands behind it @throws Unreadable */
export function valueIn(block: Buffer, key: string): Buffer | undefined {
  return rowsOf(block).find((row) => row.key.length === key.length + 8 && row.key.startsWith(key))?.value;
}
