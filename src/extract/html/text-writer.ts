import { Buffer } from 'node:buffer';

const NEWLINE = 0x0a;
const SPACE = 0x20;
const AMPERSAND = 0x26;
const LESS = 0x3c;
const HYPHEN = 0x2d;

/** Below this many bytes a loop is faster than a call of copy (measured on manual pages, Node 24). */
const COPY_BY_CALL_BYTES = 48;

/** Collects the text of a page as UTF-8 in one growing buffer. Its cost is linear in what is written. */
export class TextWriter {
  #bytes: Buffer;
  #length = 0;
  #separatedAt = 0;

  #lent: Buffer | null;

  /** @param bytesExpected first size of the buffer @param lent a buffer instead, as long as what is written fits into it */
  constructor(bytesExpected: number, lent: Buffer | null = null) {
    this.#lent = lent;
    this.#bytes = lent ?? Buffer.allocUnsafeSlow(bytesExpected);
  }

  get length(): number {
    return this.#length;
  }

  /** Length of the text when it was separated last. */
  get separatedAt(): number {
    return this.#separatedAt;
  }

  /** Whether what was written stands in the buffer that was lent. */
  get isLent(): boolean {
    return this.#bytes === this.#lent;
  }

  /** Whether so many more bytes fit there, and two separators. */
  hasLent(count: number): boolean {
    return this.isLent && this.#length + count + 2 <= this.#bytes.length;
  }

  /** From now on what was lent is not written to any more. */
  giveBack(): void {
    if (this.isLent) this.#bytes = Buffer.from(this.#bytes);
    this.#lent = null;
  }

  /** Somebody else has written to the buffer that was lent: see memory/page-memory.ts. */
  wasWritten(length: number, separatedAt: number): void {
    this.#length = length;
    this.#separatedAt = separatedAt;
  }

  /** What was written stands in its first `length` bytes; another buffer after every growth. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Writes bytes start..end-1 of UTF-8. */
  write(utf8: Uint8Array, start: number, end: number): void {
    const count = end - start;
    this.#reserve(count);
    if (count < COPY_BY_CALL_BYTES) {
      const bytes = this.#bytes;
      let at = this.#length;
      for (let i = start; i < end; i++) bytes[at++] = utf8[i]!;
    } else {
      this.#bytes.set(utf8.subarray(start, end), this.#length);
    }
    this.#length += count;
  }

  /**
   * Writes bytes of UTF-8 from `start` up to the next "<" or "&", or to `limit` where there is none before it. Returns the
   * position of what stopped it.
   */
  writeText(utf8: Uint8Array, start: number, limit: number): number {
    this.#reserve(limit - start);
    const bytes = this.#bytes;
    let length = this.#length;
    let at = start;
    for (; at < limit; at++) {
      const byte = utf8[at]!;
      if (byte === LESS || byte === AMPERSAND) break;
      bytes[length++] = byte;
    }
    this.#length = length;
    return at;
  }

  writeString(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /** Writes one character, given as a Unicode scalar value. */
  writeCodePoint(scalar: number): void {
    this.#reserve(4);
    const bytes = this.#bytes;
    let at = this.#length;
    if (scalar < 0x80) {
      bytes[at++] = scalar;
    } else if (scalar < 0x800) {
      bytes[at++] = 0xc0 | (scalar >> 6);
      bytes[at++] = 0x80 | (scalar & 0x3f);
    } else {
      if (scalar < 0x10000) {
        bytes[at++] = 0xe0 | (scalar >> 12);
      } else {
        bytes[at++] = 0xf0 | (scalar >> 18);
        bytes[at++] = 0x80 | ((scalar >> 12) & 0x3f);
      }
      bytes[at++] = 0x80 | ((scalar >> 6) & 0x3f);
      bytes[at++] = 0x80 | (scalar & 0x3f);
    }
    this.#length = at;
  }

  /**
   * Ends the word that stands at the end of the text, if one does, and the line, for passages. Where a line end might part
   * nothing (core/text/joined-lines.ts), a blank line stands.
   */
  separate(): void {
    if (this.#length === this.#separatedAt) return;
    // there is room, see #reserve
    const last = this.#bytes[this.#length - 1]!;
    if (last === SPACE) this.#bytes[this.#length - 1] = NEWLINE;
    else if (last !== NEWLINE) this.#bytes[this.#length++] = NEWLINE;
    // mostly a letter of ASCII
    if ((last <= SPACE || last >= 0x80 || last === HYPHEN) && this.#mayGoOn()) this.#bytes[this.#length++] = NEWLINE;
    this.#separatedAt = this.#length;
  }

  /** Whether a letter beyond ASCII or a hyphen stands before the one line end with which the text ends. */
  #mayGoOn(): boolean {
    let lineEnds = 0;
    for (let at = this.#length - 1; at >= 0; at--) {
      const byte = this.#bytes[at]!;
      if (byte > SPACE) return byte >= 0x80 || byte === HYPHEN;
      if (byte === NEWLINE && ++lineEnds === 2) return false;
    }
    return false;
  }

  /** Bytes start..end-1 of what was written, as a string that keeps nothing else alive. */
  toString(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }

  /** What was written; a view of the writer's own buffer, which nothing may be written to afterwards, or a copy of one lent. */
  finish(): Uint8Array {
    const written = this.#bytes.subarray(0, this.#length);
    if (this.#bytes !== this.#lent) return written;
    const copy = Buffer.allocUnsafeSlow(this.#length);
    copy.set(written);
    return copy;
  }

  /** Makes room for `count` more bytes and two separators. */
  #reserve(count: number): void {
    const needed = this.#length + count + 2;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
