import type { Buffer } from 'node:buffer';

export const LF = 0x0a;
export const CR = 0x0d;

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

  behindCr(bytes: Buffer, at: number): number {
    this.isCrLast = false;
    const isLf = bytes[at] === LF;
    this.#isCrEnd ??= !isLf;
    return isLf ? at + 1 : at;
  }
}
