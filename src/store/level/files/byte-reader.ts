/** Thrown where bytes end or say what cannot be: to be caught by who knows what is lost with them. */
export class Unreadable extends Error {}

/** Reads what LevelDB writes: numbers of seven bits a byte, and texts with their length before them. */
export class ByteReader {
  private readonly bytes: Buffer;
  at: number;
  private readonly end: number;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  byte(): number {
    if (this.at >= this.end) throw new Unreadable('the bytes end');
    return this.bytes[this.at++]!;
  }

  /** Up to 2^53 - 1. */
  varint(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
      if (unit > Number.MAX_SAFE_INTEGER) throw new Unreadable('a number is too long');
    }
  }

  take(length: number): Buffer {
    const from = this.at;
    if (from + length > this.end) throw new Unreadable('the bytes end');
    this.at = from + length;
    return this.bytes.subarray(from, this.at);
  }

  /** Bytes after their number. */
  sized(): Buffer {
    return this.take(this.varint());
  }
}
