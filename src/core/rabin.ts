import type { CanonicalBytes } from './canonicalize.ts';
import type { TokenBlock } from './tokens.ts';

/*
 * Rabin fingerprints of tokens: the bytes of a token, read as a polynomial over GF(2), modulo a secret irreducible
 * polynomial P of degree 64 (Rabin 1981; Broder 1997, §3: "Rabin fingerprints").
 *
 *   token   s y l l a b l e s        9 bytes = 2 words of 64 bits, little-endian, the last one filled up with zeros
 *           └── W0 ───────┘ W1
 *   value   W0 · x^64 + W1  mod P    Horner: value <- value · x^64 + W, by 8 look-ups of the 8 bytes of value
 *
 * A token of up to 8 bytes is its own value, no look-up at all: 9 of 10 tokens of English. Length counts: the filling is
 * 0x00, which no token contains (NUL is a control character, so it separates) and no token begins with, so no two
 * tokens are the same polynomial. Two that differ share a value with a chance of (words of the longer) / 2^58 over the
 * choice of P; whoever does not know P cannot look for them.
 *
 * 64 bits are two Int32 halves; tables hold low and high halves in turn. Ours: words instead of bytes, so that the common
 * token costs two loads. Cost: 9 ns a token of English.
 */

/** The field GF(2)[x] / P: arithmetic on 64-bit values as two Int32 halves. */
export interface Field {
  /** P without x^64. */
  readonly low: number;
  readonly high: number;
  /** Byte j (0..7) of a value, times x^(64 + 8j): low half at 512 j + 2 byte, high half after it. */
  readonly shiftedBytes: Int32Array;
}

/** @param polynomial the low 64 coefficients of P as [high, low] */
export function createField(polynomial: readonly [number, number]): Field {
  const [high, low] = [polynomial[0] | 0, polynomial[1] | 0];
  const shiftedBytes = new Int32Array(8 * 512);
  for (let byte = 0; byte < 8; byte++) shiftedBytes.set(multiplesOf({ low, high }, 64 + 8 * byte, 8), 512 * byte);
  return { low, high, shiftedBytes };
}

/** v(x) · x^degree mod P for every v of so many bits: low half at 2v, high half at 2v + 1. */
export function multiplesOf(field: Pick<Field, 'low' | 'high'>, degree: number, bits: number): Int32Array {
  const multiples = new Int32Array(2 << bits);
  let low = 1;
  let high = 0;
  for (let power = 1; power <= degree + bits; power++) {
    const overflow = high >> 31;
    // multiplesOf what is known so far, plus the next power of x
    high = ((high << 1) | (low >>> 31)) ^ (overflow & field.high);
    low = (low << 1) ^ (overflow & field.low);
    const bit = power - degree;
    if (bit < 0 || bit >= bits) continue;
    for (let v = 0; v < 1 << bit; v++) {
      multiples[2 * (v | (1 << bit))] = multiples[2 * v]! ^ low;
      multiples[2 * (v | (1 << bit)) + 1] = multiples[2 * v + 1]! ^ high;
    }
  }
  return multiples;
}

/** Halves of the word that keeps its first k bytes, k = 0..8. */
const KEEP_LOW = Int32Array.of(0, 0xff, 0xffff, 0xff_ffff, -1, -1, -1, -1, -1);
const KEEP_HIGH = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xff_ffff, -1);

/** Sets low[at + i], high[at + i] to the Rabin fingerprint of token i of a block. */
export function fingerprintTokens(
  field: Field,
  canonical: CanonicalBytes,
  block: TokenBlock,
  low: Int32Array,
  high: Int32Array,
  at: number,
): void {
  const { view } = canonical;
  const { edges, count } = block;
  const t = field.shiftedBytes;
  for (let i = 0; i < count; i++) {
    let from = edges[2 * i]!;
    const to = edges[2 * i + 1]!;
    let valueLow = 0;
    let valueHigh = 0;
    for (; to - from > 8; from += 8) {
      const l = valueLow ^ view.getInt32(from, true);
      const h = valueHigh ^ view.getInt32(from + 4, true);
      const b0 = 2 * (l & 0xff);
      const b1 = 512 + 2 * ((l >>> 8) & 0xff);
      const b2 = 1024 + 2 * ((l >>> 16) & 0xff);
      const b3 = 1536 + 2 * (l >>> 24);
      const b4 = 2048 + 2 * (h & 0xff);
      const b5 = 2560 + 2 * ((h >>> 8) & 0xff);
      const b6 = 3072 + 2 * ((h >>> 16) & 0xff);
      const b7 = 3584 + 2 * (h >>> 24);
      valueLow = t[b0]! ^ t[b1]! ^ t[b2]! ^ t[b3]! ^ t[b4]! ^ t[b5]! ^ t[b6]! ^ t[b7]!;
      valueHigh = t[b0 + 1]! ^ t[b1 + 1]! ^ t[b2 + 1]! ^ t[b3 + 1]! ^ t[b4 + 1]! ^ t[b5 + 1]! ^ t[b6 + 1]! ^ t[b7 + 1]!;
    }
    low[at + i] = valueLow ^ (view.getInt32(from, true) & KEEP_LOW[to - from]!);
    high[at + i] = valueHigh ^ (view.getInt32(from + 4, true) & KEEP_HIGH[to - from]!);
  }
}
