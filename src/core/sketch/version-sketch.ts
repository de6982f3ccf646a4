import { bitBytes } from './main-marks.ts';
import { modulusFor } from './modulus.ts';
import type { ComparedSample } from './narrow.ts';

/*
 * What is kept of every past version of a document. So it is compared with whatever turns out to be the version before it or
 * after it, though its content is long forgotten:
 *
 *   content   V_m, low 16 to 40 bits     some 1.5 bytes a value, and postings: kept while somebody holds it
 *   version   V_M, low b bits            M = m(n; ∞, 128): 128 to 255 values, all of up to 255 shingles
 *
 *   n         … 63    … 181    … 255    … 362    … 511    … 1,023    … 2,047    … 4,095     n
 *   M            1        1        1        2        2          4          8         16     2^floor(log2(n / 128))
 *   b           26       16       17       17       18         18         19         20     max(18, ceil(log2 n) + 8); 26 where
 *                                                                                           all are kept; as many as the
 *                                                                                           record has, at the most
 *
 * A value that is not shared agrees with one of the other's n by chance, of at most n / 2^b: 1/256 beside a document of its
 * own size. What is expected of that is taken off
 * (core/compare/evidence.ts), and intervals cover it. Up to 63 shingles the chance is 1/1,000,000: there shares are what they
 * are. Two versions are compared at the coarser of their moduli: of 200 shingles beside 100,000 hardly any are.
 *
 * It follows from the content alone: two versions tell the same of each other whenever they meet. Where a part of it is its
 * main text, that is kept too, as a bit for each value.
 *
 * Cost: some 10 ns a value of the sample, and 15 µs to sort; some 250 bytes on disk, 400 of 160 shingles that are all kept.
 * Bits take 30 more.
 */

export interface VersionSketch extends ComparedSample {
  /** n: distinct shingles, exactly. */
  readonly shingleCount: number;
  /** 40 bits of the digest of all shingles: equal where the sets are. */
  readonly setKey: number;
  /** 40 bits of the digest of all words: equal where they are. */
  readonly wordsKey: number;
  /** Its main text: null where that is all of it. `not-read`: it is from before format 8. */
  readonly main: VersionPart | 'not-read' | null;
}

/** The main text of a version, where it is a part of it. */
export interface VersionPart {
  /** Its distinct shingles, exactly. */
  readonly shingleCount: number;
  /** A bit for each value: main-marks.ts. */
  readonly bits: Uint8Array;
}

/** Expected values at the least, while n allows it: then resemblance is within .07 of the estimate 19 times of 20. */
const VERSION_SHINGLES_LEAST = 128;
/** Bits more than the number of shingles takes. */
const SPARE_BITS = 8;
/** So that short versions and long ones tell of each other: 1/256 beside 1,000 shingles. */
const BITS_LEAST = 18;
/** Where a record has all bits: so that intervals have no width, and what is told is the share itself. */
const WHOLE_BITS_LEAST = 26;

/**
 * @param sample of a document, at m(n; ∞, 128) or finer where it has so many shingles
 * @param main with a bit for each value of the sample
 */
export function versionSketch(
  sample: ComparedSample,
  main: VersionSketch['main'],
  { shingleCount, setKey, wordsKey }: Pick<VersionSketch, 'shingleCount' | 'setKey' | 'wordsKey'>,
): VersionSketch {
  const modulus = Math.max(sample.modulus, modulusFor(shingleCount, Number.POSITIVE_INFINITY, VERSION_SHINGLES_LEAST));
  const least = modulus === 1 ? WHOLE_BITS_LEAST : BITS_LEAST;
  const wanted = Math.max(least, Math.ceil(Math.log2(Math.max(1, shingleCount))) + SPARE_BITS);
  const bits = Math.min(sample.bits, wanted);
  const mask = modulus - 1;
  const unit = 2 ** bits;
  const unitShare = 1 / unit;
  const bitsOfMain = main === null || main === 'not-read' ? null : main.bits;
  // twice what is kept of each value, and 1 more where it is main: so both are sorted together
  const kept: number[] = [];
  const { values: all } = sample;
  for (let i = 0; i < all.length; i++) {
    if ((all[i]! & mask) !== 0) continue;
    const value = all[i]!;
    const low = value - Math.floor(value * unitShare) * unit;
    kept.push(2 * low + (bitsOfMain === null ? 0 : (bitsOfMain[i >> 3]! >> (i & 7)) & 1));
  }
  const sorted = Float64Array.from(kept).sort();
  const values = sorted.map((value) => Math.floor(value / 2));
  const told = { shingleCount, setKey, wordsKey, modulus, bits, values };
  if (main === null || main === 'not-read') return { ...told, main };
  const marks = new Uint8Array(bitBytes(values.length));
  for (let i = 0; i < sorted.length; i++) marks[i >> 3]! |= (sorted[i]! % 2) << (i & 7);
  return { ...told, main: { shingleCount: main.shingleCount, bits: marks } };
}
