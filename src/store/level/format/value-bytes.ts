import { crc32 } from 'node:zlib';
import { ShingledError } from '../../../errors.ts';
import { ByteReader } from './byte-reader.ts';

/*
 * Values as bytes.
 *
 *   value   = field* crc:4        CRC-32 (IEEE, big-endian) over the fields and the key: classic-level checks none itself,
 *                                 and with the key in it a value found under another key is not believed either
 *   varint  = seven bits a byte, least significant first, the top bit on all but the last; up to 2^53 - 1
 *   text    = varint (0 = null, else 1 + bytes) UTF-8
 *   time    = varint (0 = as another time of the value, else 1 + ms since 1970)
 *   digest  = 16 bytes
 */

const CRC_BYTES = 4;

/** Builds one value. */
export class ValueWriter {
  private bytes: Buffer;
  private length = 0;

  constructor(sizeHint = 256) {
    this.bytes = Buffer.allocUnsafe(sizeHint);
  }

  byte(value: number): this {
    this.reserve(1);
    this.bytes[this.length++] = value;
    return this;
  }

  varint(value: number): this {
    this.reserve(8);
    let rest = value;
    while (rest >= 128) {
      // the remainder operator would call a function where a number is no Int32
      const higher = Math.floor(rest / 128);
      this.bytes[this.length++] = (rest - higher * 128) | 128;
      rest = higher;
    }
    this.bytes[this.length++] = rest;
    return this;
  }

  /** @param other a time that the value says before */
  time(ms: number, other: number): this {
    return this.varint(ms === other ? 0 : ms + 1);
  }

  text(value: string | null): this {
    if (value === null) return this.varint(0);
    const bytes = Buffer.byteLength(value);
    this.varint(bytes + 1).reserve(bytes);
    this.length += this.bytes.write(value, this.length);
    return this;
  }

  /** @param hex 32 lowercase hex digits */
  digest(hex: string): this {
    this.reserve(16);
    for (let i = 0; i < 32; i += 2) {
      this.bytes[this.length++] = (nibble(hex.charCodeAt(i)) << 4) | nibble(hex.charCodeAt(i + 1));
    }
    return this;
  }

  /** Bytes as they are, without their number: the last field. */
  append(bytes: Uint8Array): this {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  /** The value, closed by its checksum. */
  seal(key: string): Buffer {
    const { length } = this;
    this.reserve(Math.max(CRC_BYTES, key.length));
    const { bytes } = this;
    // the key stands where the checksum will, for one call instead of two
    bytes.write(key, length, 'latin1');
    bytes.writeUInt32BE(crc32(bytes.subarray(0, length + key.length)), length);
    return bytes.subarray(0, length + CRC_BYTES);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}

/** Reads one value; every method throws `index-unreadable` beyond its end. */
export class ValueReader extends ByteReader {
  private readonly key: string;

  /** @throws ShingledError `index-unreadable` where the checksum does not fit key and value */
  constructor(key: string, value: Buffer) {
    const bytes = value.subarray(0, Math.max(0, value.length - CRC_BYTES));
    super(bytes);
    this.key = key;
    if (value.length < CRC_BYTES || crc32(key, crc32(bytes)) !== value.readUInt32BE(value.length - CRC_BYTES))
      this.fail();
  }

  text(): string | null {
    const length = this.varint();
    return length === 0 ? null : this.string('utf8', length - 1);
  }

  time(other: number): number {
    const time = this.varint();
    return time === 0 ? other : time - 1;
  }

  digest(): string {
    return this.string('hex', 16);
  }

  /** A view of the bytes would take longer than to read them. */
  private string(encoding: 'utf8' | 'hex', length: number): string {
    const from = this.skip(length);
    return this.bytes.toString(encoding, from, this.at);
  }

  /** @throws ShingledError where bytes are left: the value was not of this form */
  end(): void {
    if (!this.done) this.fail();
  }

  protected override fail(): never {
    throw unreadable(this.key);
  }
}

/** The value of '0'..'9' and 'a'..'f'. */
const nibble = (code: number) => (code & 15) + 9 * (code >>> 6);

/** A value of nothing but its checksum. */
export const sealNothing = (key: string): Buffer => new ValueWriter(CRC_BYTES).seal(key);

export function openNothing(key: string, value: Buffer): void {
  new ValueReader(key, value).end();
}

/** @param key its first letter, the table, is all that is told */
export function unreadable(key: string, cause?: unknown): ShingledError {
  return new ShingledError('index-unreadable', `A row of table "${key.charAt(0)}" cannot be read.`, { cause });
}
