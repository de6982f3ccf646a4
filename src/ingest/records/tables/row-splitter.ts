import { Buffer } from 'node:buffer';
import type { Dialect } from './dialect.ts';
import type { Piece, RowFault, SplitRow, State } from './row-bytes.ts';
import { byteKindsOf, CR, DELIMITER, faultOf, LF, LINE_END, PLAIN, QUOTE, rowBegun } from './row-bytes.ts';
import { LineEnds } from './row-line-ends.ts';

/*
 * Where the rows of a table end: at a line end that is in no quotes and behind no escape. Quotes open a field only as its
 * first byte. Bytes behind the quote that closes it make the field a plain one, as csv-parse takes it, too.
 *
 * The first line end decides what ends lines: LF and CR LF, and then a CR alone is a character; or a CR alone, and then all
 * three of them.
 *
 * A quote has swallowed rows if it does not close within a record's bytes or in the file. So it has if it closes on another
 * line and something other than a delimiter follows. Then the row is given up with its first line, and reading goes on at the
 * second.
 */

export class RowSplitter {
  /** Whether lines that begin with # are comments: the head has not been met. */
  isAhead = true;
  readonly #marks: ReturnType<typeof byteKindsOf>;
  readonly #bytesMax: number;
  readonly #fieldsMax: number;
  #state: State = 'begin';
  #held: Buffer[] = [];
  #length = 0;
  #fields = 1;
  #isFirst = true;
  readonly #lines = new LineEnds();
  /** Whether the next byte stands behind an escape. */
  #isEscaped = false;
  /** Where the last field in quotes begins, in its row. */
  #opened = 0;
  /** Of a row that is given up, until its line ends. */
  #fault: RowFault | null = null;

  constructor(dialect: Dialect, bytesMax: number, fieldsMax: number) {
    this.#marks = byteKindsOf(dialect);
    this.#bytesMax = bytesMax;
    this.#fieldsMax = fieldsMax;
  }

  /** Whether no row has begun. */
  get isClean(): boolean {
    return this.#length === 0 && this.#state === 'begin' && !this.#lines.isCrLast;
  }

  /** Whether a CR alone ends rows. */
  get isCrEnd(): boolean {
    return this.#lines.isCrEnd;
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
      this.#drop();
      yield { bytes: fault === null ? held : null, fault, end: offset };
    }
  }

  get #isLost(): boolean {
    return this.#state === 'lost';
  }

  /**
   * Bytes are missing here: forgets the row that has begun.
   *
   * @param end behind the last byte. @returns the row that a CR has ended, if one has
   */
  giveUp(end: number): readonly SplitRow[] {
    const { isCrLast } = this.#lines;
    const [bytes, fault] = [this.#isLost ? null : Buffer.concat(this.#held), this.#fault];
    this.#drop();
    return isCrLast ? [{ bytes, fault, end }] : [];
  }

  #drop(): void {
    this.#state = 'begin';
    this.#held = [];
    this.#length = 0;
    this.#fields = 1;
    this.#isFirst = false;
    this.#lines.isCrLast = false;
    this.#isEscaped = false;
    this.#fault = null;
  }

  *#work(work: Piece[]): Generator<SplitRow, void, undefined> {
    for (let piece = work.pop(); piece !== undefined; piece = work.pop()) {
      const { bytes, offset } = piece;
      for (let start = 0; start < bytes.length; ) {
        const blank = this.#isFirst || !this.isClean ? null : this.#lines.blank(bytes, start, offset);
        if (blank !== null) {
          yield blank;
          start = blank.end - offset;
          continue;
        }
        const isLost = this.#isLost;
        const found = isLost ? this.#lines.end(bytes, start) : this.#rowEnd(bytes, start);
        const end = found === null || found === 'swallowed' ? bytes.length : found;
        const row = bytes.subarray(start, end);
        this.#length += row.length;
        if (isLost) {
          if (found !== null) yield this.#given(offset + end);
        } else if (found === 'swallowed' || this.#length > this.#bytesMax || this.#fields > this.#fieldsMax) {
          const isOpen = found === 'swallowed' || (found === null && this.#state === 'quoted');
          const fault = this.#fields > this.#fieldsMax ? 'too-wide' : isOpen ? 'open-quote' : 'too-large';
          const held = this.#whole(row);
          const rest = { bytes: bytes.subarray(end), offset: offset + end };
          yield* this.#lose(fault, held, rest.offset - held.length, work, rest);
          break;
        } else if (found === null) this.#held.push(Buffer.from(row));
        else {
          const whole = this.#whole(row);
          this.#drop();
          yield { bytes: whole, fault: null, end: offset + end };
        }
        start = end;
      }
    }
  }

  #whole(last: Buffer): Buffer {
    return this.#held.length === 0 ? last : Buffer.concat([...this.#held, last]);
  }

  #given(end: number): SplitRow {
    const fault = this.#fault;
    this.#drop();
    return { bytes: null, fault, end };
  }

  /** Gives up the first line of a row. @param rest what comes behind the held bytes at once */
  *#lose(
    is: RowFault['is'],
    held: Buffer,
    offset: number,
    work: Piece[],
    rest?: Piece,
  ): Generator<SplitRow, void, undefined> {
    if (rest !== undefined) work.push(rest);
    this.#lines.isCrLast = false;
    const end = this.#lines.end(held, 0);
    this.#fault = faultOf(is, held.subarray(0, end ?? held.length));
    if (end === null) {
      this.#held = [];
      this.#state = 'lost';
      return;
    }
    work.push({ bytes: held.subarray(end), offset: offset + end });
    yield this.#given(offset + end);
  }

  /** The place behind the row; null if it does not end in these bytes; or that its quote has swallowed others. */
  #rowEnd(bytes: Buffer, from: number): number | 'swallowed' | null {
    if (this.#lines.isCrLast) return this.#lines.behindCr(bytes, from);
    const { kinds } = this.#marks;
    let state = this.#state;
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    while (at < bytes.length) {
      if (state === 'quoted') {
        at = this.#quoteEnd(bytes, at);
        if (at >= bytes.length) break;
        state = 'closed';
        at++;
        continue;
      }
      const kind = kinds[bytes[at]!];
      if (kind === PLAIN) {
        if (state === 'begin') state = this.#fields > 1 ? 'plain' : rowBegun(bytes[at]!, this.#isFirst, this.isAhead);
        else if (state === 'closed') {
          if (this.#isSwallowed(bytes, from, at)) return 'swallowed';
          state = 'plain';
        }
        at++;
        while (state === 'plain' && at < bytes.length && kinds[bytes[at]!] === PLAIN) at++;
      } else if (kind === LINE_END) {
        if (bytes[at] === LF) {
          this.#lines.endsByLf();
          return at + 1;
        }
        if (this.#lines.isCrEnd) {
          this.#state = state;
          return this.#lines.afterCr(bytes, at);
        }
        if (state !== 'closed' && state !== 'passed') state = 'plain';
        at++;
      } else if (state === 'passed') at++;
      else if (kind === DELIMITER) {
        state = 'begin';
        if (++this.#fields > this.#fieldsMax) break;
        at++;
      } else if (kind === QUOTE) {
        if (state === 'begin') this.#opened = this.#length + at - from;
        if (state !== 'plain') state = 'quoted';
        at++;
      } else {
        if (state === 'closed' && this.#isSwallowed(bytes, from, at)) return 'swallowed';
        state = 'plain';
        at += 2;
        this.#isEscaped = at > bytes.length;
      }
    }
    this.#state = state;
    return null;
  }

  /** The place of the quote that closes a field; behind the bytes if it is not there. */
  #quoteEnd(bytes: Buffer, from: number): number {
    const { quote, escapedBy } = this.#marks;
    if (escapedBy < 0) {
      const end = bytes.indexOf(quote, from);
      return end < 0 ? bytes.length : end;
    }
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] === quote) return at;
      if (bytes[at] === escapedBy) at++;
      this.#isEscaped = at === bytes.length;
    }
    return bytes.length;
  }

  /** Whether a field that is no longer in quotes has a line end in them. */
  #isSwallowed(bytes: Buffer, from: number, at: number): boolean {
    const before = this.#length;
    const inside =
      this.#opened >= before
        ? bytes.subarray(from + this.#opened - before, at)
        : Buffer.concat([...this.#held, bytes.subarray(from, at)]).subarray(this.#opened);
    return inside.includes(LF) || (this.#lines.isCrEnd && inside.includes(CR));
  }
}
