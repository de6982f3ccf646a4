import { Buffer } from 'node:buffer';

const [LF, CR] = [0x0a, 0x0d];
const BOM = [0xef, 0xbb, 0xbf];
const EMPTY = Buffer.alloc(0);

/** A line without its end. It lies in the chunk if that holds all of it. */
export interface SplitLine {
  readonly bytes: Buffer;
  /** How long it is; more than `bytes` has if it was too long to be held. */
  readonly length: number;
  /** In the chunk that it ended in: behind its end. */
  readonly end: number;
}

/** Cuts chunks into lines, which end with LF, CR LF or CR. A line that is too long is passed over as it comes, never held. */
export class LineSplitter {
  readonly #bytesMax: number;
  #held: Buffer[] = [];
  #length = 0;
  #isFirst: boolean;
  /** Whether the last byte is a CR: the line has ended, and an LF that comes next belongs to its end. */
  #isCrLast = false;

  /** @param atBeginning whether the first chunk is that of a file, where a byte order mark may stand */
  constructor(bytesMax: number, atBeginning: boolean) {
    this.#bytesMax = bytesMax;
    this.#isFirst = atBeginning;
  }

  /** Whether no line has begun. */
  get isClean(): boolean {
    return this.#length === 0 && !this.#isCrLast;
  }

  /** The lines that end in a chunk. */
  *split(chunk: Uint8Array): Generator<SplitLine, void, undefined> {
    if (chunk.length === 0) return;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    if (this.#isCrLast) {
      start = bytes[0] === LF ? 1 : 0;
      yield this.#ended(EMPTY, start);
    }
    let [lf, cr] = [bytes.indexOf(LF, start), bytes.indexOf(CR, start)];
    while (lf >= 0 || cr >= 0) {
      const isCr = cr >= 0 && (lf < 0 || cr < lf);
      const at = isCr ? cr : lf;
      const piece = bytes.subarray(start, at);
      if (isCr && at + 1 === bytes.length) {
        this.#hold(piece);
        this.#isCrLast = true;
        return;
      }
      start = isCr && lf === at + 1 ? at + 2 : at + 1;
      yield this.#ended(piece, start);
      if (lf >= 0 && lf < start) lf = bytes.indexOf(LF, start);
      if (cr >= 0 && cr < start) cr = bytes.indexOf(CR, start);
    }
    if (start < bytes.length) this.#hold(bytes.subarray(start));
  }

  /** The line that the bytes end in, null if they end behind a line. */
  last(): SplitLine | null {
    return this.isClean ? null : this.#ended(EMPTY, 0);
  }

  /** Bytes are missing here: forgets the line that has begun. @returns the one that a CR has ended, null if none has */
  giveUp(): SplitLine | null {
    const ended = this.#isCrLast ? this.#ended(EMPTY, 0) : null;
    this.#drop();
    return ended;
  }

  #drop(): void {
    this.#held = [];
    this.#length = 0;
    this.#isCrLast = false;
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
    this.#drop();
    const hasMark = this.#isFirst && BOM.every((byte, index) => whole[index] === byte);
    this.#isFirst = false;
    return { bytes: hasMark ? whole.subarray(BOM.length) : whole, length, end };
  }
}
