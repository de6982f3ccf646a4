import { createRoom } from '../memory/copies.ts';
import { createScratch } from '../memory/scratch.ts';
import type { ComparedSample } from '../sketch/narrow.ts';
import { GapReader, GapWriter, gapRows, ROOM_BYTES, restBits, rowBytes } from './gaps.ts';

/*
 * A sample as far as it is compared, as bytes: what sample-codec.ts writes of its values, without the rest.
 *
 *   head    log2 m : 1   b : 1   count : 4
 *   rests   gap mod 2^k, of each value    k bits each, k as in sample-codec.ts: it follows from the head
 *   steps   gap div 2^k, of each value: as many 0 and a 1
 *
 * 190 values of a version (core/sketch/version-sketch.ts) take 1.3 bytes each. Cost: some 10 ns a value.
 */

const HEAD_BYTES = 6;
const EXPONENT_MAX = 40;
const BITS_MAX = 40;

/** @returns bytes that stay as they are until the next call */
export function encodeValues({ modulus, bits, values }: ComparedSample): Uint8Array {
  const count = values.length;
  const k = restBits(2 ** bits / modulus / Math.max(1, count));
  const rows = gapRows(HEAD_BYTES, count, k);
  const stepsMax = count + Math.floor((values[count - 1] ?? 0) / modulus / 2 ** k);
  const { bytes, view } = scratch(rows.stepsAt + rowBytes(stepsMax, 1) + ROOM_BYTES);
  bytes[0] = Math.log2(modulus);
  bytes[1] = bits;
  view.setUint32(2, count, true);
  const gaps = new GapWriter(view, rows, modulus);
  gaps.write(values, 0, count);
  return bytes.subarray(0, gaps.end());
}

/** How many values bytes begin to say that may have others behind them; 0 where they say none. */
export function encodedCount(source: Uint8Array): number {
  if (source.length < HEAD_BYTES) return 0;
  return new DataView(source.buffer, source.byteOffset).getUint32(2, true);
}

/** The sample that the bytes say, all of them; undefined where they say none. */
export function decodeValues(source: Uint8Array): ComparedSample | undefined {
  const { length } = source;
  if (length < HEAD_BYTES) return;
  const { bytes, view } = scratch(length + ROOM_BYTES);
  bytes.set(source);
  const [exponent, bits] = [bytes[0]!, bytes[1]!];
  const count = view.getUint32(2, true);
  if (exponent > EXPONENT_MAX || bits > BITS_MAX || count > 8 * length) return;
  const modulus = 2 ** exponent;
  const rows = gapRows(HEAD_BYTES, count, restBits(2 ** bits / modulus / Math.max(1, count)));
  if (rows.stepsAt + rowBytes(count, 1) > length) return;
  const values = room(count);
  const gaps = new GapReader(view, rows, modulus, length);
  if (!gaps.read(values, 0, count) || gaps.end !== length) return;
  return count > 0 && values[count - 1]! >= 2 ** bits ? undefined : { modulus, bits, values };
}

const scratch = createScratch();
const room = createRoom();
