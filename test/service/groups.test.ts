import { describe, expect, it } from 'vitest';
import { narrow, narrowBits, wholeSample } from '../../src/core/narrow.ts';
import { createGroups } from '../../src/service/groups.ts';
import { comparePair } from '../../src/service/pair.ts';
import type { Query } from '../../src/service/query.ts';
import { createPrng, distinctFingerprints } from '../support/prng.ts';

const THRESHOLDS = { resemblance: 0.5, queryInMatch: null, matchInQuery: null };

/** A result with this whole set of fingerprints: in hand, or from the index by its narrow record. */
function resultOf(name: string, fingerprints: Float64Array, inHand = true): Query {
  const sample = { modulus: 1, fingerprints: fingerprints.toSorted() };
  return {
    from: inHand ? 'body' : 'index',
    url: null,
    tokenCount: fingerprints.length + 6,
    shingleCount: fingerprints.length,
    sample: inHand ? wholeSample(sample) : narrow(sample, narrowBits(fingerprints.length), 4),
    whole: null,
    bytesDigest: name,
    lexicalDigest: name,
    shingleDigest: name,
    document: null,
  };
}

describe('groups of results', () => {
  const prng = createPrng(1997);
  const all = distinctFingerprints(prng, 400);

  it('join a result to the representative that it meets, in hand or by a narrow record, as the pair alone would', () => {
    for (const [first, second] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      const groups = createGroups(THRESHOLDS);
      const representative = resultOf('a', all.subarray(0, 300), first);
      const near = resultOf('b', all.subarray(50, 350), second);
      const far = resultOf('c', all.subarray(250, 400), second);
      expect(groups.join(representative, 0)).toBeNull();
      expect(groups.join(near, 1)).toEqual({
        representative: 0,
        of: representative,
        pair: comparePair(near, representative),
      });
      expect(comparePair(near, representative).resemblance).toBeCloseTo(250 / 350, 10);
      expect(groups.join(far, 2)).toBeNull();
    }
  });

  it('do not join what agrees only in the bits that the narrowest have', () => {
    const groups = createGroups(THRESHOLDS);
    const alike = all.map((fingerprint) => (fingerprint + 2 ** 39) % 2 ** 40);
    expect(groups.join(resultOf('a', all), 0)).toBeNull();
    expect(groups.join(resultOf('b', alike), 1)).toBeNull();
    expect(groups.join(resultOf('c', all.subarray(1)), 2)?.representative).toBe(0);
    expect(groups.join(resultOf('d', alike.subarray(1)), 3)?.representative).toBe(1);
  });
});
