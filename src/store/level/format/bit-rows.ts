/*
 * Rows of bits: fields of one width, one after the other, the first in the lowest bits of the first byte, filled up with 0 to
 * a byte. A field is read anywhere by one load of 4 bytes and a shift, so behind a row there is room for a load.
 */

/** The widest field: with the 7 bits before it it is within one load. */
export const FIELD_BITS_MAX = 24;
export const LOAD_BYTES = 4;

export const rowBytes = (count: number, fieldBits: number): number => Math.ceil((count * fieldBits) / 8);

/** @param at the byte that the row begins with */
export function readField(view: DataView, at: number, index: number, bits: number): number {
  const bit = index * bits;
  return (view.getUint32(at + (bit >>> 3), true) >>> (bit & 7)) & ((1 << bits) - 1);
}

/** Writes a row of bits from a byte on. */
export class BitRow {
  private readonly view: DataView;
  private at: number;
  private word = 0;
  private filled = 0;

  constructor(view: DataView, at: number) {
    this.view = view;
    this.at = at;
  }

  /** @param field below 2^bits, bits 0..24 */
  put(field: number, bits: number): void {
    this.word |= field << this.filled;
    this.filled += bits;
    if (this.filled < 32) return;
    this.view.setUint32(this.at, this.word, true);
    this.at += 4;
    this.filled -= 32;
    this.word = field >>> (bits - this.filled);
  }

  /** Writes what is left; the byte after it. */
  end(): number {
    for (; this.filled > 0; this.filled -= 8) {
      this.view.setUint8(this.at++, this.word);
      this.word >>>= 8;
    }
    return this.at;
  }
}
