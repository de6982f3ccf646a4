import type { TokenBlock } from '../text/alignment.ts';
import type { CanonicalBytes } from '../text/canonicalize.ts';
import { BLOCK_TOKENS } from '../text/tokens.ts';

/*
 * Rabin fingerprints of tokens (Rabin 1981; Broder 1997, §3: "Rabin fingerprints"). The bytes of a token are read as a
 * polynomial over GF(2), modulo a secret irreducible polynomial P of degree 64.
 *
 *   token   s y l l a b l e s        9 bytes = 2 words of 64 bits, little-endian, the last one filled up with zeros
 *           └── W0 ───────┘ W1
 *   value   W0 · x^64 + W1  mod P    Horner: value <- value · x^64 + W, by 8 look-ups of the 8 bytes of value
 *
 * A token of up to 8 bytes is its own value, no look-up at all: 9 of 10 tokens of English. Length counts: the filling
 * is 0x00, which no token contains, since NUL is a control character and separates. So no two tokens are the same
 * polynomial. Two that differ share a value with a chance of (words of the longer) / 2^58 over the choice of P; whoever
 * does not know P cannot look for them.
 *
 * 64 bits are two Int32 halves; tables hold low and high halves alternately. Ours: words instead of bytes, so that the
 * common token costs two loads and no decision. The longer ones come after, from a list, so that a wrong guess of the
 * length is rare. Cost: 5 ns a token of English.
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
    // the next power of x, mod P: with it, each multiple that is known gives one more
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

/**
 * Halves of the word that keeps its first k bytes, k = 0..8; whatever comes after them keeps all, k = 9..31. No shorter: the
 * engine puts arrays of up to 64 bytes where it cannot reach them as fast.
 */
const KEEP_LOW = Int32Array.from({ length: 32 }, (_, k) => (k < 4 ? (1 << (8 * k)) - 1 : -1));
const KEEP_HIGH = Int32Array.from({ length: 32 }, (_, k) => (k < 4 ? 0 : k < 8 ? (1 << (8 * (k - 4))) - 1 : -1));

/** Which tokens of the block are longer than a word. */
const longTokens = new Int32Array(BLOCK_TOKENS);

/** Sets low[at + i], high[at + i] to the Rabin fingerprint of token i of a block. */
export function fingerprintTokens(
  field: Field,
  canonical: CanonicalBytes,
  block: TokenBlock,
  low: Int32Array,
  high: Int32Array,
  at: number,
): void {
  const longCount = takeFirstWords(canonical, block, low, high, at);
  for (let j = 0; j < longCount; j++) {
    const i = longTokens[j]!;
    fingerprintBytes(field, canonical.view, block.edges[2 * i]!, block.edges[2 * i + 1]!, low, high, at + i);
  }
}

/** All tokens as if they had no more than 8 bytes, without a decision; lists those that have more and returns their number. */
function takeFirstWords(
  { view }: CanonicalBytes,
  { edges, count }: TokenBlock,
  low: Int32Array,
  high: Int32Array,
  at: number,
): number {
  let longCount = 0;
  for (let i = 0; i < count; i++) {
    const from = edges[2 * i]!;
    const size = (edges[2 * i + 1]! - from) | 0;
    low[at + i] = view.getInt32(from, true) & KEEP_LOW[size & 31]!;
    high[at + i] = view.getInt32(from + 4, true) & KEEP_HIGH[size & 31]!;
    longTokens[longCount] = i;
    longCount += (8 - size) >>> 31;
  }
  return longCount;
}

/** Sets low[at], high[at] to the Rabin fingerprint of bytes from..to-1, at least one; up to 7 behind them are touched. */
export function fingerprintBytes(
  { shiftedBytes: t }: Field,
  view: DataView,
  first: number,
  to: number,
  low: Int32Array,
  high: Int32Array,
  at: number,
): void {
  let from = first;
  let valueLow = 0;
  let valueHigh = 0;
  for (; to - from > 8; from += 8) {
    const l = valueLow ^ view.getInt32(from, true);
    const h = valueHigh ^ view.getInt32(from + 4, true);
    valueLow = 0;
    valueHigh = 0;
    for (let shift = 0; shift < 32; shift += 8) {
      const inLow = 64 * shift + 2 * ((l >>> shift) & 0xff);
      const inHigh = 2048 + 64 * shift + 2 * ((h >>> shift) & 0xff);
      valueLow ^= t[inLow]! ^ t[inHigh]!;
      valueHigh ^= t[inLow + 1]! ^ t[inHigh + 1]!;
    }
  }
  low[at] = valueLow ^ (view.getInt32(from, true) & KEEP_LOW[to - from]!);
  high[at] = valueHigh ^ (view.getInt32(from + 4, true) & KEEP_HIGH[to - from]!);
}
