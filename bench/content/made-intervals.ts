import { compareSamples } from '../../src/core/compare/sample-comparer.ts';
import { ownContent } from '../../src/core/content/own-content.ts';
import { estimateOwnShares } from '../../src/core/content/own-shares.ts';
import { bitsOf } from '../../src/core/sketch/main-marks.ts';
import { modulusFor, RECORD_SHINGLES_LEAST } from '../../src/core/sketch/modulus.ts';
import { createPrng, type Prng } from '../../test/support/prng.ts';
import type { Row } from '../support/table.ts';

/* How often the intervals of contents hold the truth: 2,000 pairs a cell, of sizes and shares as pages have them. */

const PAIRS = 2000;
const SIZES = [
  [80, 80],
  [150, 200],
  [300, 300],
  [600, 600],
  [600, 1200],
  [150, 1200],
] as const;
const RESEMBLANCES = [0.1, 0.5, 0.8];
/** Shingles beside those of their own: of the frame, of which half counts as main, and of the rest. */
const FRAMES = [300, 200] as const;
const RESTS = [600, 900] as const;

export function madeIntervals(): Row[] {
  const prng = createPrng(2026);
  return [true, false].flatMap((hasTemplate) =>
    SIZES.flatMap(([sizeA, sizeB]) =>
      [...new Set(RESEMBLANCES.map((r) => Math.min(sizeA, Math.round((r * (sizeA + sizeB)) / (1 + r)))))].map(
        (shared) => ({
          row: `intervals, ${sizeA} and ${sizeB} shingles of their own, ${shared} shared${hasTemplate ? ', templates off' : ''}`,
          ...{ value: coverage(prng, sizeA, sizeB, shared, hasTemplate), unit: '', target: '0.93 to 0.97' },
        }),
      ),
    ),
  );
}

function coverage(prng: Prng, sizeA: number, sizeB: number, shared: number, hasTemplate: boolean): number {
  let held = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const common = fingerprints(prng, shared);
    const [a, b] = [sizeA, sizeB].map((size, i) => made(prng, common, size, i, hasTemplate));
    const counts = compareSamples(a!.sample, b!.sample);
    const { low, high } = estimateOwnShares({ a: a!, b: b!, counts, isSame: false }).resemblance;
    // half of the frame is main where no template takes it off
    const beside = hasTemplate ? 0 : (FRAMES[0] + FRAMES[1]) / 2;
    const truth = shared / (sizeA + sizeB + beside - shared);
    held += Number(low <= truth && truth <= high);
  }
  return held / PAIRS;
}

function made(prng: Prng, common: readonly number[], size: number, i: number, hasTemplate: boolean) {
  const own = [...common, ...fingerprints(prng, size - common.length)];
  const [frame, rest] = [fingerprints(prng, FRAMES[i]!), fingerprints(prng, RESTS[i]!)];
  const shingleCount = own.length + frame.length + rest.length;
  const modulus = modulusFor(shingleCount, 4, RECORD_SHINGLES_LEAST);
  const at = (values: readonly number[]) => Float64Array.from(values.filter((value) => value % modulus === 0)).sort();
  const marked = [...own, ...frame.slice(0, frame.length / 2)];
  const values = at([...own, ...frame, ...rest]);
  const main = { shingleCount: marked.length, bits: bitsOf(values, at(marked)) };
  const template = { pages: 9, modulus: 4, bits: 40, values: at(frame), shingles: frame.length };
  const sample = { modulus, bits: 40, values };
  return ownContent(
    { shingleCount, sample, main },
    hasTemplate ? { ...template, values: template.values.filter((value) => value % 4 === 0) } : null,
  );
}

const fingerprints = (prng: Prng, count: number) => Array.from({ length: count }, () => prng.fingerprint());
