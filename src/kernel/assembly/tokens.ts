import { BIT_PLACES, CANON, EDGES } from './layout.ts';

/*
 * Where the tokens of the canonical bytes begin and end: core/tokens.ts, 64 bytes at a time.
 *
 *   mask    bit i = byte i is a-z, 0-9 or >= 0x80           three comparisons of 16 bytes
 *   turns   mask XOR (mask << 1 | carry)                    starts and ends in turn, one bit each
 *   edges   of 8 bits at a time, by a table of 256          00100110 -> 1 2 5 - - - - -
 *
 * Eight edges are written for every eight bits, and the next ones go over those that were none: no branch at all.
 */

const SPACE: i8 = 0x20;

/** Writes the table. */
export function prepareTokens(): void {
  for (let bits = 0; bits < 256; bits++) {
    let to: usize = BIT_PLACES + ((<usize>bits) << 3);
    for (let place = 0; place < 8; place++) if (((bits >> place) & 1) === 1) store<u8>(to++, place);
  }
}

/** Fills EDGES with the tokens of CANON[0..length-1] and returns their number. Writes spaces behind the bytes. */
export function findTokens(length: usize): i32 {
  for (let i: usize = 0; i < 80; i += 16) v128.store(CANON + length + i, i8x16.splat(SPACE));
  let edge: usize = EDGES;
  let carry: u64 = 0;
  let at = i16x8.splat(0);
  const eight = i16x8.splat(8);
  // one byte further than the last: there the last token ends
  for (let from: usize = CANON; from <= CANON + length; from += 64) {
    const mask =
      <u64>tokenBytes(v128.load(from)) |
      ((<u64>tokenBytes(v128.load(from, 16))) << 16) |
      ((<u64>tokenBytes(v128.load(from, 32))) << 32) |
      ((<u64>tokenBytes(v128.load(from, 48))) << 48);
    let turns = mask ^ ((mask << 1) | carry);
    carry = mask >> 63;
    for (let i = 0; i < 8; i++) {
      const bits = <u32>turns & 0xff;
      v128.store(edge, i16x8.add(at, v128.load8x8_u((<usize>bits) << 3, BIT_PLACES)));
      edge += (<usize>popcnt(bits)) << 1;
      at = i16x8.add(at, eight);
      turns >>= 8;
    }
  }
  return <i32>((edge - EDGES) >> 2);
}

/** Bit i = byte i belongs to a token. Canonical bytes have no capitals. */
function tokenBytes(bytes: v128): i32 {
  // differences shifted by 128, for only signed bytes are compared in one instruction
  const letters = i8x16.lt_s(i8x16.add(bytes, i8x16.splat(31)), i8x16.splat(-102));
  const digits = i8x16.lt_s(i8x16.add(bytes, i8x16.splat(80)), i8x16.splat(-118));
  return i8x16.bitmask(v128.or(v128.or(letters, digits), bytes));
}
