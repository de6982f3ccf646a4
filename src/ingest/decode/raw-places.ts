import { Buffer } from 'node:buffer';

/*
 * Where bytes of UTF-8 lie in the file that they were decoded from:
 *
 *   file    │ piece       │ piece     │        as it is read, each cut where a character ends
 *   UTF-8   │ piece            │ piece      │
 *                 ▲ asked for: the piece is decoded again up to there, by halves
 *
 * The last pieces are held, since a reader may ask for any place of the record that it holds.
 */

interface Piece {
  readonly raw: Buffer;
  readonly rawAt: number;
  readonly at: number;
  readonly length: number;
}

/** A byte of UTF-8 is at most two of a file in UTF-16 or GB18030. */
const RAW_BYTES_MAX = 2;

export class RawPlaces {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #heldBytesMax: number;
  readonly #base: number;
  readonly #pieces: Piece[] = [];
  #end: number;
  #rawEnd: number;
  /** The last place that was found: the next one is mostly near behind it. */
  #last: { readonly at: number; readonly rawAt: number };

  /** @param base the place of the first byte, which is one for both */
  constructor(charset: string, base: number, heldBytesMax: number) {
    this.#decoder = new TextDecoder(charset, { ignoreBOM: true });
    this.#heldBytesMax = heldBytesMax;
    this.#base = base;
    this.#end = base;
    this.#rawEnd = base;
    this.#last = { at: base, rawAt: base };
  }

  /** @param raw whole characters, which became so many bytes of UTF-8 */
  add(raw: Buffer, length: number): void {
    this.#pieces.push({ raw, rawAt: this.#rawEnd, at: this.#end, length });
    this.#end += length;
    this.#rawEnd += raw.length;
    while (this.#pieces.length > 1 && this.#end - this.#pieces[1]!.at > this.#heldBytesMax) this.#pieces.shift();
  }

  /** @param place where a character begins, or the end; behind {@link heldBytesMax}, or the first byte of all */
  rawOf(place: number): number {
    if (place >= this.#end) return this.#rawEnd;
    const piece = this.#pieces.findLast(({ at }) => at <= place);
    if (piece === undefined) return this.#base;
    // bytes that became none may lie between the last place and the piece
    const isLastIn = this.#last.at <= place && this.#last.rawAt >= piece.rawAt;
    const { at, rawAt } = isLastIn ? this.#last : piece;
    const rest = piece.raw.subarray(rawAt - piece.rawAt);
    this.#last = { at: place, rawAt: rawAt + this.#rawLength(rest, place - at) };
    return this.#last.rawAt;
  }

  /** How many bytes become so many of UTF-8. */
  #rawLength(raw: Buffer, length: number): number {
    let [low, high] = [0, Math.min(raw.length, RAW_BYTES_MAX * length)];
    if (this.#lengthOf(raw.subarray(0, high)) < length) high = raw.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#lengthOf(raw.subarray(0, middle)) < length) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #lengthOf(raw: Buffer): number {
    const text = this.#decoder.decode(raw, { stream: true });
    // what it holds of a character that was cut
    this.#decoder.decode();
    return Buffer.byteLength(text);
  }
}
