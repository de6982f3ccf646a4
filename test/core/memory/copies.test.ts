import { describe, expect, it } from 'vitest';
import { createCopier } from '../../../src/core/memory/copies.ts';
import { createPrng } from '../../support/prng.ts';

describe('copies for results', () => {
  it('hold what was copied, whatever is copied after them and whatever becomes of the source', () => {
    const prng = createPrng(7);
    const copy = createCopier();
    const source = new Float64Array(3000);
    const copies: { made: Float64Array; expected: number[] }[] = [];
    for (let round = 0; round < 500; round++) {
      for (let i = 0; i < source.length; i++) source[i] = prng.below(2 ** 30);
      const from = prng.below(1000);
      const to = from + (round % 50 === 0 ? 1500 : prng.below(400));
      copies.push({ made: copy(source, from, to), expected: [...source.subarray(from, to)] });
    }
    for (const { made, expected } of copies) expect([...made]).toEqual(expected);
  });

  it('lie together where they are short, and have memory of their own where they are long', () => {
    const copy = createCopier();
    const source = new Float64Array(2000);
    expect(copy(source, 0, 10).buffer).toBe(copy(source, 5, 15).buffer);
    expect(copy(source, 0, 2000).buffer.byteLength).toBe(16_000);
    expect(copy(source, 3, 3).length).toBe(0);
  });
});
