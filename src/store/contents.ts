import { likeliestOverlap } from '../core/estimate.ts';
import { coarsen, INDEX_SHINGLES_LEAST, modulusFor } from '../core/modulus.ts';
import { compareSamples } from '../core/overlap.ts';
import { resemblanceOf } from '../core/shares.ts';
import type { NewContent } from './port.ts';

/** Hex digits: as many bits as a stored fingerprint has. */
const SHINGLE_DIGEST_KEY_DIGITS = 10;

/** The fingerprints of a content that get postings: its sample at m(n; indexModulusMax, 32). */
export function postedFingerprints(content: NewContent, indexModulusMax: number): Float64Array {
  return coarsen(content.sample, modulusFor(content.shingleCount, indexModulusMax, INDEX_SHINGLES_LEAST)).fingerprints;
}

/** The first 40 bits of a shingle digest: contents with the same set are posted under it as under one more fingerprint. */
export function shingleDigestKey(shingleDigest: string): number {
  return Number.parseInt(shingleDigest.slice(0, SHINGLE_DIGEST_KEY_DIGITS), 16);
}

/** The estimated resemblance of two contents, 0..1: what decides whether the older one is worth keeping. */
export function resemblanceOfContents(a: NewContent, b: NewContent): number {
  const overlap = likeliestOverlap({
    ...compareSamples(a.sample, b.sample),
    shinglesA: a.shingleCount,
    shinglesB: b.shingleCount,
    equalSets: a.shingleDigest === b.shingleDigest,
  });
  return resemblanceOf(overlap, a.shingleCount, b.shingleCount);
}
