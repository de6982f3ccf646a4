import type { Buffer } from 'node:buffer';
import { CR, LF, type SplitRow } from './row-bytes.ts';

/** Where the lines of a table end: at LF and CR LF, or, if the first of them ends with a CR alone, at each of the three. */
export class LineEnds {
  /** Whether a CR alone ends a line; null: no line has ended. */
  #isCrEnd: boolean | null = null;
  /** Whether the last byte is a CR that ends a line, with an LF if one comes next. */
  isCrLast = false;

  /** Whether a CR alone may end a line. */
  get isCrEnd(): boolean {
    return this.#isCrEnd !== false;
  }

  /** A line ends with LF. */
  endsByLf(): void {
    this.#isCrEnd ??= false;
  }

  /** The place behind the first line end, in quotes or not; null if none ends in these bytes. */
  end(bytes: Buffer, from: number): number | null {
    if (this.isCrLast) return this.behindCr(bytes, from);
    const lf = bytes.indexOf(LF, from);
    if (!this.isCrEnd) return lf < 0 ? null : lf + 1;
    const cr = (lf < 0 ? bytes : bytes.subarray(0, lf)).indexOf(CR, from);
    if (cr >= 0) return this.afterCr(bytes, cr);
    return lf < 0 ? null : lf + 1;
  }

  /** The place behind a line end that begins with a CR; null if the next bytes say what it is. */
  afterCr(bytes: Buffer, cr: number): number | null {
    this.isCrLast = cr + 1 === bytes.length;
    return this.isCrLast ? null : this.behindCr(bytes, cr + 1);
  }

  /** Blank lines at a place, except those of which the next bytes must say where they end. @param offset of the first byte */
  blank(bytes: Buffer, from: number, offset: number): SplitRow | null {
    if (bytes[from]! > CR || this.#isCrEnd === null || this.isCrLast) return null;
    let [blank, end] = [0, from];
    for (; ; blank++) {
      if (bytes[end] === LF) end++;
      else if (bytes[end] !== CR) break;
      else if (bytes[end + 1] === LF) end += 2;
      else if (this.#isCrEnd && end + 1 < bytes.length) end++;
      else break;
    }
    return blank === 0 ? null : { bytes: null, fault: null, blank, end: offset + end };
  }

  behindCr(bytes: Buffer, at: number): number {
    this.isCrLast = false;
    const isLf = bytes[at] === LF;
    this.#isCrEnd ??= !isLf;
    return isLf ? at + 1 : at;
  }
}
