import type { LookUps } from './look-up.ts';

/*
 * The keys of a look-up by how coarse a document may sample and still have posted them.
 *
 *   key      …0110 1000      0 mod 8: a document of modulus 1, 2, 4 or 8 that has this shingle has posted it
 *   all[3]                   keys that are 0 mod 8
 *   cut[3]                   those of them with lists that were not read to their end
 */

export interface KeyCounts {
  /** The i-th: how many keys are 0 mod 2^i. */
  readonly all: Uint32Array;
  /** The i-th: how many of them have lists that were not read whole. */
  readonly cut: Uint32Array;
}

/** Keys are looked at as far as their lowest 32 bits. */
const ZEROS_MAX = 32;

/** @param shares the i-th: the part of the i-th key's list that was read, 1 where that is all of it */
export function countKeys({ keys }: LookUps, shares: Float64Array): KeyCounts {
  const all = new Uint32Array(ZEROS_MAX + 1);
  const cut = new Uint32Array(ZEROS_MAX + 1);
  for (let i = 0; i < keys.length; i++) {
    const zeros = zerosOf(keys[i]!);
    all[zeros]!++;
    cut[zeros]! += Number(shares[i]! < 1);
  }
  for (let zeros = ZEROS_MAX - 1; zeros >= 0; zeros--) {
    all[zeros]! += all[zeros + 1]!;
    cut[zeros]! += cut[zeros + 1]!;
  }
  return { all, cut };
}

/** Of the keys that are 0 mod 2^zeros the shares of lists that were not read whole, ascending. */
export function cutShares({ keys }: LookUps, shares: Float64Array, zeros: number): Float64Array {
  return shares.filter((share, i) => share < 1 && zerosOf(keys[i]!) >= zeros).sort();
}

/** i of a modulus 2^i. */
export const zerosOfModulus = (modulus: number) => Math.log2(modulus);

function zerosOf(key: number): number {
  const low = key | 0;
  return low === 0 ? ZEROS_MAX : 31 - Math.clz32(low & -low);
}
