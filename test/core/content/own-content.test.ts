import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSamples } from '../../../src/core/compare/sample-comparer.ts';
import { ownContent } from '../../../src/core/content/own-content.ts';
import { estimateOwnShares, likeliestOwnShares } from '../../../src/core/content/own-shares.ts';
import { bitsOf, keptBits } from '../../../src/core/sketch/main-marks.ts';
import { coarsen } from '../../../src/core/sketch/modulus.ts';
import { exactSample, narrow, wholeSample } from '../../../src/core/sketch/narrow.ts';
import { exactUpperTail } from '../../support/core/estimate-oracles.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

const drawn = (seed: number, count: number) => [...distinctFingerprints(createPrng(seed), count)];
const sorted = (values: readonly number[], modulus: number) =>
  Float64Array.from(values.filter((value) => value % modulus === 0)).sort();
const directions = ['resemblance', 'aInB', 'bInA'] as const;

/** A page by the parts of its fingerprints. Half of the frame was taken for main text. */
function page(own: readonly number[], frame: readonly number[], rest: readonly number[], modulus: number) {
  const marked = [...own, ...frame.filter((_, i) => i % 2 === 0)];
  const sample = { modulus, fingerprints: sorted([...own, ...frame, ...rest], modulus) };
  const bits = bitsOf(sample.fingerprints, sorted(marked, modulus));
  const shingleCount = own.length + frame.length + rest.length;
  return { shingleCount, sample, main: { shingleCount: marked.length, bits } };
}

function template(frame: readonly number[], modulus: number, bits = 40) {
  const values = sorted(frame, modulus).map((value) => value % 2 ** bits);
  return { pages: 5, modulus, bits, values: values.sort(), shingles: frame.length };
}

describe('own content', () => {
  it('is what is main and not of the template, at the coarser of two moduli, by whole and by narrow samples', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(1, 2, 4), fc.constantFrom(1, 4), (seed, pageModulus, modulus) => {
        const values = drawn(seed, 900);
        const [own, frame, rest] = [values.slice(0, 300), values.slice(300, 600), values.slice(600)];
        const { sample, main, shingleCount } = page(own, frame, rest, pageModulus);
        const kept = narrow(sample, 30, 8);
        const record = { shingleCount, sample: kept, main: { ...main, bits: keptBits(sample, main.bits, kept) } };
        const common = Math.max(pageModulus, modulus);
        const fingerprints = sorted(own, common);
        for (const bits of [28, 40]) {
          const shared = template(frame, modulus, bits);
          const whole = ownContent({ shingleCount, sample: wholeSample(sample), main }, shared);
          expect(whole.sample).toMatchObject({ modulus: common, values: fingerprints });
          expect(exactSample(whole.sample)).toEqual({ modulus: common, fingerprints });
          const narrowed = ownContent(record, shared);
          expect(narrowed.sample.values).toEqual(fingerprints.map((value) => value % 2 ** 30).sort());
          expect(exactSample(narrowed.sample)).toEqual(coarsen({ modulus: common, fingerprints }, 8));
          expect(narrowed.isExact).toBe(common === 1);
          if (common === 1) expect(narrowed.shingleCount).toBe(300);
        }
      }),
      draws(20, 1997),
    );
  });

  it('has the exact number of main shingles where nothing was taken off, and an estimate of it otherwise', () => {
    const values = drawn(3, 3000);
    const frame = values.slice(1000, 1400);
    const { sample, main, shingleCount } = page(values.slice(0, 1000), frame, values.slice(1400), 4);
    const document = { shingleCount, sample: wholeSample(sample), main };
    expect(ownContent(document, null)).toMatchObject({ shingleCount: 1200, isExact: true });
    const own = ownContent(document, template(frame, 4));
    expect(own.isExact).toBe(false);
    expect(own.shingleCount).toBeGreaterThan(940);
    expect(own.shingleCount).toBeLessThan(1060);
  });

  it('is the document itself where all is main and its host has no template', () => {
    const sample = wholeSample({ modulus: 1, fingerprints: Float64Array.of(1, 2, 3) });
    const own = ownContent({ shingleCount: 3, sample, main: null }, null);
    expect(own).toEqual({ shingleCount: 3, isExact: true, sample });
  });
});

/** Two pages of 600 shingles of their own, of which `shared` are common, in frames of their own. */
function pair(seed: number, shared: number, modulus: number | null) {
  const values = drawn(seed, 3000);
  const take = (count: number) => values.splice(0, count);
  const common = take(shared);
  const made = [0, 1].map(() => {
    const frame = take(400);
    const { sample, ...known } = page([...common, ...take(600 - shared)], frame, take(300), 4);
    return ownContent({ ...known, sample: wholeSample(sample) }, modulus === null ? null : template(frame, modulus));
  });
  const [a, b] = [made[0]!, made[1]!];
  return { a, b, counts: compareSamples(a.sample, b.sample), isSame: false };
}

describe('shares of own contents', () => {
  it.each([
    [4, 600],
    [null, 800],
  ])('have intervals that hold the share in 95 of 100 cases, beside a template at modulus %s', (modulus, size) => {
    let [held, told] = [0, 0];
    for (const shared of [60, 400, 570]) {
      const truth = { resemblance: shared / (2 * size - shared), aInB: shared / size, bInA: shared / size };
      for (let seed = 1; seed <= 60; seed++) {
        const shares = estimateOwnShares(pair(seed, shared, modulus));
        for (const direction of directions) {
          const { low, high } = shares[direction];
          held += Number(low <= truth[direction] && truth[direction] <= high);
          told++;
        }
      }
    }
    // the three shares of a pair hold together
    expect(held / told).toBeGreaterThan(0.91);
    expect(held / told).toBeLessThan(0.99);
  });

  it('have intervals no wider than that for contents of some dozens of shingles, by the exact sum over all samples', () => {
    // of contents of 60 and 100 shingles the smaller one's sample decides
    const coverage = [6, 12, 20, 30, 40, 50].flatMap((overlap) =>
      [12, 15, 20].map((sampled) => {
        let held = 0;
        for (let shared = 0; shared <= sampled; shared++) {
          const chance =
            exactUpperTail(shared, 60, overlap, sampled) - exactUpperTail(shared + 1, 60, overlap, sampled);
          const counts = { modulus: 4, sampledA: sampled, sampledB: 25, shared, falseDensity: 0 };
          const [a, b] = [60, 100].map((shingleCount) => ({ shingleCount, isExact: true }));
          const { low, high } = estimateOwnShares({ a: a!, b: b!, counts, isSame: false }).aInB;
          if (low <= overlap / 60 && overlap / 60 <= high) held += chance;
        }
        return held;
      }),
    );
    const mean = coverage.reduce((sum, each) => sum + each, 0) / coverage.length;
    // by all of the chance of what was counted it is .984
    expect(mean).toBeGreaterThan(0.94);
    expect(mean).toBeLessThan(0.965);
    expect(Math.min(...coverage)).toBeGreaterThan(0.9);
  });

  it('are those of the intervals, and follow from one another', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 600 }), fc.constantFrom(4, null), (seed, shared, modulus) => {
        const evidence = pair(seed, shared, modulus);
        const [shares, likeliest] = [estimateOwnShares(evidence), likeliestOwnShares(evidence)];
        for (const direction of directions) {
          const { low, estimate, high } = shares[direction];
          expect(estimate).toBe(likeliest[direction]);
          expect(low <= estimate && estimate <= high).toBe(true);
        }
        const { resemblance, aInB, bInA } = likeliest;
        if (resemblance > 0) expect(1 / aInB + 1 / bInA - 1).toBeCloseTo(1 / resemblance, 6);
      }),
      draws(20, 1997),
    );
  });

  it('may be 1 of two documents of one size whose records agree, and are 1 where both are the same', () => {
    const { a } = pair(1, 600, null);
    const counts = compareSamples(a.sample, a.sample);
    const alike = estimateOwnShares({ a, b: a, counts, isSame: false });
    expect(alike.resemblance.high).toBe(1);
    expect(alike.resemblance.low).toBeLessThan(1);
    const same = estimateOwnShares({ a, b: a, counts, isSame: true });
    expect(same.aInB).toEqual({ estimate: 1, low: 1, high: 1 });
  });

  it('may be anything where nothing was sampled', () => {
    const own = { shingleCount: 30, isExact: false };
    const counts = { modulus: 4, sampledA: 0, sampledB: 0, shared: 0, falseDensity: 0 };
    const { resemblance } = estimateOwnShares({ a: own, b: own, counts, isSame: false });
    expect(resemblance).toEqual({ estimate: 0, low: 0, high: 1 });
  });
});
