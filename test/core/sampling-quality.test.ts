import { beforeAll, describe, expect, it } from 'vitest';
import type { Sample } from '../../src/core/sketch/modulus.ts';
import { coarsen } from '../../src/core/sketch/modulus.ts';
import { createSketcher } from '../../src/core/sketch/sketch.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { createPrng } from '../support/prng.ts';

const PAIRS = 24_000;
const KEYS = 4;
const SHINGLE_SIZE = 3;
const SEED = 350_000;

const MODULI = [4, 8, 16];

/** Two texts that share words: one a copy of the other with words replaced, or both with a common part. */
function pairOfTexts(prng: ReturnType<typeof createPrng>): [string, string] {
  const word = () => prng.uint32().toString(36);
  const words = (count: number) => Array.from({ length: count }, word);
  if (prng.below(2) === 0) {
    const common = words(30 + prng.below(150));
    return [[...common, ...words(prng.below(100))].join(' '), [...common, ...words(prng.below(100))].join(' ')];
  }
  const original = words(60 + prng.below(120));
  const share = 0.3 * prng.next();
  return [original.join(' '), original.map((one) => (prng.next() < share ? word() : one)).join(' ')];
}

interface Pair {
  readonly a: Sample;
  readonly b: Sample;
  readonly r: number;
  readonly union: number;
}

/** Whole sets of pairs of documents, under several keys, and how much the two have in common. */
function* pairs(): Generator<Pair> {
  for (let key = 0; key < KEYS; key++) {
    const sketcher = createSketcher(deriveIdentity(new Uint8Array(32).fill(key), SHINGLE_SIZE).fingerprint);
    const prng = createPrng(SEED + key);
    for (let pair = 0; pair < PAIRS / KEYS; pair++) {
      const [a, b] = pairOfTexts(prng).map((text) => sketcher.sketch(Buffer.from(text), 1).sample);
      const [shared, union] = overlap(a!, b!);
      if (shared > 0 && shared < union) yield { a: a!, b: b!, r: shared / union, union };
    }
  }
}

function overlap({ fingerprints: a }: Sample, { fingerprints: b }: Sample): [shared: number, union: number] {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) shared++;
    const [nextA, nextB] = [a[i]! <= b[j]!, b[j]! <= a[i]!];
    i += nextA ? 1 : 0;
    j += nextB ? 1 : 0;
  }
  return [shared, a.length + b.length - shared];
}

/*
 * The estimate |V_m(A) ∩ V_m(B)| / |V_m(A) ∪ V_m(B)|, in units of its standard deviation over random permutations: given
 * u, the size of the sampled union, the shared ones are hypergeometric among the U of the whole, so the variance is
 * r (1 - r) / u · (U - u) / (U - 1): the binomial limit, with the factor of a finite population.
 */
describe(`the estimate of resemblance from samples, over ${PAIRS} pairs (seed ${SEED})`, () => {
  const found = new Map(MODULI.map((modulus) => [modulus, { count: 0, error: 0, square: 0 }]));
  beforeAll(() => {
    for (const { a, b, r, union } of pairs()) {
      for (const [modulus, sums] of found) {
        const [sampledShared, sampledUnion] = overlap(coarsen(a, modulus), coarsen(b, modulus));
        if (sampledUnion === 0 || sampledUnion === union) continue;
        const variance = ((r * (1 - r)) / sampledUnion) * ((union - sampledUnion) / (union - 1));
        const error = sampledShared / sampledUnion - r;
        sums.count++;
        sums.error += error / Math.sqrt(variance);
        sums.square += error ** 2 / variance;
      }
    }
  });

  it.each(MODULI)('is unbiased and varies as under a random permutation, within 4 percent, m = %i', (modulus) => {
    const { count, error, square } = found.get(modulus)!;
    expect(count).toBeGreaterThan(20_000);
    // standard error of the mean: 0.7 % of a standard deviation; of the variance: 1 %
    expect(Math.abs(error / count)).toBeLessThan(0.026);
    expect(Math.abs(square / count - 1)).toBeLessThan(0.04);
  });
});
