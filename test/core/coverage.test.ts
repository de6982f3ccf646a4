import { describe, expect, it } from 'vitest';
import { estimateOverlap } from '../../src/core/estimate.ts';
import { exactUpperTail } from '../support/estimate-oracles.ts';
import { binomialSampler, createPrng } from '../support/prng.ts';

const SIZES = [20, 60, 300, 2000, 20_000];
const SIZE_RATIOS = [1, 1.4, 3, 20];
/** Shares of the smaller document that are in the larger one. */
const OVERLAPS = [0.05, 0.35, 0.8, 0.98];
const MODULI = [1, 2, 4, 8];
/** The standard error of a cell's coverage at .95 is sqrt(.95 · .05 / 10,000) = .0022. */
const DRAWS = 10_000;

/** The share of DRAWS samples of two documents whose interval holds their true overlap. */
function coverage(smaller: number, larger: number, overlap: number, modulus: number, seed: number): number {
  const prng = createPrng(seed);
  const both = binomialSampler(prng, overlap, 1 / modulus);
  const onlyA = binomialSampler(prng, smaller - overlap, 1 / modulus);
  const onlyB = binomialSampler(prng, larger - overlap, 1 / modulus);
  let covered = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const shared = both();
    const [sampledA, sampledB] = [shared + onlyA(), shared + onlyB()];
    const counts = { shinglesA: smaller, shinglesB: larger, sampledA, sampledB, shared };
    const { low, high } = estimateOverlap({ ...counts, modulus, equalSets: false });
    if (low <= overlap && overlap <= high) covered++;
  }
  return covered / DRAWS;
}

describe('the 95 % interval', () => {
  it('covers the true overlap in .94 of samples in every cell of sizes, overlaps and moduli, in .95 over all', () => {
    const cells: { name: string; covered: number }[] = [];
    for (const smaller of SIZES) {
      for (const larger of SIZE_RATIOS.map((ratio) => Math.round(ratio * smaller)).filter((size) => size <= 20_000)) {
        for (const share of OVERLAPS) {
          const overlap = Math.min(Math.round(share * smaller), smaller === larger ? smaller - 1 : smaller);
          for (const modulus of MODULI) {
            const covered = coverage(smaller, larger, overlap, modulus, 1997 + cells.length);
            cells.push({ name: `${smaller}/${larger} I=${overlap} m=${modulus}`, covered });
            if (modulus === 1) expect(covered).toBe(1);
          }
        }
      }
    }
    expect(cells.length).toBeGreaterThan(250);
    expect(cells.filter(({ covered }) => covered < 0.94)).toEqual([]);
    // m = 1 is left out: it is always right. The standard error over the rest is below .0002.
    const sampled = cells.filter(({ name }) => !name.endsWith('m=1'));
    const mean = sampled.reduce((sum, { covered }) => sum + covered, 0) / sampled.length;
    expect(mean).toBeGreaterThan(0.95);
    // Nor is it bought with width: in large samples, where the law is nearly continuous, little more than .95 is covered.
    const large = sampled.filter(({ name }) => name.startsWith('20000/'));
    expect(large.reduce((sum, { covered }) => sum + covered, 0) / large.length).toBeLessThan(0.965);
  });

  it('covers with at least .95 for every overlap of small documents, by the exact sum over all samples', () => {
    for (const [smaller, larger] of [
      [24, 60],
      [30, 40],
    ] as const) {
      const union = larger < 1.5 * smaller;
      for (let overlap = 0; overlap <= smaller; overlap++) {
        const population = union ? smaller + larger - overlap : smaller;
        for (const draws of [3, 9, 15]) {
          let missed = 0;
          for (let shared = 0; shared <= Math.min(draws, overlap); shared++) {
            const rest = draws - shared;
            // What the other side sampled moves only bounds that always hold: the least informative split is enough.
            const onlyA = union ? Math.min(smaller - overlap, Math.floor(rest / 2)) : rest;
            if (onlyA > smaller - overlap || (union && rest - onlyA > larger - overlap)) continue;
            const counts = { sampledA: shared + onlyA, sampledB: shared + (union ? rest - onlyA : 0), shared };
            const evidence = { shinglesA: smaller, shinglesB: larger, ...counts, modulus: 4, equalSets: false };
            const { low, high } = estimateOverlap(evidence);
            if (low <= overlap && overlap <= high) continue;
            missed += exactUpperTail(shared, population, overlap, draws);
            missed -= exactUpperTail(shared + 1, population, overlap, draws);
          }
          expect(missed).toBeLessThanOrEqual(0.05);
        }
      }
    }
  });
});
