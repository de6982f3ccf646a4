import { maskedCrc32c } from './log-file.ts';
import { TRAILER_BYTES } from './table-blocks.ts';

/*
 * One block of a table file (table-blocks.ts): rows in the order of their keys. What a key shares with the one before is left
 * out, but for every so many rows: a search begins at these.
 *
 *   block    = row* restart:4* restarts:4        where the rows lie that say their whole key
 *   row      = shared unshared size (varints) key's rest, value
 *   key      = the row's key · kind:1 sequence:7
 *
 * Cost: .2 to .4 µs a row of 60 bytes, with its checksum.
 */

/** Behind the key of a row: a put (1), and the first change of a database. All rows of one that is made whole have it. */
export const MARK = [1, 1, 0, 0, 0, 0, 0, 0] as const;
const VARINT_BYTES_MAX = 5;
const ROOM_BYTES = 8 * 1024;

export class BlockBuilder {
  /** Of all rows. */
  rows = 0;
  private readonly interval: number;
  private readonly mark: readonly number[];
  private bytes = Buffer.allocUnsafe(ROOM_BYTES);
  private size = 0;
  private lastKey = '';
  private readonly restarts: number[] = [];

  /** @param interval so many rows from one whole key to the next @param mark bytes behind each key */
  constructor(interval: number, mark: readonly number[]) {
    this.interval = interval;
    this.mark = mark;
  }

  /** What the block takes with the rows that it has. */
  get length(): number {
    return this.size + 4 * (this.restarts.length + 1);
  }

  /** @param key above all before, one byte a character */
  add(key: string, value: Uint8Array): void {
    const { mark, lastKey } = this;
    const most = key.length + mark.length + value.length + 3 * VARINT_BYTES_MAX;
    if (this.size + most > this.bytes.length) this.grow(most);
    const { bytes } = this;
    let shared = 0;
    if (this.rows++ % this.interval === 0) this.restarts.push(this.size);
    else {
      const least = Math.min(key.length, lastKey.length);
      while (shared < least && key.charCodeAt(shared) === lastKey.charCodeAt(shared)) shared++;
    }
    this.lastKey = key;
    let at = varintAt(bytes, this.size, shared);
    at = varintAt(bytes, at, key.length - shared + mark.length);
    at = varintAt(bytes, at, value.length);
    for (let i = shared; i < key.length; i++) bytes[at++] = key.charCodeAt(i);
    for (let i = 0; i < mark.length; i++) bytes[at++] = mark[i]!;
    bytes.set(value, at);
    this.size = at + value.length;
  }

  /** @returns the block and its trailer, until the next row; with it the builder is empty again */
  take(): Buffer {
    const { restarts } = this;
    const room = 4 * (restarts.length + 1) + TRAILER_BYTES;
    if (this.size + room > this.bytes.length) this.grow(room);
    const { bytes } = this;
    let at = this.size;
    for (const restart of restarts) at = bytes.writeUInt32LE(restart, at);
    at = bytes.writeUInt32LE(restarts.length, at);
    this.rows = 0;
    this.size = 0;
    restarts.length = 0;
    return closed(bytes, at);
  }

  private grow(more: number): void {
    const larger = Buffer.allocUnsafe(2 * (this.size + more));
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }
}

/** @param value below 2^31 @returns where it ends */
export function varintAt(bytes: Uint8Array, at: number, value: number): number {
  let end = at;
  let rest = value;
  while (rest >= 128) {
    bytes[end++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[end++] = rest;
  return end;
}

/** Writes the trailer of a plain block behind it. @param bytes with room for it @returns both */
export function closed(bytes: Buffer, length: number): Buffer {
  bytes[length] = 0;
  bytes.writeUInt32LE(maskedCrc32c(bytes, 0, length + 1), length + 1);
  return bytes.subarray(0, length + TRAILER_BYTES);
}
