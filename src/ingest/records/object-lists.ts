import { Buffer } from 'node:buffer';
import { ObjectGap } from './object-gap.ts';
import { isWhite, ValueWalk } from './value-walk.ts';

/*
 * The objects of the lists in a JSON file of any size, as bytes; only one is held at a time.
 *
 *   [ {…}, {…} ]        {"total": 2, "hits": {"hits": [ {…}, {…} ]}, "more": [ {…} ]}
 *
 * Every list that begins with an object is one of records, wherever it stands outside of records. Lists that begin otherwise
 * are none, but for one that is the whole file. Where a record is broken the next one is looked for by what stands between two
 * (object-gap.ts), from the beginning of the broken one on.
 *
 *   outside ──[──► begun ──{──► record ──}──► between ──{──► record          record ──broken──► lost ──},{"──► record
 *      ▲             │ other                    │ ]
 *      └─────────────┴──────────────────────────┘
 */

/**
 * A record or what stands in its place. `next`: where reading may go on behind it, as between two records; null: nowhere, since
 * the bytes ended or are missing.
 */
export interface FoundObject<T> {
  readonly start: number;
  readonly next: number | null;
  readonly length: number;
  /** What was read of it; or why that was not tried. */
  readonly found: T | ObjectFault;
}

export type ObjectFault =
  | 'no-object' // something else in a list of records
  | 'broken'
  | 'too-large'
  | 'cut'; // the bytes end in it, or in the list

type Lost = Pick<FoundObject<never>, 'start' | 'length'> & { readonly found: 'broken' | 'too-large' | 'cut' };
type Mode = 'outside' | 'begun' | 'between' | 'record' | 'element' | 'lost';
interface Piece {
  readonly bytes: Buffer;
  /** Of its first byte. */
  readonly offset: number;
}

const [QUOTE, COMMA] = [0x22, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
/** The bytes of a byte order mark. */
const MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

export interface ObjectReading<T> {
  readonly objectBytesMax: number;
  readonly depthMax: number;
  /** Reads an object that has its end; null: it is broken. */
  readonly read: (bytes: Buffer) => { readonly value: T; readonly isBroken: boolean };
}

export class ObjectLists<T> {
  /** Whether any list of records has begun. */
  hasBegun: boolean;
  readonly #reading: ObjectReading<T>;
  readonly #walk: ValueWalk;
  #mode: Mode;
  /** Nothing but white space has come. */
  #isTop = true;
  /** Whether the list that has begun is all of the file. */
  #isWhole = false;
  /** Outside: whether the last byte that is no white space is a comma. */
  #isBehindComma = false;
  /** Of the record, what came in pieces before. */
  #held: Buffer[] = [];
  #length = 0;
  #start = 0;
  #gap = new ObjectGap();
  #pending: Lost | null = null;

  /** @param isInList whether reading begins between two records, not with the file */
  constructor(reading: ObjectReading<T>, isInList: boolean) {
    this.#reading = reading;
    this.#walk = new ValueWalk(reading.depthMax);
    this.#mode = isInList ? 'between' : 'outside';
    this.hasBegun = isInList;
  }

  /** Whether reading could begin here, too. */
  get isBetween(): boolean {
    return this.#mode === 'between';
  }

  /** @param offset of the first byte of the chunk */
  *push(chunk: Uint8Array, offset: number): Generator<FoundObject<T>, void, undefined> {
    yield* this.#work([{ bytes: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length), offset }]);
  }

  /** The bytes end. @param offset behind the last one */
  *end(offset: number): Generator<FoundObject<T>, void, undefined> {
    while (this.#mode === 'record') {
      const work: Piece[] = [];
      yield* this.#lose('cut', Buffer.concat(this.#held), work);
      yield* this.#work(work);
    }
    const mode = this.#mode;
    yield* this.giveUp();
    if (mode === 'element') yield { start: this.#start, next: null, length: this.#length, found: 'no-object' };
    if (mode === 'between' || mode === 'element') yield { start: offset, next: null, length: 0, found: 'cut' };
  }

  /** Bytes are missing here: what had begun is given up. */
  *giveUp(): Generator<FoundObject<T>, void, undefined> {
    if (this.#pending !== null) yield { ...this.#pending, next: null };
    this.#pending = null;
    this.#held = [];
    this.#walk.begin();
    this.#gap = new ObjectGap();
    if (this.#mode !== 'outside') this.#mode = 'lost';
  }

  *#work(work: Piece[]): Generator<FoundObject<T>, void, undefined> {
    for (let piece = work.pop(); piece !== undefined; piece = work.pop()) {
      for (let at = 0; at < piece.bytes.length; ) {
        if (this.#mode === 'record') at = yield* this.#record(piece, at, work);
        else if (this.#mode === 'element') at = yield* this.#element(piece, at);
        else if (this.#mode === 'lost') at = yield* this.#lost(piece, at);
        else at = this.#between(piece, at);
      }
    }
  }

  /** Outside of records; at the byte behind those that are understood. */
  #between({ bytes, offset }: Piece, at: number): number {
    if (this.#walk.isInString) return this.#walk.skipString(bytes, at);
    const byte = bytes[at]!;
    if (isWhite(byte) || (this.#isTop && MARK.has(byte))) return at + 1;
    const isTop = this.#isTop;
    const isBehindComma = this.#isBehindComma;
    this.#isTop = false;
    this.#isBehindComma = byte === COMMA;
    if (this.#mode === 'between') {
      if (byte === COMMA) return at + 1;
      if (byte === LIST_END || byte === OBJECT_END) this.#mode = 'outside';
      else this.#begin(byte === OBJECT ? 'record' : 'element', offset + at);
      return this.#mode === 'outside' ? at + 1 : at;
    }
    if (this.#mode === 'begun') {
      const isRecords = byte === OBJECT || this.#isWhole;
      this.hasBegun ||= isRecords;
      this.#mode = isRecords ? 'between' : 'outside';
      return at;
    }
    if (byte === LIST) {
      this.#mode = 'begun';
      this.#isWhole = isTop;
    } else if (byte === OBJECT && isBehindComma) {
      this.hasBegun = true;
      this.#begin('record', offset + at);
      return at;
    } else if (byte === QUOTE) this.#walk.isInString = true;
    return at + 1;
  }

  #begin(mode: 'record' | 'element', start: number): void {
    this.#mode = mode;
    this.#start = start;
    this.#length = 0;
    this.#held = [];
    this.#walk.begin();
  }

  *#record({ bytes, offset }: Piece, from: number, work: Piece[]): Generator<FoundObject<T>, number, undefined> {
    const { objectBytesMax, read } = this.#reading;
    const { end, state } = this.#walk.go(bytes, from);
    this.#length += end - from;
    const piece = bytes.subarray(from, end);
    const isTooLarge = this.#length > objectBytesMax;
    if (state === 'open' && !isTooLarge) {
      // what it lies in may be written over
      this.#held.push(Buffer.from(piece));
      return end;
    }
    const whole = this.#held.length === 0 ? piece : Buffer.concat([...this.#held, piece]);
    const rest = { bytes: bytes.subarray(end), offset: offset + end };
    if (isTooLarge || state !== 'ended') {
      yield* this.#lose(isTooLarge ? 'too-large' : 'broken', whole, work, rest);
      return bytes.length;
    }
    const { value, isBroken } = read(whole);
    const inner = isBroken ? new ObjectGap().within(whole) : -1;
    const next = this.#start + (inner < 0 ? this.#length : inner);
    yield { start: this.#start, next, length: this.#length, found: value };
    this.#mode = 'between';
    if (inner < 0) return end;
    work.push(rest, { bytes: whole.subarray(inner), offset: next });
    return bytes.length;
  }

  /** Goes on at the next gap in what was held, or looks for one in what comes. @param rest what comes behind it at once. */
  *#lose(found: Lost['found'], held: Buffer, work: Piece[], rest?: Piece): Generator<FoundObject<T>, void, undefined> {
    // Of one that is too long, how much of it came at once does not count.
    const length = Math.min(this.#length, this.#reading.objectBytesMax + 1);
    const lost: Lost = { start: this.#start, length, found };
    if (rest !== undefined) work.push(rest);
    this.#walk.begin();
    this.#gap = new ObjectGap();
    this.#held = [];
    const gap = this.#gap.within(held);
    if (gap >= 0) {
      const next = this.#start + gap;
      this.#mode = 'between';
      yield { ...lost, next };
      work.push({ bytes: held.subarray(gap), offset: next });
      return;
    }
    this.#pending = lost;
    this.#mode = 'lost';
  }

  *#lost({ bytes, offset }: Piece, from: number): Generator<FoundObject<T>, number, undefined> {
    for (let at = from; at < bytes.length; at++) {
      const next = this.#gap.step(bytes[at]!, offset + at);
      if (next < 0) continue;
      if (this.#pending !== null) yield { ...this.#pending, next };
      this.#pending = null;
      this.#begin('record', next);
      const begun = Buffer.from(this.#gap.begun);
      this.#walk.go(begun, 0);
      this.#held = [begun];
      this.#length = offset + at - next;
      return at;
    }
    return bytes.length;
  }

  /** Something else than an object: it is passed over. */
  *#element({ bytes, offset }: Piece, from: number): Generator<FoundObject<T>, number, undefined> {
    const { end, state } = this.#walk.goElement(bytes, from);
    this.#length += end - from;
    if (state === 'open') return end;
    const start = this.#start;
    if (state === 'broken') {
      this.#pending = { start, length: this.#length, found: 'broken' };
      this.#gap = new ObjectGap();
      this.#mode = 'lost';
      return end;
    }
    this.#mode = 'between';
    yield { start, next: offset + end, length: this.#length, found: 'no-object' };
    return end;
  }
}
