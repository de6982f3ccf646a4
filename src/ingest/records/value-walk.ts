/*
 * Where a value of JSON ends, in bytes that come in pieces: by its brackets and quotes. Beside these it is only looked at what
 * stands behind a string or a bracket: a comma, a colon or an end. So it shows at once where a quote is missing.
 */

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

export function isWhite(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export interface Walked {
  /** Behind the last byte that was looked at. */
  readonly end: number;
  readonly state: 'open' | 'ended' | 'broken';
}

export class ValueWalk {
  isInString = false;
  readonly #depthMax: number;
  #isEscaped = false;
  #depth = 0;
  /** The last byte that is no white space has ended a string, a list or an object. */
  #isBehindEnd = false;

  constructor(depthMax: number) {
    this.#depthMax = depthMax;
  }

  begin(): void {
    this.isInString = false;
    this.#isEscaped = false;
    this.#depth = 0;
    this.#isBehindEnd = false;
  }

  /** Through an object or a list, whose first byte comes first. */
  go(bytes: Buffer, from: number): Walked {
    let at = from;
    while (at < bytes.length) {
      if (this.isInString) {
        at = this.skipString(bytes, at);
        continue;
      }
      const byte = bytes[at++]!;
      if (byte === QUOTE) {
        if (this.#isBehindEnd) return { end: at, state: 'broken' };
        this.isInString = true;
        this.#isBehindEnd = true;
      } else if (byte === COMMA || byte === COLON) this.#isBehindEnd = false;
      else if (byte === OBJECT_END || byte === LIST_END) {
        this.#isBehindEnd = true;
        if (--this.#depth === 0) return { end: at, state: 'ended' };
      } else if (isWhite(byte)) continue;
      else if (this.#isBehindEnd) return { end: at, state: 'broken' };
      else if ((byte === OBJECT || byte === LIST) && ++this.#depth > this.#depthMax)
        return { end: at, state: 'broken' };
    }
    return { end: at, state: 'open' };
  }

  /** Through anything else: to the comma or bracket behind it, which is not its own. */
  goElement(bytes: Buffer, from: number): Walked {
    let at = from;
    while (at < bytes.length) {
      const isAtEnd = this.#depth === 0 && !this.isInString;
      const byte = bytes[at]!;
      if (isAtEnd && (byte === COMMA || byte === LIST_END || byte === OBJECT_END || byte === OBJECT)) {
        return { end: at, state: 'ended' };
      }
      if (this.#depth > 0 || (byte === LIST && !this.isInString)) {
        const walked = this.go(bytes, at);
        if (walked.state === 'broken') return walked;
        at = walked.end;
      } else if (this.isInString) at = this.skipString(bytes, at);
      else {
        this.isInString = byte === QUOTE;
        at++;
      }
    }
    return { end: at, state: 'open' };
  }

  /** @returns the place behind the quote that ends the string, or behind all bytes */
  skipString(bytes: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped && at < bytes.length) {
      this.#isEscaped = false;
      at++;
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote < 0 ? bytes.length : quote;
      let slashes = end;
      while (slashes > at && bytes[slashes - 1] === BACKSLASH) slashes--;
      const isEscaped = (end - slashes) % 2 === 1;
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return end;
      }
      at = quote + 1;
      if (isEscaped) continue;
      this.isInString = false;
      return at;
    }
  }
}
