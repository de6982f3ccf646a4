/** Thrown where bytes end or say what cannot be: to be caught by who knows what is lost with them. */
export class Unreadable extends Error {}

/** Reads what LevelDB and we write: numbers of seven bits a byte, least significant first, and bytes after their number. */
export class ByteReader {
  protected readonly bytes: Buffer;
  at: number;
  private readonly stop: number;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.stop = end;
  }

  get done(): boolean {
    return this.at >= this.stop;
  }

  byte(): number {
    if (this.at >= this.stop) this.fail('the bytes end');
    return this.bytes[this.at++]!;
  }

  /** The next byte, which stays the next one. */
  peek(): number {
    const byte = this.byte();
    this.at--;
    return byte;
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
      if (unit > Number.MAX_SAFE_INTEGER) this.fail('a number is too long');
    }
  }

  take(length: number): Buffer {
    const from = this.skip(length);
    return this.bytes.subarray(from, this.at);
  }

  /** @returns where the bytes begin that are passed over */
  protected skip(length: number): number {
    const from = this.at;
    if (from + length > this.stop) this.fail('the bytes end');
    this.at = from + length;
    return from;
  }

  /** All that is left. */
  rest(): Buffer {
    return this.take(this.stop - this.at);
  }

  /** Bytes after their number. */
  sized(): Buffer {
    return this.take(this.varint());
  }

  /** @throws Unreadable, or what another kind of reader says instead */
  protected fail(what: string): never {
    throw new Unreadable(what);
  }
}
