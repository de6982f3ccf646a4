import { ByteReader, Unreadable } from '../format/byte-reader.ts';

/*
 * The form that LevelDB's logs and its MANIFEST share: blocks of 32 KB, in them records or pieces of records.
 *
 *   piece   = crc:4 length:2 kind:1 bytes        little-endian; the CRC over kind and bytes
 *   kind    = 1 whole, 2 first, 3 middle, 4 last piece of a record; zeros fill a block that has no room for another
 *
 * A log that breaks off ends there. After damage reading goes on with the next block, as LevelDB does.
 */

const BLOCK_BYTES = 32 * 1024;
const HEAD_BYTES = 7;
const [WHOLE, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * @returns the records and where each ends. `sound`: how many come before the first part that could not be read.
 *   `damaged`: how many parts could not be read; a record that breaks off at the end, as a kill leaves it, is none.
 */
export function readLog(bytes: Buffer) {
  const records: Buffer[] = [];
  const ends: number[] = [];
  let damaged = 0;
  let sound: number | undefined;
  let pieces: Buffer[] | undefined;
  let at = 0;
  const noteDamage = () => {
    damaged++;
    sound ??= records.length;
  };
  const take = (record: Buffer) => {
    records.push(record);
    ends.push(at);
  };
  const read = (isCut: boolean) => ({ records, ends, sound: sound ?? records.length, damaged, isCut });
  while (at + HEAD_BYTES <= bytes.length) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (left < HEAD_BYTES) {
      at += left;
      continue;
    }
    const length = bytes.readUInt16LE(at + 4);
    const kind = bytes[at + 6]!;
    const end = at + HEAD_BYTES + length;
    const isFiller = kind === 0 && length === 0;
    if (end > bytes.length && HEAD_BYTES + length <= left) return read(true);
    if (isFiller || HEAD_BYTES + length > left || bytes.readUInt32LE(at) !== maskedCrc32c(bytes, at + 6, end)) {
      if (!isFiller || !isZero(bytes, at)) noteDamage();
      pieces = undefined;
      at += left;
      continue;
    }
    const piece = bytes.subarray(at + HEAD_BYTES, end);
    at = end;
    if (kind === WHOLE) take(piece);
    else if (kind === FIRST) pieces = [piece];
    else if (pieces === undefined) noteDamage();
    else {
      pieces.push(piece);
      if (kind !== MIDDLE && kind !== LAST) noteDamage();
      if (kind === LAST) take(Buffer.concat(pieces));
    }
    if (kind !== FIRST && kind !== MIDDLE) pieces = undefined;
  }
  return read(pieces !== undefined || at < bytes.length);
}

const isZero = (bytes: Buffer, at: number) => bytes.readUInt32LE(at) === 0;

/** A log of one record. */
export function logRecord(record: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from === 0 || from < record.length; from += BLOCK_BYTES - HEAD_BYTES) {
    const bytes = record.subarray(from, from + BLOCK_BYTES - HEAD_BYTES);
    const isLast = from + bytes.length === record.length;
    const piece = Buffer.concat([Buffer.alloc(HEAD_BYTES), bytes]);
    if (from === 0) piece[6] = isLast ? WHOLE : FIRST;
    else piece[6] = isLast ? LAST : MIDDLE;
    piece.writeUInt16LE(bytes.length, 4);
    piece.writeUInt32LE(maskedCrc32c(piece, 6, piece.length), 0);
    parts.push(piece);
  }
  return Buffer.concat(parts);
}

/** A row as some write left it; null = deleted. */
export interface Entry {
  /** The bytes of the key, one a character. */
  readonly key: string;
  /** Counts all changes of a database: of one key the highest holds. */
  readonly sequence: number;
  readonly value: Buffer | null;
}

/** What a batch in a log changes: sequence:8 count:4 (kind:1 key [value])*. @throws Unreadable */
export function readBatch(record: Buffer): Entry[] {
  if (record.length < 12) throw new Unreadable('a batch is too short');
  const first = record.readUIntLE(0, 6) + record.readUInt16LE(6) * 2 ** 48;
  const count = record.readUInt32LE(8);
  const reader = new ByteReader(record, 12);
  const entries: Entry[] = [];
  for (let sequence = first; !reader.done; sequence++) {
    const kind = reader.byte();
    if (kind > 1) throw new Unreadable('a batch has a change of an unknown kind');
    const key = reader.sized().toString('latin1');
    entries.push({ key, sequence, value: kind === 1 ? reader.sized() : null });
  }
  if (entries.length !== count) throw new Unreadable('a batch has another number of changes than it says');
  return entries;
}

const POLYNOMIAL = 0x82f6_3b78;
const MASK_DELTA = 0xa282_ead8;

const CRC_TABLE = crcTables();

/** Eight tables of 256: what a byte comes to with 0 to 7 bytes of 0 behind it. */
function crcTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    tables[byte] = crc;
  }
  for (let at = 256; at < tables.length; at++) {
    const before = tables[at - 256]!;
    tables[at] = (before >>> 8) ^ tables[before & 255]!;
  }
  return tables;
}

/**
 * CRC-32C (Castagnoli), with which LevelDB guards its log records and its blocks, over bytes from..to. As it stands in its
 * files: rotated and shifted, so that a CRC of a CRC is not one. Eight bytes at a time, which takes a third of the time.
 */
export function maskedCrc32c(bytes: Uint8Array, from: number, to: number): number {
  const table = CRC_TABLE;
  let crc = -1;
  let at = from;
  for (; at + 8 <= to; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      table[0x700 | (low & 255)]! ^
      table[0x600 | ((low >>> 8) & 255)]! ^
      table[0x500 | ((low >>> 16) & 255)]! ^
      table[0x400 | (low >>> 24)]! ^
      table[0x300 | bytes[at + 4]!]! ^
      table[0x200 | bytes[at + 5]!]! ^
      table[0x100 | bytes[at + 6]!]! ^
      table[bytes[at + 7]!]!;
  }
  for (; at < to; at++) crc = table[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  crc = ~crc;
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
