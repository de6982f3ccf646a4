import { runToEnd } from '../memory/steps.ts';
import { Alignment } from '../text/alignment.ts';
import { createCanonicalizer } from '../text/canonicalize.ts';
import { BLOCK_BYTES, createTokenCopier } from '../text/tokens.ts';
import { DistinctFingerprints, type WholeSet } from './distinct.ts';
import { type KeptRanges, type MainMarks, MainWindows, mainMarksOf } from './main-marks.ts';
import type { Sample } from './modulus.ts';
import { createSampler, storedFingerprints, sumOf, wholeOf } from './sample.ts';
import { createStages, type FingerprintParameters } from './stages.ts';

/*
 * From a text to its sketch: the table of contents of the pipeline (Broder 1997, §2 and §3).
 *
 *   text ─ canonicalize ─ tokens ─ rabin ─ permutation ─ shingles ─ permutation ─┬─ distinct ─ sample ─ Sketch
 *                                  └ a value for each ┘  └ one for each window ┘ └─ ShingleSequence
 *
 * Canonical bytes are made as a whole; the stages after it take blocks of 8 KB through memory that stays in the cache.
 * Cost: linear in the text on any input; bench/sketch.ts measures it.
 */

/** What is known of a document once its text has passed through the pipeline. */
export interface Sketch {
  /** Tokens of the canonical text, 0 or more; 0 of a set of features. */
  readonly tokenCount: number;
  /** n: the exact number of distinct shingles; of a text 0 only where tokenCount is 0. */
  readonly shingleCount: number;
  readonly sample: Sample;
  /** Order-independent 128-bit sum over all distinct 64-bit fingerprints (four Uint32): equal sets, equal sums. */
  readonly shingleSum: Uint32Array;
  /** All distinct fingerprints where they were asked for and are not too many; else null. */
  readonly whole: WholeSet | null;
  /** Its main part, where it was said what is kept of the text; null where all shingles count as main. */
  readonly main: MainMarks | null;
}

/**
 * Takes the canonical text of a document: its tokens as UTF-8, each followed by one 0x20, in parts that may end anywhere.
 * Equal bytes are lexical equivalence. A part is scratch memory, good only until the call returns.
 */
export type CanonicalTextSink = (part: Uint8Array) => void;

/** Makes sketches under one set of parameters; holds scratch memory, so it serves one call at a time. */
export interface Sketcher {
  readonly parameters: FingerprintParameters;
  /**
   * The sketch of a document's text.
   *
   * @param text UTF-8; invalid sequences count as U+FFFD, the WHATWG way. Never kept or changed.
   * @param modulusMax cap of the sample's modulus m(n; modulusMax, 512): 1 keeps the whole set (a query in hand), 4 is
   *   what a record keeps.
   * @param canonicalText gets the canonical text, all of it before the sketch is returned
   * @param wholeMax so many distinct fingerprints at the most are given back whole: 0 unless told
   * @param kept the main text of the document: null unless told. It changes `main` alone.
   */
  sketch(
    text: Uint8Array,
    modulusMax: number,
    canonicalText?: CanonicalTextSink,
    wholeMax?: number,
    kept?: KeptRanges | null,
  ): Sketch;
  /** The windows of a text in order, for passages: see {@link ShingleSequence}. */
  sequence(text: Uint8Array): ShingleSequence;
  /** The same in steps of some 3 ms, the first one of 4 ns a byte. Between them nothing else may be asked of the sketcher. */
  sequenceSteps(text: Uint8Array, canonicalText?: CanonicalTextSink): Generator<undefined, ShingleSequence>;
}

/** The shingles of a text in the order of the text, with where they stand. */
export interface ShingleSequence {
  /** Tokens in a shingle of this text: w, or the number of tokens where there are fewer. */
  readonly shingleSize: number;
  /** Byte offset in the input text where token i starts and where it ends (exclusive). */
  readonly tokenStarts: Uint32Array;
  readonly tokenEnds: Uint32Array;
  /** Low 40 bits of the fingerprint of the shingle that begins at token i; tokenCount - shingleSize + 1 of them. */
  readonly fingerprints: Float64Array;
}

const NO_MARKS = new Uint8Array(0);

/** Canonical bytes of which a step makes a sequence. */
const STEP_BYTES = 16 * BLOCK_BYTES;

/** Smallest and largest w. */
export const SHINGLE_SIZE_MIN = 1;
export const SHINGLE_SIZE_MAX = 32;

/** What a sketch says of a set of fingerprints, wherever they come from. @param wholeMax as {@link Sketcher} takes it */
export function ofDistinct(
  distinct: DistinctFingerprints,
  sample: ReturnType<typeof createSampler>,
  modulusMax: number,
  wholeMax: number,
): Omit<Sketch, 'tokenCount' | 'main'> {
  return {
    shingleCount: distinct.count,
    sample: sample(distinct, modulusMax),
    shingleSum: sumOf(distinct),
    whole: distinct.count <= wholeMax ? wholeOf(distinct) : null,
  };
}

/** @throws RangeError where the parameters are not as FingerprintParameters says */
export function createSketcher(parameters: FingerprintParameters): Sketcher {
  checkParameters(parameters);
  const { shingleSize } = parameters;
  const canonicalize = createCanonicalizer();
  const stages = createStages(parameters);
  const { block, shingler } = stages;
  const copyTokens = createTokenCopier();
  const distinct = new DistinctFingerprints();
  const sample = createSampler();

  function sketch(
    text: Uint8Array,
    modulusMax: number,
    canonicalText?: CanonicalTextSink,
    wholeMax = 0,
    kept: KeptRanges | null = null,
  ): Sketch {
    const alignment = kept && new Alignment();
    const windows = kept && new MainWindows(kept, shingleSize);
    const canonical = canonicalize(text, alignment);
    let marks: Uint8Array = NO_MARKS;
    const addTokens = () => {
      canonicalText?.(copyTokens(canonical, block));
      if (alignment !== null) marks = windows!.next(alignment.locate(block));
    };
    distinct.expect(text.length);
    const addShingles = (from: number, to: number) => {
      distinct.add(shingler.low, shingler.high, from, to);
      if (windows !== null) distinct.mark(shingler.low, shingler.high, from, to, marks);
    };
    const addOnlyShingle = (from: number, to: number, tokenCount: number) => {
      if (windows !== null) marks = Uint8Array.of(windows.areAllKept(tokenCount) ? 1 : 0);
      addShingles(from, to);
    };
    try {
      const tokenCount = stages.run(canonical, addTokens, addShingles, addOnlyShingle);
      const found = ofDistinct(distinct, sample, modulusMax, wholeMax);
      return { tokenCount, ...found, main: kept && mainMarksOf(distinct, found.sample) };
    } finally {
      distinct.clear();
    }
  }

  const sequence = (text: Uint8Array) => runToEnd(sequenceSteps(text));

  function* sequenceSteps(text: Uint8Array, canonicalText?: CanonicalTextSink): Generator<undefined, ShingleSequence> {
    const alignment = new Alignment();
    const canonical = canonicalize(text, alignment);
    const spans: Uint32Array[] = [];
    const values: Float64Array[] = [];
    const addTokens = () => {
      spans.push(alignment.locate(block));
      canonicalText?.(copyTokens(canonical, block));
    };
    const addShingles = (from: number, to: number) =>
      values.push(storedFingerprints(shingler.low, shingler.high, from, to));
    let tokenCount = 0;
    stages.begin();
    for (let from = 0; from <= canonical.length; from += BLOCK_BYTES) {
      if (from % STEP_BYTES === 0) yield;
      tokenCount += stages.takeBlock(canonical, from, tokenCount, addTokens, addShingles);
    }
    stages.end(tokenCount, addShingles);
    const size = Math.min(shingleSize, tokenCount);
    // of millions of tokens each of these takes tens of ms
    yield;
    const bounds = boundsOf(spans, tokenCount);
    yield;
    const fingerprints = concatenate(values, new Float64Array(tokenCount === 0 ? 0 : tokenCount - size + 1));
    return { shingleSize: size, ...bounds, fingerprints };
  }

  return { parameters, sketch, sequence, sequenceSteps };
}

function checkParameters({ shingleSize, polynomial, mixing }: FingerprintParameters): void {
  if (!Number.isInteger(shingleSize) || shingleSize < SHINGLE_SIZE_MIN || shingleSize > SHINGLE_SIZE_MAX)
    throw new RangeError(`shingleSize must be a whole number from ${SHINGLE_SIZE_MIN} to ${SHINGLE_SIZE_MAX}`);
  if (polynomial.length !== 2 || (polynomial[1] & 1) === 0)
    throw new RangeError('polynomial must be two halves of an odd number');
  if (mixing.length !== 16) throw new RangeError('mixing must be 16 numbers');
}

/** Where tokens start and end, of spans with both alternately. */
function boundsOf(
  spans: readonly Uint32Array[],
  tokenCount: number,
): Pick<ShingleSequence, 'tokenStarts' | 'tokenEnds'> {
  const tokenStarts = new Uint32Array(tokenCount);
  const tokenEnds = new Uint32Array(tokenCount);
  let token = 0;
  for (const span of spans) {
    for (let i = 0; i < span.length; i += 2, token++) {
      tokenStarts[token] = span[i]!;
      tokenEnds[token] = span[i + 1]!;
    }
  }
  return { tokenStarts, tokenEnds };
}

function concatenate(pieces: readonly Float64Array[], whole: Float64Array): Float64Array {
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
