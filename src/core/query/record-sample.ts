import type { Room } from '../memory/copies.ts';
import { allocate } from '../memory/scratch.ts';
import { coarsen, indexModulusFor, type Sample } from '../sketch/modulus.ts';
import { type KeptSample, narrow, narrowBits, narrowSteps } from '../sketch/narrow.ts';
import { lookUpModulusFor } from './look-up.ts';
import { distinctKeys, distinctKeysInRuns, POSTED_BITS, postedKey } from './posted-key.ts';

/*
 * What an index keeps of a document's sample, and what of it gets postings.
 *
 *   sample of its record ─ narrow ─► kept       32 bits of what gets postings, and of what a query by this document looks
 *          │                                    up; of the others as many as comparing takes (sketch/narrow.ts)
 *          └─ m(n; indexModulusMax, 32) ─► posted
 *
 * Cost: that of narrowing, some 12 ns a value.
 */

/** What a record keeps. @param sample m(n; recordModulusMax, 512) of a document of n = `shingleCount` shingles */
export function keptSample(sample: Sample, shingleCount: number, indexModulusMax: number): KeptSample {
  return narrow(sample, narrowBits(shingleCount), exactModulusOf(shingleCount, indexModulusMax));
}

/** What an index of a format before 9 has posted: all 40 bits. */
export function postedBefore9(sample: KeptSample, shingleCount: number, indexModulusMax: number): Float64Array {
  return coarsen(exactOf(sample), indexModulusFor(shingleCount, indexModulusMax)).fingerprints;
}

const exactOf = (sample: Sample | KeptSample): Sample =>
  'exact' in sample ? { modulus: sample.exactModulus, fingerprints: sample.exact } : sample;

const own: Room = (count) => new Float64Array(count);

/** As {@link keptSample}, in steps that take about 10 ms at most. */
export function keptSampleSteps(
  sample: Sample,
  shingleCount: number,
  indexModulusMax: number,
): Generator<undefined, KeptSample> {
  return narrowSteps(sample, narrowBits(shingleCount), exactModulusOf(shingleCount, indexModulusMax), allocate);
}

/** The keys (posted-key.ts) that get postings: distinct, in no order. @param room where they go */
export function postedOf(
  sample: Sample | KeptSample,
  shingleCount: number,
  indexModulusMax: number,
  room?: Room,
): Float64Array {
  const exact = exactOf(sample);
  const { fingerprints } = coarsen(exact, indexModulusFor(shingleCount, indexModulusMax), room);
  const keys = fingerprints === exact.fingerprints ? (room ?? own)(fingerprints.length) : fingerprints;
  if ('bits' in sample && sample.bits <= POSTED_BITS) return distinctKeysInRuns(fingerprints, sample.bits, keys);
  for (let i = 0; i < keys.length; i++) keys[i] = postedKey(fingerprints[i]!);
  return distinctKeys(keys);
}

function exactModulusOf(shingleCount: number, indexModulusMax: number): number {
  return Math.min(indexModulusFor(shingleCount, indexModulusMax), lookUpModulusFor(shingleCount));
}
