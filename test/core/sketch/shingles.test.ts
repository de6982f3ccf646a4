import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPermutationKey, permute } from '../../../src/core/sketch/permutation.ts';
import { createField } from '../../../src/core/sketch/rabin.ts';
import { Shingler } from '../../../src/core/sketch/shingles.ts';
import { multiplyModulo, powerOfX } from '../../support/core/reference.ts';
import { createPrng } from '../../support/prng.ts';

const POLYNOMIAL = 0x1_ec7a_b1f8_c647_b861n;
const field = createField([0xec7a_b1f8, 0xc647_b861]);
const EMPTY = 0xfeed_beef_0bad_cafen;
const BLOCK = 40;
const prng = createPrng(7);
const key = createPermutationKey(Array.from({ length: 8 }, () => prng.uint32()));

const lowOf = (value: bigint) => Number(value & 0xffff_ffffn) | 0;
const highOf = (value: bigint) => Number(value >> 32n) | 0;
const bigint = (low: number, high: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
const randomValue = () => bigint(prng.uint32(), prng.uint32());

/** t1 x^(w-1) + … + tw mod P, from scratch. */
const fold = (window: readonly bigint[]): bigint =>
  window.reduce(
    (sum, value, i) => sum ^ multiplyModulo(value, powerOfX(window.length - 1 - i, POLYNOMIAL), POLYNOMIAL),
    0n,
  );

const permuted = (value: bigint): bigint => {
  const [low, high] = [Int32Array.of(lowOf(value)), Int32Array.of(highOf(value))];
  permute(key, low, high, 0, 1);
  return bigint(low[0]!, high[0]!);
};

/** The fingerprints of the windows that end with each token, by the code under test, and the window as it stands after all. */
function slideOver(
  size: number,
  tokens: readonly bigint[],
  blocks: readonly number[],
): { windows: bigint[]; last: bigint } {
  const shingler = new Shingler(field, size, BLOCK, [highOf(EMPTY), lowOf(EMPTY)], key);
  const windows: bigint[] = [];
  shingler.begin();
  let at = 0;
  for (const count of [...blocks, ...Array<number>(tokens.length).fill(BLOCK)]) {
    const block = tokens.slice(at, at + count);
    for (const [i, token] of block.entries()) {
      shingler.tokenLow[size + i] = lowOf(token);
      shingler.tokenHigh[size + i] = highOf(token);
    }
    shingler.slide(block.length);
    for (let i = 0; i < block.length; i++) windows.push(bigint(shingler.low[i]!, shingler.high[i]!));
    at += block.length;
  }
  shingler.stop();
  return { windows, last: bigint(shingler.low[0]!, shingler.high[0]!) };
}

describe('a sliding window of w tokens', () => {
  it.each(Array.from({ length: 32 }, (_, i) => i + 1))(
    'equals the window folded from scratch and permuted, w = %i',
    (size) => {
      const tokens = Array.from({ length: 90 }, randomValue);
      const padded = [...Array<bigint>(size).fill(EMPTY), ...tokens];
      const { windows } = slideOver(size, tokens, [1, 3, BLOCK, 2]);
      expect(windows).toEqual(tokens.map((_, i) => permuted(fold(padded.slice(i + 1, i + 1 + size)))));
    },
  );

  it('does not depend on how its tokens come in blocks', () => {
    const blocks = fc.array(fc.integer({ min: 0, max: BLOCK }), { maxLength: 6 });
    const tokens = Array.from({ length: 100 }, randomValue);
    const whole = slideOver(7, tokens, []);
    fc.assert(
      fc.property(blocks, (sizes) => {
        expect(slideOver(7, tokens, sizes)).toEqual(whole);
      }),
      { seed: 2010, numRuns: 50 },
    );
  });

  it('is, of fewer than w tokens, these behind empty ones', () => {
    for (let count = 1; count < 7; count++) {
      const tokens = Array.from({ length: count }, randomValue);
      expect(slideOver(7, tokens, []).last).toBe(permuted(fold([...Array<bigint>(7 - count).fill(EMPTY), ...tokens])));
    }
  });
});
