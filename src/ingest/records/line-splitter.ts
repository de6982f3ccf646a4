import { Buffer } from 'node:buffer';

const LF = 0x0a;
const BOM = [0xef, 0xbb, 0xbf];
const EMPTY = Buffer.alloc(0);

/** A line without its end. It lies in the chunk where that holds all of it. */
export interface SplitLine {
  readonly bytes: Buffer;
  /** How long it is; more than `bytes` has where it was too long to be held. */
  readonly length: number;
  /** In the chunk that it ended in: behind its end. */
  readonly end: number;
}

/** Cuts chunks at line feeds. A line that is too long is passed over as it comes, and never held. */
export class LineSplitter {
  readonly #bytesMax: number;
  #held: Buffer[] = [];
  #length = 0;
  #isFirst: boolean;

  /** @param atBeginning whether the first chunk is that of a file, where a byte order mark may stand */
  constructor(bytesMax: number, atBeginning: boolean) {
    this.#bytesMax = bytesMax;
    this.#isFirst = atBeginning;
  }

  /** Whether no line has begun. */
  get isClean(): boolean {
    return this.#length === 0;
  }

  /** The lines that end in a chunk. */
  *split(chunk: Uint8Array): Generator<SplitLine, void, undefined> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let lf = bytes.indexOf(LF); lf >= 0; lf = bytes.indexOf(LF, start)) {
      const piece = bytes.subarray(start, lf);
      start = lf + 1;
      yield this.#ended(piece, start);
    }
    if (start < bytes.length) this.#hold(bytes.subarray(start));
  }

  /** The line that no line feed ends, null where there is none. */
  last(): SplitLine | null {
    return this.#length === 0 ? null : this.#ended(EMPTY, 0);
  }

  /** Forgets the line that has begun. */
  drop(): void {
    this.#held = [];
    this.#length = 0;
  }

  #hold(piece: Buffer): void {
    this.#length += piece.length;
    // the chunk may be written over
    if (this.#length <= this.#bytesMax) this.#held.push(Buffer.from(piece));
    else this.#held = [];
  }

  #ended(piece: Buffer, end: number): SplitLine {
    const length = this.#length + piece.length;
    const isHeld = this.#length > 0;
    const whole = length > this.#bytesMax ? EMPTY : isHeld ? Buffer.concat([...this.#held, piece], length) : piece;
    this.drop();
    const hasMark = this.#isFirst && BOM.every((byte, index) => whole[index] === byte);
    this.#isFirst = false;
    return { bytes: hasMark ? whole.subarray(BOM.length) : whole, length, end };
  }
}
