import { estimateOverlap } from '../../../src/core/compare/estimate.ts';
import { narrowBits } from '../../../src/core/sketch/narrow.ts';
import { binomialSampler, createPrng } from '../prng.ts';

/** Two documents with a true overlap, compared at a modulus; narrow: by as many bits as the record of the smaller one has. */
export interface CoverageCell {
  readonly smaller: number;
  readonly larger: number;
  readonly overlap: number;
  readonly modulus: number;
  readonly isNarrow: boolean;
}

/** Every cell of sizes, ratios of sizes, shares of the smaller document that the larger one has, and moduli. */
export function coverageCells(
  sizes: readonly number[],
  ratios: readonly number[],
  shares: readonly number[],
  moduli: readonly number[],
): CoverageCell[] {
  const cells: CoverageCell[] = [];
  for (const smaller of sizes) {
    for (const larger of ratios.map((ratio) => Math.round(ratio * smaller)).filter((size) => size <= LARGEST)) {
      for (const share of shares) {
        const overlap = Math.min(Math.round(share * smaller), smaller === larger ? smaller - 1 : smaller);
        for (const modulus of moduli) {
          for (const isNarrow of [false, true]) cells.push({ smaller, larger, overlap, modulus, isNarrow });
        }
      }
    }
  }
  return cells;
}

/** A body of 8 MiB has no more shingles. */
const LARGEST = 4_200_000;

/** The share of `draws` samples of two documents whose interval holds their true overlap. */
export function coverageOf({ smaller, larger, overlap, modulus, isNarrow }: CoverageCell, draws: number, seed: number) {
  const prng = createPrng(seed);
  const both = binomialSampler(prng, overlap, 1 / modulus);
  const onlySmaller = binomialSampler(prng, smaller - overlap, 1 / modulus);
  const onlyLarger = binomialSampler(prng, larger - overlap, 1 / modulus);
  const agreeing = new Map<number, () => number>();
  const intervals = new Map<number, { low: number; high: number }>();
  let covered = 0;
  for (let draw = 0; draw < draws; draw++) {
    const k = both();
    const unshared = onlySmaller();
    const [sampledA, sampledB] = [k + onlyLarger(), k + unshared];
    const falseDensity = isNarrow ? (sampledA * modulus) / 2 ** narrowBits(smaller) : 0;
    if (isNarrow && !agreeing.has(unshared))
      agreeing.set(unshared, binomialSampler(prng, unshared, -Math.expm1(-falseDensity)));
    const shared = k + (isNarrow ? agreeing.get(unshared)!() : 0);
    const key = (sampledA * (smaller + 1) + sampledB) * (smaller + 1) + shared;
    let interval = intervals.get(key);
    if (interval === undefined) {
      const counts = { shinglesA: larger, shinglesB: smaller, sampledA, sampledB, shared };
      interval = estimateOverlap({ ...counts, modulus, falseDensity, equalSets: false });
      if (Number.isSafeInteger(key)) intervals.set(key, interval);
    }
    if (interval.low <= overlap && overlap <= interval.high) covered++;
  }
  return covered / draws;
}
