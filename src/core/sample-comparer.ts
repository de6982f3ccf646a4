import { FINGERPRINT_BITS } from './modulus.ts';
import { countMultiples, type SampleOverlap } from './overlap.ts';
import type { Sample } from './sketch.ts';

/*
 * One query against many records, at a cost of the record's size and not the query's: a page of 1 MB has 170,000 shingles,
 * the record of a page 300.
 *
 *   fingerprints (ascending, uniform)   [ 03 1a | 2f 31 38 |     | 90 ... ]    the sorted sample is its own hash table:
 *   bucket = top bits                     0       1          2     3           the top bits are the hash, and starts says
 *   starts                              [ 0       2          5     5 ... ]     where each bucket begins
 *
 * The table holds the query at its own modulus; at a coarser one it needs no filter, since the record's values are 0 mod it.
 * Cost: 4 to 8 bytes and a few ns a query value once, then some 5 ns a record value.
 */

/**
 * Compares the query's sample (A) with one record's sample (B) after another: the answers of compareSamples.
 *
 * @returns a function that keeps the query's sample for as long as it lives
 */
export function createSampleComparer(query: Sample): (record: Sample) => SampleOverlap {
  const { fingerprints } = query;
  let bits = 0;
  while (2 ** bits < fingerprints.length) bits++;
  const scale = 2 ** (bits - FINGERPRINT_BITS);
  const starts = bucketStarts(fingerprints, scale, 2 ** bits);
  const sampled = new Map<number, number>();
  return (record) => {
    const modulus = Math.max(query.modulus, record.modulus);
    const sampledA = sampled.get(modulus) ?? countMultiples(query, modulus);
    sampled.set(modulus, sampledA);
    const shared = countFound(record.fingerprints, fingerprints, starts, scale);
    return { modulus, sampledA, sampledB: countMultiples(record, modulus), shared };
  };
}

/** Position of the first value of every bucket: of values with floor(value · scale) = bucket. */
function bucketStarts(values: Float64Array, scale: number, buckets: number): Uint32Array {
  const starts = new Uint32Array(buckets);
  let bucket = 0;
  for (let i = 0; i < values.length; i++) {
    const own = Math.floor(values[i]! * scale);
    while (bucket < own) starts[++bucket] = i;
  }
  starts.fill(values.length, bucket + 1);
  return starts;
}

/** How many of `sought` are among `values`, both distinct and ascending. */
function countFound(sought: Float64Array, values: Float64Array, starts: Uint32Array, scale: number): number {
  let found = 0;
  for (let i = 0; i < sought.length; i++) {
    const value = sought[i]!;
    let at = starts[Math.floor(value * scale)]!;
    while (at < values.length && values[at]! < value) at++;
    found += Number(at < values.length && values[at] === value);
  }
  return found;
}
