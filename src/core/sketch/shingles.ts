import { mixed, type PermutationKey, permute } from './permutation.ts';
import { type Field, multiplesOf } from './rabin.ts';

/*
 * Shingles: every window of w tokens, folded to 64 bits as it slides (Lemire & Kaser 2010, "Recursive n-gram hashing is
 * pairwise independent, at best": GENERAL).
 *
 *   F(t1 … tw) = t1 x^(w-1) + … + t(w-1) x + tw  mod P        over the permuted values of the tokens
 *   next window:  F <- F · x + t(new) - t(old) · x^w           one shift by a bit, and a look-up for t(old) · x^w:
 *
 *   t(old)   │ top b bits  │ the other 64 - b bits │      the top bits leave the 64, by a table of their 2^b multiples of
 *            └─ look up ───┴─ just move up ────────┘      x^64: b = w up to 11, above that two or three steps of less
 *
 * Of the quality of a rolling Rabin fingerprint that shifts by 64 bits a token, at 1.3 times its speed. Tokens are permuted
 * first, for windows of raw short words would be mostly zeros.
 *
 * A text of k < w tokens is one shingle, its whole sequence. The window is filled up in front with w - k empty tokens
 * of value 0, which no text contains. So its length counts, and it is no other text's shingle.
 *
 * Each window is permuted (permutation.ts) while it is in hand. The rounds of a permutation are one chain of steps, the
 * sliding of the window is another; the processor does the two side by side. Cost: 7 ns a token for both.
 */

/** Bits that one look-up moves out: 2^11 entries of 8 bytes stay in the cache. */
const STEP_BITS_MAX = 11;

/** Permuted values of tokens go in, fingerprints come out, the permuted values of windows: block by block. */
export class Shingler {
  /** w */
  readonly size: number;
  /** Permuted values of tokens: `size` of the past, then from index `size` on those of the block. */
  readonly tokenLow: Int32Array;
  readonly tokenHigh: Int32Array;
  /** Fingerprints of the windows that end with the tokens of the block, in order. */
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly #field: Field;
  readonly #key: PermutationKey;
  readonly #emptyLow: number;
  readonly #emptyHigh: number;
  readonly #emptyWindowLow: number;
  readonly #emptyWindowHigh: number;
  /** Multiples of x^64 by as many bits as one step moves up: for each of the steps that make x^w. */
  readonly #tables: readonly Int32Array[];
  #windowLow = 0;
  #windowHigh = 0;

  /**
   * @param size w, 1..32
   * @param blockTokens tokens in a block, at the most
   * @param empty permuted value of the empty token, [high, low]
   * @param key permutes the windows
   */
  constructor(field: Field, size: number, blockTokens: number, empty: readonly [number, number], key: PermutationKey) {
    this.size = size;
    this.tokenLow = new Int32Array(size + blockTokens);
    this.tokenHigh = new Int32Array(size + blockTokens);
    this.low = new Int32Array(blockTokens);
    this.high = new Int32Array(blockTokens);
    this.#field = field;
    this.#key = key;
    [this.#emptyHigh, this.#emptyLow] = empty;
    this.#tables = stepsOf(size).map((bits) => multiplesOf(field, 64, bits));
    // after as many tokens as a window holds, of an empty value each
    this.tokenLow.fill(this.#emptyLow, size, 2 * size);
    this.tokenHigh.fill(this.#emptyHigh, size, 2 * size);
    this.slide(size);
    this.#emptyWindowLow = this.#windowLow;
    this.#emptyWindowHigh = this.#windowHigh;
  }

  /** Forgets all tokens: the window is full of empty ones. */
  begin(): void {
    this.tokenLow.fill(this.#emptyLow, 0, this.size);
    this.tokenHigh.fill(this.#emptyHigh, 0, this.size);
    this.#windowLow = this.#emptyWindowLow;
    this.#windowHigh = this.#emptyWindowHigh;
  }

  /** Slides the window over the first `count` tokens of the block: fills low[0..count-1], high[0..count-1]. */
  slide(count: number): void {
    const { size, tokenLow, tokenHigh, low, high } = this;
    const { low: fieldLow, high: fieldHigh } = this.#field;
    // t(old) · x^w: all steps but the last beforehand, where the results are to be
    const last = this.#tables.length - 1;
    for (let step = 0; step < last; step++)
      multiply(this.#tables[step]!, step === 0 ? tokenLow : low, step === 0 ? tokenHigh : high, low, high, count);
    const oldLow = last > 0 ? low : tokenLow;
    const oldHigh = last > 0 ? high : tokenHigh;
    const multiples = this.#tables[last]!;
    const bits = 30 - Math.clz32(multiples.length);
    const shift = 32 - bits;
    const key = this.#key;
    // by name, as in permute(): any shorter spelling of these rounds takes 4 to 5 % longer
    const k0 = key[0]!;
    const m0 = key[1]!;
    const k1 = key[2]!;
    const m1 = key[3]!;
    const k2 = key[4]!;
    const m2 = key[5]!;
    const k3 = key[6]!;
    const m3 = key[7]!;
    let l = this.#windowLow;
    let h = this.#windowHigh;
    for (let i = 0; i < count; i++) {
      const a = oldLow[i]!;
      const b = oldHigh[i]!;
      const top = 2 * (b >>> shift);
      const overflow = h >> 31;
      const changeLow = tokenLow[i + size]! ^ (a << bits) ^ multiples[top]!;
      const changeHigh = tokenHigh[i + size]! ^ ((b << bits) | (a >>> shift)) ^ multiples[top + 1]!;
      h = ((h << 1) | (l >>> 31)) ^ (overflow & fieldHigh) ^ changeHigh;
      l = (l << 1) ^ (overflow & fieldLow) ^ changeLow;
      let y = l ^ mixed(h, k0, m0);
      const x = h ^ mixed(y, k1, m1);
      y ^= mixed(x, k2, m2);
      high[i] = x ^ mixed(y, k3, m3);
      low[i] = y;
    }
    this.#windowLow = l;
    this.#windowHigh = h;
    tokenLow.copyWithin(0, count, count + size);
    tokenHigh.copyWithin(0, count, count + size);
  }

  /** Sets low[0], high[0] to the fingerprint of the window as it stands: the one shingle of a text of fewer than w tokens. */
  stop(): void {
    this.low[0] = this.#windowLow;
    this.high[0] = this.#windowHigh;
    permute(this.#key, this.low, this.high, 0, 1);
  }
}

/** w in as few steps as can be, none of them of more bits than fit in the cache as a table. */
function stepsOf(size: number): number[] {
  const steps = Math.ceil(size / STEP_BITS_MAX);
  return Array.from({ length: steps }, (_, i) => Math.floor((size + i) / steps));
}

/** Products of `count` values by x^bits, where the table holds 2^bits multiples of x^64. */
function multiply(
  multiples: Int32Array,
  fromLow: Int32Array,
  fromHigh: Int32Array,
  toLow: Int32Array,
  toHigh: Int32Array,
  count: number,
): void {
  const bits = 30 - Math.clz32(multiples.length);
  const shift = 32 - bits;
  for (let i = 0; i < count; i++) {
    const low = fromLow[i]!;
    const high = fromHigh[i]!;
    const top = 2 * (high >>> shift);
    toLow[i] = (low << bits) ^ multiples[top]!;
    toHigh[i] = ((high << bits) | (low >>> shift)) ^ multiples[top + 1]!;
  }
}
