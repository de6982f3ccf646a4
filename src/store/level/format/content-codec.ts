import { createRoom, type Room } from '../../../core/memory/copies.ts';
import { createScratch } from '../../../core/memory/scratch.ts';
import { FINGERPRINT_BITS } from '../../../core/sketch/modulus.ts';
import { type ComparedSample, type KeptSample, NARROW_BITS_MIN } from '../../../core/sketch/narrow.ts';
import { BitRow, FIELD_BITS_MAX, LOAD_BYTES, readField, rowBytes } from './bit-rows.ts';

/*
 * The sample of a content (core/sketch/narrow.ts) as bytes. Its values are multiples of m, uniform below 2^b and
 * ascending, so of each is written how far it lies beyond the one before, counted in multiples of m: Golomb-Rice. The
 * fingerprints that are 0 mod e are known to 40 bits: what they have above the low b bits is written as it is.
 *
 *   head    log2 m : 1   log2 e : 1   b : 1   k : 1   count : 4
 *   rests   gap mod 2^k, of each value                     k bits each       ┐ each a row of bits, the first the lowest of
 *   steps   gap div 2^k, of each value: as many 0 and a 1                    │ the first byte, filled up with 0 to a byte; of
 *   tops    fingerprint div 2^b, of each that is 0 mod e   40 - b bits each  ┘ rests over 24 bits the low 24 are a row apart
 *
 *   k: the least with 2^k >= ln(golden ratio) · mean gap, which is best for geometric gaps: .03 to .1 bits above their
 *      entropy
 *
 * Fields of one width are read anywhere by one load and a shift; only steps must be read in order. Numbers of more bytes are
 * little-endian. A page of 336 values takes 3.2 bytes a value (b = 30, a quarter known to 40 bits), one of 60, all known to
 * 40 bits, 4.6. Cost: some 10 ns a value to read, as much to write.
 */

const HEAD_BYTES = 8;
/** So that a modulus less 1 is a mask. */
const EXPONENT_MAX = 30;
/** So that the number of a bit is a Uint32. */
const BYTES_MAX = 2 ** 28;
const GOLDEN_LOG = Math.log((1 + Math.sqrt(5)) / 2);

/** Where the rows begin. */
interface Layout {
  readonly lowBits: number;
  readonly highBits: number;
  readonly lowAt: number;
  readonly highAt: number;
  readonly stepsAt: number;
}

/**
 * @param sample as narrow() and wholeSample() make it, moduli up to 2^30
 * @returns a view of memory that the next call uses again
 */
export function encodeSample({ modulus, bits, values, exactModulus, exact }: KeptSample): Uint8Array {
  const count = values.length;
  const k = restBits(2 ** bits / modulus / Math.max(1, count));
  const rows = layout(count, k);
  const topBits = FINGERPRINT_BITS - bits;
  const stepsMax = count + Math.floor((values[count - 1] ?? 0) / modulus / 2 ** k);
  const { bytes, view } = memory(rows.stepsAt + rowBytes(stepsMax, 1) + rowBytes(exact.length, topBits));
  bytes[0] = Math.log2(modulus);
  bytes[1] = Math.log2(exactModulus);
  bytes[2] = bits;
  bytes[3] = k;
  view.setUint32(4, count, true);
  const tops = new BitRow(view, writeGaps(view, rows, modulus * 2 ** k, modulus, values));
  const topShare = 2 ** -bits;
  for (let i = 0; i < exact.length; i++) tops.put(Math.floor(exact[i]! * topShare), topBits);
  return bytes.subarray(0, tops.end());
}

/** Writes the rests and the steps. @returns where the steps end */
function writeGaps(view: DataView, rows: Layout, unit: number, modulus: number, values: Float64Array): number {
  const { lowBits, highBits } = rows;
  const unitShare = 1 / unit;
  const share = 1 / modulus;
  const low = 2 ** lowBits;
  const lows = new BitRow(view, rows.lowAt);
  const highs = new BitRow(view, rows.highAt);
  // the row of steps, its word here rather than in an object: it is what takes the time
  let at = rows.stepsAt;
  let word = 0;
  let filled = 0;
  let before = 0;
  for (let i = 0; i < values.length; i++) {
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
  lows.end();
  highs.end();
  // what is behind is written later, or cut off
  view.setUint32(at, word, true);
  return at + rowBytes(filled, 1);
}

/** The sample that the bytes say, all of them; undefined where they say none. */
export function decodeSample(source: Uint8Array): KeptSample | undefined {
  const read = readValues(source, own);
  if (read === undefined) return;
  const { view, sample, exactModulus, topsAt } = read;
  const { modulus, bits, values } = sample;
  const exact = readExact(view, values, exactModulus - 1, bits, topsAt, source.length);
  return exact && { modulus, bits, values, exactModulus, exact };
}

/** As much of it as is compared. @param isKept else it shares its memory with others, which it keeps from being freed */
export function decodeCompared(source: Uint8Array, isKept: boolean): ComparedSample | undefined {
  return readValues(source, isKept ? own : shared)?.sample;
}

function readValues(source: Uint8Array, room: Room) {
  const { length } = source;
  if (length < HEAD_BYTES || length > BYTES_MAX) return;
  // a copy with room behind it for a load; steps that end there are refused
  const { bytes, view } = memory(length);
  bytes.set(source);
  const [exponent, exactExponent, bits, k] = [bytes[0]!, bytes[1]!, bytes[2]!, bytes[3]!];
  const count = view.getUint32(4, true);
  if (exponent > exactExponent || exactExponent > EXPONENT_MAX) return;
  if (bits < NARROW_BITS_MIN || bits > FINGERPRINT_BITS || k > FINGERPRINT_BITS) return;
  const rows = layout(count, k);
  if (rows.stepsAt + rowBytes(count, 1) > length) return;
  const modulus = 2 ** exponent;
  const values = room(count);
  const topsAt = readGaps(view, rows, modulus * 2 ** k, modulus, length, values);
  if (topsAt === 0 || (count > 0 && values[count - 1]! >= 2 ** bits)) return;
  return { view, sample: { modulus, bits, values }, exactModulus: 2 ** exactExponent, topsAt };
}

/** Fills `values`. @returns where the steps end; 0 where they do not */
function readGaps(
  view: DataView,
  { lowBits, highBits, lowAt, highAt, stepsAt }: Layout,
  unit: number,
  modulus: number,
  end: number,
  values: Float64Array,
): number {
  const lowMask = (1 << lowBits) - 1;
  const high = modulus * 2 ** lowBits;
  const bitsEnd = 8 * (end - stepsAt);
  let value = 0;
  let bit = 0;
  let lowBit = 0;
  for (let i = 0; i < values.length; i++) {
    let word = view.getUint32(stepsAt + (bit >>> 3), true) >>> (bit & 7);
    while (word === 0) {
      const zeros = 32 - (bit & 7);
      bit += zeros;
      if (bit >= bitsEnd) return 0;
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
  return stepsAt + rowBytes(bit, 1);
}

/** The values that are 0 mod `mask` + 1, with their tops; undefined where those do not end at `end`. */
function readExact(
  view: DataView,
  values: Float64Array,
  mask: number,
  bits: number,
  topsAt: number,
  end: number,
): Float64Array | undefined {
  const found = new Float64Array(exactScratch(8 * values.length + 8).bytes.buffer, 0, values.length + 1);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    found[count] = values[i]!;
    // goes on where the rest is 0, without a branch that would be mispredicted
    const rest = values[i]! & mask;
    count += ((rest | -rest) >>> 31) ^ 1;
  }
  const topBits = FINGERPRINT_BITS - bits;
  if (topsAt + rowBytes(count, topBits) !== end) return;
  const exact = found.slice(0, count);
  const unit = 2 ** bits;
  if (topBits > 0) for (let i = 0; i < count; i++) exact[i]! += readField(view, topsAt, i, topBits) * unit;
  return exact;
}

function restBits(meanGap: number): number {
  let k = 0;
  for (let unit = 1; unit < GOLDEN_LOG * meanGap; unit *= 2) k++;
  return k;
}

function layout(count: number, k: number): Layout {
  const lowBits = Math.min(k, FIELD_BITS_MAX);
  const highBits = k - lowBits;
  const highAt = HEAD_BYTES + rowBytes(count, lowBits);
  return { lowBits, highBits, lowAt: HEAD_BYTES, highAt, stepsAt: highAt + rowBytes(count, highBits) };
}

const own: Room = (count) => new Float64Array(count);
const shared = createRoom();
const exactScratch = createScratch();
const scratch = createScratch();

/** Scratch memory of so many bytes and two loads, with anything in it, good until the next call. */
function memory(length: number): { readonly bytes: Uint8Array; readonly view: DataView } {
  return scratch(length + 2 * LOAD_BYTES);
}
