import { coarsen, indexModulusFor, modulusFor, RECORD_SHINGLES_LEAST } from '../../../src/core/sketch/modulus.ts';
import type { ContentRef, DeletePlan, GonePlan, NewContent, PutPlan, SamePlan } from '../../../src/store/port.ts';

/** A seeded generator of numbers in [0, 1): mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let hash = Math.imul(state ^ (state >>> 15), state | 1);
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61);
    return ((hash ^ (hash >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

export const below = (random: () => number, limit: number) => Math.floor(random() * limit);

/** 32 hex digits that name a small number; the first ten differ from one number and kind to the next, as real digests do. */
export const digest = (number: number, kind = 0) =>
  (((number + 1) * 0x85eb_ca6b + kind * 0xc2b2_ae35) % 2 ** 40).toString(16).padStart(10, '0') +
  kind.toString(16).padStart(6, '0') +
  number.toString(16).padStart(16, '0');

/** A content of these fingerprints, which are its whole set; kept as the pipeline would keep them. Its plan says when it came. */
export function contentOf(
  number: number,
  fingerprints: Iterable<number>,
  shingleDigest = digest(number, 2),
): NewContent {
  const all = Float64Array.from(new Set(fingerprints)).sort();
  const modulus = modulusFor(all.length, 4, RECORD_SHINGLES_LEAST);
  return {
    id: digest(number, 1),
    shingleDigest,
    tokenCount: all.length + 6,
    shingleCount: all.length,
    main: null,
    createdAt: 0,
    sample: coarsen({ modulus: 1, fingerprints: all }, modulus),
  };
}

/** The same words as another content has, every `nth` of whose fingerprints is main. */
export function markedContent(number: number, whole: NewContent, nth: number): NewContent {
  const { length } = whole.sample.fingerprints;
  const bits = new Uint8Array((length + 7) >> 3);
  for (let i = 0; i < length; i += nth) bits[i >> 3]! |= 1 << (i & 7);
  const shingleCount = Math.ceil(whole.shingleCount / nth);
  return { ...whole, id: digest(number, 1), main: { shingleCount, lexicalDigest: whole.id, bits } };
}

/** `count` consecutive numbers spread over 40 bits: two contents that share numbers share fingerprints. */
export function fingerprintsOf(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => ((from + i) * 0x9e37_79b1) % 2 ** 40);
}

/** The fingerprints of a content that its postings say. */
export function postedOf({ shingleCount, sample }: NewContent, indexModulusMax: number): Float64Array {
  return coarsen(sample, indexModulusFor(shingleCount, indexModulusMax)).fingerprints;
}

/** Asks for the records of all that shares anything, and for no twins: whatever was found has 0 of the query's shingles. */
export const ANY_OVERLAP = {
  shingleDigest: null,
  shingleCount: 2 ** 20,
  modulus: 1,
  thresholds: { resemblance: null, queryInMatch: 0, matchInQuery: null },
  undecidedAt: null,
} as const;

export function putPlan(url: string, content: NewContent, time: number, more: Partial<PutPlan> = {}): PutPlan {
  const { receivedAt = time } = more;
  return {
    kind: 'put',
    url,
    spelling: url,
    observedAt: time,
    receivedAt,
    bytesDigest: content.id,
    content: { ...content, createdAt: receivedAt },
    httpStatus: 200,
    finalUrl: null,
    title: null,
    language: null,
    meta: null,
    ...more,
  };
}

export function gonePlan(url: string, time: number, more: Partial<GonePlan> = {}): GonePlan {
  return { kind: 'gone', url, observedAt: time, receivedAt: time, httpStatus: 404, ...more };
}

export function samePlan(url: string, as: string, time: number, more: Partial<SamePlan> = {}): SamePlan {
  const times = { observedAt: time, receivedAt: time };
  return { kind: 'same', url, spelling: url, as, asAt: null, httpStatus: null, ...times, ...more };
}

export const deletePlan = (url: string, time: number): DeletePlan => ({ kind: 'delete', url, receivedAt: time });

/** A content as far as every store says the same of it. */
export function withoutLocator<T extends ContentRef>(content: T | undefined): Omit<T, 'locator'> | undefined {
  if (content === undefined) return undefined;
  const { locator: _, ...rest } = content;
  return rest;
}
