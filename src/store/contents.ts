import { likeliestOverlap } from '../core/compare/estimate.ts';
import type { OverlapEvidence } from '../core/compare/evidence.ts';
import { compareSamples } from '../core/compare/sample-comparer.ts';
import { resemblanceOf } from '../core/compare/shares.ts';
import { ownContent } from '../core/content/own-content.ts';
import { runToEnd } from '../core/memory/steps.ts';
import { postedKey } from '../core/query/posted-key.ts';
import { tieOrder } from '../core/query/rank.ts';
import { keptSample, keptSampleSteps, postedOf } from '../core/query/record-sample.ts';
import { keptBitsSteps } from '../core/sketch/main-marks.ts';
import { coarsenSteps, type Sample } from '../core/sketch/modulus.ts';
import { type ComparedSample, coarsenCompared, type KeptSample, STEPPED_VALUES_LEAST } from '../core/sketch/narrow.ts';
import { type VersionSketch, versionSketch } from '../core/sketch/version-sketch.ts';
import { type Content, lexicalDigestOf } from './port.ts';

/** Values by which two versions of a page are compared as they are written, on the event loop. */
const COMPARED_VALUES_MAX = 2 ** 16;
/** Hex digits: as many bits as a stored fingerprint has. */
const DIGEST_KEY_DIGITS = 10;
/** Others of them, for 32 bits. */
const QUERY_DIGITS = 8;

type Kept = Pick<Content<KeptSample>, 'sample' | 'main'>;

/** What was made narrow before its plan was applied. */
const made = new WeakMap<Content<Sample>, Kept>();
/** What was made ahead of samples of millions of values: what gets postings, and the part by which they are compared. */
const posted = new WeakMap<Sample | KeptSample, Float64Array>();
const compared = new WeakMap<ComparedSample, ComparedSample>();

/** What every store keeps of a content (core/query/record-sample.ts). */
export function contentRecord(content: Content<Sample>, indexModulusMax: number): Content<KeptSample> {
  const { shingleCount, sample } = content;
  return {
    ...content,
    ...(made.get(content) ?? runToEnd(keptSteps(content, keptSample(sample, shingleCount, indexModulusMax)))),
  };
}

function* keptSteps(content: Content<Sample>, sample: KeptSample): Generator<undefined, Kept> {
  const { main } = content;
  if (main === null || main === 'not-read') return { sample, main };
  return { sample, main: { ...main, bits: yield* keptBitsSteps(content.sample, main.bits, sample) } };
}

/** Whether a content is of so many values that its record is made in steps. */
export const takesSteps = ({ sample }: Content<Sample>) => sample.fingerprints.length >= STEPPED_VALUES_LEAST;

/**
 * Does ahead, in steps of some 10 ms at the most, what {@link contentRecord} would do at once.
 *
 * @param content one that takes steps
 * @returns the sample that its record will have
 */
export function* recordSteps(content: Content<Sample>, indexModulusMax: number): Generator<undefined, KeptSample> {
  const kept = yield* keptSampleSteps(content.sample, content.shingleCount, indexModulusMax);
  made.set(content, yield* keptSteps(content, kept));
  yield;
  posted.set(kept, postedOf(kept, content.shingleCount, indexModulusMax));
  yield* comparedSteps(kept);
  return kept;
}

/** The fingerprints of a content that get postings, its sample at m(n; indexModulusMax, 32): distinct, in no order. */
export function postedFingerprints(
  { shingleCount, sample }: Content<Sample | KeptSample>,
  indexModulusMax: number,
): Float64Array {
  return posted.get(sample) ?? postedOf(sample, shingleCount, indexModulusMax);
}

/** The key of a shingle digest: contents with the same set are posted under it as under one more fingerprint. */
export const shingleDigestKey = (shingleDigest: string): number => postedKey(digestKey(shingleDigest));

/** The first 40 bits of a digest. */
export const digestKey = (digest: string): number => Number.parseInt(digest.slice(0, DIGEST_KEY_DIGITS), 16);

/**
 * What comes first of contents that share as much with a query as one another: the smaller number. It is the same in
 * every store, and for every question with these shingles.
 */
export function tieOrderFor(rankKey: readonly [number, number], shingleDigest: string | null) {
  const query = shingleDigest === null ? 0 : Number.parseInt(shingleDigest.slice(-QUERY_DIGITS), 16);
  return (content: number) => tieOrder(rankKey, query, content);
}

/** What two contents tell of their overlap, by what is kept of them. */
export function evidenceOfContents(a: Content, b: Content): OverlapEvidence {
  return {
    ...compareSamples(comparedSample(a), comparedSample(b)),
    shinglesA: a.shingleCount,
    shinglesB: b.shingleCount,
    equalSets: a.shingleDigest === b.shingleDigest,
  };
}

/** What is kept of a past version, whatever becomes of its content. */
export function sketchOfContent(content: Content): VersionSketch {
  const { shingleCount, shingleDigest, main } = content;
  // the bits of a main part are those of the whole sample
  const sample = main === null || main === 'not-read' ? comparedSample(content) : content.sample;
  return versionSketch(sample, main, {
    shingleCount,
    setKey: digestKey(shingleDigest),
    wordsKey: digestKey(lexicalDigestOf(content)),
  });
}

/** Whether two versions have the same words, though their contents may differ. */
export const haveSameWords = (a: VersionSketch, b: VersionSketch): boolean =>
  a.wordsKey === b.wordsKey && a.setKey === b.setKey && a.shingleCount === b.shingleCount;

/**
 * Whether the main texts of two versions are the same, as far as their sketches tell: they have as many shingles, and share all
 * that are compared. Not where all of both is main text, or it is not known what is.
 */
export function haveSameMain(a: VersionSketch, b: VersionSketch): boolean {
  if (a.main === 'not-read' || b.main === 'not-read' || (a.main === null && b.main === null)) return false;
  const [one, other] = [
    ownContent({ ...a, sample: a, main: a.main }, null),
    ownContent({ ...b, sample: b, main: b.main }, null),
  ];
  const { shared, sampledA, sampledB } = compareSamples(distinct(one.sample), distinct(other.sample));
  return one.shingleCount === other.shingleCount && shared > 0 && shared === sampledA && shared === sampledB;
}

/** A value of the rest of the page that agrees with one of the main text is marked with it. */
const distinct = (sample: ComparedSample): ComparedSample => ({
  ...sample,
  values: sample.values.filter((value, i) => i === 0 || value !== sample.values[i - 1]),
});

/** What two versions tell of their overlap. */
export function evidenceOfVersions(a: VersionSketch, b: VersionSketch): OverlapEvidence {
  const [shinglesA, shinglesB] = [a.shingleCount, b.shingleCount];
  return { ...compareSamples(a, b), shinglesA, shinglesB, equalSets: a.setKey === b.setKey && shinglesA === shinglesB };
}

/** The estimated resemblance of two contents, 0..1: what decides whether the older one is worth keeping. */
export function resemblanceOfContents(a: Content, b: Content): number {
  return resemblanceOf(likeliestOverlap(evidenceOfContents(a, b)), a.shingleCount, b.shingleCount);
}

/** Of a document of megabytes a part, which says as much to a thousandth. */
function comparedSample({ sample }: Content): ComparedSample {
  const modulus = comparedModulusOf(sample);
  return modulus === sample.modulus ? sample : (compared.get(sample) ?? coarsenCompared(sample, modulus));
}

function comparedModulusOf({ modulus, values }: ComparedSample): number {
  return modulus * 2 ** Math.max(0, Math.ceil(Math.log2(values.length / COMPARED_VALUES_MAX)));
}

/** Does ahead, in steps of some ms, what comparing a content with other versions of its page begins with. */
export function* comparedSteps(sample: ComparedSample): Generator<undefined, void> {
  const modulus = comparedModulusOf(sample);
  if (modulus === sample.modulus) return;
  yield;
  const coarser = yield* coarsenSteps({ modulus: sample.modulus, fingerprints: sample.values }, modulus);
  compared.set(sample, { modulus, bits: sample.bits, values: coarser.fingerprints });
}
