/*
 * Rows of bits: fields of one width, one after the other, the first in the lowest bits of the first byte, filled up with 0 to
 * a byte. A field is read anywhere by one load of 4 bytes and a shift, so behind a row there is room for a load.
 */

/** The widest field: with the 7 bits before it it is within one load. */
const FIELD_BITS_MAX = 24;
const LOAD_BYTES = 4;

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

/*
 * Ascending multiples of m by their gaps, as sample-codec.ts lays them out: a row of rests, one of what of them is over 24
 * bits, and one of steps. As many values at a time as the caller likes.
 */

export interface GapRows {
  readonly lowBits: number;
  readonly highBits: number;
  readonly lowAt: number;
  readonly highAt: number;
  readonly stepsAt: number;
}

const GOLDEN_LOG = Math.log((1 + Math.sqrt(5)) / 2);

/** k, the bits of a rest that are best for geometric gaps. @param meanGap in multiples of m */
export function restBits(meanGap: number): number {
  let k = 0;
  for (let unit = 1; unit < GOLDEN_LOG * meanGap; unit *= 2) k++;
  return k;
}

/** @param k bits of a rest */
export function gapRows(at: number, count: number, k: number): GapRows {
  const lowBits = Math.min(k, FIELD_BITS_MAX);
  const highBits = k - lowBits;
  const highAt = at + rowBytes(count, lowBits);
  return { lowBits, highBits, lowAt: at, highAt, stepsAt: highAt + rowBytes(count, highBits) };
}

export class GapWriter {
  private readonly view: DataView;
  private readonly rows: GapRows;
  private readonly modulus: number;
  private readonly lows: BitRow;
  private readonly highs: BitRow;
  /** The row of steps: where its word belongs, the word, and how much of it is filled. */
  private at: number;
  private word = 0;
  private filled = 0;
  private before = 0;

  /** @param view with room for all that is written, and a load behind it */
  constructor(view: DataView, rows: GapRows, modulus: number) {
    this.view = view;
    this.rows = rows;
    this.modulus = modulus;
    this.lows = new BitRow(view, rows.lowAt);
    this.highs = new BitRow(view, rows.highAt);
    this.at = rows.stepsAt;
  }

  /** Writes values `from`..`to`; all before them are written. */
  write(values: Float64Array, from: number, to: number): void {
    const { view, rows, modulus, lows, highs } = this;
    const { lowBits, highBits } = rows;
    const unit = modulus * 2 ** (lowBits + highBits);
    const unitShare = 1 / unit;
    const share = 1 / modulus;
    const low = 2 ** lowBits;
    // here rather than in the object: the row of steps is what takes the time
    let { at, word, filled, before } = this;
    for (let i = from; i < to; i++) {
      const value = values[i]!;
      const gap = value - before;
      before = value;
      const steps = Math.floor(gap * unitShare);
      const rest = (gap - steps * unit) * share;
      if (highBits === 0) lows.put(rest, lowBits);
      else {
        const high = Math.floor(rest / low);
        lows.put(rest - high * low, lowBits);
        highs.put(high, highBits);
      }
      for (filled += steps; filled > 31; filled -= 32, at += 4, word = 0) view.setUint32(at, word, true);
      word |= 1 << filled++;
    }
    this.at = at;
    this.word = word;
    this.filled = filled;
    this.before = before;
  }

  /** @returns where the steps end */
  end(): number {
    this.lows.end();
    this.highs.end();
    // what is behind is written later, or cut off
    this.view.setUint32(this.at, this.word, true);
    return this.at + rowBytes(this.filled, 1);
  }
}

export class GapReader {
  private readonly view: DataView;
  private readonly rows: GapRows;
  private readonly modulus: number;
  private readonly bitsEnd: number;
  private value = 0;
  private bit = 0;

  /**
   * @param view with a load behind what is read
   * @param end no byte of the steps is at or behind it
   */
  constructor(view: DataView, rows: GapRows, modulus: number, end: number) {
    this.view = view;
    this.rows = rows;
    this.modulus = modulus;
    this.bitsEnd = 8 * (end - rows.stepsAt);
  }

  /** Reads values `from`..`to`; all before them are read. @returns false where the steps do not end */
  read(values: Float64Array, from: number, to: number): boolean {
    const { view, rows, modulus, bitsEnd } = this;
    const { lowBits, highBits, lowAt, highAt, stepsAt } = rows;
    const unit = modulus * 2 ** (lowBits + highBits);
    const lowMask = (1 << lowBits) - 1;
    const high = modulus * 2 ** lowBits;
    let { value, bit } = this;
    let lowBit = from * lowBits;
    for (let i = from; i < to; i++) {
      let word = view.getUint32(stepsAt + (bit >>> 3), true) >>> (bit & 7);
      while (word === 0) {
        const zeros = 32 - (bit & 7);
        bit += zeros;
        if (bit >= bitsEnd) return false;
        value += zeros * unit;
        word = view.getUint32(stepsAt + (bit >>> 3), true) >>> (bit & 7);
      }
      const zeros = 31 - Math.clz32(word & -word);
      bit += zeros + 1;
      const low = (view.getUint32(lowAt + (lowBit >>> 3), true) >>> (lowBit & 7)) & lowMask;
      lowBit += lowBits;
      value += zeros * unit + low * modulus;
      if (highBits > 0) value += readField(view, highAt, i, highBits) * high;
      values[i] = value;
    }
    this.value = value;
    this.bit = bit;
    return true;
  }

  /** Where the steps end that were read. */
  get end(): number {
    return this.rows.stepsAt + rowBytes(this.bit, 1);
  }
}

/** What must be behind the rows. */
export const ROOM_BYTES = 2 * LOAD_BYTES;
