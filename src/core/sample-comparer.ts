import { createFingerprintIndex } from './fingerprint-index.ts';
import { countMultiples, type SampleOverlap } from './overlap.ts';
import type { Sample } from './sketch.ts';

/**
 * Compares a query's sample (A) with one record's sample (B) after another: the answers of compareSamples, at a cost of the
 * record's size and not the query's. A page of 1 MB has 170,000 shingles, the record of a page has 300.
 *
 * @returns a function that keeps the query's sample for as long as it lives
 */
export function createSampleComparer(query: Sample): (record: Sample) => SampleOverlap {
  const has = createFingerprintIndex(query.fingerprints);
  const sampled = new Map<number, number>();
  return (record) => {
    const modulus = Math.max(query.modulus, record.modulus);
    const sampledA = sampled.get(modulus) ?? countMultiples(query, modulus);
    sampled.set(modulus, sampledA);
    // The query needs no filter at a coarser modulus: a value that both hold is 0 mod either.
    let shared = 0;
    for (let i = 0; i < record.fingerprints.length; i++) shared += Number(has(record.fingerprints[i]!));
    return { modulus, sampledA, sampledB: countMultiples(record, modulus), shared };
  };
}
