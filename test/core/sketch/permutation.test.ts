import { describe, expect, it } from 'vitest';
import { createPermutationKey, permute } from '../../../src/core/sketch/permutation.ts';
import { createPrng } from '../../support/prng.ts';

const prng = createPrng(2010);
const randomKey = () => createPermutationKey(Array.from({ length: 8 }, () => prng.uint32()));

/** The rounds undone from the last to the first. */
function invert(key: Int32Array, low: number, high: number): [number, number] {
  let [x, y] = [high, low];
  for (let round = 3; round >= 0; round--) {
    const source = round % 2 === 0 ? x : y;
    const product = Math.imul((source ^ (source >>> 15)) + key[2 * round]!, key[2 * round + 1]!);
    const change = product ^ (product >>> 15);
    if (round % 2 === 0) y ^= change;
    else x ^= change;
  }
  return [y, x];
}

describe('the keyed permutation', () => {
  it('can be undone, so it is a bijection, for whatever eight constants', () => {
    const keys = [
      randomKey(),
      createPermutationKey([0, 0, 0, 0, 0, 0, 0, 0]),
      createPermutationKey(Array(8).fill(0xffff_ffff)),
    ];
    for (const key of keys) {
      for (let i = 0; i < 2000; i++) {
        const [low, high] = [Int32Array.of(prng.uint32()), Int32Array.of(prng.uint32())];
        const before = [low[0], high[0]];
        permute(key, low, high, 0, 1);
        expect(invert(key, low[0]!, high[0]!)).toEqual(before);
      }
    }
  });

  it('makes its multipliers odd and refuses another number of constants', () => {
    expect([...createPermutationKey([2, 2, 4, 4, 6, 6, 0xffff_fffe, 0xffff_fffe])]).toEqual([2, 3, 4, 5, 6, 7, -2, -1]);
    expect(() => createPermutationKey([1, 2, 3])).toThrow(RangeError);
  });

  it('changes only the values it is asked for', () => {
    const low = Int32Array.of(1, 2, 3, 4);
    const high = Int32Array.of(5, 6, 7, 8);
    permute(randomKey(), low, high, 1, 3);
    expect([low[0], low[3], high[0], high[3]]).toEqual([1, 4, 5, 8]);
    expect(low[1] === 2 && high[1] === 6).toBe(false);
  });

  it('applied twice, as every shingle passes it, spreads consecutive values evenly over the low and top 8 of 40 bits', () => {
    const count = 25_600;
    for (let trial = 0; trial < 40; trial++) {
      const low = Int32Array.from({ length: count }, (_, i) => i << ((trial % 3) * 8));
      const high = new Int32Array(count);
      permute(randomKey(), low, high, 0, count);
      permute(randomKey(), low, high, 0, count);
      for (const bucketOf of [(i: number) => low[i]! & 0xff, (i: number) => high[i]! & 0xff]) {
        const buckets = new Float64Array(256);
        for (let i = 0; i < count; i++) buckets[bucketOf(i)]!++;
        const chiSquared = buckets.reduce((sum, found) => sum + (found - 100) ** 2 / 100, 0);
        // 255 degrees of freedom: mean 255, standard deviation 22.6; six of them
        expect(Math.abs(chiSquared - 255)).toBeLessThan(136);
      }
    }
  });

  it('turns half of the output bits where one input bit turns', () => {
    const key = randomKey();
    for (let bit = 0; bit < 64; bit++) {
      let turned = 0;
      for (let i = 0; i < 200; i++) {
        const [l, h] = [prng.uint32() | 0, prng.uint32() | 0];
        const low = Int32Array.of(l, bit < 32 ? l ^ (1 << bit) : l);
        const high = Int32Array.of(h, bit < 32 ? h : h ^ (1 << (bit - 32)));
        permute(key, low, high, 0, 2);
        turned += ones(low[0]! ^ low[1]!) + ones(high[0]! ^ high[1]!);
      }
      expect(Math.abs(turned / 200 - 32)).toBeLessThan(4);
    }
  });
});

function ones(value: number): number {
  return (value >>> 0).toString(2).replaceAll('0', '').length;
}
