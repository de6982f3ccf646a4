import type { Buffer } from 'node:buffer';

/*
 * A body in chunks, taken apart as its bytes come:
 *
 *   1a;name=value CRLF │ 26 bytes │ CRLF │ 0 CRLF │ trailers
 *                                                 └ nobody reads these: the body has ended
 *
 * As browsers do it takes LF for CRLF, and spaces behind a size.
 */

const SIZE_LINE = /^0{0,64}([\da-f]{1,8})[\t ]*(?:;.*)?\r?$/i;
/** A size and its extensions: browsers take as much. */
const LINE_BYTES_MAX = 16 * 1024;

export class Chunks {
  /** Bytes of the chunk that are still to come. */
  #left = 0;
  /** What has come of the line with the size of the next one. */
  #line = '';
  /** Whether that line may be the end of the chunk before. */
  #isAfterChunk = false;
  #state: 'going on' | 'ended' | 'broken' = 'going on';
  #hasBegun = false;

  /** `broken`: what should be a size is none, and nothing more is read. */
  get state() {
    return this.#state;
  }

  /** Whether a size has come. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** @returns what of the next bytes is of the body, as parts of them */
  take(bytes: Buffer): Buffer[] {
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length && this.#state === 'going on'; ) {
      if (this.#left > 0) {
        const part = bytes.subarray(at, at + this.#left);
        parts.push(part);
        at += part.length;
        this.#left -= part.length;
      } else at = this.#takeLine(bytes, at);
    }
    return parts;
  }

  /** @returns where it goes on */
  #takeLine(bytes: Buffer, at: number): number {
    const lf = bytes.indexOf(0x0a, at);
    const end = lf < 0 ? bytes.length : lf;
    if (this.#line.length + end - at > LINE_BYTES_MAX) this.#state = 'broken';
    else this.#line += bytes.toString('latin1', at, end);
    if (lf < 0 || this.#state === 'broken') return bytes.length;
    const line = this.#line;
    this.#line = '';
    const isEndOfChunk = this.#isAfterChunk && (line === '' || line === '\r');
    this.#isAfterChunk = !isEndOfChunk;
    if (!isEndOfChunk) this.#begin(SIZE_LINE.exec(line));
    return lf + 1;
  }

  #begin(size: RegExpExecArray | null): void {
    if (size === null) {
      this.#state = 'broken';
      return;
    }
    this.#hasBegun = true;
    this.#left = Number.parseInt(size[1]!, 16);
    if (this.#left === 0) this.#state = 'ended';
  }
}
