import { isWhite } from './value-walk.ts';

/*
 * Where the next object of a list begins, in bytes of which nothing else is known. It is a `{` behind a comma and before a
 * quote, white space between them or not. Inside of a string the quote would be escaped.
 */

const [COMMA, QUOTE, OPEN] = [0x2c, 0x22, 0x7b];

/** Of the white space in an object so much is kept; where there is more, a fault in the object is told some columns off. */
const WHITE_BYTES_MAX = 1024;

export class ObjectGap {
  /** The bytes from the `{` on: itself and white space. */
  begun: number[] = [];

  /** How many of the three have come. */
  #seen = 0;
  #start = 0;

  /** @returns the place of the `{`, counted as `at` is; -1 until it is certain */
  step(byte: number, at: number): number {
    if (isWhite(byte)) {
      if (this.#seen === 2 && this.begun.length < WHITE_BYTES_MAX) this.begun.push(byte);
      return -1;
    }
    if (byte === QUOTE && this.#seen === 2) return this.#start;
    if (byte === OPEN) {
      this.#start = at;
      this.begun = [OPEN];
    }
    if (byte === COMMA) this.#seen = 1;
    else this.#seen = byte === OPEN && this.#seen === 1 ? 2 : 0;
    return -1;
  }

  /** The place of the first such `{` behind the first byte, -1 where there is none. */
  within(bytes: Uint8Array): number {
    for (let at = 1; at < bytes.length; at++) {
      const found = this.step(bytes[at]!, at);
      if (found >= 0) return found;
    }
    return -1;
  }
}
