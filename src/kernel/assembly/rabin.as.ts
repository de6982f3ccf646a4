import { CANON, EDGES, FIELD, LONG, TOKENS } from './layout.as.ts';

/*
 * Rabin fingerprints of tokens: core/sketch/rabin.ts on 64-bit words.
 *
 *   value <- value · x^64 + next word, mod P        by 8 look-ups of the 8 bytes of value; the last word filled up with zeros
 *
 * Most tokens are one word. Where the others stand is written down first: a branch on the length of each would be guessed
 * wrong for each long one, which costs as much as its arithmetic.
 */

/** Writes the fingerprint of each of `count` tokens to TOKENS. */
export function fingerprintTokens(count: i32): void {
  const end: usize = EDGES + ((<usize>count) << 2);
  let value: usize = TOKENS;
  let long: usize = LONG;
  for (let edge: usize = EDGES; edge < end; edge += 4) {
    const edges = load<u32>(edge);
    const from = <usize>(edges & 0xffff);
    const length = (edges >> 16) - (edges & 0xffff);
    // of a long token this is nothing yet
    store<u64>(value, load<u64>(from, CANON) & firstBytes(length));
    store<u32>(long, edge);
    long += (<usize>(length > 8)) << 2;
    value += 8;
  }
  for (let at: usize = LONG; at < long; at += 4) fingerprintLong(<usize>load<u32>(at));
}

/** A token of more than one word, whose edges stand at `edge`. */
function fingerprintLong(edge: usize): void {
  const edges = load<u32>(edge);
  let from = CANON + <usize>(edges & 0xffff);
  let length = (edges >> 16) - (edges & 0xffff);
  let value: u64 = 0;
  while (length > 8) {
    value = timesX64(value ^ load<u64>(from));
    from += 8;
    length -= 8;
  }
  store<u64>(TOKENS + ((edge - EDGES) << 1), value ^ (load<u64>(from) & firstBytes(length)));
}

/** Keeps the first 1 to 8 bytes of a word. */
function firstBytes(count: u32): u64 {
  return <u64>-1 >> (64 - ((<u64>count) << 3));
}

/** value · x^64 mod P: byte j of value chooses from table j. */
function timesX64(value: u64): u64 {
  return (
    load<u64>(<usize>(value << 3) & 0x7f8, FIELD) ^
    load<u64>(<usize>(value >> 5) & 0x7f8, FIELD + 2048) ^
    load<u64>(<usize>(value >> 13) & 0x7f8, FIELD + 4096) ^
    load<u64>(<usize>(value >> 21) & 0x7f8, FIELD + 6144) ^
    load<u64>(<usize>(value >> 29) & 0x7f8, FIELD + 8192) ^
    load<u64>(<usize>(value >> 37) & 0x7f8, FIELD + 10240) ^
    load<u64>(<usize>(value >> 45) & 0x7f8, FIELD + 12288) ^
    load<u64>(<usize>(value >> 53) & 0x7f8, FIELD + 14336)
  );
}
