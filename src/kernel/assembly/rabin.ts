import { CANON, EDGES, FIELD, TOKENS } from './layout.ts';

/*
 * Rabin fingerprints of tokens: core/rabin.ts on 64-bit words.
 *
 *   value <- value · x^64 + next word, mod P        by 8 look-ups of the 8 bytes of value; the last word filled up with zeros
 */

/** Writes the fingerprint of each of `count` tokens to TOKENS. */
export function fingerprintTokens(count: i32): void {
  let to: usize = TOKENS;
  const last: usize = EDGES + (<usize>count << 3);
  for (let edge: usize = EDGES; edge < last; edge += 8) {
    let from = CANON + <usize>load<u32>(edge);
    let length = load<u32>(edge, 4) - load<u32>(edge);
    let value: u64 = 0;
    while (length > 8) {
      value = timesX64(value ^ load<u64>(from));
      from += 8;
      length -= 8;
    }
    store<u64>(to, value ^ (load<u64>(from) & ((<u64>-1) >> (64 - (<u64>length << 3)))));
    to += 8;
  }
}

/** value · x^64 mod P. */
function timesX64(value: u64): u64 {
  return (
    load<u64>(FIELD + ((<usize>value & 255) << 3)) ^
    load<u64>(FIELD + ((<usize>(value >> 8) & 255) << 3), 2048) ^
    load<u64>(FIELD + ((<usize>(value >> 16) & 255) << 3), 4096) ^
    load<u64>(FIELD + ((<usize>(value >> 24) & 255) << 3), 6144) ^
    load<u64>(FIELD + ((<usize>(value >> 32) & 255) << 3), 8192) ^
    load<u64>(FIELD + ((<usize>(value >> 40) & 255) << 3), 10240) ^
    load<u64>(FIELD + ((<usize>(value >> 48) & 255) << 3), 12288) ^
    load<u64>(FIELD + (<usize>(value >> 56) << 3), 14336)
  );
}
