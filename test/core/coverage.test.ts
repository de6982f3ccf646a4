import { describe, expect, it } from 'vitest';
import { estimateOverlap } from '../../src/core/compare/estimate.ts';
import { coverageCells, coverageOf } from '../support/core/coverage.ts';
import { exactUpperTail } from '../support/core/estimate-oracles.ts';

const SIZES = [20, 163, 2000, 20_000];
const SIZE_RATIOS = [1, 1.4, 20, 5000];
/** Shares of the smaller document that are in the larger one. */
const OVERLAPS = [0.05, 0.35, 0.8, 0.98];
const MODULI = [1, 2, 8];
/** The standard error of a cell's coverage at .95 is sqrt(.95 · .05 / 800) = .0077. The campaign has fifty times as many. */
const DRAWS = 800;

describe('the 95 % interval', () => {
  it('covers the true overlap in .945 of samples in every cell of sizes, overlaps and moduli, in .95 over all', () => {
    const cells = coverageCells(SIZES, SIZE_RATIOS, OVERLAPS, MODULI);
    const covered = cells.map((cell, i) => ({ ...cell, coverage: coverageOf(cell, DRAWS, 1997 + i) }));
    expect(cells.length).toBeGreaterThan(300);
    // three standard errors below .95, and room for the least of so many cells
    expect(covered.filter(({ coverage }) => coverage < 0.945 - 0.018)).toEqual([]);
    // what is known whole and to the last bit is left out: there the interval is the truth
    const known = covered.filter(({ modulus, isNarrow }) => modulus === 1 && !isNarrow);
    expect(known.filter(({ coverage }) => coverage < 1)).toEqual([]);
    const sampled = covered.filter((cell) => !known.includes(cell));
    const mean = (of: typeof covered) => of.reduce((sum, { coverage }) => sum + coverage, 0) / of.length;
    expect(mean(sampled)).toBeGreaterThan(0.95);
    // Nor is it bought with width: in large samples, where the law is nearly continuous, little more than .95 is covered.
    expect(mean(sampled.filter(({ smaller, modulus }) => smaller === 20_000 && modulus > 1))).toBeLessThan(0.965);
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
            const evidence = {
              shinglesA: smaller,
              shinglesB: larger,
              ...counts,
              modulus: 4,
              falseDensity: 0,
              equalSets: false,
            };
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
