import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeRecord } from '../../../src/core/coding/made-record.ts';
import { decodeSample } from '../../../src/core/coding/sample-codec.ts';
import { postedKeys } from '../../../src/core/query/posted-key.ts';
import { keptSample } from '../../../src/core/query/record-sample.ts';
import { coarsen, indexModulusFor, modulusFor, RECORD_SHINGLES_LEAST } from '../../../src/core/sketch/modulus.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

const shingleCount = fc.oneof(fc.nat({ max: 700 }), fc.nat({ max: 12_000 }));
const modulusMax = fc.constantFrom(1, 2, 8, 32);

/** The sample that a record has of so many shingles. */
function sampleOf(seed: number, shingles: number, recordModulusMax: number) {
  const fingerprints = distinctFingerprints(createPrng(seed), shingles).toSorted();
  return coarsen({ modulus: 1, fingerprints }, modulusFor(shingles, recordModulusMax, RECORD_SHINGLES_LEAST));
}

it('a made record says what is kept of a sample, posts what an index looks up, and outlives those made after it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), shingleCount), { minLength: 1, maxLength: 12 }),
      modulusMax,
      fc.constantFrom(1, 4),
      (documents, indexModulusMax, most) => {
        const recordModulusMax = Math.min(most, indexModulusMax);
        const samples = documents.map(([seed, count]) => sampleOf(seed, count, recordModulusMax));
        const made = samples.map((sample, i) =>
          makeRecord({ sample, shingleCount: documents[i]![1], main: null }, indexModulusMax),
        );
        for (const [i, { encoded, posted }] of made.entries()) {
          const count = documents[i]![1];
          expect(decodeSample(encoded)).toEqual(keptSample(samples[i]!, count, indexModulusMax));
          const modulus = indexModulusFor(count, indexModulusMax);
          const fingerprints = samples[i]!.fingerprints.filter((value) => value % modulus === 0);
          expect(posted.toSorted()).toEqual(Float64Array.from(new Set(postedKeys(fingerprints))).sort());
        }
      },
    ),
    { numRuns: 60 },
  );
});
