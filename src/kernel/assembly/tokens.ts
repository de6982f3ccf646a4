import { CANON, EDGES, TEXT } from './layout.ts';

/*
 * Where the tokens of the canonical bytes begin and end, and the tokens themselves in a row: core/tokens.ts, 64 bytes at a
 * time.
 *
 *   mask    bit i = byte i is a-z, 0-9 or >= 0x80           four comparisons of 16 bytes
 *   edges   mask XOR (mask << 1 | carry)                    starts and ends in turn, one bit each
 *
 * Edges are taken off a mask eight at a time, whether they are there or not: what is too much is overwritten by the next
 * mask's, and a loop of 1 to 40 turns, which no processor foresees, becomes one of 2 or 3.
 */

const SPACE: u8 = 0x20;

/** Fills EDGES with the tokens of CANON[0..length-1] and returns their number. Writes spaces behind the bytes. */
export function findTokens(length: usize): i32 {
  memory.fill(CANON + length, SPACE, 128);
  let edge: usize = EDGES;
  let carry: u64 = 0;
  // one byte further than the last: there the last token ends
  for (let at: usize = 0; at <= length; at += 64) {
    const from = CANON + at;
    const mask =
      (<u64>tokenBytes(v128.load(from))) |
      (<u64>tokenBytes(v128.load(from, 16)) << 16) |
      (<u64>tokenBytes(v128.load(from, 32)) << 32) |
      (<u64>tokenBytes(v128.load(from, 48)) << 48);
    let turns = mask ^ ((mask << 1) | carry);
    carry = mask >> 63;
    const end = edge + (<usize>popcnt(turns) << 2);
    while (edge < end) {
      turns = takeEdge(edge, turns, <u32>at);
      turns = takeEdge(edge + 4, turns, <u32>at);
      turns = takeEdge(edge + 8, turns, <u32>at);
      turns = takeEdge(edge + 12, turns, <u32>at);
      turns = takeEdge(edge + 16, turns, <u32>at);
      turns = takeEdge(edge + 20, turns, <u32>at);
      turns = takeEdge(edge + 24, turns, <u32>at);
      turns = takeEdge(edge + 28, turns, <u32>at);
      edge += 32;
    }
    edge = end;
  }
  return <i32>((edge - EDGES) >> 3);
}

function takeEdge(edge: usize, turns: u64, at: u32): u64 {
  store<u32>(edge, at + <u32>ctz(turns));
  return turns & (turns - 1);
}

/** Bit i = byte i belongs to a token. Canonical bytes have no capitals. */
function tokenBytes(bytes: v128): i32 {
  const letters = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x61)), i8x16.splat(26));
  const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
  return i8x16.bitmask(v128.or(v128.or(letters, digits), bytes));
}

/** Copies the first `count` tokens to TEXT, each with a space behind it, and returns the number of bytes. */
export function copyTokens(count: i32): usize {
  let to: usize = TEXT;
  const last: usize = EDGES + (<usize>count << 3);
  for (let edge: usize = EDGES; edge < last; edge += 8) {
    let from = CANON + <usize>load<u32>(edge);
    const end = to + <usize>(load<u32>(edge, 4) - load<u32>(edge));
    // what the first 16 bytes are too long, the next token covers
    v128.store(to, v128.load(from));
    while (to + 16 < end) {
      to += 16;
      from += 16;
      v128.store(to, v128.load(from));
    }
    store<u8>(end, SPACE);
    to = end + 1;
  }
  return to - TEXT;
}
