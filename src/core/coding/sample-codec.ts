import { createRoom, type Room } from '../memory/copies.ts';
import { allocate, createScratch, type Scratch } from '../memory/scratch.ts';
import { runToEnd, STEP_VALUES } from '../memory/steps.ts';
import { FINGERPRINT_BITS } from '../sketch/modulus.ts';
import { type ComparedSample, exactBitsOf, type KeptSample, NARROW_BITS_MIN } from '../sketch/narrow.ts';
import { BitRow, GapReader, GapWriter, gapRows, ROOM_BYTES, readField, restBits, rowBytes } from './gaps.ts';

/*
 * The sample of a content (core/sketch/narrow.ts) as bytes. Its values are multiples of m, uniform below 2^b and
 * ascending, so of each is written how far it lies beyond the one before, counted in multiples of m: Golomb-Rice. The
 * fingerprints that are 0 mod e are known to 32 bits, or 40 (narrow.ts): what is above the low b bits is written as it is.
 *
 *   head    log2 m : 1   log2 e : 1   b : 1   k : 1   count : 4
 *   rests   gap mod 2^k, of each value                     k bits each       ┐ each a row of bits, the first the lowest of
 *   steps   gap div 2^k, of each value: as many 0 and a 1                    │ the first byte, filled up with 0 to a byte; of
 *   tops    fingerprint div 2^b, of each that is 0 mod e   32 - b bits each  ┘ rests over 24 bits the low 24 are a row apart
 *
 *   k: the least with 2^k >= ln(golden ratio) · mean gap, which is best for geometric gaps: .03 to .1 bits above their
 *      entropy
 *
 * Fields of one width are read anywhere by one load and a shift; only steps must be read in order. Numbers of more bytes are
 * little-endian. A page of 336 values takes 1.7 bytes a value (b = 18, an eighth known to 32 bits), one of 60, all known to
 * 40 bits, 4.6. Cost: some 10 ns a value to read, as much to write.
 */

const HEAD_BYTES = 8;
/** So that a modulus less 1 is a mask. */
const EXPONENT_MAX = 30;
/** So that the number of a bit is a Uint32. */
const BYTES_MAX = 2 ** 28;

/**
 * @param sample as narrow() and wholeSample() make it, moduli up to 2^30
 * @returns bytes that stay as they are until the next call
 */
export function encodeSample(sample: KeptSample): Uint8Array {
  return made.get(sample) ?? runToEnd(encoding(sample, scratch));
}

/** Does ahead, in steps of some 10 ms at the most, what {@link encodeSample} would do at once to millions of values. */
export function* encodeSampleSteps(sample: KeptSample): Generator<undefined, void> {
  made.set(sample, yield* encoding(sample, allocate));
}

/** Bytes of samples that were made ahead. */
const made = new WeakMap<KeptSample, Uint8Array>();

function* encoding(sample: KeptSample, memory: Scratch): Generator<undefined, Uint8Array> {
  const { modulus, bits, values, exactModulus, exact } = sample;
  const count = values.length;
  const k = restBits(2 ** bits / modulus / Math.max(1, count));
  const rows = gapRows(HEAD_BYTES, count, k);
  const topBits = exactBitsOf(bits) - bits;
  const stepsMax = count + Math.floor((values[count - 1] ?? 0) / modulus / 2 ** k);
  const length = rows.stepsAt + rowBytes(stepsMax, 1) + rowBytes(exact.length, topBits);
  const { bytes, view } = memory(length + ROOM_BYTES);
  bytes[0] = Math.log2(modulus);
  bytes[1] = Math.log2(exactModulus);
  bytes[2] = bits;
  bytes[3] = k;
  view.setUint32(4, count, true);
  const gaps = new GapWriter(view, rows, modulus);
  for (let from = 0; from < count; from += STEP_VALUES) {
    if (from > 0) yield;
    gaps.write(values, from, Math.min(count, from + STEP_VALUES));
  }
  const end = topBits === 0 ? gaps.end() : writeTops(view, gaps.end(), exact, bits);
  return bytes.subarray(0, end);
}

/** What fingerprints have above their low bits. @returns where that ends */
function writeTops(view: DataView, at: number, exact: Float64Array, bits: number): number {
  const tops = new BitRow(view, at);
  const topShare = 2 ** -bits;
  const topBits = exactBitsOf(bits) - bits;
  for (let i = 0; i < exact.length; i++) tops.put(Math.floor(exact[i]! * topShare), topBits);
  return tops.end();
}

/** How many values bytes begin to say that may have others behind them; 0 where they say none. */
export function encodedValues(source: Uint8Array): number {
  if (source.length < HEAD_BYTES) return 0;
  return new DataView(source.buffer, source.byteOffset).getUint32(4, true);
}

/** The sample that the bytes say, all of them; undefined where they say none. */
export function decodeSample(source: Uint8Array): KeptSample | undefined {
  const read = begun(source, own, scratch);
  return read !== undefined && isRead(read) ? ended(read, source.length) : undefined;
}

/** The same in steps of some 10 ms at the most. */
export function* decodeSampleSteps(source: Uint8Array): Generator<undefined, KeptSample | undefined> {
  const read = begun(source, own, allocate);
  if (read === undefined || !(yield* valuesSteps(read))) return;
  yield;
  return ended(read, source.length);
}

/** As much of it as is compared. @param isKept else it shares its memory with others, which it keeps from being freed */
export function decodeCompared(source: Uint8Array, isKept: boolean): ComparedSample | undefined {
  const read = begun(source, isKept ? own : shared, scratch);
  return read !== undefined && isRead(read) ? compared(read) : undefined;
}

/** The same in steps of some 10 ms at the most. */
export function* decodeComparedSteps(source: Uint8Array): Generator<undefined, ComparedSample | undefined> {
  const read = begun(source, own, allocate);
  return read !== undefined && (yield* valuesSteps(read)) ? compared(read) : undefined;
}

interface SampleRead {
  readonly view: DataView;
  readonly gaps: GapReader;
  readonly modulus: number;
  readonly bits: number;
  readonly values: Float64Array;
  readonly exactModulus: number;
}

function begun(source: Uint8Array, room: Room, memory: Scratch): SampleRead | undefined {
  const { length } = source;
  if (length < HEAD_BYTES || length > BYTES_MAX) return;
  // a copy with room behind it for a load; steps that end there are refused
  const { bytes, view } = memory(length + ROOM_BYTES);
  bytes.set(source);
  const [exponent, exactExponent, bits, k] = [bytes[0]!, bytes[1]!, bytes[2]!, bytes[3]!];
  const count = view.getUint32(4, true);
  if (exponent > exactExponent || exactExponent > EXPONENT_MAX) return;
  if (bits < NARROW_BITS_MIN || bits > FINGERPRINT_BITS || k > FINGERPRINT_BITS) return;
  const rows = gapRows(HEAD_BYTES, count, k);
  if (rows.stepsAt + rowBytes(count, 1) > length) return;
  const modulus = 2 ** exponent;
  const gaps = new GapReader(view, rows, modulus, length);
  return { view, gaps, modulus, bits, values: room(count), exactModulus: 2 ** exactExponent };
}

const isRead = ({ gaps, values }: SampleRead) => gaps.read(values, 0, values.length);

function* valuesSteps({ gaps, values }: SampleRead): Generator<undefined, boolean> {
  for (let from = 0; from < values.length; from += STEP_VALUES) {
    if (from > 0) yield;
    if (!gaps.read(values, from, Math.min(values.length, from + STEP_VALUES))) return false;
  }
  return true;
}

function compared({ modulus, bits, values }: SampleRead): ComparedSample | undefined {
  const { length } = values;
  return length > 0 && values[length - 1]! >= 2 ** bits ? undefined : { modulus, bits, values };
}

function ended(read: SampleRead, end: number): KeptSample | undefined {
  const sample = compared(read);
  const exact = sample && readExact(read, end);
  return exact && { ...sample, exactModulus: read.exactModulus, exact };
}

/** The values that are 0 mod e, with their tops; undefined where those do not end at `end`. */
function readExact({ view, gaps, values, exactModulus, bits }: SampleRead, end: number): Float64Array | undefined {
  const found = new Float64Array(exactScratch(8 * values.length + 8).bytes.buffer, 0, values.length + 1);
  const mask = exactModulus - 1;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    found[count] = values[i]!;
    // goes on where the rest is 0, without a branch that would be mispredicted
    const rest = values[i]! & mask;
    count += ((rest | -rest) >>> 31) ^ 1;
  }
  const topBits = exactBitsOf(bits) - bits;
  const topsAt = gaps.end;
  if (topsAt + rowBytes(count, topBits) !== end) return;
  const exact = found.slice(0, count);
  const unit = 2 ** bits;
  if (topBits > 0) for (let i = 0; i < count; i++) exact[i]! += readField(view, topsAt, i, topBits) * unit;
  return exact;
}

const own: Room = (count) => new Float64Array(count);
const shared = createRoom();
const exactScratch = createScratch();
const scratch = createScratch();
