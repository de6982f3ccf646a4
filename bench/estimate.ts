/*
 * What the mathematics of an answer costs: microseconds for an estimate, an interval, a comparison of two samples and a
 * count of posting lists. One process, seeded inputs, the median of several rounds after warm-up.
 *
 *     node bench/estimate.ts [--json]
 */

import { decodeSample, encodeSample } from '../src/core/coding/sample-codec.ts';
import { estimateOverlap, likeliestOverlap } from '../src/core/compare/estimate.ts';
import type { OverlapEvidence } from '../src/core/compare/evidence.ts';
import { createFingerprintIndex } from '../src/core/compare/fingerprint-index.ts';
import { compareSamples, createSampleComparer } from '../src/core/compare/sample-comparer.ts';
import { findPassages } from '../src/core/passages/passages.ts';
import { countOverlaps, type PostingList } from '../src/core/query/overlap.ts';
import { type KeptSample, narrow, narrowBits, wholeSample } from '../src/core/sketch/narrow.ts';
import { ALL_WORTH } from '../test/support/core/families.ts';
import { binomialSampler, createPrng, distinctFingerprints } from '../test/support/prng.ts';
import { printRows, quantile, type Row } from './support/table.ts';

const ROUNDS = 15;
const WARM_UP_ROUNDS = 5;
/** Each round takes about so long, so that the clock's grain does not matter. */
const ROUND_MS = 20;

const prng = createPrng(1997);
/** Every measured result is added up here, so that no call can be optimised away. */
let sink = 0;
const rows: Row[] = [];

for (const [shinglesA, shinglesB, overlap, modulus] of [
  [300, 320, 250, 2],
  [1000, 4000, 800, 4],
  [5000, 5000, 3000, 4],
  [1_000_000, 1_000_000, 700_000, 4],
  [3_000_000, 2_900_000, 2_000_000, 4],
] as const) {
  const pairs = evidenceOf(shinglesA, shinglesB, overlap, modulus);
  const sizes = `${shinglesA.toLocaleString('en-US')} and ${shinglesB.toLocaleString('en-US')} shingles, m = ${modulus}`;
  const small = shinglesA <= 1_000_000;
  measure(`estimate: ${sizes}`, small ? '<= 5' : undefined, pairs, likeliestOverlap);
  measure(`estimate and interval: ${sizes}`, small ? '<= 60' : undefined, pairs, (pair) => estimateOverlap(pair).low);
}

const samples = Array.from({ length: 64 }, () => samplePair(300, 150));
measure('compareSamples: 300 and 300 values', undefined, samples, ([a, b]) => compareSamples(a, b).shared);
for (const size of [300, 170_000]) {
  const [query] = samplePair(size, 150);
  const records = samples.map(([a]) => a);
  measure(`createSampleComparer: ${size} values`, undefined, [query], (sample) => createSampleComparer(sample).length);
  const compare = createSampleComparer(query);
  measure(`… and one record of 300 against ${size}`, undefined, records, (record) => compare(record).shared);
}

const sketched = samples.map(([{ modulus, values }]) => ({ modulus, fingerprints: values }));
const narrowed = sketched.map((sample) => narrow(sample, narrowBits(300), 4));
measure('narrow: 300 values, 75 kept whole', undefined, sketched, (sample) => narrow(sample, narrowBits(300), 4).bits);
measure('encode the sample of a record, 300 values', undefined, narrowed, (sample) => encodeSample(sample).length);
measure(
  'decode it',
  '<= 3',
  narrowed.map((sample) => encodeSample(sample).slice()),
  (bytes) => decodeSample(bytes)?.bits ?? 0,
);

for (const [count, length, contents, name] of [
  [96, 128, 2 ** 32, 'each content in one list'],
  [96, 128, 5000, 'a family of 5,000'],
  [96, 1000, 50_000, 'a family of 50,000'],
] as const) {
  const sets = Array.from({ length: 8 }, () => postingLists(count, length, contents));
  const label = `countOverlaps: ${count} × ${length}, ${name}`;
  measure(label, undefined, sets, (lists) => countOverlaps(lists, 256, ALL_WORTH).found);
}

const [page] = samplePair(170_000, 0);
const sequence = { shingleSize: 7, tokenStarts: new Uint32Array(0), tokenEnds: new Uint32Array(0) };
const windows = { ...sequence, fingerprints: distinctFingerprints(prng, 170_000) };
measure(
  'findPassages: 170,000 windows, 300 shared',
  undefined,
  [{ ...page, values: page.values.subarray(0, 300) }],
  (match) => {
    return findPassages(windows, createFingerprintIndex(match), 1, 10).length;
  },
);

printRows(`The mathematics of an answer (check sum ${sink % 997})`, rows);

/** Adds the row of one operation: microseconds for each input, median and spread of the rounds. */
function measure<Input>(
  row: string,
  target: string | undefined,
  inputs: readonly Input[],
  operation: (input: Input) => number,
): void {
  const once = (times: number): number => {
    const start = performance.now();
    for (let time = 0; time < times; time++) for (const input of inputs) sink += operation(input);
    return performance.now() - start;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round++) once(3);
  const times = Math.max(1, Math.ceil((ROUND_MS * 3) / once(3)));
  const micros = Array.from({ length: ROUNDS }, () => (once(times) * 1000) / times / inputs.length);
  const spread = { minimum: Math.min(...micros), maximum: Math.max(...micros) };
  rows.push({ row, value: quantile(micros, 0.5), unit: 'µs', ...spread, ...(target === undefined ? {} : { target }) });
}

function evidenceOf(shinglesA: number, shinglesB: number, overlap: number, modulus: number): OverlapEvidence[] {
  const both = binomialSampler(prng, overlap, 1 / modulus);
  const onlyA = binomialSampler(prng, shinglesA - overlap, 1 / modulus);
  const onlyB = binomialSampler(prng, shinglesB - overlap, 1 / modulus);
  return Array.from({ length: 128 }, () => {
    const shared = both();
    const sampled = { sampledA: shared + onlyA(), sampledB: shared + onlyB() };
    return { shinglesA, shinglesB, ...sampled, shared, modulus, falseDensity: 0, equalSets: false };
  });
}

function samplePair(size: number, shared: number): [KeptSample, KeptSample] {
  const values = distinctFingerprints(prng, 2 * size - shared);
  return [
    wholeSample({ modulus: 1, fingerprints: values.slice(0, size).sort() }),
    wholeSample({ modulus: 1, fingerprints: values.slice(size - shared).sort() }),
  ];
}

function postingLists(count: number, length: number, contents: number): PostingList[] {
  return Array.from({ length: count }, (_, i) => ({
    contents: Uint32Array.from({ length }, () => prng.below(contents)),
    cut: i % 2 === 0,
  }));
}
