import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { likeliestOverlap } from '../../src/core/compare/estimate.ts';
import { compareSamples } from '../../src/core/compare/sample-comparer.ts';
import { lookUpModulusFor } from '../../src/core/query/look-up.ts';
import { postedKeys } from '../../src/core/query/posted-key.ts';
import { coarsen, indexModulusFor, type Sample } from '../../src/core/sketch/modulus.ts';
import { exactSample, STEPPED_VALUES_LEAST, wholeSample } from '../../src/core/sketch/narrow.ts';
import {
  contentRecord,
  evidenceOfContents,
  postedFingerprints,
  recordSteps,
  resemblanceOfContents,
  takesSteps,
} from '../../src/store/contents.ts';
import { createPrng, distinctFingerprints, type Prng } from '../support/prng.ts';
import { contentOf } from '../support/store/level-plans.ts';

const SIZES = [1, 40, 63, 64, 95, 96, 127, 128, 191, 192, 300, 511, 512, 1000, 5000];

/** Of so many values, 4 apart at the least. */
function hugeContent(prng: Prng, size: number) {
  const gap = Math.floor(2 ** 38 / size) - 1;
  const fingerprints = new Float64Array(size);
  for (let i = 1; i < size; i++) fingerprints[i] = fingerprints[i - 1]! + 4 * (1 + prng.below(gap));
  return { ...contentOf(1, Float64Array.of(1)), shingleCount: 4 * size, sample: { modulus: 4, fingerprints } };
}

describe('the record of a content', () => {
  const prng = createPrng(1997);

  it('has all bits of what gets postings and of what is looked up, whatever its size and the cap', () => {
    for (const size of SIZES) {
      const content = contentOf(size, distinctFingerprints(prng, size));
      for (const indexModulusMax of [4, 8, 32]) {
        const record = contentRecord(content, indexModulusMax);
        const posted = postedFingerprints(record, indexModulusMax);
        expect(posted.toSorted()).toEqual(postedFingerprints(content, indexModulusMax).toSorted());
        const modulus = indexModulusFor(size, indexModulusMax);
        expect(posted.length).toBe(coarsen(content.sample, modulus).fingerprints.length);
        // below 16 the lowest bits of a key are those of its fingerprint
        expect(posted.every((key) => key % Math.min(modulus, 16) === 0)).toBe(true);
        const lookedUp = lookUpModulusFor(size);
        const keysAt = (sample: Sample) => postedKeys(coarsen(sample, lookedUp).fingerprints).sort();
        expect(keysAt(exactSample(record.sample))).toEqual(keysAt(content.sample));
        const { id, shingleDigest, tokenCount, shingleCount } = content;
        expect(record).toMatchObject({ id, shingleDigest, tokenCount, shingleCount, createdAt: 0 });
        expect(record.sample.modulus).toBe(content.sample.modulus);
        expect(record.sample.values.length).toBe(content.sample.fingerprints.length);
      }
    }
  });

  it.each([0, 1000])(
    'of megabytes is made in steps, two of them beside each other, and comes to the same: +%i',
    (more) => {
      const contents = [1, 2].map(() => hugeContent(prng, STEPPED_VALUES_LEAST + more));
      const expected = contents.map((content) => contentRecord({ ...content }, 8));
      const steps = contents.map((content) => recordSteps(content, 8));
      let taken = 0;
      while (steps.map((of) => of.next().done).includes(false)) taken++;
      expect(taken).toBeGreaterThan(2);
      // told as a boolean: the difference of a quarter of a million values takes minutes to draw
      const records = contents.map((content) => contentRecord(content, 8));
      expect(isDeepStrictEqual(records, expected)).toBe(true);
      expect(contents.map(takesSteps)).toEqual([true, true]);
      expect(takesSteps(hugeContent(prng, STEPPED_VALUES_LEAST - 1))).toBe(false);
    },
  );

  it('tells of its overlap with others what the content tells that it was made from', () => {
    for (const size of SIZES) {
      const all = distinctFingerprints(prng, 2 * size);
      const a = contentOf(1, all.subarray(0, size));
      const b = contentOf(2, all.subarray(Math.floor(size / 4), Math.ceil(size * 1.5)));
      const [recordA, recordB] = [contentRecord(a, 8), contentRecord(b, 8)];
      const { falseDensity, ...evidence } = evidenceOfContents(recordA, recordB);
      const { falseDensity: _, ...expected } = compareSamples(wholeSample(a.sample), wholeSample(b.sample));
      const { shingleCount: shinglesB } = b;
      const { shared: counted, ...others } = evidence;
      expect(others).toEqual({ ...expected, shared: undefined, shinglesA: size, shinglesB, equalSets: false });
      // what agrees by chance, and the few of one document that are counted once
      const byChance = falseDensity * evidence.sampledB;
      expect(Math.abs(counted - expected.shared)).toBeLessThanOrEqual(byChance + 5 * Math.sqrt(byChance));
      const shared = likeliestOverlap({ ...evidence, falseDensity });
      expect(resemblanceOfContents(recordA, recordB)).toBeCloseTo(shared / (size + shinglesB - shared), 12);
    }
  });
});
