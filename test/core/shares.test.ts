import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateOverlap } from '../../src/core/estimate.ts';
import { wholeSample } from '../../src/core/narrow.ts';
import { compareSamples } from '../../src/core/sample-comparer.ts';
import {
  containmentOf,
  decide,
  printShare,
  resemblanceOf,
  roundShare,
  roundShareDown,
  roundShareUp,
} from '../../src/core/shares.ts';

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
      { seed: 1997, numRuns: 1000 },
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
      { seed: 1997, numRuns: 1000 },
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
  it('keeps a value of three decimals as it is, whichever way it rounds', () => {
    for (let thousandths = 0; thousandths <= 1000; thousandths++) {
      const share = thousandths / 1000;
      for (const round of [roundShare, roundShareDown, roundShareUp]) {
        expect(round(share)).toBe(share);
        // The same fraction as a quotient of counts, of which 300 / 1,000 = .3 but 3 · .1 > .3
        expect(round((thousandths * 2999) / 2_999_000)).toBe(share);
      }
    }
    // A share computed in steps may be an ulp off its thousandth, on either side.
    expect(0.1 * 3).toBeGreaterThan(0.3);
    expect(roundShareUp(0.1 * 3)).toBe(0.3);
    expect(0.7 + 0.1).toBeLessThan(0.8);
    expect(roundShareDown(0.7 + 0.1)).toBe(0.8);
  });

  it('is nearest for the estimate, and never narrows the interval', () => {
    const union = fc.integer({ min: 1, max: 6_000_000 });
    fc.assert(
      fc.property(union, fc.nat(), (n, i) => {
        const overlap = i % (n + 1);
        const share = overlap / n;
        // Whole-number arithmetic: floor and ceiling of 1000 · overlap / n
        expect(roundShareDown(share)).toBe(Number((1000n * BigInt(overlap)) / BigInt(n)) / 1000);
        expect(roundShareUp(share)).toBe(Number((1000n * BigInt(overlap) + BigInt(n) - 1n) / BigInt(n)) / 1000);
        expect(Math.abs(roundShare(share) - share)).toBeLessThan(0.001);
        expect(roundShareDown(share)).toBeLessThanOrEqual(roundShare(share));
        expect(roundShareUp(share)).toBeGreaterThanOrEqual(roundShare(share));
      }),
      { seed: 1997, numRuns: 2000 },
    );
  });

  it('is 1.000 only where the share is 1, and 0.000 only where it is 0', () => {
    expect(roundShare(0.99999)).toBe(0.999);
    expect(roundShare(0.00001)).toBe(0.001);
    expect([roundShare(1), roundShare(0)]).toEqual([1, 0]);
    expect(roundShareDown(0.99999)).toBe(0.999);
    expect(roundShareUp(0.00001)).toBe(0.001);
  });

  it('decides before it rounds', () => {
    expect(printShare(0.4996, 0.4, 0.49961, 0.5)).toEqual({ estimate: 0.5, low: 0.4, high: 0.5, decision: 'no' });
    expect(printShare(0.25, 0.25, 0.25, null).decision).toBeNull();
  });
});
