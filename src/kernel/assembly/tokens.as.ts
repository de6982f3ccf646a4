import { BIT_PLACES, CANON, EDGES, TEXT } from './layout.as.ts';

/*
 * Where the tokens of the canonical bytes begin and end: core/text/tokens.ts, 64 bytes at a time.
 *
 *   mask    bit i = byte i is a-z, 0-9 or >= 0x80           three comparisons of 16 bytes
 *   turns   mask XOR (mask << 1 | carry)                    starts and ends alternate, one bit each
 *   edges   of 8 bits at a time, by a table of 256          00100110 -> 1 2 5 - - - - -
 *
 * Eight edges are written for every eight bits, and the next ones go over those that were none: no branch at all.
 */

const SPACE: u8 = 0x20;

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
  // one byte further than the last: there the last token ends
  for (let from: usize = CANON; from <= CANON + length; from += 64) {
    const mask =
      <u64>tokenBytes(v128.load(from)) |
      ((<u64>tokenBytes(v128.load(from, 16))) << 16) |
      ((<u64>tokenBytes(v128.load(from, 32))) << 32) |
      ((<u64>tokenBytes(v128.load(from, 48))) << 48);
    const turns = mask ^ ((mask << 1) | carry);
    carry = mask >> 63;
    edge = writePlaces(<u32>turns, at, edge);
    at = i16x8.add(at, i16x8.splat(32));
    edge = writePlaces(<u32>(turns >> 32), at, edge);
    at = i16x8.add(at, i16x8.splat(32));
  }
  return <i32>((edge - EDGES) >> 2);
}

/** Writes `at` + the position of each of 32 bits to `edge` and returns the address after them. */
function writePlaces(turns: u32, at: v128, edge: usize): usize {
  v128.store(edge, i16x8.add(at, v128.load8x8_u((<usize>(turns & 0xff)) << 3, BIT_PLACES)));
  edge += (<usize>popcnt(turns & 0xff)) << 1;
  at = i16x8.add(at, i16x8.splat(8));
  v128.store(edge, i16x8.add(at, v128.load8x8_u((<usize>((turns >> 8) & 0xff)) << 3, BIT_PLACES)));
  edge += (<usize>popcnt(turns & 0xff00)) << 1;
  at = i16x8.add(at, i16x8.splat(8));
  v128.store(edge, i16x8.add(at, v128.load8x8_u((<usize>((turns >> 16) & 0xff)) << 3, BIT_PLACES)));
  edge += (<usize>popcnt(turns & 0xff_0000)) << 1;
  at = i16x8.add(at, i16x8.splat(8));
  v128.store(edge, i16x8.add(at, v128.load8x8_u((<usize>(turns >> 24)) << 3, BIT_PLACES)));
  return edge + ((<usize>popcnt(turns >> 24)) << 1);
}

/** Writes `count` tokens to TEXT, each with a space behind it, and returns the number of bytes. */
export function copyTokens(count: i32): usize {
  const end: usize = EDGES + ((<usize>count) << 2);
  let text: usize = TEXT;
  for (let edge: usize = EDGES; edge < end; edge += 4) {
    const edges = load<u32>(edge);
    let from = <usize>(edges & 0xffff);
    const textEnd = text + <usize>((edges >> 16) - (edges & 0xffff));
    // always 16 bytes: the next token covers what was too much
    v128.store(text, v128.load(from, CANON));
    while (text + 16 < textEnd) {
      text += 16;
      from += 16;
      v128.store(text, v128.load(from, CANON));
    }
    store<u8>(textEnd, SPACE);
    text = textEnd + 1;
  }
  return text - TEXT;
}

/** Bit i = byte i belongs to a token. Canonical bytes have no capitals. */
function tokenBytes(bytes: v128): i32 {
  // differences shifted by 128, for only signed bytes are compared in one instruction
  const letters = i8x16.lt_s(i8x16.add(bytes, i8x16.splat(31)), i8x16.splat(-102));
  const digits = i8x16.lt_s(i8x16.add(bytes, i8x16.splat(80)), i8x16.splat(-118));
  return i8x16.bitmask(v128.or(v128.or(letters, digits), bytes));
}
