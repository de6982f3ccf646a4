import { describe, expect, it } from 'vitest';
import { mainRunSteps } from '../../../src/core/content/main-runs.ts';
import { runToEnd } from '../../../src/core/memory/steps.ts';

const BITS = 40;
/** A document of such shingles, some of which are main. */
function marked(values: readonly number[], main: readonly number[], modulus = 1) {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (const [i, value] of values.entries()) if (main.includes(value)) bits[i >> 3]! |= 1 << (i & 7);
  return {
    sample: { modulus, bits: BITS, values: Float64Array.from(values) },
    main: { shingleCount: main.length, bits },
  };
}

const runs = (fingerprints: readonly number[], document: Parameters<typeof mainRunSteps>[1]) =>
  runToEnd(mainRunSteps({ shingleSize: 3, fingerprints: Float64Array.from(fingerprints) }, document));

describe('the runs of main text', () => {
  it('are the tokens of main shingles, joined where they touch', () => {
    const document = marked([10, 20, 30, 40, 50, 60, 70, 80], [20, 30, 60, 70]);
    expect(runs([10, 20, 30, 40, 50, 60, 10, 10, 10, 70], document)).toEqual([
      { from: 1, to: 8 },
      { from: 9, to: 12 },
    ]);
    expect(runs([20, 10, 10, 60], document)).toEqual([{ from: 0, to: 6 }]);
    expect(runs([20, 10, 10, 10, 60], document)).toEqual([
      { from: 0, to: 3 },
      { from: 4, to: 7 },
    ]);
    expect(runs([10, 40], document)).toEqual([]);
  });

  it('are not told where all is main, or not all shingles are at hand', () => {
    const { sample } = marked([10, 20], []);
    expect(runs([10, 20], { sample, main: null })).toBeNull();
    expect(runs([10, 20], marked([16, 32], [16], 16))).toBeNull();
  });
});
