import type { Room } from '../memory/copies.ts';
import { STEP_VALUES } from '../memory/steps.ts';

/*
 * Which fingerprints of a document are kept: nested samples.
 *
 *   V_m(D) = { f in F(D) : f = 0 mod m },  m = 2^i,  so that  V_1 ⊇ V_2 ⊇ V_4 ⊇ …
 *   m(n; cap, least) = 2^i,  i = clamp(floor(log2(n / least)), 0, log2 cap)
 *
 * One rule serves three purposes, with other numbers (n = distinct shingles of the document):
 *
 *   n              1 … 63  64 … 127  128 … 255  256 … 1,023  1,024 … 2,047  2,048 …
 *   index  (8, 32)    1         2          4            8              8           8      gets postings
 *   record (4, 512)   1         1          1            1              2           4      is kept for estimates
 *
 * Source: Broder 1997, §3, whose modulus grows with the document. Ours is capped: that keeps containment honest between a
 * short document and a long one.
 * Cost: O(1) for a modulus, O(values) to coarsen a sample.
 */

/** A nested sample of a document's fingerprints: V_m of Broder 1997, §3, with m a power of two. */
export interface Sample {
  /** m, a power of two; 1 = the whole set. */
  readonly modulus: number;
  /**
   * The low 40 bits of every distinct fingerprint that is 0 mod m: whole numbers in 0..2^40-1, ascending, distinct. Never
   * overwritten; it may be a part of a larger buffer (memory/copies.ts).
   */
  readonly fingerprints: Float64Array;
}

/** `least` of the index sample: a document with fewer than twice as many shingles posts all of them. */
export const INDEX_SHINGLES_LEAST = 32;
/** `least` of the record sample: up to 1,023 shingles are all kept. */
export const RECORD_SHINGLES_LEAST = 512;

/** A fingerprint as it is sampled: its low 40 bits. */
export const FINGERPRINT_BITS = 40;

/**
 * m(n; cap, least): a power of two in 1..cap.
 *
 * @param shingleCount n >= 0
 * @param cap a power of two, or Infinity
 * @param least expected values that a sample keeps at the least, while n allows it
 */
export function modulusFor(shingleCount: number, cap: number, least: number): number {
  let modulus = 1;
  while (modulus * 2 <= cap && shingleCount >= modulus * 2 * least) modulus *= 2;
  return modulus;
}

/** The modulus of what a document posts: a power of two in 1..cap. */
export function indexModulusFor(shingleCount: number, cap: number): number {
  return modulusFor(shingleCount, cap, INDEX_SHINGLES_LEAST);
}

/** The fewest shingles of a document that posts at a modulus, 2 or more, or a coarser one. */
export const leastPostedAt = (modulus: number) => modulus * INDEX_SHINGLES_LEAST;

/**
 * The part of a sample at a coarser modulus (V_2m from V_m). The same object where the modulus is no coarser than its own.
 *
 * @param modulus a power of two up to 2^31
 * @param room where its fingerprints go
 */
export function coarsen(sample: Sample, modulus: number, room: Room = own): Sample {
  if (modulus <= sample.modulus) return sample;
  const mask = modulus - 1;
  const { fingerprints } = sample;
  // counted first: room for millions, of which a few are kept, takes longer than to look at them twice
  let kept = 0;
  for (let i = 0; i < fingerprints.length; i++) kept += Number((fingerprints[i]! & mask) === 0);
  const coarser = room(kept);
  for (let i = 0, at = 0; at < kept; i++) {
    coarser[at] = fingerprints[i]!;
    at += Number((fingerprints[i]! & mask) === 0);
  }
  return { modulus, fingerprints: coarser };
}

const own: Room = (count) => new Float64Array(count);

/** The same in steps of some 10 ms at the most. */
export function* coarsenSteps(sample: Sample, modulus: number): Generator<undefined, Sample> {
  const { fingerprints } = sample;
  if (modulus <= sample.modulus || fingerprints.length <= STEP_VALUES) return coarsen(sample, modulus);
  const parts: Float64Array[] = [];
  for (let from = 0; from < fingerprints.length; from += STEP_VALUES) {
    const part = { modulus: sample.modulus, fingerprints: fingerprints.subarray(from, from + STEP_VALUES) };
    parts.push(coarsen(part, modulus).fingerprints);
    yield;
  }
  const coarser = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    coarser.set(part, at);
    at += part.length;
  }
  return { modulus, fingerprints: coarser };
}
