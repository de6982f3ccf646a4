import { FINGERPRINT_BITS } from '../../core/modulus.ts';
import { type KeptSample, NARROW_BITS_MIN } from '../../core/narrow.ts';
import { createScratch } from '../../core/scratch.ts';

/*
 * The sample of a content (core/narrow.ts) as bytes. Its values are multiples of m, uniform below 2^b and ascending, so of
 * each is written how far it lies beyond the one before, counted in multiples of m: Golomb-Rice. The fingerprints that are
 * 0 mod e are known to 40 bits: what they have above the low b bits is written as it is.
 *
 *   head    log2 m : 1   log2 e : 1   b : 1   k : 1   count : 4
 *   rests   gap mod 2^k, of each value                     k bits each       ┐ each a row of bits, the first the lowest of
 *   steps   gap div 2^k, of each value: as many 0 and a 1                    │ the first byte, filled up with 0 to a byte; of
 *   tops    fingerprint div 2^b, of each that is 0 mod e   40 - b bits each  ┘ rests over 24 bits the low 24 are a row apart
 *
 *   k: the least with 2^k >= ln(golden ratio) · mean gap, which is best for geometric gaps: .03 to .1 bits above their entropy
 *
 * Fields of one width are read anywhere by one load and a shift; only steps must be read in turn. Numbers of more bytes are
 * little-endian.
 */

const HEAD_BYTES = 8;
/** So that a modulus less 1 is a mask. */
const EXPONENT_MAX = 30;
/** The widest field of a row: with the 7 bits before it it is within one load. */
const FIELD_BITS_MAX = 24;
const LOAD_BYTES = 4;
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

const scratch = createScratch();
let view = new DataView(scratch(1));

/** @param sample as narrow() and wholeSample() make it, moduli up to 2^30 */
export function encodeSample({ modulus, bits, values, exactModulus, exact }: KeptSample): Uint8Array {
  const count = values.length;
  const k = restBits(2 ** bits / modulus / Math.max(1, count));
  const unit = 2 ** k;
  const { lowBits, highBits, lowAt, highAt, stepsAt } = layout(count, k);
  const stepsMax = count + Math.floor((values[count - 1] ?? 0) / modulus / unit);
  const topBits = FINGERPRINT_BITS - bits;
  const bytes = clearedScratch(stepsAt + rowBytes(stepsMax, 1) + rowBytes(exact.length, topBits));
  bytes.set([Math.log2(modulus), Math.log2(exactModulus), bits, k]);
  view.setUint32(4, count, true);
  const low = 2 ** lowBits;
  let before = 0;
  let step = 0;
  for (let i = 0; i < count; i++) {
    const gap = (values[i]! - before) / modulus;
    const steps = Math.floor(gap / unit);
    const rest = gap - steps * unit;
    const high = Math.floor(rest / low);
    writeField(lowAt, i, lowBits, rest - high * low);
    if (highBits > 0) writeField(highAt, i, highBits, high);
    step += steps;
    writeField(stepsAt, step++, 1, 1);
    before = values[i]!;
  }
  const topsAt = stepsAt + rowBytes(step, 1);
  for (let i = 0; i < exact.length; i++) writeField(topsAt, i, topBits, Math.floor(exact[i]! / 2 ** bits));
  return bytes.slice(0, topsAt + rowBytes(exact.length, topBits));
}

/** The sample that the bytes say, all of them; undefined where they say none. */
export function decodeSample(bytes: Uint8Array): KeptSample | undefined {
  if (bytes.length < HEAD_BYTES || bytes.length > BYTES_MAX) return;
  // a copy with zeros behind it: no load can reach beyond, and a row of steps without an end comes to it
  clearedScratch(bytes.length, bytes);
  const [exponent, exactExponent, bits, k] = [view.getUint8(0), view.getUint8(1), view.getUint8(2), view.getUint8(3)];
  const count = view.getUint32(4, true);
  if (exponent > exactExponent || exactExponent > EXPONENT_MAX) return;
  if (bits < NARROW_BITS_MIN || bits > FINGERPRINT_BITS || k > FINGERPRINT_BITS) return;
  const rows = layout(count, k);
  if (rows.stepsAt + rowBytes(count, 1) > bytes.length) return;
  const exactModulus = 2 ** exactExponent;
  const modulus = 2 ** exponent;
  const values = new Float64Array(count);
  const source = view;
  const exact = new Float64Array(exactScratch(8 * count + 8));
  const ends = readGaps(source, rows, { k, modulus, exactModulus }, bytes.length, values, exact);
  if (ends === undefined || (count > 0 && values[count - 1]! >= 2 ** bits)) return;
  const { stepsEnd, exactCount } = ends;
  const topBits = FINGERPRINT_BITS - bits;
  if (stepsEnd + rowBytes(exactCount, topBits) !== bytes.length) return;
  const unit = 2 ** bits;
  if (topBits > 0) for (let i = 0; i < exactCount; i++) exact[i]! += readField(source, stepsEnd, i, topBits) * unit;
  return { modulus, bits, values, exactModulus, exact: exact.slice(0, exactCount) };
}

const exactScratch = createScratch();

/** Fills `values`, and `exact` with those of them that are 0 mod e; where the steps do not end, undefined. */
function readGaps(
  source: DataView,
  rows: Layout,
  scale: { readonly k: number; readonly modulus: number; readonly exactModulus: number },
  end: number,
  values: Float64Array,
  exact: Float64Array,
): { stepsEnd: number; exactCount: number } | undefined {
  const { lowBits, highBits, lowAt, highAt, stepsAt } = rows;
  const { modulus, exactModulus } = scale;
  const unit = modulus * 2 ** scale.k;
  const high = modulus * 2 ** lowBits;
  const lowMask = (1 << lowBits) - 1;
  const exactMask = exactModulus - 1;
  const bitsEnd = 8 * (end - stepsAt);
  let value = 0;
  let bit = 0;
  let lowBit = 0;
  let exactCount = 0;
  for (let i = 0; i < values.length; i++) {
    let word = source.getUint32(stepsAt + (bit >>> 3), true) >>> (bit & 7);
    while (word === 0) {
      const zeros = 32 - (bit & 7);
      bit += zeros;
      if (bit >= bitsEnd) return;
      value += zeros * unit;
      word = source.getUint32(stepsAt + (bit >>> 3), true) >>> (bit & 7);
    }
    const zeros = 31 - Math.clz32(word & -word);
    bit += zeros + 1;
    const rest = (source.getUint32(lowAt + (lowBit >>> 3), true) >>> (lowBit & 7)) & lowMask;
    lowBit += lowBits;
    value += zeros * unit + rest * modulus;
    if (highBits > 0) value += readField(source, highAt, i, highBits) * high;
    values[i] = value;
    exact[exactCount] = value;
    exactCount += Number((value & exactMask) === 0);
  }
  return { stepsEnd: stepsAt + rowBytes(bit, 1), exactCount };
}

function restBits(meanGap: number): number {
  let k = 0;
  while (2 ** k < GOLDEN_LOG * meanGap) k++;
  return k;
}

function layout(count: number, k: number): Layout {
  const lowBits = Math.min(k, FIELD_BITS_MAX);
  const highBits = k - lowBits;
  const highAt = HEAD_BYTES + rowBytes(count, lowBits);
  return { lowBits, highBits, lowAt: HEAD_BYTES, highAt, stepsAt: highAt + rowBytes(count, highBits) };
}

const rowBytes = (count: number, fieldBits: number): number => Math.ceil((count * fieldBits) / 8);

/** Scratch memory that is in `view`: `bytes` where they are given, and zeros to `length` and a load beyond. */
function clearedScratch(length: number, bytes?: Uint8Array): Uint8Array {
  const buffer = scratch(length + 2 * LOAD_BYTES);
  if (view.buffer !== buffer) view = new DataView(buffer);
  const memory = new Uint8Array(buffer);
  if (bytes !== undefined) memory.set(bytes);
  return memory.fill(0, bytes?.length ?? 0, length + 2 * LOAD_BYTES);
}

function readField(source: DataView, at: number, index: number, bits: number): number {
  const bit = index * bits;
  return (source.getUint32(at + (bit >>> 3), true) >>> (bit & 7)) & ((1 << bits) - 1);
}

/** The bits of the field must be 0. */
function writeField(at: number, index: number, bits: number, field: number): void {
  const bit = index * bits;
  const place = at + (bit >>> 3);
  view.setUint32(place, view.getUint32(place, true) | (field << (bit & 7)), true);
}
