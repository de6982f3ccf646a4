import { Buffer } from 'node:buffer';

/*
 * Where the rows of CSV end: at a line feed that is in no quotes. Quotes open a field only as its first byte. Bytes behind the
 * quote that closes it make the field a plain one, as csv-parse takes it, too.
 *
 * A quote that does not close within a record's bytes, or in the file, has swallowed what comes behind it. Then the row is
 * given up with its first line, and reading goes on at the second.
 */

export interface SplitRow {
  /** With its line feed; null: given up. */
  readonly bytes: Buffer | null;
  readonly fault: 'open-quote' | 'too-large' | 'too-wide' | null;
  /** Behind it. */
  readonly end: number;
}

interface Piece {
  readonly bytes: Buffer;
  readonly offset: number;
}

const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22];

/** Of the byte order mark that a file may begin with: a quote behind it opens the first field. */
const MARK: readonly number[] = [0xef, 0xbb, 0xbf];

type State = 'begin' | 'plain' | 'quoted' | 'closed' | 'lost';

export class RowSplitter {
  readonly #delimiter: number;
  readonly #bytesMax: number;
  readonly #fieldsMax: number;
  #state: State = 'begin';
  #held: Buffer[] = [];
  #length = 0;
  #fields = 1;
  #isFirst = true;
  /** Of a row that is given up, until its line ends. */
  #fault: SplitRow['fault'] = null;

  /** @param delimiter one character of ASCII */
  constructor(delimiter: string, bytesMax: number, fieldsMax: number) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#bytesMax = bytesMax;
    this.#fieldsMax = fieldsMax;
  }

  /** Whether no row has begun. */
  get isClean(): boolean {
    return this.#length === 0 && this.#state === 'begin';
  }

  /** The rows that end in a chunk. @param offset of its first byte */
  *push(chunk: Uint8Array, offset: number): Generator<SplitRow, void, undefined> {
    yield* this.#work([{ bytes: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length), offset }]);
  }

  /** The bytes end. @param offset behind the last one */
  *end(offset: number): Generator<SplitRow, void, undefined> {
    while (!this.isClean) {
      const held = Buffer.concat(this.#held);
      if (this.#state === 'quoted') {
        const work: Piece[] = [];
        yield* this.#lose('open-quote', held, offset - held.length, work);
        yield* this.#work(work);
        if (!this.#isLost) continue;
      }
      const fault = this.#fault;
      this.drop();
      yield { bytes: fault === null ? held : null, fault, end: offset };
    }
  }

  get #isLost(): boolean {
    return this.#state === 'lost';
  }

  /** Forgets the row that has begun. */
  drop(): void {
    this.#state = 'begin';
    this.#held = [];
    this.#length = 0;
    this.#fields = 1;
    this.#isFirst = false;
    this.#fault = null;
  }

  *#work(work: Piece[]): Generator<SplitRow, void, undefined> {
    for (let piece = work.pop(); piece !== undefined; piece = work.pop()) {
      const { bytes, offset } = piece;
      for (let start = 0; start < bytes.length; ) {
        const isLost = this.#isLost;
        const lf = isLost ? bytes.indexOf(LF, start) : this.#rowEnd(bytes, start);
        const end = lf < 0 ? bytes.length : lf + 1;
        const row = bytes.subarray(start, end);
        this.#length += row.length;
        if (isLost) {
          if (lf >= 0) yield this.#given(offset + end);
        } else if (this.#length > this.#bytesMax || this.#fields > this.#fieldsMax) {
          const fault = this.#fields > this.#fieldsMax ? 'too-wide' : this.#isOpen(lf) ? 'open-quote' : 'too-large';
          const held = Buffer.concat([...this.#held, row]);
          const rest = { bytes: bytes.subarray(end), offset: offset + end };
          yield* this.#lose(fault, held, rest.offset - held.length, work, rest);
          break;
        } else if (lf < 0) this.#held.push(Buffer.from(row));
        else {
          const whole = this.#held.length === 0 ? row : Buffer.concat([...this.#held, row]);
          this.drop();
          yield { bytes: whole, fault: null, end: offset + end };
        }
        start = end;
      }
    }
  }

  #isOpen(lf: number): boolean {
    return lf < 0 && this.#state === 'quoted';
  }

  #given(end: number): SplitRow {
    const fault = this.#fault;
    this.drop();
    return { bytes: null, fault, end };
  }

  /** Gives up the first line of a row. @param rest what comes behind the held bytes at once */
  *#lose(
    fault: NonNullable<SplitRow['fault']>,
    held: Buffer,
    offset: number,
    work: Piece[],
    rest?: Piece,
  ): Generator<SplitRow, void, undefined> {
    if (rest !== undefined) work.push(rest);
    this.#fault = fault;
    const lf = held.indexOf(LF);
    if (lf < 0) {
      this.#held = [];
      this.#state = 'lost';
      return;
    }
    work.push({ bytes: held.subarray(lf + 1), offset: offset + lf + 1 });
    yield this.#given(offset + lf + 1);
  }

  /** The place of the line feed that ends the row, -1 where it is not in these bytes. */
  #rowEnd(bytes: Buffer, from: number): number {
    let state = this.#state;
    let at = from;
    while (at < bytes.length) {
      if (state === 'quoted') {
        const quote = bytes.indexOf(QUOTE, at);
        if (quote < 0) break;
        state = 'closed';
        at = quote + 1;
        continue;
      }
      const byte = bytes[at]!;
      if (byte === LF) return at;
      if (byte === this.#delimiter) {
        state = 'begin';
        if (++this.#fields > this.#fieldsMax) break;
      } else if (byte === QUOTE) state = state === 'begin' || state === 'closed' ? 'quoted' : state;
      else if (this.#isFirst && this.#fields === 1 && state === 'begin' && MARK.includes(byte)) state = 'begin';
      else if (byte !== CR || state !== 'closed') state = 'plain';
      at++;
    }
    this.#state = state;
    return -1;
  }
}
