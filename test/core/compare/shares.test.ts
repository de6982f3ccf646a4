import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateOverlap } from '../../../src/core/compare/estimate.ts';
import { compareSamples } from '../../../src/core/compare/sample-comparer.ts';
import {
  containmentOf,
  decide,
  printShare,
  resemblanceOf,
  roundShare,
  roundShareDown,
  roundShareUp,
} from '../../../src/core/compare/shares.ts';
import { wholeSample } from '../../../src/core/sketch/narrow.ts';
import { draws } from '../../support/draws.ts';
import { createPrng } from '../../support/prng.ts';

/** Sets of up to 12 of 16 elements: many share much, many share nothing. */
const set = fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 12 });

/** I of two sets, the way the service gets it where both are known whole. */
function overlapOf(a: readonly number[], b: readonly number[]): number {
  const [sampleA, sampleB] = [a, b].map((elements) => ({
    modulus: 1,
    fingerprints: Float64Array.from(elements).sort(),
  })) as [{ modulus: number; fingerprints: Float64Array }, { modulus: number; fingerprints: Float64Array }];
  const counts = compareSamples(wholeSample(sampleA), wholeSample(sampleB));
  return estimateOverlap({ ...counts, shinglesA: a.length, shinglesB: b.length, equalSets: false }).estimate;
}

const resemblance = (a: number[], b: number[]): number => resemblanceOf(overlapOf(a, b), a.length, b.length);
const containment = (a: number[], b: number[]): number => containmentOf(overlapOf(a, b), a.length);

describe('resemblance and containment', () => {
  it('are the shares of the union and of either set, by their definition', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const both = a.filter((element) => b.includes(element)).length;
        expect(resemblance(a, b)).toBe(both / new Set([...a, ...b]).size);
        expect(containment(a, b)).toBe(both / a.length);
      }),
      { seed: 1997 },
    );
  });

  it('cannot contradict one another: 1/r = 1/c(A,B) + 1/c(B,A) - 1 for every overlap', () => {
    const sizes = fc.integer({ min: 1, max: 3_000_000 });
    fc.assert(
      fc.property(sizes, sizes, fc.nat(), (a, b, i) => {
        const overlap = 1 + (i % Math.min(a, b));
        const sum = 1 / containmentOf(overlap, a) + 1 / containmentOf(overlap, b) - 1;
        expect(1 / resemblanceOf(overlap, a, b) / sum).toBeCloseTo(1, 12);
      }),
      draws(250, 1997),
    );
  });

  it('are symmetric and 1 - r is a metric on exact sets, which 1 - c is not', () => {
    let violations = 0;
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        expect(resemblance(a, b)).toBe(resemblance(b, a));
        expect(resemblance(a, b) === 1).toBe(new Set([...a, ...b]).size === a.length && a.length === b.length);
        expect(1 - resemblance(a, c)).toBeLessThanOrEqual(2 - resemblance(a, b) - resemblance(b, c) + 1e-12);
        if (1 - containment(a, c) > 2 - containment(a, b) - containment(b, c) + 1e-12) violations++;
      }),
      draws(250, 1997),
    );
    expect(violations).toBeGreaterThan(0);
  });

  it('never fall for what was there when text is added to the other document', () => {
    fc.assert(
      fc.property(set, set, set, (part, whole, more) => {
        const added = [...new Set([...whole, ...more])];
        expect(containment(part, added)).toBeGreaterThanOrEqual(containment(part, whole));
        expect(containment(part, [...new Set([...part, ...more])])).toBe(1);
      }),
      { seed: 1997 },
    );
  });

  it('are 1 for empty sets, by their definitions, and never NaN', () => {
    expect(resemblanceOf(0, 0, 0)).toBe(1);
    expect(containmentOf(0, 0)).toBe(1);
    expect(resemblanceOf(0, 0, 5)).toBe(0);
  });
});

describe('a decision', () => {
  it('is yes from the threshold on, no below it, and open where the interval holds it', () => {
    expect(decide(0.5, 0.6, 0.5)).toBe('yes');
    expect(decide(0.4, 0.5, 0.5)).toBe('undecided');
    expect(decide(0.4, 0.4999, 0.5)).toBe('no');
    expect(decide(resemblanceOf(3, 5, 5), 1, 3 / 7)).toBe('yes');
    expect(decide(0, 0, 0)).toBe('yes');
  });
});

describe('a printed share', () => {
  it('keeps a value of six digits as it is, whichever way it rounds', () => {
    const prng = createPrng(6);
    for (let millionths = 100_000; millionths <= 1_000_000; millionths += 1 + prng.below(1000)) {
      const share = millionths / 1_000_000;
      for (const round of [roundShare, roundShareDown, roundShareUp]) {
        for (const zeros of [1, 10, 100_000]) expect(round(share / zeros)).toBe(Number((share / zeros).toPrecision(6)));
        // The same fraction as a quotient of counts, of which 300 / 1,000 = .3 but 3 · .1 > .3
        expect(round((millionths * 13) / 13_000_000)).toBe(share);
      }
    }
    // A share computed in steps may be an ulp off its decimal fraction, on either side.
    expect(0.1 * 3).toBeGreaterThan(0.3);
    expect(roundShareUp(0.1 * 3)).toBe(0.3);
    expect(0.7 + 0.1).toBeLessThan(0.8);
    expect(roundShareDown(0.7 + 0.1)).toBe(0.8);
  });

  it('is nearest for the estimate, never narrows the interval, and has six digits', () => {
    const union = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 10_000_000 }));
    fc.assert(
      fc.property(union, fc.nat(), (n, i) => {
        const overlap = i % (n + 1);
        const share = overlap / n;
        const [down, nearest, up] = [roundShareDown(share), roundShare(share), roundShareUp(share)];
        expect(down <= nearest && nearest <= up).toBe(true);
        // what is printed against the fraction, in whole numbers without rounding
        expect(compareWith(down, overlap, n)).toBeLessThanOrEqual(0);
        expect(compareWith(up, overlap, n)).toBeGreaterThanOrEqual(0);
        expect(up - down).toBeLessThan(1.000_001e-5 * share + Number.MIN_VALUE);
        expect(Math.abs(nearest - share)).toBeLessThan(0.500_001e-5 * share + Number.MIN_VALUE);
        if (overlap < n) expect(up).toBeLessThan(1);
        else expect(down).toBe(1);
        if (overlap > 0) expect(down).toBeGreaterThan(0);
        else expect(up).toBe(0);
      }),
      draws(750, 1997),
    );
  });

  it('is 1 only where the share is 1, and 0 only where it is 0, with more digits where six would not do', () => {
    const nearOne = 1 - 1 / 4_000_000;
    expect([roundShareDown(nearOne), roundShare(nearOne), roundShareUp(nearOne)]).toEqual([
      0.9999997, 0.9999998, 0.9999998,
    ]);
    expect([roundShareDown(2.5e-5), roundShare(2.5e-5), roundShareUp(2.5e-5)]).toEqual([2.5e-5, 2.5e-5, 2.5e-5]);
    expect(roundShare(4 / 4_194_301)).toBe(9.536_75e-7);
    expect([roundShare(1), roundShare(0), roundShareDown(1), roundShareUp(0)]).toEqual([1, 0, 1, 0]);
  });

  it('decides before it rounds', () => {
    const decided = printShare(0.499_999_96, 0.4, 0.499_999_961, 0.5);
    expect(decided).toEqual({ estimate: 0.5, low: 0.4, high: 0.5, decision: 'no' });
    expect(printShare(0.25, 0.25, 0.25, null).decision).toBeNull();
  });
});

/** Negative, 0 or positive as the decimal fraction that is printed is below, at or above overlap / n. */
function compareWith(printed: number, overlap: number, n: number): number {
  // a share of 10^-7 has 13 decimals; those of a double are right to the 15th
  const units = BigInt(printed.toFixed(14).replace('.', ''));
  return Number(units * BigInt(n) - BigInt(overlap) * 10n ** 14n);
}
